"""Putting our hooks into a coding agent's configuration, and taking them out again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, get_args

from cortex.errors import BadInput
from cortex.surfaces.merging import Change, json_change
from cortex.surfaces.starting import shared_command

Agent = Literal["claude-code", "codex"]
AGENTS: Final = get_args(Agent)
FILES: Final[Mapping[Agent, str]] = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json"}
EDITS: Final[Mapping[Agent, str]] = {
    "claude-code": "Edit|MultiEdit|Write|NotebookEdit",
    "codex": "apply_patch|Edit|Write",
}
TIMEOUT_S: Final = 2
"""What the agent waits at most, should the hook not end by itself."""

OURS: Final = "agent-hooks run"
GONE: Final = object()
"""An entry that held nothing but ours."""


def hooked(agent: Agent, path: Path, db: Path | None) -> Change:
    """What the agent's file becomes with our hooks in it, at their newest."""

    def edit(held: dict[str, Any]) -> dict[str, Any]:
        kept = _without_ours(held, path)
        hooks = kept.setdefault("hooks", {})
        hooks.setdefault("SessionStart", []).append(_entry("session-start", "", db))
        hooks.setdefault("PreToolUse", []).append(_entry("before-edit", EDITS[agent], db))
        return kept

    return json_change(path, edit)


def unhooked(path: Path) -> Change:
    """What the agent's file becomes without our hooks."""
    return json_change(path, lambda held: _without_ours(held, path))


def commands_in(held: Mapping[str, Any]) -> list[str]:
    """Our commands among the hooks that an agent's configuration holds."""
    hooks = held.get("hooks")
    groups = hooks.values() if isinstance(hooks, dict) else ()
    entries = [entry for listed in groups if isinstance(listed, list) for entry in listed]
    return [str(hook["command"]) for entry in entries for hook in _hooks_of(entry) if _is_ours(hook)]


def _entry(event: str, matcher: str, db: Path | None) -> dict[str, Any]:
    database = ["--db", str(db.absolute())] if db else []
    command = shlex.join([*shared_command(), *OURS.split(), event, *database])
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
    """*entry* without our commands, `GONE` where it had no others."""
    hooks = _hooks_of(entry)
    others = [hook for hook in hooks if not _is_ours(hook)]
    if len(others) == len(hooks):
        return entry
    return {**entry, "hooks": others} if others and isinstance(entry, dict) else GONE


def _hooks_of(entry: object) -> list[Any]:
    hooks = entry.get("hooks") if isinstance(entry, dict) else None
    return hooks if isinstance(hooks, list) else []


def _is_ours(hook: object) -> bool:
    """Whether all that *hook* runs is ours: what somebody put beside it in the same command is theirs."""
    command = str(hook.get("command", "")) if isinstance(hook, dict) else ""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = [*lexer]
    except ValueError:  # no shell could run it
        return OURS in command
    alone = not any(set(word) <= set("();<>|&") for word in words)
    return alone and any([*pair] == OURS.split() for pair in pairwise(words))
