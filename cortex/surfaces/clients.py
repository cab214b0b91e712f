"""MCP clients: where each keeps its servers, and what it is to be told of ours."""

from __future__ import annotations

import copy
import os
import sys
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cortex.errors import BadInput
from cortex.substrate.model import Value
from cortex.surfaces.merging import Change, json_change, toml_change
from cortex.surfaces.starting import own_command, shared_command

NAME: Final = "cortex"


class Client(Value):
    """A program that offers MCP servers to its model."""

    name: str
    path: str
    darwin: str = ""
    win32: str = ""
    at: tuple[str, ...]
    type: str = ""
    bare: bool = False

    def file(self, project: Path, home: Path) -> Path:
        """Its configuration: in the *project*, or in the *home* folder."""
        chosen = {"darwin": self.darwin, "win32": self.win32}.get(sys.platform) or self.path
        if chosen.startswith("~/"):
            return home / chosen.removeprefix("~/")
        return project / os.path.expandvars(chosen)


def clients() -> Mapping[str, Client]:
    """Every client that is known, by name."""
    held = tomllib.loads((files("cortex.surfaces") / "clients.toml").read_text("utf-8"))
    return {name: Client(name=name, **row) for name, row in held.items()}


def entry(client: Client, db: Path | None) -> dict[str, Any]:
    """How *client* starts our server; programs with windows know nothing of a shell's path, so theirs has the file.

    Args:
        db: the brain, where it is not the one of the environment.
    """
    database = ["--db", str(db.absolute())] if db else []
    program, *first = shared_command() if client.bare else own_command()
    started = {"command": program, "args": [*first, *database, "mcp"]}
    return {"type": client.type, **started} if client.type else started


def installed(client: Client, path: Path, db: Path | None) -> Change:
    """What the file of *client* becomes with our server in it."""
    if path.suffix == ".toml":
        return toml_change(path, ".".join(client.at), NAME, entry(client, db))

    def edit(held: dict[str, Any]) -> dict[str, Any]:
        _servers(client, path, held)[NAME] = entry(client, db)
        return held

    return json_change(path, edit)


def removed(client: Client, path: Path) -> Change:
    """What the file of *client* becomes without our server."""
    if path.suffix == ".toml":
        return toml_change(path, ".".join(client.at), NAME, None)

    def edit(held: dict[str, Any]) -> dict[str, Any]:
        kept = copy.deepcopy(held)
        return kept if _servers(client, path, kept).pop(NAME, None) is not None else held

    return json_change(path, edit)


def _servers(client: Client, path: Path, held: dict[str, Any]) -> dict[str, Any]:
    """The servers in *held*, made where there are none."""
    for name in client.at:
        held = held.setdefault(name, {})
        if not isinstance(held, dict):
            raise BadInput(path, f"its {name!r} is no object; it was left as it is", hint="mend the file first")
    return held
