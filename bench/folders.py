"""Brains of data folders, for the benches that ask questions."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from data import rows

from cortex.indexers.feeds import export_feeds, source_of_export
from cortex.indexers.run import index
from cortex.substrate.brain import Brain, open_brain

QUESTIONS: Final = Path(__file__).parent / "questions"
FIRST_COMMENTS: Final = 12
"""Of a thread in a smaller project."""


@contextmanager
def indexed(folder: Path, path: Path) -> Iterator[Brain]:
    """A brain at *path* that holds the GitHub export in *folder*; one that is there already is brought up to date."""
    source = source_of_export(folder)
    with open_brain(path) as brain:
        index(brain, export_feeds(folder, source), source=source, now=datetime.now(UTC))
        yield brain


def asked(folder: Path) -> list[Mapping[str, Any]]:
    """The questions about a folder: its own `questions.jsonl`, else those of its name in bench/questions/dev."""
    return list(rows(folder, "questions")) or list(rows(QUESTIONS / "dev", folder.name))


def all_asked(folder: Path) -> list[Mapping[str, Any]]:
    """The questions about a folder with those of its name in bench/questions/more."""
    return [*asked(folder), *rows(QUESTIONS / "more", folder.name)]


def cut(folder: Path, to: Path, share: float, seed: int = 7) -> Path:
    """A smaller project at *to*: the documents, the threads that answer a question, and a *share* of the others.

    Of a thread without an answer in them, and where *share* is 0 of any, the first comments stand for the rest.
    """
    lots = random.Random(seed)  # noqa: S311  which threads, no secret
    gold = {ref for row in all_asked(folder) for ref in row["gold"]}
    comments = [*rows(folder, "comments")]
    answering = {row["id"] for row in comments if f"comment:{row['id']}" in gold}
    threads = {row["issue_number"] for row in comments if row["id"] in answering}
    records = {kind: [*rows(folder, kind)] for kind in ("issues", "pulls")}
    for kind, name in (("issues", "issue"), ("pulls", "pr")):
        threads.update(row["number"] for row in records[kind] if f"{name}:{row['number']}" in gold)
    others = sorted({row["number"] for every in records.values() for row in every} - threads)
    threads.update(lots.sample(others, int(share * len(others))))
    first = FIRST_COMMENTS if share else 0
    told: Counter[int] = Counter()
    kept = []
    for row in comments:
        told[row["issue_number"]] += 1
        if row["issue_number"] in threads and (row["id"] in answering or told[row["issue_number"]] <= first):
            kept.append(row)
    records["comments"] = kept
    records["issues"] = [row for row in records["issues"] if row["number"] in threads]
    records["pulls"] = [row for row in records["pulls"] if row["number"] in threads]
    records["commits"] = [row for row in rows(folder, "commits") if lots.random() < share]
    shutil.copytree(folder / "docs", to / "docs")
    for name, every in records.items():
        (to / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in every), "utf-8")
    return to
