"""Brains of data folders and their questions, for the benches that ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from data import rows

from cortex.indexers.distilling import Crew
from cortex.indexers.feeds import export_feeds, source_of_export
from cortex.indexers.run import index
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.encoder import Encoder

HERE: Final = Path(__file__).parent
QUESTIONS: Final = HERE / "questions"
SMALL: Final = HERE / "small"


@contextmanager
def indexed(folder: Path, path: Path, encoder: Encoder | None = None) -> Iterator[Brain]:
    """A brain at *path* that holds the GitHub export in *folder*; one that is there already is brought up to date."""
    source = source_of_export(folder)
    with open_brain(path) as brain:
        index(brain, export_feeds(folder, source), source=source, now=datetime.now(UTC), crew=Crew(encoder=encoder))
        yield brain


@contextmanager
def opened(folder: Path, brains: Path | None, encoder: Encoder | None) -> Iterator[Brain]:
    """A brain of *folder* to read from: the one of its name in *brains*, else one made for the while.

    Args:
        brains: a folder of brains, 'secp256k1.db' of a folder of that name, 'small-cue.db' of bench/small/cue.
        encoder: of the vectors; None for a brain without.
    """
    name = f"small-{folder.name}" if folder.parent == SMALL else folder.name
    with TemporaryDirectory() as scratch:
        path = (brains or Path(scratch)) / f"{name}.db"
        if not brains:
            with indexed(folder, path, encoder):
                pass
        with open_brain(path, read_only=True).encoding(lambda: encoder) as brain:
            yield brain


def asked(folder: Path) -> list[Mapping[str, Any]]:
    """The questions about a folder: its own `questions.jsonl`, else those of its name in bench/questions/dev."""
    return list(rows(folder, "questions")) or list(rows(QUESTIONS / "dev", folder.name))


def all_asked(folder: Path) -> list[Mapping[str, Any]]:
    """The questions that models are fitted on: `asked`, and those of its name in bench/questions/more."""
    return [*asked(folder), *rows(QUESTIONS / "more", folder.name)]


def held_out(folder: Path) -> list[Mapping[str, Any]]:
    """The questions about a folder that nothing is fitted on."""
    return list(rows(QUESTIONS, folder.name))
