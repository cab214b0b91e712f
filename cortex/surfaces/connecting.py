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
from cortex.surfaces.groups import MainGroup
from cortex.surfaces.options import WORDS, common
from cortex.surfaces.session import session

MAY_DO: Final = click.option(
    "--may", type=click.Choice([*MAY]), default="write", show_default=True, help="What the agent may do."
)
REACHED: Final = click.option(
    "--source", "sources", type=WORDS, multiple=True, metavar="NAME",
    help="Let it reach this source alone; may be repeated.  [default: every source]",
)  # fmt: skip


class Served(NamedTuple):
    """What a server was told.

    Attributes:
        db: the brain, where one was named.
        sources: all that it may reach; none is every source.
    """

    db: Path | None
    sources: tuple[str, ...]


@click.group("cortex", add_help_option=False)
@common
def _cortex() -> None:
    """Stand for the whole command line, of which a client starts the MCP server alone."""


@_cortex.group("mcp", cls=MainGroup, add_help_option=False)
@common
def _mcp() -> None:
    """Stand for `cortex mcp`."""


@_mcp.command("run", add_help_option=False)
@MAY_DO
@REACHED
@common
def _run(may: str, sources: tuple[str, ...]) -> Served:  # noqa: ARG001  it is read to be checked
    """Stand for `cortex mcp run`."""
    return Served(session().db, sources)


def served(words: Sequence[str]) -> Served:
    """What a Cortex that is told *words* serves.

    Raises:
        click.ClickException: it would not serve a client.
    """
    with _cortex.make_context("cortex", [*words]) as context:
        found: Served = _cortex.invoke(context)
    return found


def unheld(brain: Brain, sources: Sequence[str]) -> UnknownSource | None:
    """What is wrong with *sources*, of which a server may reach each that the brain holds; None where it holds them."""
    held = [name for (name,) in brain.db.execute("select name from sources order by id")]
    return next((UnknownSource(name, held) for name in sources if as_listed(name, held) not in held), None)
