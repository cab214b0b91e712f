"""What may be wrong with what coding agents and MCP clients were told of us."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import join, quote
from typing import Any

from cortex.surfaces import agent_hook, agent_hooking, clients
from cortex.surfaces.doctor.around import runs
from cortex.surfaces.doctor.examined import Examined, Trouble
from cortex.surfaces.starting import adding, is_own, located, serves


def hooked(found: Examined) -> Iterator[Trouble]:
    """Where coding agents have hooks of ours, all are in and start a Cortex on a brain."""
    for folder in found.folders:
        for agent in agent_hooking.AGENTS:
            ours = agent_hooking.ours_in(_held(folder / agent_hooking.FILES[agent]))
            said, database = _wrong_with_hooks(ours, folder) if ours else ("", False)
            if said:
                install = ["cortex", "agent-hooks", "install", "--agent", agent, "--write", *_naming(found, database)]
                yield Trouble(f"{agent} in {folder} {said}", f"cd {quote(str(folder))} && {join(install)}")


def _wrong_with_hooks(ours: Sequence[agent_hooking.Hook], folder: Path) -> tuple[str, bool]:
    """What is wrong, and whether a brain has to be named to mend it; '' where nothing is."""
    if gone := [one.program for one in ours if not runs(one.program)]:
        return f"starts {gone[0]}, which is not there", False
    placed = {one.event for one in ours if agent_hook.EVENTS.get(one.event) == one.under}
    if missing := [event for event in agent_hook.EVENTS if event not in placed]:
        return f"lacks a hook: {missing[0]}", False
    if lost := [one.db for one in ours if one.db and not _is_there(one.db, folder)]:
        return f"is told of {lost[0]}, where there is no brain", True
    return "", False


def connected(found: Examined) -> Iterator[Trouble]:
    """MCP clients that have us among their servers start a Cortex that serves a brain."""
    for client in clients.clients().values():
        for path, folder in {client.file(folder, Path.home()): folder for folder in found.folders[::-1]}.items():
            server: Any = _held(path)
            for name in (*client.at, clients.NAME):
                server = server.get(name, {}) if isinstance(server, dict) else {}
            if isinstance(server, dict) and isinstance(server.get("command"), str):
                said, database = _wrong_with_server(server, folder)
                install = ["cortex", "mcp", "install", "--client", client.name, "--write", *_naming(found, database)]
                if said:
                    yield Trouble(f"{path} has {client.name} {said}", f"cd {quote(str(folder))} && {join(install)}")
                elif is_own(server["command"], folder) and not serves():
                    yield Trouble(f"{path} has {client.name} start a Cortex without the extra 'serve'", adding("serve"))


def _wrong_with_server(server: Mapping[str, Any], folder: Path) -> tuple[str, bool]:
    """As for hooks. It is not started: whatever is called cortex in a project's file may be anybody's program."""
    program, words, environment = server["command"], clients.told_by(server), server.get("env")
    if located(program, folder) is None:
        return f"start {program}, which is not there", False
    if words is None:
        return "", False
    if not clients.serves(words):
        return f"tell {program} what starts no server", False
    named = words[words.index("--db") + 1] if "--db" in words[:-1] else ""
    database = named or (environment.get("CORTEX_DB", "") if isinstance(environment, dict) else "")
    if database and not _is_there(str(database), folder):
        return f"start {program} on {database}, where there is no brain", True
    return "", False


def _is_there(database: str, folder: Path) -> bool:
    return (folder / Path(database).expanduser()).is_file()


def _naming(found: Examined, database: bool) -> list[str]:  # noqa: FBT001  whether there is anything to name
    return ["--db", str(found.call.path.absolute())] if database else []


def _held(path: Path) -> Mapping[str, Any]:
    """What another program's configuration holds; nothing where it is not there, or only that program reads it."""
    try:
        text = path.read_text("utf-8")
        held = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}
