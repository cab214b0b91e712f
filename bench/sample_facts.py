"""Draw facts of data folders to be read and judged, and keep the verdicts: useful, useless (though true) or wrong.

    python bench/sample_facts.py DATA_FOLDER [DATA_FOLDER …] --seed 1 --count 200 [--paths docs,comments]
    python bench/sample_facts.py DATA_FOLDER … --seed 1 --count 200 --verdicts useless=3,7 wrong=12 --into NAME

The first prints each fact under a number, with its record's text around it. The second writes a line a fact to
bench/judged/NAME.jsonl, `{"handle", "path", "kind", "confidence", "seed", "verdict"}` and never a text; what is neither
useless nor wrong is useful. Both draw the same facts of the same folders. `--tally` prints the tally of every file.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from data import rows as read_rows
from folders import indexed

JUDGED = Path(__file__).parent / "judged"
RESULTS = Path(__file__).parent / "results" / "junk.md"
AROUND = 160
FACTS = """
select f.handle, f.path, f.kind, f.confidence, f.statement, f.start, f.end_, r.body, r.url
from facts f join records r on r.id = f.record_id where f.path in (select value from json_each(?))
"""


class Drawn(NamedTuple):
    """A fact, with the text it stands in."""

    handle: str
    path: str
    kind: str
    confidence: float
    statement: str
    start: int
    end: int
    body: str
    url: str


def draw(folders: list[Path], paths: list[str], *, seed: int, count: int) -> list[Drawn]:
    """*count* facts of all folders together, by the number that the seed and its handle give to each.

    Facts that come or go with other rules leave the others where they are: only they have to be judged anew.
    """
    facts: list[Drawn] = []
    with TemporaryDirectory() as scratch:
        for number, folder in enumerate(folders):
            with indexed(folder, Path(scratch) / f"{number}.db") as brain:
                facts += (Drawn(*row) for row in brain.db.execute(FACTS, (json.dumps(paths),)))
    facts.sort(key=lambda fact: blake2b(f"{seed} {fact.handle}".encode()).digest())
    return facts[:count]


def shown(fact: Drawn) -> str:
    """A fact and what stands around it."""
    before = fact.body[max(0, fact.start - AROUND) : fact.start]
    after = fact.body[fact.end : fact.end + AROUND]
    around = f"…{before}⟦{fact.body[fact.start : fact.end]}⟧{after}…"
    return f"[{fact.kind} {fact.confidence:.2f}] {fact.statement}\n    {' '.join(around.split())}"


def verdicts(stated: list[str], count: int) -> list[str]:
    """The verdict of each fact, from 'useless=3,7' and 'wrong=12'."""
    found = ["useful"] * count
    for one in stated:
        name, _, numbers = one.partition("=")
        if name not in ("useless", "wrong"):
            raise SystemExit(f"{one!r} is neither useless=… nor wrong=…")
        for number in filter(None, numbers.split(",")):
            found[int(number) - 1] = name
    return found


def tally() -> str:
    """A table of every judged sample."""
    lines = ["| sample | seed | facts | useful | true but useless | wrong |", "|---|---|---|---|---|---|"]
    for path in sorted(JUDGED.glob("sample-*.jsonl")):
        rows = list(read_rows(JUDGED, path.stem))
        counts = Counter(row["verdict"] for row in rows)
        shares = " | ".join(f"{counts[name] / len(rows):.1%}" for name in ("useful", "useless", "wrong"))
        lines.append(f"| {path.stem.removeprefix('sample-')} | {rows[0]['seed']} | {len(rows)} | {shares} |")
    return "\n".join(lines)


def main() -> None:
    """Draw, print, or keep what was judged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--paths", default="docs,comments")
    parser.add_argument("--verdicts", nargs="*", help="useless=3,7 wrong=12")
    parser.add_argument("--into", help="name of the sample")
    parser.add_argument("--tally", action="store_true", help=f"print the tallies; {RESULTS.name} holds them")
    options = parser.parse_args()
    if options.tally:
        print(tally())
        return
    facts = draw(options.folders, options.paths.split(","), seed=options.seed, count=options.count)
    if options.verdicts is None:
        for number, fact in enumerate(facts, 1):
            print(f"{number}. {shown(fact)}")
        return
    with (JUDGED / f"sample-{options.into}.jsonl").open("w", encoding="utf-8") as out:
        for fact, verdict in zip(facts, verdicts(options.verdicts, len(facts)), strict=True):
            row = fact._asdict() | {"seed": options.seed, "verdict": verdict}
            kept = {name: row[name] for name in ("handle", "path", "kind", "confidence", "seed", "verdict")}
            out.write(json.dumps(kept) + "\n")


if __name__ == "__main__":
    main()
