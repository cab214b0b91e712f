"""Putting our hooks into a coding agent's configuration, and taking them out again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from itertools import dropwhile
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args

from cortex.errors import BadInput
from cortex.substrate.address import argument
from cortex.surfaces.agent_hook import EVENTS
from cortex.surfaces.merging import Change, json_change
from cortex.surfaces.starting import shared_command, told

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
