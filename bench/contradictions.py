"""How right the report of contradictions is: python bench/contradictions.py FOLDER…

Each FOLDER is a GitHub export. `contradictions.jsonl` holds pairs of facts of such folders, by handle, that share
much of what they say and differ in a negation or a number, or of which one was taken back, each with a verdict:
whether they contradict. Printed are how many of them are reported, how many of those rightly, and reported pairs
that nobody judged.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cortex.compactor.contradictions import contradictions

from folders import indexed  # isort: skip  a script beside this one

JUDGED: Final = Path(__file__).with_suffix(".jsonl")
RESULTS: Final = Path(__file__).parent / "results" / "contradictions.md"

Pair = frozenset[str]


def reported(folders: list[Path]) -> set[Pair]:
    found: set[Pair] = set()
    for folder in folders:
        with TemporaryDirectory() as home, indexed(folder, Path(home) / "brain.db") as brain:
            sources = dict(brain.db.execute("select id, name from sources").fetchall())
            found |= {frozenset((one.stands.handle, one.outranked.handle)) for one in contradictions(brain, sources)}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    found = reported(parser.parse_args().folders)
    rows = [json.loads(line) for line in JUDGED.read_text("utf-8").splitlines()]
    judged: dict[Pair, bool] = {frozenset((row["one"], row["other"])): row["contradicts"] for row in rows}
    told = [pair for pair in found if pair in judged]
    right = sum(judged[pair] for pair in told)
    lines = [
        "# Contradictions",
        "",
        f"- judged pairs: {len(judged)}, of which {sum(judged.values())} contradict",
        f"- of them reported: {len(told)}, rightly: {right}",
        f"- not contradicting and not reported: {sum(not bad for pair, bad in judged.items() if pair not in found)}",
        f"- reported and never judged: {', '.join('/'.join(sorted(p)) for p in found if p not in judged) or 'none'}",
        "",
        "The rules were written with these pairs in sight, and so few are reported that precision is unknown:",
        "it shows that what is merely alike is left alone.",
        "",
    ]
    print("\n".join(lines))
    RESULTS.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
