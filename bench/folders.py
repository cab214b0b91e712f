"""Brains of data folders, for the benches that ask questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from data import rows

from cortex.indexers.feeds import export_feeds, source_of_export
from cortex.indexers.run import index
from cortex.substrate.brain import Brain, open_brain


@contextmanager
def indexed(folder: Path, path: Path) -> Iterator[Brain]:
    """A brain at *path* that holds the GitHub export in *folder*; one that is there already is brought up to date."""
    source = source_of_export(folder)
    with open_brain(path) as brain:
        index(brain, export_feeds(folder, source), source=source, now=datetime.now(UTC))
        yield brain


def asked(folder: Path) -> list[Mapping[str, Any]]:
    """The questions about a folder: its own `questions.jsonl`, else those of its name in bench/questions/dev."""
    return list(rows(folder, "questions")) or list(rows(Path(__file__).parent / "questions" / "dev", folder.name))
