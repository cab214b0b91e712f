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

from cortex.errors import BadInput, UnknownSource
from cortex.packaged import files
from cortex.substrate.address import argument
from cortex.substrate.brain import Brain
from cortex.substrate.model import Value
from cortex.substrate.sources import as_listed, source_names
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


def unheld(brain: Brain, sources: Sequence[str]) -> UnknownSource | None:
    """What is wrong with *sources*, of which a server may reach each that the brain holds; None where it holds them."""
    held = [*source_names(brain).values()]
    return next((UnknownSource(name, held) for name in sources if as_listed(name, held) not in held), None)


def entry(client: Client, db: Path | None) -> dict[str, Any]:
    """How *client* starts our server; programs with windows know nothing of a shell's path, so theirs has the file.

    Args:
        db: the brain, where it is not the one of the environment.
    """
    database = ["--db", argument(db)] if db else []
    program, *first = shared_command() if client.bare else own_command()
    started = {"command": program, "args": [*first, *database, "mcp"]}
    return {"type": client.type, **started} if client.type else started


def installed(client: Client, path: Path, db: Path | None, *, instead: bool) -> Change:
    """What the file of *client* becomes with our server in it; what somebody put into an entry of ours stays there.

    Args:
        db: the brain to name in an entry that is new.
        instead: and in one that is there already.
    """
    wanted = entry(client, db)

    def renewed(held: Mapping[str, Any]) -> dict[str, Any]:
        words = told_by(held) or []
        if not serves(words):
            return {**held, **wanted}
        started = [wanted["command"], *wanted["args"]]
        first = started[1 : len(started) - len(told(started) or ())]
        arguments = ["--db", argument(db), *_without_db(words)] if db and instead else words
        return {**wanted, **held, "command": started[0], "args": [*first, *arguments]}

    if path.suffix == ".toml":
        return toml_change(path, ".".join(client.at), NAME, renewed)

    def edit(held: dict[str, Any]) -> dict[str, Any]:
        servers = _servers(client, path, held)
        servers[NAME] = renewed(servers.get(NAME, {}))
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


def told_by(entry: Mapping[str, Any]) -> list[str] | None:
    """What *entry* tells the Cortex that it starts; None where it starts something else."""
    command, arguments = entry.get("command"), entry.get("args", [])
    if not isinstance(command, str):
        return None
    return told([command, *(str(word) for word in arguments if isinstance(arguments, list))])


def serves(words: Sequence[str]) -> bool:
    """Whether a Cortex that is told *words* serves a client."""
    named = [word for word in _without_db(words) if not word.startswith("-")]
    return named[:1] == ["mcp"] and named[1:2] not in (["install"], ["remove"])


def _without_db(words: Sequence[str]) -> list[str]:
    kept = [word for word in words if not word.startswith("--db=")]
    if "--db" in kept:
        at = kept.index("--db")
        del kept[at : at + 2]
    return kept


def _servers(client: Client, path: Path, held: dict[str, Any]) -> dict[str, Any]:
    """The servers in the file, of which the one of our name has to be ours."""
    for name in client.at:
        held = held.setdefault(name, {})
        if not isinstance(held, dict):
            raise BadInput(path, f"its {name!r} is no object; it was left as it is", hint="mend the file first")
    ours = held.get(NAME, {})
    if ours and not (isinstance(ours, dict) and told_by(ours) is not None):
        wanted = json.dumps(entry(client, None), ensure_ascii=False)
        raise BadInput(
            path, f"its {'.'.join((*client.at, NAME))} starts no Cortex; it was left as it is",
            hint=f"give that another name; by hand ours is: {wanted}",
        )  # fmt: skip
    return held
