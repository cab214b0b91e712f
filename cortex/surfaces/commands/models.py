"""`cortex tiers`."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_models
from cortex.surfaces.arguments import takes
from cortex.surfaces.operations import models
from cortex.surfaces.options import common
from cortex.surfaces.session import perform


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
    perform(models.tiers, asked, render_models.tiers)
