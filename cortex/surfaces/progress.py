"""Progress on standard error: bars on a terminal, a plain line a stage elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

import click

WAITING: Final = "waiting for "  # how the name of a stage begins that counts seconds
Report = Callable[[str, int, int | None], None]


@contextmanager
def progress(*, quiet: bool) -> Iterator[Report]:
    """What a running operation tells its progress to: stage, how many are done since the last call, how many in all."""
    if quiet:
        yield lambda *_: None
    elif sys.stderr.isatty():
        yield from _bars()
    else:
        yield from _lines()


def _bars() -> Iterator[Report]:
    from rich.console import Console  # noqa: PLC0415  only a person at a terminal waits for it
    from rich.progress import MofNCompleteColumn, Progress, TaskID, TimeElapsedColumn  # noqa: PLC0415

    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def report(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], advance=done, total=total)

        yield report


def _lines() -> Iterator[Report]:
    stages: dict[str, int] = {}
    started = perf_counter()

    def close() -> None:
        for stage, done in stages.items():
            count = f": {done:,}" if done > 1 else ""
            click.echo(f"{perf_counter() - started:6.1f} s  {stage}{count}", err=True)
        stages.clear()

    def report(stage: str, done: int, total: int | None) -> None:
        if stage not in stages:
            close()
            if stage.startswith(WAITING):  # said before, not after: nothing else happens meanwhile
                click.echo(f"{perf_counter() - started:6.1f} s  {stage}: {total} s", err=True)
        stages[stage] = stages.get(stage, 0) + done

    yield report
    close()
