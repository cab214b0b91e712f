"""Commands that are an operation and nothing more: made of its declaration, printed as the table says."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from typing import Any, Final, NamedTuple

import click

from cortex.surfaces.cli import SUMMARIES
from cortex.surfaces.contract import run
from cortex.surfaces.operations import named
from cortex.surfaces.options import MainGroup, takes
from cortex.surfaces.progress import progress
from cortex.surfaces.session import session


class Shown(NamedTuple):
    """What a command does.

    Attributes:
        operation: the one it runs.
        render: module and function that word the result for people.
        slow: it shows progress.
        failed: whether the result makes it exit 1.
    """

    operation: str
    render: str
    slow: bool = False
    failed: Callable[[Any], bool] = lambda _: False


SHOWN: Final = {
    "brief": Shown("brief", "render_brief.brief"),
    "precedents": Shown("precedents", "render_brief.precedents"),
    "decisions": Shown("decisions", "render_brief.decisions"),
    "owners": Shown("owners", "render_brief.owners"),
    "remember": Shown("remember", "render_brief.remembered"),
    "outcome add": Shown("outcome_record", "render_report.recorded"),
    "outcome list": Shown("outcomes", "render_report.outcomes"),
    "eval report": Shown("evals", "render_evals.history"),
    "facts": Shown("facts", "render_record.facts"),
    "history": Shown("history", "render_record.history"),
    "compactions": Shown("compactions", "render_record.compactions"),
    "show": Shown("get", "render_record.shown"),
    "tiers": Shown("tiers", "render_upkeep.tiers"),
    "notes": Shown("notes", "render_brief.notes"),
    "forget": Shown("forget", "render_brief.forgotten"),
    "review list": Shown("review", "render_brief.waiting"),
    "review approve": Shown("review_approve", "render_brief.reviewed"),
    "review reject": Shown("review_reject", "render_brief.reviewed"),
    "review merge": Shown("review_merge", "render_brief.reviewed"),
    "sources list": Shown("sources", "render_report.sources"),
    "sources remove": Shown("source_remove", "render_report.sourced"),
    "sources rename": Shown("source_rename", "render_report.sourced"),
    "sources archive": Shown("source_archive", "render_report.sourced"),
    "status": Shown("status", "render_report.status"),
    "queue list": Shown("queue", "render_upkeep.queue"),
    "queue retry": Shown("queue_retry", "render_upkeep.retried"),
    "queue drop": Shown("queue_drop", "render_upkeep.dropped"),
    "queue add": Shown("queue_add", "render_upkeep.enqueued"),
    "queue cancel": Shown("queue_cancel", "render_upkeep.stopped"),
    "queue pause": Shown("queue_pause", "render_upkeep.stopped"),
    "queue resume": Shown("queue_resume", "render_upkeep.stopped"),
    "queue work": Shown("queue_work", "render_report.worked", slow=True, failed=lambda done: done.dead > 0),
    "doctor": Shown("doctor", "render_upkeep.diagnosis", slow=True, failed=lambda found: not found.healthy),
}
"""By the words of the command."""


def made(name: str) -> click.Command:
    """The command, or the group of commands, called *name*."""
    if name in SHOWN:
        return command(name)
    within = [words for words in SHOWN if words.startswith(f"{name} ")]

    def group() -> None: ...

    examples = [line for words in within for line in named(SHOWN[words].operation).examples[:1]]
    group.__doc__ = "\n".join([SUMMARIES[name], "", "Examples:", *(f"  {line}" for line in examples)])
    found = click.group(name, cls=MainGroup)(group)
    found.implied = "list"
    for words in within:
        found.add_command(command(words))
    return found


def command(words: str) -> click.Command:
    """The command of these *words*."""
    shown = SHOWN[words]
    operation = named(shown.operation)

    def perform(asked: dict[str, Any]) -> int:
        here = session()
        with progress(quiet=here.quiet) if shown.slow else nullcontext(lambda *_: None) as report:
            done = run(operation, here.call(progress=report), asked)
        module, _, render = shown.render.partition(".")
        here.show(done, getattr(import_module(f"cortex.surfaces.{module}"), render))
        return 1 if shown.failed(done) else 0

    perform.__doc__ = operation.help
    return click.command(words.rpartition(" ")[2])(takes(operation)(perform))
