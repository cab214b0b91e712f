"""`cortex brief`, `precedents`, `decisions`, `owners` and `remember`."""

from __future__ import annotations

from typing import Any

import click

from cortex.surfaces import render_brief
from cortex.surfaces.arguments import takes
from cortex.surfaces.operations import briefing
from cortex.surfaces.operations import recording as records
from cortex.surfaces.options import common
from cortex.surfaces.session import perform


@click.command()
@takes(briefing.brief)
@common
def brief(asked: dict[str, Any]) -> None:
    """Say what to know before a task, in about ten lines.

    In the order one reads: rules that bind it, the runbook, what was tried before, what was done like it and where,
    decisions, what went wrong, who knows it. Each line is cited. A larger budget shows more; what does not fit is named
    at the end. A token is taken to be four bytes of the text.

    Examples:
      cortex brief "let packets be retried" --path packages/orchestrator
      cortex brief --path src/field.h --budget 1000
    """
    perform(briefing.brief, asked, render_brief.brief)


@click.command()
@takes(briefing.precedents)
@common
def precedents(asked: dict[str, Any]) -> None:
    """List finished work like a task.

    With the files they changed, how long they took, who reviewed them, and what became of them.

    Examples:
      cortex precedents "let packets be retried"
      cortex precedents --path src/field.h -k 3
    """
    perform(briefing.precedents, asked, render_brief.precedents)


@click.command()
@takes(briefing.decisions)
@common
def decisions(asked: dict[str, Any]) -> None:
    """List what was decided, and whether it still stands.

    Examples:
      cortex decisions
      cortex decisions storage --state superseded
      cortex decisions --path src --as-of 2025-03-01
    """
    perform(briefing.decisions, asked, render_brief.decisions)


@click.command()
@takes(briefing.owners)
@common
def owners(asked: dict[str, Any]) -> None:
    """Say who owns a path or a topic, and who has worked on it.

    Examples:
      cortex owners packages/gateway/src/lease.ts
      cortex owners "the eval harness"
    """
    perform(briefing.owners, asked, render_brief.owners)


@click.command()
@takes(records.remember)
@common
def remember(asked: dict[str, Any]) -> None:
    """Keep a directive or a note, with who said it and where.

    It is written to a file first: in the repository's .cortex/, for git to share, or beside the brain outside of one.
    A directive weighs as much as one in a file of the project, a note as much as a comment. The same again changes
    nothing. Edit the file as any other; the next index reads it.

    Examples:
      cortex remember "Never log a packet's body." --kind directive --by Mirela --where "security review 2026-09-01"
      cortex remember "The lease timeout is 60 s." --where issue:496 --supersedes fact-0a1b2c3d4e5f
    """
    perform(records.remember, asked, render_brief.remembered)
