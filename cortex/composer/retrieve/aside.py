"""Titles of changes that are beside the product: of its tests, its documents, its examples."""

from __future__ import annotations

import re
from typing import Final

ASIDE: Final = re.compile(
    r"^(?:[\w ]*\btests?|ci|docs?|build|bench\w*|readme\w*|chore|style|changelog|examples?|samples?|demos?|e2e"
    r"|fixtures?)\b[^:]{0,20}:",
    re.I,
)
"""A change of what stands beside a thing, not of the thing."""
