"""The demo: a small invented project that comes with Cortex, and the questions of its smoke gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import yaml

from cortex.composer.pipeline import ask
from cortex.errors import BadInput
from cortex.indexers.crew import Crew
from cortex.packaged import files
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Scope, Value
from cortex.surfaces.indexing import Indexed, index

PROJECTS: Final = ("o8", "o8-runner")
CASE_FILES: Final = ("smoke.yaml", "demo.yaml")


class Question(Value):
    """A question of the smoke gate."""

    category: str
    question: str


class Answered(Value):
    """A question of the demo with what the brain said."""

    question: Question
    answer: Answer


def index_demo(
    brain: Brain,
    *,
    crew: Crew = Crew(),  # noqa: B008  immutable
    progress: Callable[[str, int, int | None], None],
    now: datetime,
) -> Iterator[Indexed]:
    """Index both repositories of the demo project."""
    for name in PROJECTS:
        yield index(brain, export=_folder() / name, crew=crew, progress=progress, now=now)


def ask_demo(brain: Brain, sources: tuple[str, ...]) -> Iterator[Answered]:
    """Ask every smoke question, one a category, and one that nothing answers."""
    for question in questions():
        yield Answered(question=question, answer=ask(brain, question.question, scope=Scope(sources=sources)))


def questions() -> list[Question]:
    """The smoke questions, in their order."""
    rows = yaml.safe_load(case_file("smoke.yaml").read_text("utf-8"))
    return [Question(category=row["category"], question=row["question"]) for row in rows]


def case_file(name: str) -> Path:
    """Where the demo project's cases called *name* are: in the installed package, else in the checkout."""
    installed = _folder() / name
    return installed if installed.is_file() else _folder().parent / "evals" / name


def _folder() -> Path:
    """The demo project: in the installed package, else in the checkout."""
    package = files("cortex")
    for folder in (package / "_demo", package.parent / "seeds"):
        if (folder / PROJECTS[0]).is_dir():
            return folder
    raise BadInput(package / "_demo", "the demo project is not there", hint="install Cortex again")
