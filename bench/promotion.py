"""How fast records become facts, full-text indexing included: python bench/promotion.py FOLDER [--write].

FOLDER holds issues.jsonl, pulls.jsonl, comments.jsonl as GitHub's API gives them. It is indexed, and what promotion
made of it is taken out again; every round promotes a copy of that brain, and the median counts. The same is measured
for ten sources that hold a copy of its records each, and for as many of its records as give 551 facts.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from folders import indexed

from cortex.indexers.promotion import promote
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.status import start_run

RESULTS: Final = Path(__file__).parent / "results" / "promotion.md"
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
FEW: Final = 551

_COLUMNS: Final = (
    "type, ref, title, body, url, path, line_start, line_end, author, association, state, labels, assignees, merged_by,"
    " closed_by, thread, created_at, updated_at, closed_at, merged_at, authority, origin, content_hash"
)


def strip(brain: Brain) -> None:
    """Take every promoted fact out, as if none had ever been made."""
    with brain.transaction() as db:
        db.execute("delete from facts where path = 'promotion'")
        db.execute("delete from promotions")
    brain.db.execute("insert into facts_fts (facts_fts) values ('optimize')")
    brain.db.execute("vacuum")


def copy_source(brain: Brain, name: str, *, records: int = -1) -> int:
    """The id of a new source that holds the structured records of the first, or the first of them, and their links."""
    structured = "type in ('directive', 'pull', 'issue', 'outcome', 'commit', 'ownership')"
    with brain.transaction() as db:
        cursor = db.execute("insert into sources (name, created_at) values (?, ?)", (name, NOW.isoformat()))
        db.execute(
            f"insert into records (source_id, {_COLUMNS}) select ?, {_COLUMNS} from records"  # noqa: S608  constants
            f" where source_id = 1 and {structured} order by id limit ?",
            (cursor.lastrowid, records),
        )
        db.execute(
            "insert into links select ?, from_ref, relation, to_source, to_ref from links where source_id = 1",
            (cursor.lastrowid,),
        )
    return int(cursor.lastrowid or 0)


def timed(stripped: Path, sources: Sequence[int], rounds: int) -> tuple[int, list[float]]:
    """How many facts *sources* give, and the seconds each round took to make them."""
    facts, seconds = 0, []
    for _ in range(rounds):
        path = stripped.with_name("round.db")
        shutil.copy(stripped, path)
        with open_brain(path) as brain:
            run_id = start_run(brain, "index", source_id=sources[0], now=NOW)
            started = perf_counter()
            facts = sum(promote(brain, source_id=source, run_id=run_id, now=NOW).added for source in sources)
            seconds.append(perf_counter() - started)
    return facts, seconds


def measure(folder: Path, home: Path, rounds: int) -> list[str]:
    """A row of the table for each size."""
    path = home / "brain.db"
    with indexed(folder, path) as brain:
        counted = "select count(*), (select count(*) from facts where path = 'promotion') from promotions"
        records, facts = brain.db.execute(counted).fetchone()
        strip(brain)
    lines = [_line("the folder", *timed(path, [1], rounds))]
    with open_brain(path) as brain:
        some = copy_source(brain, "some", records=FEW * records // facts)
    lines.append(_line("some of it", *timed(path, [some], rounds)))
    with open_brain(path) as brain:
        copies = [copy_source(brain, f"copy {number}") for number in range(10)]
    lines.append(_line("ten copies of it", *timed(path, copies, rounds)))
    return lines


def _line(name: str, facts: int, seconds: list[float]) -> str:
    middle, spread = median(seconds), f"{min(seconds):.3f} to {max(seconds):.3f}"
    return f"| {name} | {facts:,} | {middle:.3f} | {spread} | {facts / middle:,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    arguments = parser.parse_args()
    with TemporaryDirectory() as home:
        lines = measure(arguments.folder, Path(home), arguments.rounds)
    head = ["| records | facts | seconds (median) | all rounds | facts a second |", "|---|---:|---:|---|---:|"]
    table = "\n".join([*head, *lines])
    print(table)
    if arguments.write:
        machine = f"{os.cpu_count()} × {platform.machine()}; medians of {arguments.rounds} rounds"
        versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {machine}"
        RESULTS.write_text(f"# Promotion\n\n{versions}.\n\n{table}\n", "utf-8")


if __name__ == "__main__":
    main()
