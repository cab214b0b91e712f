"""Tables of patterns over prose, for those that read more of a text than the shared grammar tells.

A file holds a table a reader. `{name}` in a pattern stands for another of its table; a list of strings is one string.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from cortex.packaged import files
from cortex.regex import regex

_PART: Final = regex(r"\{([a-z]\w*)\}")


@cache
def patterns(file: str, table: str) -> Mapping[str, re.Pattern[str]]:
    """The patterns of *table* in `tables/FILE.toml`, by name."""
    read = {name: "".join(one) for name, one in read_table(file)[table].items()}
    parts = {name.removeprefix("part_"): one for name, one in read.items() if name.startswith("part_")}
    return {name: regex(expanded(one, parts)) for name, one in read.items() if not name.startswith("part_")}


def words(file: str, table: str) -> frozenset[str]:
    """The words of *table* in `tables/FILE.toml`, which is a string."""
    return frozenset("".join(read_table(file)["words"][table]).split())


def expanded(pattern: str, parts: Mapping[str, str]) -> str:
    """*pattern* with each of *parts* where its name stands in braces."""
    while found := _PART.search(pattern):
        pattern = f"{pattern[: found.start()]}{parts[found[1]]}{pattern[found.end() :]}"
    return pattern


@cache
def read_table(file: str) -> dict[str, Any]:
    """What `tables/FILE.toml` holds; not to be changed."""
    return tomllib.loads((files("cortex.language") / "tables" / f"{file}.toml").read_text("utf-8"))
