"""Commands of a shell: what a line does for a project, and which tools it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from cortex.language.patterns import read_table
from cortex.regex import regex

FURTHER: Final = 8  # words among which a command begins after what runs it
LONGEST: Final = 300  # characters of a line that are looked at
_PARTS: Final = regex(r"&&|\|\||[;|]|[\[\]\",]+\s*(?=[\[\"])")
_NAME: Final = regex(r"(?<![.\w+-])[A-Za-z][\w+-]*\w\b(?!\.(?:xml|json|html)\b)")


def purpose_of(line: str) -> str:
    """What the command on *line* does, as `project.toml` calls it; '' where it is none that is known.

    >>> purpose_of("$ uv run --group dev pytest -x"), purpose_of("tox r -e style"), purpose_of("the tests pass")
    ('test', 'lint', '')
    """
    text = _form("options").sub("", command_of(line))
    words = [] if _form("tells").search(text) else text.split()
    later = range(min(len(words), FURTHER)) if _form("runner").match(text) else (0,)
    return next((found for at in later if (found := _begun(" ".join(words[at:])))), "")


def command_of(line: str) -> str:
    """The command on *line*, without its prompt and quotation marks."""
    prompt = _form("prompt").match(line[:LONGEST])
    return line[prompt.end() if prompt else 0 : LONGEST].strip().rstrip("`;\\ ")


def is_own(command: str) -> bool:
    """Whether *command* installs what the work on a project needs, and not the project."""
    return _form("own").search(command) is not None


def purpose_of_task(name: str) -> str:
    """What the task *name* is for: 'lint' of 'lint:js'; '' where that is unknown."""
    tasks, name = _words("tasks"), name.lower()
    return tasks.get(name) or tasks.get(re.split(r"[-_:.]", name, maxsplit=1)[0], "")


def is_hook(name: str) -> bool:
    """Whether npm runs the task *name* by itself, before or after another."""
    return name in read_table("project")["task_runners"]["hooks"].split()


def tools_in(text: str) -> dict[str, list[str]]:
    """The tools that *text* names, by what they are for, in their order.

    >>> tools_in("rm -rf .tox && uv run black . && ty check src")
    {'formatters': ['black'], 'type checkers': ['ty']}
    """
    found: dict[str, dict[str, None]] = {}
    for part in _PARTS.split(text.replace("\n", ";")):
        for tool in _named(part[:LONGEST]):
            found.setdefault(_words("tools")[tool], {})[tool] = None
    return {kind: [*tools] for kind, tools in found.items()}


def _named(part: str) -> Iterator[str]:
    command, tools = command_of(part), _words("tools")
    forms = read_table("project")["tool_forms"]
    yield from (tool for tool, phrase in forms["parts"].items() if phrase in command)
    head = command.split()[: FURTHER if _form("runner").match(command) else 1]
    for name in _NAME.findall(command):
        tool = next((one for one in _shorter(name.lower()) if one in tools), "")
        if tool and (tool not in forms["first"].split() or tool in head):
            yield tool


def _shorter(name: str) -> Iterator[str]:
    """*name*, what it begins or ends with where the rest wraps it: 'ruff-pre-commit', 'mirrors-mypy'."""
    words, wraps = name.split("-"), {*read_table("project")["tool_forms"]["wraps"].split()}
    yield name
    for end in range(len(words) - 1, 0, -1):
        if wraps.issuperset(words[end:]) and not wraps.issuperset(words[:end]):
            yield "-".join(words[:end])
    if wraps.issuperset(words[:-1]):
        yield words[-1]


def _begun(text: str) -> str:
    for old, new in read_table("project")["command_forms"]["same"].items():
        text = _form(old).sub(new, text)
    words, known = text.split(), _words("commands")
    for end in range(4, 0, -1):
        phrase = " ".join(words[:end])
        if phrase in known:
            return known[phrase]
        starts = (one for one in _runners() if phrase.startswith(one) and (one[-1] == "/" or f"{one} " in phrase))
        if (runner := next(starts, "")) and end == len(runner.split()) + (runner[-1] != "/"):
            return purpose_of_task(phrase.removeprefix(runner).strip())
    return ""


@cache
def _runners() -> list[str]:
    return sorted(read_table("project")["task_runners"]["runners"].split(";"), key=len, reverse=True)


@cache
def _words(table: str) -> Mapping[str, str]:
    """What each word, or each phrase of a list, is for."""
    kinds: dict[str, str | list[str]] = read_table("project")[table]
    return {one: kind for kind, told in kinds.items() for one in (told.split() if isinstance(told, str) else told)}


@cache
def _form(name: str) -> re.Pattern[str]:
    """The form of that name, or the pattern itself."""
    return regex(read_table("project")["command_forms"].get(name, name))
