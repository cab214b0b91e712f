"""Which files hold directives, and for which part of a project: told by their names alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from itertools import takewhile
from typing import Final

_FILE = re.compile(
    r"(?:.*/)?(?:"
    r"seed-[^/]*\.md|(?:AGENTS|CLAUDE|GEMINI)(?:\.local|\.override)?\.md"
    r"|\.cursorrules|\.windsurfrules|\.clinerules|\.roorules|\.rules"
    r"|\.(?:cursor|windsurf|roo|claude|continue|amazonq|trae)/rules/.*\.(?:mdc|md)|\.kiro/steering/.*\.md"
    r"|\.clinerules/.*\.md"
    r"|\.github/copilot-instructions\.md|\.github/instructions/.*\.md|\.junie/guidelines\.md"
    r")",
    re.DOTALL,
)

_DECISIONS: Final = frozenset(("adr", "adrs", "decisions", "decision-records", "architecture-decisions"))
_KEEPING: Final = _DECISIONS | frozenset("doc docs documentation wiki manual handbook architecture design rfcs".split())
"""Folders in which a project keeps its documents."""

REMEMBERED: Final = "directive:remembered#"
"""What the refs of directives begin with that somebody asked to be remembered."""


def claims(path: str) -> bool:
    """Whether the file at *path* holds directives by its name."""
    return _FILE.fullmatch(path) is not None


def rank_of(path: str, ref: str) -> int:
    """How near a rule is to being said to whoever works on the project: 0 is first.

    The files that tell agents what to do, and what was remembered as a directive; then other files of rules; then
    decisions, which are rules where they bear.

    >>> rank_of("AGENTS.md", ""), rank_of("docs/seed-ui.md", ""), rank_of("docs/decisions/0001-a.md", "")
    (0, 1, 2)
    """
    if ref.startswith(REMEMBERED) or (claims(path) and not path.rpartition("/")[2].startswith("seed-")):
        return 0
    return 1 if claims(path) else 2


def holds_for(path: str, ref: str) -> str:
    """The file, folder or pattern for which a rule holds; '' for the whole project.

    Args:
        path: of the file it stands in; of a remembered one what it was said to be about.

    >>> holds_for("src/*.py", "directive:remembered#1"), holds_for("web/AGENTS.md", "directive:web/AGENTS.md#1")
    ('src/*.py', 'web')
    """
    return path.strip("/") if ref.startswith(REMEMBERED) else holds_in(path)


def covers(where: str, paths: Iterable[str]) -> bool:
    """Whether one of *paths* is what a rule holds for, lies in it, or holds it.

    >>> covers("src", ["src/a.py"]), covers("src/*.py", ["src/a.py"]), covers("src/a.py", ["src"]), covers("", ["a"])
    (True, True, True, False)
    """
    near = (f"{path}/".startswith(f"{where}/") or f"{where}/".startswith(f"{path}/") for path in paths)
    return bool(where) and (any(near) or any(fnmatchcase(path, where) for path in paths))


def holds_in(path: str) -> str:
    """The folder for which the rules in the file at *path* hold; '' for the whole project.

    >>> holds_in("web/AGENTS.md"), holds_in("web/.cursor/rules/style.mdc"), holds_in("docs/seed-ui.md")
    ('web', 'web', '')
    >>> holds_in("docs/adr/0001-sqlite.md"), holds_in("testdata/shop/docs/adr/0001-oracle.md")
    ('', 'testdata/shop')
    """
    *folders, name = path.split("/")
    if claims(path) and not name.startswith("seed-"):
        return "/".join(takewhile(lambda folder: not folder.startswith("."), folders))
    return "" if _DECISIONS.isdisjoint(map(str.lower, folders)) else kept_of(path)


def kept_of(path: str) -> str:
    """The folder of which the file at *path* tells: the one it stands in, or which keeps its documents there.

    >>> kept_of("web/docs/setup/README.md"), kept_of("web/README.md"), kept_of("docs/README.md")
    ('web', 'web', '')
    """
    folders = path.split("/")[:-1]
    return "/".join(takewhile(lambda one: one.lower() not in _KEEPING and not one.startswith("."), folders))
