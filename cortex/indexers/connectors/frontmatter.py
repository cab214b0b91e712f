"""Front matter: the fields a document states above its text, in YAML between `---` or TOML between `+++`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

import yaml

from cortex.indexers.connectors.fields import moment
from cortex.language.dates import dates

_LIMIT = 100_000
_FAST_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_MAY_NEST = re.compile(r"[\[{]|[-?:] ")
_MAX_NESTING = 300
_MAX_BRACKETS = 2_000
_FENCE = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)")
_CLOSING = {
    # kramdown-rfc ends the front matter where the abstract begins.
    "---": re.compile(r"^(?:---(?:[ \t]+(?:abstract|middle))?|\.\.\.)[ \t]*$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE),
}
_NAMES = ("name", "fullname", "ins")  # of an author
_FIELD = re.compile(r"[A-Za-z_][\w-]*\s*[:=]")


class Front(NamedTuple):
    """What stands above a document's text."""

    fields: Mapping[str, object] = {}
    lines: int = 0
    """how many lines of the file it takes, its fences included; 0 where there is none"""
    problem: str = ""
    """why it has no fields though it looks as if it should: it is text of the document then"""


def front_matter(text: str, *, flat: bool = False) -> Front:
    """The front matter of *text*; its lines count even where it has a problem.

    Args:
        flat: where it is no YAML, take its lines as `name: value`; Cursor's rules state `globs: *.ts` like that.
    """
    fence = _FENCE.match(text)
    if fence is None:
        return Front()
    unified = re.sub(r"\r\n?", "\n", text[fence.end() :][: _LIMIT + 5])
    closing = _CLOSING[fence[1]].search(unified)
    if closing is None:
        return Front(problem="front matter has no end" if _FIELD.match(unified) else "")
    block = unified[: closing.start()]
    found = _parsed(block, "YAML" if fence[1] == "---" else "TOML")
    named = [line.partition(":") for line in block.splitlines() if line.strip()]
    if flat and found.problem and all(colon for _, colon, _ in named):
        return Front({name.strip().lower(): value.strip() for name, _, value in named}, found.lines)
    return found


def text_field(front: Front, *names: str) -> str:
    """The first of the fields *names* that holds text or numbers, as one line; '' where none does."""
    for name in names:
        value = front.fields.get(name)
        if isinstance(value, list):
            people = [[*map(one.get, _NAMES)] if isinstance(one, dict) else [one] for one in value]
            named = (next((name for name in one if isinstance(name, str)), "").strip() for one in people)
            value = ", ".join(filter(None, named))
        if isinstance(value, (str, int, float, date)) and not isinstance(value, bool) and str(value).strip():
            return " ".join(str(value).split())
    return ""


def time_field(front: Front, *names: str) -> datetime | None:
    """The first of the fields *names* that is a date."""
    return next((time for name in names if (time := as_time(front.fields.get(name)))), None)


def as_time(value: object) -> datetime | None:
    """A date or a time, given as such or as text, in UTC where it names no zone; None for anything else.

    >>> as_time("Decided on 2024-02-30"), as_time("3 March 2024")
    (None, datetime.datetime(2024, 3, 3, 0, 0, tzinfo=datetime.timezone.utc))
    """
    text = str(value).strip()[:100] if isinstance(value, str | date) else ""
    found = text and (moment(text) or next((moment(one.after) for one in dates(text) if one.is_day), None))
    return found or None


def _parsed(block: str, kind: Literal["YAML", "TOML"]) -> Front:
    lines = block.count("\n") + 2
    if kind == "YAML" and block.count("[") + block.count("{") > _MAX_BRACKETS:
        return Front(lines=lines, problem="front matter has too many brackets")
    try:  # the loader of YAML is one of text alone
        fields = tomllib.loads(block) if kind == "TOML" else yaml.load(block, Loader=yaml_loader(block))  # noqa: S506
    except (yaml.YAMLError, ValueError, RecursionError):
        return Front(lines=lines, problem=f"front matter is not valid {kind}")
    if isinstance(fields, dict):
        return Front({str(name).lower(): value for name, value in fields.items()}, lines)
    # A rule, some words and another rule: that is text, and so is nothing at all.
    return Front(lines=lines) if not block.strip() else Front()


def yaml_loader(text: str) -> Any:  # noqa: ANN401  the class, of one of two modules
    """A loader that leaves every value text: 0010 is the number of a decision, no octal 8, and 3.10 a version.

    The one in C is ten times as fast and overruns its stack where the one in Python raises RecursionError.
    """
    return yaml.BaseLoader if len(_MAY_NEST.findall(text)) > _MAX_NESTING else _FAST_LOADER
