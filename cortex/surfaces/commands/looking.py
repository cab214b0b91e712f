"""`cortex show`."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_record
from cortex.surfaces.arguments import takes
from cortex.surfaces.operations import looking
from cortex.surfaces.options import common
from cortex.surfaces.session import perform


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
