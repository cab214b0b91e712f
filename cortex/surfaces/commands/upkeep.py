"""`cortex verify`, `cortex copy`, `cortex compact` and `cortex outcome`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from cortex.compactor.run import Compacted
from cortex.compactor.schedule import Holder, run_if_due
from cortex.compactor.undo import Undone
from cortex.errors import BrainDamaged, UsageError
from cortex.substrate import copying
from cortex.substrate import verify as proof
from cortex.substrate.address import located
from cortex.substrate.brain import open_brain
from cortex.substrate.sqlite.transactions import translated
from cortex.surfaces import remembering, render_report, render_upkeep
from cortex.surfaces.commands import declared
from cortex.surfaces.contract import Call, run
from cortex.surfaces.operations import upkeep
from cortex.surfaces.options import WORDS, takes
from cortex.surfaces.placing import own_source
from cortex.surfaces.progress import progress
from cortex.surfaces.session import Session, session
from cortex.surfaces.working import alive, this_process


@click.command()
@click.option(
    "--mend", is_flag=True, help="First build indexes anew, archive facts that do not hold, and give back empty room."
)
def verify(*, mend: bool) -> int:
    """Check every excerpt against its record, and the indexes against the rows.

    Exits 1 when anything fails, with the first failures by name. Reads only, unless it is to mend what fails: facts
    that were archived are made anew by `cortex index --again`.

    Examples:
      cortex verify
      cortex verify --mend
    """
    here = session()
    if mend:
        with _damage_told(here), here.call().writer() as brain:
            here.remark(render_report.mended(proof.mend(brain, now=here.now())))
    with (
        _damage_told(here),
        open_brain(here.path, read_only=True, migrate=False) as brain,
        progress(quiet=here.quiet) as report,
    ):
        checked = proof.verify(brain, progress=report)
    here.show(checked, render_report.verified)
    return 0 if checked.holds else 1


@contextmanager
def _damage_told(here: Session) -> Iterator[None]:
    """Name what SQLite fails at: nobody is sent to `verify` from `verify`."""
    try:
        with translated(here.path):
            yield
    except sqlite3.Error as error:
        raise BrainDamaged(here.path, str(error)) from error


@click.command()
@click.argument("brain", metavar="FROM")
@click.argument("into", metavar="TO")
def copy(brain: str, into: str) -> int:
    """Copy a brain into a new one, and compare them row by row.

    Others may read and write FROM meanwhile: what is copied is what it held when that began. A copy that was stopped
    goes on where it stood. Exits 1 where FROM was written to since a copy was begun, which then holds parts of both.

    Examples:
      cortex copy ~/.cortex/brain.db /backup/brain.db
      cortex copy ~/.cortex/brain.db postgresql://db.example.com/cortex
    """
    here = session()
    old, new = (located(where, here.settings.home).expanduser() for where in (brain, into))
    with open_brain(old, read_only=True) as source, open_brain(new) as target, progress(quiet=here.quiet) as report:
        copied = copying.copy(source, target, progress=report)
    here.show(copied, render_report.copied)
    return 1 if copied.differing else 0


@click.command()
@takes(upkeep.compact)
@click.option("--if-due", is_flag=True, help="Only when tonight's has not run yet; for timers.")
def compact(asked: dict[str, Any], *, if_due: bool) -> None:
    """Clean the facts, or undo a cleaning.

    Takes out what is gone or unsure, merges what says the same or nearly so, and lets old facts fade. Nothing is
    destroyed: what a run takes out goes to the archive, its handles still resolve, and --undo brings it back as it was.
    Run twice, the second changes nothing.

    Examples:
      cortex compact --dry-run
      cortex compact --job near_duplicates
      cortex compact --undo 12
    """
    here = session()
    if if_due and "undo" in asked:
        raise UsageError("undo takes back a whole run", hint="give it alone")
    with progress(quiet=here.quiet) as report:
        call = here.call(progress=report)
        done = compact_if_due(here, call, asked) if if_due else run(upkeep.compact, call, asked)
    if done is None and here.json:
        here.print_json({"run": None, "due": False, "jobs": []})
    elif done is None:
        here.remark("Not due: tonight's compaction has run, or is running.")
    elif isinstance(done, Undone):
        here.show(done, render_upkeep.undone)
    else:
        here.show(done, render_upkeep.compacted)


def compact_if_due(here: Session, call: Call, asked: dict[str, Any]) -> Compacted | Undone | None:
    """Compact unless this night's compaction has run, or is running; a part of one, or a dry run, claims no night."""
    whole = not any(asked.get(part) for part in ("source", "jobs", "dry_run"))
    at, holder = here.settings.compact_at, Holder(this_process(), alive)
    with call.writer() as brain:
        return run_if_due(
            brain, lambda: run(upkeep.compact, call, asked), at=at, claims=whole, holder=holder, now=call.now
        )


INTO = click.option(
    "--source", type=WORDS, metavar="NAME", help="Where to record it.  [default: the folder's, or the only one]"
)


@click.group()
def outcome() -> None:
    """Record what became of a piece of work, and list what was recorded.

    Example:
      cortex outcome add "Empty-state copy" --status flagged --pull 958 --note "reads like an error"
    """


outcome.add_command(declared.command("outcome add"))


@outcome.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@INTO
def import_(file: Path, source: str | None) -> int:
    """Record every outcome of FILE, JSON lines with a title and a status each.

    A line that cannot be used is named on standard error and the rest goes on; the exit code is then 1.

    Example:
      cortex outcome import outcomes.jsonl
    """
    here = session()
    call = here.call()
    with call.writer() as brain:
        done = remembering.import_outcomes(
            brain, file, source=own_source(call, brain, source), authority=here.settings.authority, now=call.now
        )
    for skipped in done.skipped:
        click.echo(f"cortex: {skipped.input}: {skipped.reason}", err=True)
    here.show(done, render_report.imported)
    return 1 if done.skipped else 0


outcome.add_command(declared.command("outcome list"))
