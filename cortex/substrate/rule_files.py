"""Which files hold directives, and for which part of a project: told by their names alone."""

from __future__ import annotations

import re
from itertools import takewhile

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


def claims(path: str) -> bool:
    """Whether the file at *path* holds directives by its name."""
    return _FILE.fullmatch(path) is not None


def holds_in(path: str) -> str:
    """The folder for which the rules in the file at *path* hold; '' for the whole project.

    >>> holds_in("web/AGENTS.md"), holds_in("web/.cursor/rules/style.mdc"), holds_in("docs/seed-ui.md")
    ('web', 'web', '')
    """
    *folders, name = path.split("/")
    if not claims(path) or name.startswith("seed-"):
        return ""
    return "/".join(takewhile(lambda folder: not folder.startswith("."), folders))
