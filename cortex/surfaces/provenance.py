"""Defaults for the author and the place of a note."""

from __future__ import annotations

from getpass import getuser
from pathlib import Path

from cortex.errors import BadParameter, CortexError
from cortex.indexers.connectors import git
from cortex.indexers.connectors.git_command import asked, user
from cortex.indexers.connectors.notes import signed
from cortex.surfaces.contract import Call


def author(call: Call, named: str) -> str:
    """The author *named*; for a trusted caller else git's user, else the user of the machine."""
    if named or not call.trusted:
        return named
    try:
        return next(filter(None, map(user, call.folders)), "") or getuser()
    except (CortexError, OSError, KeyError):
        return call.caller


def reviewer(call: Call, named: str) -> str:
    """The author of a review; an untrusted caller signs with its own name."""
    return author(call, named) if call.trusted else signed(named, call.recorder, trusted=False)


def place(call: Call, operation: str, named: str) -> str:
    """The place *named*, else the caller's folder and its commit."""
    if named:
        return named
    for folder in call.folders:
        try:
            top, commit = git.top(folder), asked(folder, "rev-parse", "--short=12", "HEAD", climb=True)
        except CortexError:
            top, commit = None, None
        below = f"/{folder.resolve().relative_to(top).as_posix()}" if top and folder.resolve() != top else ""
        name = f"{Path(top or folder).name}{below}"
        return f"{name} at {commit}" if commit else name
    raise BadParameter(operation, "where", "it is missing, and the caller's folder is unknown", ["where"])
