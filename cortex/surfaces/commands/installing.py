"""What the commands that change other programs' configuration share: show it, then write it."""

from __future__ import annotations

from pathlib import Path

import click

from cortex.surfaces import merging
from cortex.surfaces.merging import Change
from cortex.surfaces.render import dim, safe
from cortex.surfaces.session import Session

WRITE = click.option("--write", is_flag=True, help="Write it.  [default: only show it]")


def offer(here: Session, change: Change, *, write: bool) -> None:
    """Show *change*, and write it where that was asked for."""
    aside = merging.write(change) if write else None
    written = write and change.changed
    value = {"file": change.path, "changed": change.changed, "written": written, "diff": change.diff, "backup": aside}
    here.show(value, lambda _: _told(change, f"\n\nWrote {change.path}." if written else "", aside))
    if change.changed and not written and not here.json:
        here.remark(dim("\nWrite it with: --write"))


def _told(change: Change, written: str, aside: Path | None) -> str:
    if not change.changed:
        return f"Nothing to change in {change.path}."
    return safe(change.diff).rstrip() + written + (f" As it was: {aside}" if aside else "")
