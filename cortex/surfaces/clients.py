"""MCP clients: where each keeps its servers, and what it is to be told of ours."""

from __future__ import annotations

import copy
import json
import os
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from cortex.errors import BadInput
from cortex.packaged import files
from cortex.substrate.model import Value
from cortex.surfaces.connecting import served
from cortex.surfaces.merging import Change, json_change, toml_change
from cortex.surfaces.starting import own_command, shared_command, told

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


def installed(client: Client, path: Path, db: Path | None, *, instead: bool) -> Change:
    """What the file of *client* becomes with our server in it; what somebody put into an entry of ours stays there.

    Args:
        db: the brain to name in an entry that is new.
        instead: and in one that is there already.

    Raises:
        BadInput: the file cannot be changed, or what it calls by our name starts no Cortex.
    """
    wanted = entry(client, db)

    def renewed(held: Mapping[str, Any]) -> dict[str, Any]:
        return _renewed(held, wanted, db if instead else None) if held else wanted

    if path.suffix == ".toml":
        return toml_change(path, ".".join(client.at), NAME, renewed)

    def edit(held: dict[str, Any]) -> dict[str, Any]:
        servers = _servers(client, path, held)
        _make_sure_it_is_ours(client, path, servers, f"or write by hand: {json.dumps(wanted, ensure_ascii=False)}")
        servers[NAME] = renewed(servers.get(NAME, {}))
        return held

    return json_change(path, edit)


def told_by(entry: Mapping[str, Any]) -> list[str] | None:
    """What *entry* tells the Cortex that it starts; None where it starts something else."""
    command, arguments = entry.get("command"), entry.get("args", [])
    if not isinstance(command, str):
        return None
    return told([command, *(str(word) for word in arguments if isinstance(arguments, list))])


def _renewed(held: Mapping[str, Any], wanted: Mapping[str, Any], db: Path | None) -> dict[str, Any]:
    said = told_by(held) or []
    try:
        served(said)
    except click.ClickException:
        return {**held, **wanted}
    started = [wanted["command"], *wanted["args"]]
    first = started[1 : len(started) - len(told(started) or ())]
    arguments = ["--db", str(db.absolute()), *_without_db(said)] if db else said
    return {**wanted, **held, "command": wanted["command"], "args": [*first, *arguments]}


def _without_db(words: Sequence[str]) -> list[str]:
    kept, named = [], False
    for word in words:
        if not named and word != "--db" and not word.startswith("--db="):
            kept.append(word)
        named = not named and word == "--db"
    return kept


def _make_sure_it_is_ours(client: Client, path: Path, servers: Mapping[str, Any], otherwise: str) -> None:
    held = servers.get(NAME)
    if NAME in servers and not (isinstance(held, dict) and told_by(held) is not None):
        named = ".".join((*client.at, NAME))
        raise BadInput(
            path, f"its {named} starts no Cortex; it was left as it is", hint=f"give that another name, {otherwise}"
        )


def removed(client: Client, path: Path) -> Change:
    """What the file of *client* becomes without our server."""
    if path.suffix == ".toml":
        return toml_change(path, ".".join(client.at), NAME, None)

    def edit(held: dict[str, Any]) -> dict[str, Any]:
        kept = copy.deepcopy(held)
        servers = _servers(client, path, kept)
        _make_sure_it_is_ours(client, path, servers, "or take it out by hand")
        return kept if servers.pop(NAME, None) is not None else held

    return json_change(path, edit)


def _servers(client: Client, path: Path, held: dict[str, Any]) -> dict[str, Any]:
    for name in client.at:
        held = held.setdefault(name, {})
        if not isinstance(held, dict):
            raise BadInput(path, f"its {name!r} is no object; it was left as it is", hint="mend the file first")
    return held
