"""Who owns a file, as CODEOWNERS, OWNERS and MAINTAINERS say, and who has worked on it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any, Final

from pydantic import Field

from cortex.regex import regex
from cortex.substrate.brain import Brain
from cortex.substrate.model import Share, Value
from cortex.substrate.statements import rows

_ROLE: Final = " › "
CODEOWNERS: Final = "CODEOWNERS"
_BARE_LIST: Final = regex(r"CODEOWNERS|OWNERS|MAINTAINERS(?:\.(?:rst|txt))?")
MOST_WORKERS: Final = 5


class Owner(Value):
    """A line of an ownership file that speaks of what was asked for."""

    who: tuple[str, ...] = Field(description="as written, without @; none where the file says that nobody owns it")
    of: str = Field(description="the pattern, folder or area it speaks of")
    handle: str = Field(description="of the fact, else the record's ref")
    source: str
    ref: str
    path: str = Field(description="the ownership file")
    line: int | None
    authority: Share


class Worker(Value):
    """Somebody whose commits changed it."""

    who: str
    changes: int = Field(description="commits")
    latest: datetime | None
    ref: str = Field(description="the latest of them")
    source: str
    authority: Share


def is_bare_list(path: str) -> bool:
    """Whether the file at *path* lists owners, by its name, and is no Markdown: its records tell all but its comments.

    >>> is_bare_list(".github/CODEOWNERS"), is_bare_list("MAINTAINERS.md")
    (True, False)
    """
    return _BARE_LIST.fullmatch(path.rpartition("/")[2]) is not None


def owners_of(brain: Brain, path: str, *, sources: Collection[int]) -> list[Owner]:
    """Lines that name owners of the file or folder at *path*, the most special first.

    Of CODEOWNERS the last line that matches counts, as on GitHub; of OWNERS the nearest folder's lines, then
    those above.
    """
    found: list[Owner] = []
    for _, lines in groupby(owner_lines(brain, sources=sources), lambda one: (one.source, one.path)):
        listed = [*lines]
        name = PurePosixPath(listed[0].path).name
        if name == CODEOWNERS:
            found += [one for one in reversed(listed) if matches(_pattern(one), path)][:1]
        elif name == "OWNERS":
            found += [one for one in listed if _is_in(path, str(PurePosixPath(one.path).parent))]
    return sorted(found, key=lambda one: -len(PurePosixPath(one.path).parts))


def owner_lines(brain: Brain, *, sources: Collection[int]) -> list[Owner]:
    """Every line that names owners, or says that there are none, in the order of the files."""
    return [_line(row) for row in ownership(brain, sources=sources)]


def workers_on(brain: Brain, paths: Collection[str], *, sources: Collection[int], until: str = "9999") -> list[Worker]:
    """Whose commits changed these files or folders most up to *until*, five at most, and who did last."""
    found = rows(brain, "people.workers_on", paths=paths, sources=sources, until=until, limit=MOST_WORKERS)
    return [Worker(who=row.pop("author"), latest=row.pop("latest") or None, **row) for row in found]


def ownership(brain: Brain, *, sources: Collection[int]) -> list[dict[str, Any]]:
    """The lines of every ownership file, those of former owners left out."""
    found = rows(brain, "people.ownership_records", sources=sources)
    return [row for row in found if row["state"] != "emeritus"]


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern of CODEOWNERS speaks of *path*, a file or a folder.

    >>> matches("/src/", "src/a/b.py"), matches("*.md", "docs/a.md"), matches("docs/*", "docs/a/b.md")
    (True, True, False)
    """
    return _expression(pattern).match(path.strip("/")) is not None


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    """Rules as those of .gitignore: without a slash inside at any depth, a folder with all in it."""
    body = pattern.strip("/")
    anchored = "/" in pattern.rstrip("/")
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", body)
    spelled = "".join(_WILD.get(part, re.escape(part)) for part in parts)
    below = "" if body.endswith("/*") else "(?:/.*)?"
    return re.compile(f"{'' if anchored else '(?:.*/)?'}{spelled}{below}$", re.DOTALL)


_WILD: Final[Mapping[str, str]] = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _pattern(one: Owner) -> str:
    return one.of.rsplit(_ROLE, 1)[-1]


def _is_in(path: str, folder: str) -> bool:
    return folder == "." or f"{path.strip('/')}/".startswith(f"{folder}/")


def _line(row: Mapping[str, Any]) -> Owner:
    kept = {name: row[name] for name in ("handle", "source", "ref", "path", "line", "authority")}
    _, _, of = row["title"].partition(_ROLE)
    return Owner(who=json.loads(row["assignees"]), of=of or row["title"], **kept)
