"""Accounts that programs write with."""

from __future__ import annotations

import re
from typing import Final

MACHINE: Final = re.compile(
    r"\[bot\]$|[-_ ](?:ro)?bot$|^bot[-_ ]|(?<=[a-z0-9])Bot$|(?<=.)-(?:ci|commenter)$"
    r"|^(?:dependabot|renovate|codecov|coveralls|mergify|github-actions|bors|greenkeeper|snyk-bot)\b"
    r"|^(?i:copilot)(?:-|$)"
)

_SAYS_SO: Final = re.compile(
    r"\b(?:i am|i'm) (?:just )?(?:a|an automated) bot\b|\bbeep boop\b"
    r"|\bthis is an? (?:automated|automatic) (?:message|comment|reply)\b",
    re.IGNORECASE,
)


def says_it_is_a_machine(body: str) -> bool:
    """Whether a comment says of itself that nobody wrote it."""
    return _SAYS_SO.search(body) is not None


def is_machine(author: str) -> bool:
    """Whether *author* is the account of a program.

    >>> [is_machine(name) for name in ("stale[bot]", "codecov-commenter", "abbott", "")]
    [True, True, False, False]
    """
    return MACHINE.search(author) is not None
