"""Options that several commands take, what a shell completes of them, and groups with a main command."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import click

from cortex.errors import CortexError
from cortex.regex import regex
from cortex.substrate.holdings import beginning
from cortex.substrate.model import Scope, storable
from cortex.surfaces.session import Session

MOST: Final = 50


def complete_sources(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Names of sources that begin so."""
    return _held(context, "sources", begun)


def complete_handles(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Handles of facts that begin so; other refs hold colons, where bash begins a new word."""
    return _held(context, "handles", begun)


def _held(context: click.Context, of: Literal["sources", "handles"], begun: str) -> list[str]:
    """What the brain holds of it; nothing where it cannot be read now: a shell has no place for an error."""
    try:
        with context.find_root().ensure_object(Session).reader() as brain:
            return beginning(brain, of, begun, most=MOST)
    except CortexError:
        return []


_EXAMPLES: Final = regex(r"^( *)(Examples?:)$", re.MULTILINE)

Command = TypeVar("Command", bound=Callable[..., Any])


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    if value not in (None, False) and parameter.name:
        session = context.find_root().ensure_object(Session)
        setattr(session, parameter.name, value)


def common(command: Command) -> Command:
    """Let *command* take --db, --json and --quiet, kept in the session, and have examples in its help."""
    options = (
        click.option(
            "--db", type=click.Path(path_type=Path), expose_value=False, callback=_keep, metavar="PATH",
            help="The brain's file.  [env: CORTEX_DB; default: ~/.cortex/brain.db]",
        ),
        click.option(
            "--json", is_flag=True, expose_value=False, callback=_keep,
            help="Print one JSON document and nothing else.",
        ),
        click.option(
            "-q", "--quiet", is_flag=True, expose_value=False, callback=_keep,
            help="No progress and no remarks on standard error.",
        ),
    )  # fmt: skip
    command.__doc__ = _EXAMPLES.sub("\\1\b\n\\1\\2", command.__doc__ or "")  # keeps the lines as they are
    for option in reversed(options):
        command = option(command)
    return command


sources = click.option(
    "--source",
    "sources",
    multiple=True,
    shell_complete=complete_sources,
    metavar="NAME",
    callback=lambda _context, _parameter, names: Scope(sources=tuple(map(storable, names)) or None),
    help="Read this source alone; may be repeated.  [default: every federated source]",
)
"""Gives the command a `Scope` called `sources`."""


class Words(click.ParamType[str]):
    """Text as a person typed it, with what no brain can hold replaced."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401, ARG002
        """*value* without lone surrogates and NULs."""
        return storable(str(value))


WORDS = Words()


MAIN: Final = "run"
_HELP: Final = ("-h", "--help")


class MainGroup(click.Group):
    """A group whose `run` happens when no subcommand is named: `cortex smoke FILE` is `cortex smoke run FILE`.

    Attributes:
        implied: the subcommand that does.
    """

    implied = MAIN

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Name the main subcommand where *args* name none."""
        if not args or (args[0] not in self.commands and args[0] not in _HELP):
            args = [self.implied, *args]
        return super().parse_args(ctx, args)
