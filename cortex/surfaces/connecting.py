"""What a client starts its MCP server with: the options of `cortex mcp run`, and what the words it has come to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click

from cortex.errors import UnknownSource
from cortex.substrate.brain import Brain
from cortex.substrate.sources import as_listed
from cortex.surfaces.contract import MAY
from cortex.surfaces.options import WORDS
from cortex.surfaces.session import Session

MAY_DO: Final = click.option(
    "--may", type=click.Choice([*MAY]), default="write", show_default=True, help="What the agent may do."
)
REACHED: Final = click.option(
    "--source", "sources", type=WORDS, multiple=True, metavar="NAME",
    help="Let it reach this source alone; may be repeated.  [default: every source]",
)  # fmt: skip


_ENDS: Final = frozenset({"-h", "--help", "--version"})


class Served(NamedTuple):
    """What a server was told.

    Attributes:
        db: the brain, where one was named.
        sources: all that it may reach; none is every source.
    """

    db: Path | None
    sources: tuple[str, ...]


def served(words: Sequence[str]) -> Served:
    """What a Cortex that is told *words* serves, by the options that the command line has; nothing is run.

    Raises:
        click.ClickException: it would not serve a client.
    """
    from cortex.surfaces.cli import cli  # noqa: PLC0415  which imports commands that need this module

    if not _ENDS.isdisjoint(words):
        raise click.UsageError("that prints something and ends")
    command: click.Group = cli
    context = command.make_context("cortex", [*words])
    for wanted in ("mcp", "run"):
        held = vars(context)  # click 8.2 gave the first word of what is left another name
        name, *rest = [*held.get("_protected_args", held.get("protected_args", ())), *context.args] or [""]
        found = command.get_command(context, wanted)
        if name != wanted or found is None:
            raise click.UsageError(f"No such command {name!r}.")
        context = found.make_context(wanted, rest, parent=context)
        command = found if isinstance(found, click.Group) else command
    return Served(context.find_root().ensure_object(Session).db, context.params["sources"])


def unheld(brain: Brain, sources: Sequence[str]) -> UnknownSource | None:
    """What is wrong with *sources*, of which a server may reach each that the brain holds; None where it holds them."""
    held = [name for (name,) in brain.db.execute("select name from sources order by id")]
    return next((UnknownSource(name, held) for name in sources if as_listed(name, held) not in held), None)
