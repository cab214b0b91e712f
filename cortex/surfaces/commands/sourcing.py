"""`cortex sources`: list, remove, rename and archive."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_sources
from cortex.surfaces.arguments import takes
from cortex.surfaces.operations import looking, sourcing
from cortex.surfaces.options import MainGroup, common
from cortex.surfaces.session import perform


class _ListGroup(MainGroup):
    implied = "list"


@click.group(cls=_ListGroup)
@common
def sources() -> None:
    """List the sources and what each holds; remove, rename or archive one.

    Examples:
      cortex sources
      cortex sources rename parser acme/parser
    """


@sources.command("list")
@takes(looking.sources)
@common
def list_(asked: dict[str, Any]) -> None:
    """List the sources and what each holds.

    Example:
      cortex sources
    """
    perform(looking.sources, asked, render_sources.sources)


@sources.command()
@takes(sourcing.source_remove)
@common
def remove(asked: dict[str, Any]) -> None:
    """Remove a source and all that was read of it.

    Its files, notes and outcomes stay where they are: index it again, and it is as it was. Without --yes it only says
    what would go.

    Example:
      cortex sources remove acme/parser --yes
    """
    perform(sourcing.source_remove, asked, render_sources.sourced)


@sources.command()
@takes(sourcing.source_rename)
@common
def rename(asked: dict[str, Any]) -> None:
    """Call a source by another name.

    Its facts get the handles that indexing under that name gives them.

    Example:
      cortex sources rename parser acme/parser
    """
    perform(sourcing.source_rename, asked, render_sources.sourced)


@sources.command()
@takes(sourcing.source_archive)
@common
def archive(asked: dict[str, Any]) -> None:
    """Leave a source out of reads that name none.

    It is kept, and can be asked with --source.

    Examples:
      cortex sources archive acme/parser
      cortex sources archive acme/parser --undo
    """
    perform(sourcing.source_archive, asked, render_sources.sourced)
