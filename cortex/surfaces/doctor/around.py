"""What may be wrong around a brain: its schedule, the hooks, the clients, the models, and GitHub's token."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, Final
from urllib.parse import urlsplit

from cortex.errors import BadInput, UsageError
from cortex.llm.setup import SIZES, Standing, standings
from cortex.surfaces import agent_hook, agent_hooking, clients, github, hooking, scheduling
from cortex.surfaces.doctor.examined import Examined, Trouble
from cortex.surfaces.models import setup_of
from cortex.surfaces.starting import adding, is_own, located, serves

_COMMENTS: Final = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMAS: Final = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')
"""What some clients allow in their JSON."""


class Unchecked(Exception):
    """A check that this machine has nothing for; the text says why."""


def scheduled(found: Examined) -> Iterator[Trouble]:
    """The machine compacts this brain every night."""
    home, settings, path = Path.home(), found.call.settings, found.call.path
    left = scheduling.others(path, home)
    for manager in sorted(scheduling.installed(home), key=left.__contains__):
        wanted = scheduling.plan(manager, path, settings, home)
        if wanted.replaces:
            said = f"what {manager} runs every night compacts {wanted.replaces}, which this ends"
            yield Trouble(said, found.cortex("schedule", "install", "--with", manager, "--yes"))
        elif any(text != wanted.files[name] for name, text in scheduling.written(wanted).items()):
            said = f"what {manager} runs every night is for another hour, setting or Cortex"
            yield Trouble(said, found.cortex("schedule", "install", "--with", manager, "--yes"))
        elif not scheduling.switched_on(manager):
            yield _switched_off(found, manager)
        return
    try:
        manager = scheduling.plan(None, path, settings, home).manager
    except UsageError as error:
        raise Unchecked(str(error)) from error
    yield _installing(found, "nothing compacts the brain every night", manager)


def _switched_off(found: Examined, manager: scheduling.Manager) -> Trouble:
    said = f"what {manager} is to run every night is written, and not switched on"
    here = scheduling.plan(None, found.call.path, found.call.settings, Path.home()).manager
    if here == manager:
        return _installing(found, said, manager)
    install = found.cortex("schedule", "install", "--with", here, "--yes")
    return Trouble(f"{said}; {here} works here", f"{found.cortex('schedule', 'remove')} && {install}")


def _installing(found: Examined, said: str, manager: scheduling.Manager) -> Trouble:
    """What has *manager* run it, or where it cannot be told to from here, what to do."""
    install = found.cortex("schedule", "install", "--with", manager, "--yes")
    if manager != "systemd" or scheduling.has_session():
        return Trouble(said, install)
    keep = found.cortex("schedule")
    return Trouble(
        f"{said}; it takes a session of systemd: log in, and run there: {install}, or keep running: {keep}", ""
    )


def hooked(found: Examined) -> Iterator[Trouble]:
    """Where git indexes behind commits, all hooks are in and start a Cortex that is there."""
    for folder in found.folders:
        try:
            hooks = hooking.hooks(folder).hooks
        except BadInput:
            continue
        if not any(hook.state == "installed" for hook in hooks):
            continue
        mend = found.cortex("hook", "install", str(folder))
        missing = [hook.name for hook in hooks if hook.state == "missing"]
        gone = {program for hook in hooks if (program := hooking.program_of(Path(hook.path))) and not _runs(program)}
        if missing:
            yield Trouble(f"{folder} has hooks of ours, but not in {', '.join(missing)}", mend)
        elif gone:
            yield Trouble(f"the hooks of {folder} start {', '.join(sorted(gone))}, which is not there", mend)


def agents_hooked(found: Examined) -> Iterator[Trouble]:
    """Coding agents' files can be parsed; where they have hooks of ours, both are in and start a Cortex."""
    for folder in found.folders:
        for agent in agent_hooking.AGENTS:
            held = _held(folder / agent_hooking.FILES[agent])
            if isinstance(held, Trouble):
                yield held
                continue
            commands = agent_hooking.commands_in(held)
            if not commands:
                continue
            gone = [program for command in commands if not _runs(program := _program(command))]
            if gone:
                said = f"the hooks of {agent} in {folder} start {gone[0]}, which is not there"
            elif len(commands) < len(agent_hook.EVENTS):
                said = f"{agent} in {folder} has one of the two hooks only"
            else:
                continue
            install = found.cortex("agent-hooks", "install", "--agent", agent, "--write")
            changing = partial(agent_hooking.hooked, agent, folder / agent_hooking.FILES[agent], _named(found))
            yield _written(said, changing, f"cd {quote(str(folder))} && {install}")


def connected(found: Examined) -> Iterator[Trouble]:
    """Clients' files can be parsed; those that have us among their MCP servers start a Cortex that can be one."""
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
            program = server.get("command") if isinstance(server, dict) else None
            if not isinstance(program, str):
                continue
            if located(program, folder) is None:
                install = found.cortex("mcp", "install", "--client", client.name, "--write")
                said = f"{path} has {client.name} start {program}, which is not there"
                changing = partial(clients.installed, client, path, _named(found))
                yield _written(said, changing, f"cd {quote(str(folder))} && {install}")
            elif is_own(program, folder) and not serves():
                yield Trouble(f"{path} has {client.name} start a Cortex without the extra 'serve'", adding("serve"))


def _written(said: str, changing: Callable[[], object], command: str) -> Trouble:
    """What *command* mends, or a person by hand where it would leave the file alone."""
    try:
        changing()
    except BadInput as error:
        return Trouble(f"{said}; no command can change that file: {error.hint}", "")
    return Trouble(said, command)


def _named(found: Examined) -> Path | None:
    return found.call.path if found.call.named else None


def ready(found: Examined) -> Iterator[Trouble]:
    """Every model that is named can be called."""
    for one in standings(setup_of(found.call.settings)):
        if one.model and not one.ready:
            yield Trouble(f"{one.model} of {one.tier} cannot be called: {one.why}", _mending_of(one))


def _mending_of(one: Standing) -> str:
    if "pip install" in one.why:
        return one.why[one.why.index("pip install") :]
    return f"unset CORTEX_{one.tier.upper()}_{SIZES[one.class_].upper()}"


def allowed(found: Examined) -> Iterator[Trouble]:
    """There is a token for every repository that was read from GitHub itself."""
    for source in found.sources:
        host = urlsplit(source.location).hostname
        if host and not github.has_token(host):
            said = f"there is no token to read {source.name} from {host} with: set GITHUB_TOKEN, or log in"
            yield Trouble(said, f"gh auth login --hostname {quote(host)}")


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


def _program(command: str) -> str:
    try:
        return (shlex.split(command) or [""])[0]
    except ValueError:  # no shell could run it
        return command


def _runs(program: str) -> bool:
    return shutil.which(program) is not None
