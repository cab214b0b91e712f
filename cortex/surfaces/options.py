"""Options that several commands take; the global ones may stand before or after the command."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from cortex.regex import regex
from cortex.substrate.model import Scope, storable
from cortex.surfaces import completing
from cortex.surfaces.session import Session

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
    shell_complete=completing.sources,
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
