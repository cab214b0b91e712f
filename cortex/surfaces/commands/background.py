"""`cortex hook` and `cortex schedule`: what indexes and compacts in the background."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from time import sleep
from typing import Final

import click

from cortex.compactor.run import Compacted
from cortex.compactor.schedule import next_due
from cortex.errors import CortexError, UsageError
from cortex.substrate.address import shown
from cortex.surfaces import hooking, render_upkeep, scheduling
from cortex.surfaces.commands.upkeep import compact_if_due
from cortex.surfaces.contract import run as run_operation
from cortex.surfaces.operations import upkeep
from cortex.surfaces.options import MainGroup
from cortex.surfaces.session import Session, session
from cortex.surfaces.starting import own_command

REPOSITORY = click.argument("path", type=click.Path(path_type=Path), default=".")


@click.group()
def hook() -> None:
    """Index after every commit, merge and checkout, in the background.

    The hooks stand beside what others put there, never make git fail, and cost it a few milliseconds. From whichever
    work tree they are run, the commits of all are indexed, and the files of one: the main tree, or for a bare
    repository the tree with the branch of its HEAD, else the one that was added first. A relative core.hooksPath is a
    folder of each work tree; install them in each.

    Example:
      cortex hook install
    """


@hook.command("install")
@REPOSITORY
def install_hooks(path: Path) -> None:
    """Put the hooks into the repository at PATH, by default the one you stand in."""
    here = session()
    done = hooking.install(path, here.path, own_command())
    here.show(done, render_upkeep.hooks_installed)


@hook.command("remove")
@REPOSITORY
def remove_hooks(path: Path) -> None:
    """Take the hooks out again; every file is as it was."""
    here = session()
    had = any(one.state == "installed" for one in hooking.hooks(path).hooks)
    done = hooking.remove(path)
    here.show(done, lambda _: "Removed." if had else "Nothing was installed.")


@hook.command("status")
@REPOSITORY
def hooks_status(path: Path) -> None:
    """Say which hooks are in, and what the last run behind one did."""
    here = session()
    found = hooking.hooks(path)
    last = hooking.last_run(here.path, Path(found.root))
    here.show({**dict(found), "last": last}, lambda _: render_upkeep.hooks(found, last))


@hook.command("run", hidden=True)
@REPOSITORY
def run_hook(path: Path) -> None:
    """Index PATH as a hook does: alone, quietly, out of the way of whoever works."""
    here = session()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]  # what git tells its hooks points every command at the hook's own index
    if hasattr(os, "nice"):
        os.nice(max(hooking.NICE - os.nice(0), 0))  # a hook that an earlier Cortex put in starts it as nice as git

    index = partial(run_operation, upkeep.index, here.call(), {"path": path})
    hooking.index_behind_hooks(here.path, path, index, now=here.now)


TICK: Final = 60  # seconds between looks at the clock: a machine that wakes up is at most that late
FIRST_WAIT: Final = timedelta(minutes=1)
"""After a first failure; twice as long after each further one, and never beyond the next night."""


@click.group(cls=MainGroup)
def schedule() -> None:
    """Compact every night: keep running, or let the machine do it.

    Without a subcommand it keeps running and compacts at 03:00 by the local clock (CORTEX_COMPACT_AT). Each night is
    compacted once, however many schedulers there are, and a night slept through is made up for.

    Examples:
      cortex schedule
      cortex schedule install
    """


@schedule.command()
def run() -> None:
    """Keep running, and compact every night."""
    here = session()
    nights = Nights(here)
    with here.call().writer():
        here.remark(f"compacting {shown(here.path)} at {here.settings.compact_at:%H:%M} every night; stop with Ctrl-C")
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
        night = next_due(now, self._here.settings.compact_at).at
        try:
            done = compact_if_due(self._here, replace(self._here.call(), caller="scheduler", now=now), {})
        except CortexError as error:
            self._until, self._wait = min(now + self._wait, night), self._wait * 2
            if str(error) != self._told:
                self._told = str(error)
                click.echo(f"cortex: {error}; it is tried again, less and less often", err=True)
            return
        self._told, self._wait, self._until = "", FIRST_WAIT, None
        if isinstance(done, Compacted):
            click.echo(render_upkeep.compacted(done))
            self._here.remark(f"next: {night.astimezone():%Y-%m-%d %H:%M}")


@schedule.command()
@click.option("--with", "manager", type=click.Choice(scheduling.MANAGERS), help="[default: what this machine has]")
@click.option("-y", "--yes", is_flag=True, help="Do not ask before writing.")
def install(manager: scheduling.Manager | None, *, yes: bool) -> int:
    """Let the machine compact every night: a systemd user timer, a launchd agent or a crontab line.

    Shows what it writes first, and asks when somebody is there to answer. There is one of each for a user: what
    compacts another brain is replaced only with a yes. Exit 1 where it is written and could not be switched on.
    """
    here = session()
    with here.call().writer():
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
    return 1 if failed else 0


@schedule.command()
def remove() -> None:
    """Take out what `install` wrote for this brain."""
    here = session()
    done = scheduling.remove(here.path, Path.home())
    here.show(done, render_upkeep.removed)


@schedule.command()
def status() -> None:
    """Say what compacts every night, when it last did and when it will."""
    here = session()
    found = scheduling.scheduled(here.path, here.settings.compact_at, Path.home(), now=here.now())
    here.show(found, render_upkeep.scheduled)
