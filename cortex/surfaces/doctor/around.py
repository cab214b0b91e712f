"""What may be wrong around a brain: its schedule, git's hooks, the models, coding agents and MCP clients."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import join, quote
from typing import Any

from cortex.errors import BadInput, NotABrain, RepositoryElsewhere, UsageError
from cortex.llm.setup import SIZES, Standing, standings
from cortex.substrate import address
from cortex.surfaces import agent_hook, agent_hooking, clients, hooking, scheduling
from cortex.surfaces.doctor.examined import Examined, Trouble, Unchecked
from cortex.surfaces.models import setup_of
from cortex.surfaces.starting import adding, is_own, located, serves


def scheduled(found: Examined) -> Iterator[Trouble]:
    """The machine compacts this brain every night."""
    home, settings, path = Path.home(), found.call.settings, found.call.path
    try:
        here = scheduling.plan(None, path, settings, home).manager
    except UsageError as error:
        raise Unchecked(str(error)) from error
    left = scheduling.others(path, home)
    manager = next(iter(sorted(scheduling.installed(home), key=left.__contains__)), None)
    wanted = scheduling.plan(manager or here, path, settings, home)
    install = found.cortex("schedule", "install", "--with", wanted.manager, "--yes")
    if manager is None:
        yield Trouble("nothing compacts the brain every night", install)
    elif wanted.replaces:
        yield Trouble(f"what {manager} runs every night compacts {wanted.replaces}, which this ends", install)
    elif any(text != wanted.files[name] for name, text in scheduling.written(wanted).items()):
        yield Trouble(f"what {manager} runs every night is for another hour, setting or Cortex", install)
    elif not scheduling.switched_on(manager):
        anew = [found.cortex("schedule", "remove"), found.cortex("schedule", "install", "--with", here, "--yes")]
        yield Trouble(f"what {manager} is to run every night is written, and not switched on", " && ".join(anew))


def hooked(found: Examined) -> Iterator[Trouble]:
    """Where git indexes behind commits, all hooks are in and start a Cortex that is there."""
    for folder in found.folders:
        try:
            hooks = hooking.hooks(folder).hooks
        except (BadInput, RepositoryElsewhere):
            continue
        if not any(hook.state == "installed" for hook in hooks):
            continue
        mend = found.cortex("hook", "install", str(folder))
        missing = [hook.name for hook in hooks if hook.state == "missing"]
        programs = {hooking.program_of(Path(hook.path)) for hook in hooks}
        gone = sorted(program for program in programs if program and not shutil.which(program))
        if missing:
            yield Trouble(f"{folder} has hooks of ours, but not in {', '.join(missing)}", mend)
        elif gone:
            yield Trouble(f"the hooks of {folder} start {', '.join(gone)}, which is not there", mend)


def ready(found: Examined) -> Iterator[Trouble]:
    """Every model that is named can be called."""
    for one in standings(setup_of(found.call.settings)):
        if one.model and not one.ready:
            yield Trouble(f"{one.model} of {one.tier} cannot be called: {one.why}", _mending_of(one))


def _mending_of(one: Standing) -> str:
    if "pip install" in one.why:
        return one.why[one.why.index("pip install") :]
    return f"unset CORTEX_{one.tier.upper()}_{SIZES[one.class_].upper()}"


def agents_hooked(found: Examined) -> Iterator[Trouble]:
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
    if gone := [one.program for one in ours if not shutil.which(one.program)]:
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
    """Whether a brain may be there: a database is asked for none."""
    try:
        placed = address.located(database, Path())
    except NotABrain:
        return False
    return address.is_database(placed) or (folder / placed.expanduser()).is_file()


def _naming(found: Examined, database: bool) -> list[str]:  # noqa: FBT001  whether there is anything to name
    return ["--db", address.argument(found.call.path)] if database else []


def _held(path: Path) -> Mapping[str, Any]:
    """What another program's configuration holds; nothing where it is not there, or only that program reads it."""
    try:
        text = path.read_text("utf-8")
        held = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}
