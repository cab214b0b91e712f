"""What may be wrong with what coding agents and MCP clients were told of us."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from shlex import join, quote
from typing import Any, Final

import click

from cortex.errors import BadInput, BrainError
from cortex.substrate.brain import open_brain, translated
from cortex.surfaces import agent_hook, agent_hooking, clients
from cortex.surfaces.clients import served, unheld
from cortex.surfaces.doctor.around import runs
from cortex.surfaces.doctor.examined import Examined, Trouble
from cortex.surfaces.starting import adding, is_own, located, serves

_COMMENTS: Final = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMAS: Final = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')  # what some clients allow in their JSON


def hooked(found: Examined) -> Iterator[Trouble]:
    """Coding agents' files can be parsed; where they have hooks of ours, both are in and start a Cortex on a brain."""
    for folder in found.folders:
        for agent in agent_hooking.AGENTS:
            held = _held(folder / agent_hooking.FILES[agent])
            if isinstance(held, Trouble):
                yield held
                continue
            ours = agent_hooking.ours_in(held)
            wrong = _wrong_with_hooks(ours, folder) if ours else None
            if not wrong:
                continue
            said, database = wrong
            install = join(["cortex", "agent-hooks", "install", "--agent", agent, "--write", *_naming(found, database)])
            path = folder / agent_hooking.FILES[agent]
            changing = partial(agent_hooking.hooked, agent, path, found.call.path, instead=database)
            yield _written(f"{agent} in {folder} {said}", changing, f"cd {quote(str(folder))} && {install}")


def _wrong_with_hooks(ours: Sequence[agent_hooking.Hook], folder: Path) -> tuple[str, bool] | None:
    if gone := [one.program for one in ours if not runs(one.program)]:
        return f"starts {gone[0]}, which is not there", False
    placed = {one.event for one in ours if agent_hook.EVENTS.get(one.event) == one.under}
    if missing := [event for event in agent_hook.EVENTS if event not in placed]:
        return f"has one of the two hooks only: {missing[0]} is not there" if placed else "has neither hook", False
    if lost := [one.db for one in ours if one.db and not _is_there(one.db, folder)]:
        return f"is told of {lost[0]}, where there is no brain", True
    return None


def connected(found: Examined) -> Iterator[Trouble]:
    """Clients' files can be parsed; those that have us among their MCP servers start a Cortex that serves a brain."""
    for client in clients.clients().values():
        seen = set()
        for folder in found.folders:
            path = client.file(folder, Path.home())
            if path in seen:
                continue
            seen.add(path)
            server: Any = _held(path)
            if isinstance(server, Trouble):
                yield server
                continue
            for name in (*client.at, clients.NAME):
                server = server.get(name, {}) if isinstance(server, dict) else {}
            if isinstance(server, dict) and isinstance(server.get("command"), str):
                yield from _wrong_with_server(found, client, path, folder, server)


def _wrong_with_server(
    found: Examined, client: clients.Client, path: Path, folder: Path, server: Mapping[str, Any]
) -> Iterator[Trouble]:
    """What keeps the *server* in the client's file from being one of ours.

    It is not started: whatever is called cortex in a project's file may be anybody's program. What it is told goes
    through the options that `cortex mcp` has.
    """
    program, words = server["command"], clients.told_by(server)

    def mended(said: str, *, database: bool = False) -> Trouble:
        install = join(["cortex", "mcp", "install", "--client", client.name, "--write", *_naming(found, database)])
        changing = partial(clients.installed, client, path, found.call.path, instead=database)
        return _written(f"{path} has {client.name} {said}", changing, f"cd {quote(str(folder))} && {install}")

    if located(program, folder) is None:
        yield mended(f"start {program}, which is not there")
    elif words is None:
        if not any("cortex" in str(word) for word in (program, server.get("args"))):  # else it may well lead to one
            yield mended(f"start {program} by the name of {clients.NAME}")
    elif is_own(program, folder) and not serves():
        yield Trouble(f"{path} has {client.name} start a Cortex without the extra 'serve'", adding("serve"))
    else:
        try:
            told = served(words)
        except click.ClickException as error:
            yield mended(f"tell {program} what starts no server: {error.format_message()}")
            return
        database = told.db or _variable(server, "CORTEX_DB")
        if database and not _is_there(database, folder):
            yield mended(f"start {program} on {database}, where there is no brain", database=True)
        elif problem := _unheld(database and folder / Path(database).expanduser(), told.sources, found):
            yield Trouble(f"{path} has {client.name} start {program} for a source: {problem}; name another there", "")


def _unheld(database: Path | None, sources: Sequence[str], found: Examined) -> str:
    """What is wrong with the sources that a server is told of; '' where nothing is, or nobody can say."""
    if not sources:
        return ""
    try:
        path = database or found.call.path
        with open_brain(path, read_only=True) as brain, translated(path):
            problem = unheld(brain, sources)
    except BrainError:
        return ""
    return str(problem or "")


def _variable(server: Mapping[str, Any], name: str) -> Path | None:
    environment = server.get("env")
    value = environment.get(name) if isinstance(environment, dict) else None
    return Path(value) if isinstance(value, str) and value else None


def _is_there(database: Path | str, folder: Path) -> bool:
    return (folder / Path(database).expanduser()).is_file()


def _naming(found: Examined, database: bool) -> list[str]:  # noqa: FBT001  whether there is anything to name
    return ["--db", str(found.call.path.absolute())] if database else []


def _written(said: str, changing: Callable[[], object], command: str) -> Trouble:
    try:
        changing()
    except BadInput as error:
        return Trouble(f"{said}; no command can change that file: {error.hint}", "")
    return Trouble(said, command)


def _held(path: Path) -> Mapping[str, Any] | Trouble:
    """What another program's configuration holds, nothing where it is not there; or that it cannot be parsed."""
    try:
        text = path.read_text("utf-8")
        held = tomllib.loads(text) if path.suffix == ".toml" else json.loads(_plain(text))
    except OSError:
        return {}
    except ValueError as error:
        said = f"{path} is no {path.suffix.removeprefix('.').upper()} ({error}): mend it, or put it aside"
        return Trouble(said, f"mv {quote(str(path))} {quote(f'{path}.broken')}")
    return held if isinstance(held, dict) else {}


def _plain(text: str) -> str:
    """JSON without comments and last commas; of a file that holds nothing, an empty object."""
    for extra in (_COMMENTS, _LAST_COMMAS):
        text = extra.sub(lambda found: found[1] or "", text)
    return text if text.strip() else "{}"
