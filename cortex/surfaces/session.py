"""What one invocation of the command line holds: where the brain is, and how results and news are printed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import click
from pydantic_core import to_jsonable_python

from cortex.settings import Settings
from cortex.substrate.address import located
from cortex.substrate.brain import Brain
from cortex.substrate.quoting import escaped
from cortex.surfaces.contract import Call, Progress

Shown = TypeVar("Shown")


class Session:
    """The global options of one invocation, and what follows from them.

    Attributes:
        db: the brain's file or address as named with --db; '' for the one of the environment.
        json: results are one JSON document on standard output, and nothing else is.
        quiet: no progress and no remarks on standard error; results and errors stay.
    """

    def __init__(self) -> None:
        self.db = ""
        self.json = False
        self.quiet = False

    @cached_property
    def settings(self) -> Settings:
        """The settings of the environment."""
        return Settings.read(os.environ)

    @property
    def path(self) -> Path:
        """The brain's file, or its address."""
        return located(self.db, self.settings.home).expanduser() if self.db else self.settings.brain

    def call(self, *, progress: Progress = lambda *_: None, brain: Brain | None = None) -> Call:
        """A call by the operator at this terminal.

        Args:
            brain: an open reader to use for it.
        """
        return Call(
            caller="operator", path=self.path, settings=self.settings, now=self.now(), progress=progress,
            remark=self.remark, lent=(lambda: nullcontext(brain)) if brain else None, named=bool(self.db),
            folders=standing_in(),
        )  # fmt: skip

    def now(self) -> datetime:
        """This moment, to be passed down."""
        return datetime.now(UTC)

    def print_json(self, value: object, *, line: bool = False) -> None:
        """Print *value*, of models and plain values, as JSON on standard output: a document, or a *line* of many."""
        content = to_jsonable_python(value, by_alias=True)
        is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
        text = json.dumps(content, ensure_ascii=not is_unicode, indent=None if line else 2)
        click.echo(escaped(text))

    def show(self, value: Shown, render: Callable[[Shown], str], *, name: str = "") -> None:
        """Print *value*: as JSON where that was asked for, under a *name* if it has one, else as *render* words it."""
        if self.json:
            self.print_json({name: value} if name else value)
        else:
            click.echo(render(value))

    def remark(self, text: str) -> None:
        """Tell something that is no result, on standard error."""
        if not self.quiet:
            click.echo(text, err=True)


def standing_in() -> tuple[Path, ...]:
    """The folder this was started in; none where it is no more."""
    try:
        return (Path.cwd(),)
    except OSError:
        return ()


def session() -> Session:
    """The session of the command that is running."""
    found: Session = click.get_current_context().find_root().ensure_object(Session)
    return found
