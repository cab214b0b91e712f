"""Accounts that programs write with."""

from __future__ import annotations

import re
from typing import Final

MACHINE: Final = re.compile(
    r"\[bot\]$|[-_ ](?:ro)?bot$|^bot[-_ ]|(?<=[a-z0-9])Bot$|(?<=.)-(?:ci|commenter)$"
    r"|^(?:dependabot|renovate|codecov|coveralls|mergify|github-actions|bors|greenkeeper|snyk-bot)\b"
    r"|^(?i:copilot)(?:-|$)"
)


def is_machine(author: str) -> bool:
    """Whether *author* is the account of a program.

    >>> [is_machine(name) for name in ("stale[bot]", "codecov-commenter", "abbott", "")]
    [True, True, False, False]
    """
    return MACHINE.search(author) is not None
