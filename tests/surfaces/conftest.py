"""A brain of the demo project, made once, and a way to run commands on a copy of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from cortex.substrate.address import argument, located
from cortex.surfaces.cli import cli
from cortex.surfaces.commands import background
from tests.brains import copied, place
from tests.sources import ROOT
from tests.warm import program

SEEDS = ROOT / "seeds"
CORTEX = (sys.executable, "-c", "from cortex.surfaces.cli import main; main()")
# SIGINT is ignored in what a shell starts in the background, and in all that this starts.
_HEEDING = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
INTERRUPTIBLE = (sys.executable, "-c", _HEEDING, *CORTEX)
NOW = datetime(2026, 9, 1, tzinfo=UTC)


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401  whatever the document holds
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one line on standard error."""
        (line,) = self.err.splitlines()
        return line


@pytest.fixture
def brain(demo_brain: Path, tmp_path: Path) -> Path:
    """A brain of its own that holds the demo project."""
    return seen(copied(demo_brain, tmp_path / "brain.db"))


@pytest.fixture
def cortex(tmp_path: Path) -> Callable[..., Ran]:
    """Run a command in this process, on the brain in the test's folder."""

    def run(*arguments: object, db: Path | None = None, stdin: str | bytes | None = None, **environment: str) -> Ran:
        done = CliRunner().invoke(
            cli, ["--db", argument(db or place(tmp_path / "brain.db")), *map(str, arguments)], input=stdin,
            env=environment,
        )  # fmt: skip
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Ran(done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def plainly() -> Callable[..., Ran]:
    """Run a command in this process where no brain is named."""

    def run(*arguments: object) -> Ran:
        done = CliRunner().invoke(cli, [*map(str, arguments)])
        return Ran(done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def warm_hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hooks that `cortex hook install` puts in start a command that has its imports behind it."""
    monkeypatch.setattr(background, "own_command", lambda: [program()])


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a command in a process of its own, on the brain in the test's folder; *anew* with its imports before it."""

    def run(*arguments: object, anew: bool = False, **options: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401
        brain = argument(place(tmp_path / "brain.db"))
        command = [*(CORTEX if anew else [program()]), "--db", brain, *map(str, arguments)]
        options = {"capture_output": True, "text": True, "timeout": 180} | options
        done: subprocess.CompletedProcess[str] = subprocess.run(command, check=False, **options)
        return done

    return run


def seen(path: Path) -> Path:
    """The brain at *path* as a command sees it, which is given its address: beside it stand the files it writes."""
    placed = located(argument(place(path)), Path.home() / ".cortex")
    placed.parent.mkdir(parents=True, exist_ok=True)
    return placed
