"""`cortex facts`, `history` and `compactions`."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_browse
from cortex.surfaces.arguments import takes
from cortex.surfaces.operations import browsing
from cortex.surfaces.options import common
from cortex.surfaces.session import perform


@click.command()
@takes(browsing.facts)
@common
def facts(asked: dict[str, Any]) -> None:
    """List facts by kind, authority, source and age, the latest first.

    Examples:
      cortex facts --kind decision --authority 0.9
      cortex facts parser --since 2026-01-01
      cortex facts --archived
    """
    perform(browsing.facts, asked, render_browse.facts)


@click.command()
@takes(browsing.history)
@common
def history(asked: dict[str, Any]) -> None:
    """Say what became of a fact: what was merged into it, what took it out, what superseded it.

    Example:
      cortex history fact-0a1b2c3d4e5f
    """
    perform(browsing.history, asked, render_browse.history)


@click.command()
@takes(browsing.compactions)
@common
def compactions(asked: dict[str, Any]) -> None:
    """List the compactions there were, with their reports.

    Example:
      cortex compactions
    """
    perform(browsing.compactions, asked, render_browse.compactions)
