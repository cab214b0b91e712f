"""`cortex schedule`: keep running and compact every night, or let the machine do it."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Final

import click

from cortex.compactor.run import Compacted
from cortex.compactor.schedule import Holder, next_due, run_if_due
from cortex.errors import CortexError, UsageError
from cortex.surfaces import render_upkeep, scheduling
from cortex.surfaces.contract import run as run_operation
from cortex.surfaces.operations import upkeep
from cortex.surfaces.options import MainGroup, common
from cortex.surfaces.session import Session, session
from cortex.surfaces.working import alive, this_process

TICK: Final = 60  # seconds between looks at the clock: a machine that wakes up is at most that late
FIRST_WAIT: Final = timedelta(minutes=1)
"""After a first failure; twice as long after each further one, and never beyond the next night."""


@click.group(cls=MainGroup)
@common
def schedule() -> None:
    """Compact every night: keep running, or let the machine do it.

    Without a subcommand it keeps running and compacts at 03:00 by the local clock (CORTEX_COMPACT_AT). Each night is
    compacted once, however many schedulers there are, and a night slept through is made up for.

    Examples:
      cortex schedule
      cortex schedule install
    """


@schedule.command()
@common
def run() -> None:
    """Keep running, and compact every night."""
    here = session()
    nights = Nights(here)
    with here.existing():
        here.remark(f"compacting {here.path} at {here.settings.compact_at:%H:%M} every night; stop with Ctrl-C")
    while True:
        nights.look(here.now())
        sleep(TICK)


class Nights:
    """Compacts each night that is due; a failure is told once, and tried again after twice as long each time."""

    def __init__(self, here: Session) -> None:
        self._here = here
        self._told = ""
        self._wait = FIRST_WAIT
        self._until: datetime | None = None

    def look(self, now: datetime) -> None:
        """Compact if it is due at *now*, unless it failed too lately."""
        if self._until and now < self._until:
            return
        try:
            done = self._compacted(now)
        except CortexError as error:
            self._failed(str(error), now)
            return
        self._told, self._wait, self._until = "", FIRST_WAIT, None
        if isinstance(done, Compacted):
            click.echo(render_upkeep.compacted(done))
            self._here.remark(f"next: {self._next(now).astimezone():%Y-%m-%d %H:%M}")

    def _compacted(self, now: datetime) -> object:
        with self._here.existing() as brain:
            call = replace(self._here.call(), caller="scheduler", now=now)
            holder = Holder(this_process(), alive)
            at = self._here.settings.compact_at
            return run_if_due(brain, lambda: run_operation(upkeep.compact, call, {}), at=at, holder=holder, now=now)

    def _failed(self, problem: str, now: datetime) -> None:
        self._until = min(now + self._wait, self._next(now))
        self._wait *= 2
        if problem != self._told:
            self._told = problem
            click.echo(f"cortex: {problem}; it is tried again, less and less often", err=True)

    def _next(self, now: datetime) -> datetime:
        return next_due(now, self._here.settings.compact_at).at


@schedule.command()
@click.option("--with", "manager", type=click.Choice(scheduling.MANAGERS), help="[default: what this machine has]")
@click.option("-y", "--yes", is_flag=True, help="Do not ask before writing.")
@common
def install(manager: scheduling.Manager | None, *, yes: bool) -> None:
    """Let the machine compact every night: a systemd user timer, a launchd agent or a crontab line.

    Shows what it writes first, and asks when somebody is there to answer. There is one of each for a user: what
    compacts another brain is replaced only with a yes. Exit 1 where it is written and could not be switched on.
    """
    here = session()
    with here.existing():
        planned = scheduling.plan(manager, here.path, here.settings, Path.home())
    click.echo(render_upkeep.plan(planned), err=here.json)
    if not yes and sys.stdin.isatty():
        click.confirm("Write this?", abort=True, err=True)
    elif not yes and planned.replaces:
        raise UsageError(
            f"{planned.manager} compacts {planned.replaces} by now, and would no longer", hint="replace it with --yes"
        )
    failed = scheduling.install(planned)
    here.show({**dict(planned), "failed": failed}, lambda _: render_upkeep.installed(planned, failed))
    click.get_current_context().exit(1 if failed else 0)


@schedule.command()
@common
def remove() -> None:
    """Take out what `install` wrote for this brain."""
    here = session()
    done = scheduling.remove(here.path, Path.home())
    here.show(done, render_upkeep.removed)


@schedule.command()
@common
def status() -> None:
    """Say what compacts every night, when it last did and when it will."""
    here = session()
    found = scheduling.scheduled(here.path, here.settings.compact_at, Path.home(), now=here.now())
    here.show(found, render_upkeep.scheduled)
