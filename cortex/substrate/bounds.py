"""How long what is repeated with every passage and fact of a record may be: a title, a name, a label, a path.

A body is stored once; a title stands beside each of its passages and in each of its facts, so that without a bound a
brain would grow with the product of both. So it would with the references of a text, of which each may be a fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from cortex.substrate.model import Link, Record

TITLE: Final = 1_000
NAME: Final = 200
PATH: Final = 1_000
LISTED: Final = 100
REFERENCES: Final = 1_000

LONG_TITLE: Final = f"title longer than {TITLE:,} characters, and cut"
LONG_NAME: Final = f"a name or label longer than {NAME} characters, and cut"
LONG_PATH: Final = f"path longer than {PATH:,} characters, and cut"
NO_ADDRESS: Final = "an address that is none of the web, left out"
LONG_LIST: Final = f"more than {LISTED} labels or assignees, the rest left out"

_TEXTS: Final = {"title": TITLE, "path": PATH} | dict.fromkeys(
    ("author", "association", "state", "merged_by", "closed_by"), NAME
)
_ADDRESS: Final = re.compile(r"https?://[!#-;=?-~]{1,2000}")
_LISTS: Final = ("labels", "assignees")


def bounded(record: Record) -> tuple[Record, tuple[str, ...]]:
    """*record* with nothing of it too long to be repeated, and what was cut; a comment's title is its thread's.

    What is left of a title is its beginning, so that a body which starts with the title starts with that too.
    """
    cut: dict[str, Any] = {
        name: value[:limit].rstrip() for name, limit in _TEXTS.items() if len(value := getattr(record, name)) > limit
    }
    if record.url and not _ADDRESS.fullmatch(record.url):
        cut["url"] = ""
    reasons = {"title": LONG_TITLE if record.type != "comment" else "", "path": LONG_PATH, "url": NO_ADDRESS}
    told = [reasons.get(name, LONG_NAME) for name in cut]
    for name in _LISTS:
        values = getattr(record, name)
        if len(values) > LISTED or any(len(value) > NAME for value in values):
            cut[name] = tuple(value[:NAME] for value in values[:LISTED])
            told.append(LONG_LIST if len(values) > LISTED else LONG_NAME)
    return (record.model_copy(update=cut) if cut else record), tuple(dict.fromkeys(filter(None, told)))


def bounded_links(stated: Iterable[Link], referred: Iterable[Link]) -> tuple[list[Link], tuple[str, ...]]:
    """Each link once: all that a record's origin states, and the first that its text makes; and what was left out."""
    kept, left = dict.fromkeys(stated), 0
    most = len(kept) + REFERENCES
    for link in referred:
        if link not in kept and len(kept) == most:
            left += 1
        else:
            kept[link] = None
    return [*kept], (f"more than {REFERENCES:,} references, {left:,} left out",) if left else ()
