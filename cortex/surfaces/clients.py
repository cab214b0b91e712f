"""Coding agents and other MCP clients: where each keeps its servers and hooks, and what it is told of ours."""

from __future__ import annotations

import copy
import json
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Mapping, Sequence
from itertools import dropwhile
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args

from cortex.errors import BadInput
from cortex.packaged import files
from cortex.substrate.address import argument
from cortex.substrate.model import Value
from cortex.surfaces.agent_hook import EVENTS
from cortex.surfaces.merging import Change, json_change, toml_change
from cortex.surfaces.starting import own_command, shared_command, told

NAME: Final = "cortex"

Agent = Literal["claude-code", "codex"]
AGENTS: Final = get_args(Agent)
FILES: Final[Mapping[Agent, str]] = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json"}
EDITS: Final[Mapping[Agent, str]] = {
    "claude-code": "Edit|MultiEdit|Write|NotebookEdit",
    "codex": "apply_patch|Edit|Write",
}
UNDER: Final[Mapping[tuple[Agent, str], str]] = {("codex", "session-end"): "Stop"}
"""What an agent calls the moment of an event, where that is not what most do: one knows the end of a turn alone."""
TIMEOUT_S: Final = 2  # what the agent waits at most, should the hook not end by itself
OURS: Final = ["agent-hooks", "run"]
GONE: Final = object()  # an entry that held nothing but ours
_VARIABLE: Final = re.compile(r"\w+=.*", re.DOTALL)


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


class Hook(NamedTuple):
    """A hook of ours, as an agent's configuration has it.

    Attributes:
        under: what the agent calls the moment that it stands under.
        event: what we call the moment that it answers; '' where it names none.
        db: the brain, where it names one.
    """

    under: str
    program: str
    event: str
    db: str


def hooked(agent: Agent, path: Path, db: Path | None, *, instead: bool) -> Change:
    """What the agent's file becomes with our hooks in it, at their newest.

    Args:
        db: the brain to name.
        instead: also where a hook that is there already names another, or none.
    """

    def edit(held: dict[str, Any]) -> dict[str, Any]:
        kept, named = _without_ours(held, path), {} if instead else {one.event: one.db for one in ours_in(held)}
        hooks = kept.setdefault("hooks", {})
        for event, usual in EVENTS.items():
            under = UNDER.get((agent, event), usual)
            matcher = EDITS[agent] if event == "before-edit" else ""
            hooks.setdefault(under, []).append(_entry(event, matcher, named.get(event, argument(db) if db else "")))
        return kept

    return json_change(path, edit)


def unhooked(path: Path) -> Change:
    """What the agent's file becomes without our hooks."""
    return json_change(path, lambda held: _without_ours(held, path))


def ours_in(held: Mapping[str, Any]) -> list[Hook]:
    """Our hooks among those that an agent's configuration holds."""
    hooks = held.get("hooks")
    groups = hooks.items() if isinstance(hooks, dict) else ()
    entries = [(under, entry) for under, listed in groups if isinstance(listed, list) for entry in listed]
    return [found for under, entry in entries for hook in _hooks_of(entry) if (found := _ours(under, hook))]


def _entry(event: str, matcher: str, db: str) -> dict[str, Any]:
    command = shlex.join([*shared_command(), *OURS, event, *(["--db", db] if db else [])])
    hook = {"type": "command", "command": command, "timeout": TIMEOUT_S}
    return {"matcher": matcher, "hooks": [hook]} if matcher else {"hooks": [hook]}


def _without_ours(held: dict[str, Any], path: Path) -> dict[str, Any]:
    hooks = held.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(listed, list) for listed in hooks.values()):
        raise BadInput(path, "its hooks are no lists by event; it was left as it is", hint="mend the file first")
    left = {event: [rest for one in listed if (rest := _rest_of(one)) is not GONE] for event, listed in hooks.items()}
    left = {event: listed for event, listed in left.items() if listed or not hooks[event]}
    rest = {name: value for name, value in held.items() if name != "hooks"}
    return rest | ({"hooks": left} if left else {})


def _rest_of(entry: object) -> object:
    hooks = _hooks_of(entry)
    others = [hook for hook in hooks if not _ours("", hook)]
    if len(others) == len(hooks):
        return entry
    return {**entry, "hooks": others} if others and isinstance(entry, dict) else GONE


def _hooks_of(entry: object) -> list[Any]:
    hooks = entry.get("hooks") if isinstance(entry, dict) else None
    return hooks if isinstance(hooks, list) else []


def _ours(under: str, hook: object) -> Hook | None:
    """What *hook* is of ours, where a Cortex that answers is all that it runs; else it is theirs who put it there."""
    command = str(hook.get("command", "")) if isinstance(hook, dict) else ""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = [*dropwhile(_VARIABLE.fullmatch, lexer)]
    except ValueError:  # no shell could run it
        return None
    said = told(words)
    if said is None or said[: len(OURS)] != OURS or any(set(word) <= set("();<>|&") for word in words):
        return None
    named = said.index("--db") + 1 if "--db" in said[:-1] else 0
    event = next((word for word in said if word in EVENTS), "")
    return Hook(under, words[0], event, said[named] if named else "")
