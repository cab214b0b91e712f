"""`cortex hook`: index after every commit, merge and checkout, in the background."""

from __future__ import annotations

import os
from pathlib import Path

import click

from cortex.surfaces import hooking, render_upkeep
from cortex.surfaces.contract import run as run_operation
from cortex.surfaces.indexing import Indexed
from cortex.surfaces.operations import upkeep
from cortex.surfaces.options import common
from cortex.surfaces.session import session
from cortex.surfaces.starting import own_command

REPOSITORY = click.argument("path", type=click.Path(path_type=Path), default=".")


@click.group()
@common
def hook() -> None:
    """Index after every commit, merge and checkout, in the background.

    The hooks stand beside what others put there, never make git fail, and cost it a few milliseconds. From whichever
    work tree they are run, the commits of all are indexed, and the files of one: the main tree, or for a bare
    repository the tree with the branch of its HEAD, else the one that was added first. A relative core.hooksPath is a
    folder of each work tree; install them in each.

    Example:
      cortex hook install
    """


@hook.command()
@REPOSITORY
@common
def install(path: Path) -> None:
    """Put the hooks into the repository at PATH, by default the one you stand in."""
    here = session()
    done = hooking.install(path, here.path, own_command())
    here.show(done, render_upkeep.hooks_installed)


@hook.command()
@REPOSITORY
@common
def remove(path: Path) -> None:
    """Take the hooks out again; every file is as it was."""
    here = session()
    had = any(one.state == "installed" for one in hooking.hooks(path).hooks)
    done = hooking.remove(path)
    here.show(done, lambda _: "Removed." if had else "Nothing was installed.")


@hook.command()
@REPOSITORY
@common
def status(path: Path) -> None:
    """Say which hooks are in, and what the last run behind one did."""
    here = session()
    found = hooking.hooks(path)
    last = hooking.last_run(here.path, Path(found.root))
    here.show({**dict(found), "last": last}, lambda _: render_upkeep.hooks(found, last))


@hook.command(hidden=True)
@REPOSITORY
@common
def run(path: Path) -> None:
    """Index PATH as a hook does: alone, quietly, out of the way of whoever works."""
    here = session()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]  # what git tells its hooks points every command at the hook's own index
    if hasattr(os, "nice"):
        os.nice(max(hooking.NICE - os.nice(0), 0))  # a hook that an earlier Cortex put in starts it as nice as git

    def index() -> Indexed:
        return run_operation(upkeep.index, here.call(), {"path": path})

    hooking.index_behind_hooks(here.path, path, index, now=here.now)
