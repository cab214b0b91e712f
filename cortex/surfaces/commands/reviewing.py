"""`cortex review`, `notes` and `forget`."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_review
from cortex.surfaces.arguments import takes
from cortex.surfaces.groups import MainGroup
from cortex.surfaces.operations import reviewing
from cortex.surfaces.options import common
from cortex.surfaces.session import perform


class _ListGroup(MainGroup):
    implied = "list"


@click.group(cls=_ListGroup)
@common
def review() -> None:
    """List what agents remembered and what records tell of outcomes; approve, reject or merge it.

    Examples:
      cortex review
      cortex review approve event:3f2a9c0d1e4b --kind directive
      cortex review reject outcome:pull-958 --why "it was mended the same day"
    """


@review.command("list")
@takes(reviewing.review)
@common
def list_(asked: dict[str, Any]) -> None:
    """List what agents remembered and what records tell of outcomes, to approve or reject.

    Example:
      cortex review -k 5
    """
    perform(reviewing.review, asked, render_review.waiting)


@review.command()
@takes(reviewing.review_approve)
@common
def approve(asked: dict[str, Any]) -> None:
    """Approve what waits, as it is or edited.

    It is written where the project keeps its own notes, and weighs what its kind weighs.

    Examples:
      cortex review approve event:3f2a9c0d1e4b --text "Leases end after 30 s." --kind directive
      cortex review approve outcome:pull-958 --status reverted --note "cost us a night"
    """
    perform(reviewing.review_approve, asked, render_review.reviewed)


@review.command()
@takes(reviewing.review_reject)
@common
def reject(asked: dict[str, Any]) -> None:
    """Reject what waits: it is told no more, and not proposed again.

    Example:
      cortex review reject event:3f2a9c0d1e4b --why "true of the old gateway only"
    """
    perform(reviewing.review_reject, asked, render_review.reviewed)


@review.command()
@takes(reviewing.review_merge)
@common
def merge(asked: dict[str, Any]) -> None:
    """Merge what waits into a directive that says it already.

    Example:
      cortex review merge event:3f2a9c0d1e4b --into fact-0a1b2c3d4e5f
    """
    perform(reviewing.review_merge, asked, render_review.reviewed)


@click.command()
@takes(reviewing.notes)
@common
def notes(asked: dict[str, Any]) -> None:
    """List the notes and directives that somebody asked to be kept, the latest first.

    With how each stands, and its file.

    Example:
      cortex notes
    """
    perform(reviewing.notes, asked, render_review.notes)


@click.command()
@takes(reviewing.forget)
@common
def forget(asked: dict[str, Any]) -> None:
    """Put a note, an outcome or a single fact away, or bring it back.

    It goes to the archive, and the journal says so: indexing again leaves it there.

    Examples:
      cortex forget fact-0a1b2c3d4e5f --why "it was a joke"
      cortex forget fact-0a1b2c3d4e5f --undo
    """
    perform(reviewing.forget, asked, render_review.forgotten)
