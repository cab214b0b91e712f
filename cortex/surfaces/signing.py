"""Who says something, and where, as far as the machine that they say it on can tell."""

from __future__ import annotations

from getpass import getuser
from pathlib import Path

from cortex.errors import BadParameter, CortexError
from cortex.indexers.connectors import git
from cortex.indexers.connectors.git_command import asked
from cortex.indexers.connectors.notes import signed
from cortex.surfaces.contract import Call


def by(call: Call, named: str) -> str:
    """Who says it: whoever is *named*; of an operator the user that git knows, else that of the machine.

    An untrusted caller is shown under its own name, whomever it names.
    """
    if named or not call.trusted:
        return named
    try:
        found = next(
            (name for folder in call.folders if (name := asked(folder, "config", "--get", "user.name", climb=True))), ""
        )
        return found or getuser()
    except (CortexError, OSError, KeyError):
        return call.caller


def where(call: Call, operation: str, named: str) -> str:
    """Where it is said: the place *named*, else the folder that the caller is in and the commit it is at.

    Raises:
        BadParameter: neither is known.
    """
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
    raise BadParameter(operation, "where", "it is missing, and no folder is known that it is said in", ["where"])


def as_caller(call: Call, named: str) -> str:
    """Who an untrusted caller is, and whom it says it speaks for."""
    return signed(named, call.recorder, trusted=False)
