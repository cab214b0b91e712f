"""`cortex show`."""

from __future__ import annotations

import click

from cortex.substrate import lookup
from cortex.substrate.model import Scope
from cortex.surfaces import render_record
from cortex.surfaces.options import WORDS, common, sources
from cortex.surfaces.session import session


@click.command()
@click.argument("name", metavar="HANDLE", type=WORDS)
@sources
@common
def show(name: str, sources: Scope) -> None:
    """Show a fact, a record or a passage by its handle.

    A handle that was replaced or merged away still resolves, and says what stands for it now.

    Examples:
      cortex show fact-0a1b2c3d4e5f
      cortex show issue:496
      cortex show issue:496@120-310
    """
    here = session()
    with here.reader() as brain:
        shown = lookup.show(brain, name, scope=sources)
    if here.json:
        here.print_json(shown)
    else:
        click.echo(render_record.shown(shown))
