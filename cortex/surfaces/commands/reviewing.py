"""`cortex review`, `notes` and `forget`."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_review
from cortex.surfaces.arguments import takes
from cortex.surfaces.operations import reviewing
from cortex.surfaces.options import MainGroup, common
from cortex.surfaces.session import perform


class _ListGroup(MainGroup):
    implied = "list"


@click.group(cls=_ListGroup)
@common
def review() -> None:
    """List notes of agents and outcomes found in records; approve, reject or merge them.

    Examples:
      cortex review
      cortex review approve event:3f2a9c0d1e4b --kind directive
      cortex review reject outcome:pull-958 --why "it was mended the same day"
    """


@review.command("list")
@takes(reviewing.review)
@common
def list_(asked: dict[str, Any]) -> None:
    """List notes of agents and outcomes found in records, to approve or reject.

    Example:
      cortex review -k 5
    """
    perform(reviewing.review, asked, render_review.waiting)


@review.command()
@takes(reviewing.review_approve)
@common
def approve(asked: dict[str, Any]) -> None:
    """Approve an item, as it is or edited.

    It moves into the project's journal and gets the authority of its kind.

    Examples:
      cortex review approve event:3f2a9c0d1e4b --text "Leases end after 30 s." --kind directive
      cortex review approve outcome:pull-958 --status reverted --note "cost us a night"
    """
    perform(reviewing.review_approve, asked, render_review.reviewed)


@review.command()
@takes(reviewing.review_reject)
@common
def reject(asked: dict[str, Any]) -> None:
    """Reject an item: it leaves answers and briefs, and is not proposed again.

    Example:
      cortex review reject event:3f2a9c0d1e4b --why "true of the old gateway only"
    """
    perform(reviewing.review_reject, asked, render_review.reviewed)


@review.command()
@takes(reviewing.review_merge)
@common
def merge(asked: dict[str, Any]) -> None:
    """Merge a duplicate into an existing directive.

    Example:
      cortex review merge event:3f2a9c0d1e4b --into fact-0a1b2c3d4e5f
    """
    perform(reviewing.review_merge, asked, render_review.reviewed)


@click.command()
@takes(reviewing.notes)
@common
def notes(asked: dict[str, Any]) -> None:
    """List remembered notes and directives, the latest first.

    With the state and the file of each.

    Example:
      cortex notes
    """
    perform(reviewing.notes, asked, render_review.notes)


@click.command()
@takes(reviewing.forget)
@common
def forget(asked: dict[str, Any]) -> None:
    """Forget a note, an outcome or a single fact, or restore it.

    Its facts go to the archive; a review in the journal keeps them there.

    Examples:
      cortex forget fact-0a1b2c3d4e5f --why "it was a joke"
      cortex forget fact-0a1b2c3d4e5f --undo
    """
    perform(reviewing.forget, asked, render_review.forgotten)
