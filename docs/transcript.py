"""What the command line answers on the demo project, for the README: as text, and as a picture of a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import click
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

from cortex.composer.pipeline import ask
from cortex.substrate.brain import open_brain
from cortex.substrate.model import Scope
from cortex.surfaces import render_answer
from cortex.surfaces.evaluating import index_demo

PICTURE = Path(__file__).parent / "demo.svg"
SHOWN = (
    "Who owns the eval harness?",
    "What do I have to run before every commit?",
    "What was the root cause of packets being dispatched twice?",
    "How much does the team plan cost per seat?",
)
COLUMNS = 96


@cache
def answers(*questions: str) -> tuple[str, ...]:
    """What `cortex ask` prints for each of *questions* about the demo project."""
    with TemporaryDirectory() as folder, open_brain(Path(folder) / "brain.db") as brain, _terminal():
        for _ in index_demo(brain, progress=lambda *_: None, now=datetime.now(UTC)):
            pass
        return tuple(render_answer.brief(ask(brain, question, scope=Scope())) for question in questions)


@contextmanager
def _terminal() -> Iterator[None]:
    with patch.dict(os.environ, {"COLUMNS": str(COLUMNS)}):
        yield


def transcript(*questions: str) -> str:
    """A Markdown block of a terminal in which *questions* are asked."""
    said = zip(questions, answers(*questions), strict=True)
    body = "\n\n".join(f'$ cortex ask "{question}"\n{click.unstyle(answer)}' for question, answer in said)
    return f"```console\n{body}\n```\n"


def picture() -> str:
    """The terminal as SVG that loads nothing from anywhere."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor")
    for question, answer in zip(SHOWN, answers(*SHOWN), strict=True):
        console.print(Text.assemble(("$ ", "green"), (f'cortex ask "{question}"', "bold")))
        console.print(Text.from_ansi(answer), end="\n\n")
    svg = console.export_svg(title="cortex ask", theme=DIMMED_MONOKAI, unique_id="cortex")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def main() -> None:
    """Write the picture; with --check, fail when it is stale."""
    drawn = picture()
    if "--check" in sys.argv:
        if PICTURE.read_text("utf-8") != drawn:
            sys.exit(f"{PICTURE.name} is stale; run: make docs")
    else:
        PICTURE.write_text(drawn, "utf-8")


if __name__ == "__main__":
    main()
