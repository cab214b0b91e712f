"""`cortex facts`, `history`, `compactions`, `show` and `tiers`."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_record, render_upkeep
from cortex.surfaces.arguments import takes
from cortex.surfaces.operations import browsing, looking, models
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
    perform(browsing.facts, asked, render_record.facts)


@click.command()
@takes(browsing.history)
@common
def history(asked: dict[str, Any]) -> None:
    """Say what became of a fact: what was merged into it, what took it out, what superseded it.

    Example:
      cortex history fact-0a1b2c3d4e5f
    """
    perform(browsing.history, asked, render_record.history)


@click.command()
@takes(browsing.compactions)
@common
def compactions(asked: dict[str, Any]) -> None:
    """List the compactions there were, with their reports.

    Example:
      cortex compactions
    """
    perform(browsing.compactions, asked, render_record.compactions)


@click.command()
@takes(looking.get)
@common
def show(asked: dict[str, Any]) -> None:
    """Show a fact, a record or a passage by its handle.

    A handle that was replaced or merged away still resolves, and says what stands for it now.

    Examples:
      cortex show fact-0a1b2c3d4e5f
      cortex show issue:496
      cortex show issue:496@120-310
      cortex show issue:496 --thread
    """
    perform(looking.get, asked, render_record.shown)


@click.command()
@takes(models.tiers)
@common
def tiers(asked: dict[str, Any]) -> None:
    """Say which models can be called, why others cannot, and what today cost.

    None is called unless you name one and give it a budget. Asking how they stand calls nobody.

    Examples:
      cortex tiers
      CORTEX_ANTHROPIC_SMALL=claude-haiku-5-5 CORTEX_BUDGET_RUN_USD=1 CORTEX_BUDGET_DAY_USD=5 cortex tiers
    """
    perform(models.tiers, asked, render_upkeep.tiers)
