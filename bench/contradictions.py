"""How right the report of contradictions is: python bench/contradictions.py PROJECT…

Each PROJECT is a clone, a GitHub export, or a brain that holds some. `contradictions.jsonl` holds pairs of facts of
such projects, by handle, each with a verdict: whether they contradict. They were gathered in three ways:

- alike: pairs that share much of what they say, reported by an earlier version or not; they show what is left alone;
- seen: all that the rules reported on the projects they were written with;
- unseen: all that they reported on ten projects indexed when they were done. Only these tell how precise they are.

Printed are the verdicts and, of the pairs whose project is given, how many the rules of today report.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from cortex.compactor.contradictions import within
from cortex.indexers.feeds import project_feeds, source_of_project
from cortex.indexers.run import index
from cortex.substrate.brain import Brain, open_brain

from folders import indexed  # isort: skip  a script beside this one

JUDGED: Final = Path(__file__).with_suffix(".jsonl")
RESULTS: Final = Path(__file__).parent / "results" / "contradictions.md"

Pair = frozenset[str]


@contextmanager
def brain_of(project: Path, path: Path) -> Iterator[Brain]:
    if project.is_file():
        with open_brain(project) as brain:
            yield brain
    elif (project / ".git").exists():
        source = source_of_project(project)
        with open_brain(path) as brain:
            index(brain, project_feeds(project, source), source=source, now=datetime.now(UTC))
            yield brain
    else:
        with indexed(project, path) as brain:
            yield brain


def reported(projects: Sequence[Path]) -> dict[str, set[Pair]]:
    """The pairs reported in each source."""
    found: dict[str, set[Pair]] = {}
    for project in projects:
        with TemporaryDirectory() as home, brain_of(project, Path(home) / "brain.db") as brain:
            sources = dict(brain.db.execute("select id, name from sources").fetchall())
            found |= {source: found.get(source, set()) for source in sources.values()}
            for one in within(brain, sources):
                found[one.source].add(frozenset((one.stands.handle, one.outranked.handle)))
    return found


def pair(row: dict[str, Any]) -> Pair:
    return frozenset((row["one"], row["other"]))


def table(rows: Sequence[dict[str, Any]], found: dict[str, set[Pair]]) -> Iterator[str]:
    yield "| gathered | judged | contradict | of projects at hand | reported today | rightly |"
    yield "|---|---:|---:|---:|---:|---:|"
    for gathered in ("alike", "seen", "unseen"):
        judged = [row for row in rows if row["gathered"] == gathered]
        at_hand = [row for row in judged if row["source"] in found]
        told = [row for row in at_hand if pair(row) in found[row["source"]]]
        right, rightly = sum(row["contradicts"] for row in judged), sum(row["contradicts"] for row in told)
        yield f"| {gathered} | {len(judged)} | {right} | {len(at_hand)} | {len(told)} | {rightly} |"


def grounds(rows: Sequence[dict[str, Any]]) -> str:
    unseen = [row for row in rows if row["gathered"] == "unseen"]
    right = Counter(row["ground"] for row in unseen if row["contradicts"])
    every = Counter(row["ground"] for row in unseen)
    return ", ".join(f"{ground} {right[ground]} of {count}" for ground, count in every.most_common())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", type=Path, nargs="+")
    found = reported(parser.parse_args().projects)
    rows = [json.loads(line) for line in JUDGED.read_text("utf-8").splitlines()]
    known = {pair(row) for row in rows}
    new = sum(one not in known for pairs in found.values() for one in pairs)
    unseen = [row["contradicts"] for row in rows if row["gathered"] == "unseen"]
    precision = f"{sum(unseen)} of {len(unseen)}, {sum(unseen) / len(unseen):.2f} ({grounds(rows)})"
    lines = [
        "# Contradictions",
        "",
        *table(rows, found),
        "",
        f"Precision on projects nobody had looked at: {precision}.",
        "Two rules were made stricter afterwards, which is why fewer of these are reported today.",
        f"Reported today and never judged: {new}.",
        "",
    ]
    print("\n".join(lines))
    RESULTS.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
