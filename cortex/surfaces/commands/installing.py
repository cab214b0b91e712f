"""What the commands that change other programs' configuration share: show it, then write it."""

from __future__ import annotations

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
    if here.json:
        here.print_json(
            {
                "file": str(change.path), "changed": change.changed, "written": written, "diff": change.diff,
                "backup": str(aside) if aside else None,
            }
        )  # fmt: skip
        return
    if not change.changed:
        click.echo(f"Nothing to change in {change.path}.")
        return
    click.echo(safe(change.diff).rstrip())
    if not written:
        here.remark(dim("\nWrite it with: --write"))
    else:
        click.echo(f"\nWrote {change.path}." + (f" As it was: {aside}" if aside else ""))
