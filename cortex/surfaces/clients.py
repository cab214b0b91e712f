"""MCP clients: where each keeps its servers, what it is to be told of ours, and what a server was told."""

from __future__ import annotations

import copy
import json
import os
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from cortex.errors import BadInput, UnknownSource
from cortex.packaged import files
from cortex.substrate.brain import Brain
from cortex.substrate.model import Value
from cortex.substrate.sources import as_listed
from cortex.surfaces.contract import MAY
from cortex.surfaces.merging import Change, json_change, toml_change
from cortex.surfaces.options import WORDS
from cortex.surfaces.session import Session
from cortex.surfaces.starting import own_command, shared_command, told

MAY_DO: Final = click.option(
    "--may", type=click.Choice([*MAY]), default="write", show_default=True, help="What the agent may do."
)
REACHED: Final = click.option(
    "--source", "sources", type=WORDS, multiple=True, metavar="NAME",
    help="Let it reach this source alone; may be repeated.  [default: every source]",
)  # fmt: skip


_ENDS: Final = frozenset({"-h", "--help", "--version"})


class Served(NamedTuple):
    """What a server was told.

    Attributes:
        db: the brain, where one was named.
        sources: all that it may reach; none is every source.
    """

    db: Path | None
    sources: tuple[str, ...]


def served(words: Sequence[str]) -> Served:
    """What a Cortex that is told *words* serves, by the options that the command line has; nothing is run.

    Raises:
        click.ClickException: it would not serve a client.
    """
    from cortex.surfaces.cli import cli  # noqa: PLC0415  which imports commands that need this module

    if not _ENDS.isdisjoint(words):
        raise click.UsageError("that prints something and ends")
    command: click.Group = cli
    context = command.make_context("cortex", [*words])
    for wanted in ("mcp", "run"):
        held = vars(context)  # click 8.2 gave the first word of what is left another name
        name, *rest = [*held.get("_protected_args", held.get("protected_args", ())), *context.args] or [""]
        found = command.get_command(context, wanted)
        if name != wanted or found is None:
            raise click.UsageError(f"No such command {name!r}.")
        context = found.make_context(wanted, rest, parent=context)
        command = found if isinstance(found, click.Group) else command
    return Served(context.find_root().ensure_object(Session).db, context.params["sources"])


def unheld(brain: Brain, sources: Sequence[str]) -> UnknownSource | None:
    """What is wrong with *sources*, of which a server may reach each that the brain holds; None where it holds them."""
    held = [name for (name,) in brain.db.execute("select name from sources order by id")]
    return next((UnknownSource(name, held) for name in sources if as_listed(name, held) not in held), None)


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
