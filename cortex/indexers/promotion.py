"""Structured records and what was remembered become facts by SQL alone; no model is ever asked.

The statements call functions for what a row is called, where it refers to, names in a list and labels, and for how far
somebody of the project stands behind a record: stored on its row, for whoever shows it or goes by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from cortex.indexers import kinds
from cortex.indexers.connectors.commits import merged as tells
from cortex.indexers.distill.text import is_machine
from cortex.indexers.taking_back import takes_back
from cortex.substrate.brain import Brain
from cortex.substrate.facts import Changes, begin_batch, title_end
from cortex.substrate.links import vouch_links, vouch_records
from cortex.substrate.promotions import find_due, promote_due
from cortex.substrate.records import promote_anew

FACTS: Final = 100  # made of one relation of a record, each of another row; those beyond are counted in one
PLACE_CHARACTERS: Final = 400
MOST_LISTED: Final = 8

_PARAGRAPH: Final = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")
_NUMBERED: Final = re.compile(r"\s*\(#\d+\)$", re.MULTILINE)
_LISTED: Final = re.compile(r"^[0-9a-f]{7,40} (.+?)(?: \([^()\n]+\))?$", re.MULTILINE)
"""A commit that came with a merge, as its message lists it."""

_CONTINUED: Final = re.compile(r"…\s+…")
"""Where GitHub cut a long title in two, the rest of which it puts into the message."""

_MILESTONE: Final = "milestone: "
_ROLE: Final = re.compile(r"OWNERS › (?P<place>.+) › (?P<role>approver|reviewer|owner|maintainer)s", re.DOTALL)
_EVERYTHING: Final = ("*", "/", "**", "/*", "/**", "**/*")
_CALLED: Final = {"pull": "PR #", "issue": "issue #", "commit": "commit "}


@lru_cache(maxsize=1024)
def labelled(labels: str) -> str:
    """A clause that tells the labels and the milestone of a JSON array of labels.

    >>> labelled('["bug", "ui", "milestone: 1.0"]')
    ', labelled bug, ui, in milestone 1.0'
    """
    all_ = json.loads(labels)
    plain = ", ".join(label for label in all_ if not label.startswith(_MILESTONE))
    milestones = [label.removeprefix(_MILESTONE) for label in all_ if label.startswith(_MILESTONE)]
    return (f", labelled {plain}" if plain else "") + "".join(f", in milestone {one}" for one in milestones)


def names(array: str) -> str:
    """The names of a JSON array as people list them.

    >>> names('["ada", "bob", "eve"]')
    'ada, bob and eve'
    """
    return _and(json.loads(array))


def owned(title: str, owners: str, source: str) -> str:
    """Who of a JSON array owns what *title* names, or in which role; what is all of *source* is called so.

    >>> owned("CODEOWNERS › /src/", '["ada", "bob"]', "acme/api")
    'CODEOWNERS: /src/ is owned by ada and bob'
    >>> owned("CODEOWNERS › *", '["ada"]', "acme/api")
    'CODEOWNERS: * (everything in acme/api) is owned by ada'
    >>> owned("OWNERS › pkg/ › approvers", '["ada"]', "acme/api")
    'pkg/: ada is an approver'
    >>> owned("MAINTAINERS › parser", '["ada"]', "acme/api"), owned("MAINTAINERS", '["ada"]', "acme/api")
    ('parser is maintained by ada', 'acme/api is maintained by ada')
    >>> owned("CODEOWNERS › /lib/", "[]", "acme/api")
    'CODEOWNERS: /lib/ has no owner'
    """
    everyone = json.loads(owners)
    file, _, area = title.partition(" › ")
    if file == "MAINTAINERS":
        return f"{area.replace(' › ', ': ') or source} is maintained by {_and(everyone)}"
    named = _ROLE.fullmatch(title)
    place = (named["place"] if named else title).replace(" › ", ": ")
    if place.rpartition(": ")[2] in _EVERYTHING:
        place += f" (everything in {source})"
    if not everyone:
        return f"{place} has no owner"
    if not named:
        return f"{place} is owned by {_and(everyone)}"
    role = named["role"]
    as_what = f"are {role}s" if len(everyone) > 1 else f"is {'an' if role[0] in 'ao' else 'a'} {role}"
    return f"{place}: {_and(everyone)} {as_what}"


def listed(joined: str) -> str:
    """Names joined by commas as people list them, the first of many.

    >>> listed("a/b#1,a/b#2")
    'a/b#1 and a/b#2'
    """
    every = joined.split(",")
    more = len(every) - MOST_LISTED
    return _and([*every[:MOST_LISTED], f"{more} more"] if more > 1 else every)


def _and(every: list[str]) -> str:
    *first, last = every
    return f"{', '.join(first)} and {last}" if first else last


def called(type_: str, ref: str) -> str:
    """What a sentence calls a row: 'PR #12', 'issue #12', 'commit 0a1b2c3d4e5f'."""
    return _CALLED[type_] + ref.partition(":")[2]


def opening(type_: str, ref: str) -> str:
    """The same at the beginning of a sentence: 'Issue #12'."""
    name = called(type_, ref)
    return name[0].upper() + name[1:]


@lru_cache(maxsize=4)  # asked for its start, then for its end
def place(title: str, body: str, ref: str) -> tuple[int, int]:
    """Start and end of the line of *body* that refers to *ref*; of the title when none does."""
    reference, end = _reference(ref), 0
    while match := reference.search(body, end):  # a line is looked at once, however often it refers to it
        start = body.rfind("\n", 0, match.start()) + 1
        end = body.find("\n", match.end()) % (len(body) + 1)
        line = body[start:end].rstrip()
        if not line.lstrip().startswith(">"):
            return _window(start + len(line) - len(line.lstrip()), start + len(line), match)
    return 0, title_end(title, body)


def place_start(title: str, body: str, ref: str) -> int:
    """Where that begins; functions of statements have types, by which PostgreSQL declares them."""
    return place(title, body, ref)[0]


def place_end(title: str, body: str, ref: str) -> int:
    """Where it ends."""
    return place(title, body, ref)[1]


def _reference(ref: str) -> re.Pattern[str]:
    type_, _, name = ref.rpartition(":")
    if type_ == "commit":
        return re.compile(rf"(?<![0-9a-f]){name[:7]}")
    return re.compile(rf"(?:#|[gG][hH]-|/){name.strip('#').partition('#')[0]}(?!\d)")


def _window(start: int, end: int, match: re.Match[str]) -> tuple[int, int]:
    if end - start <= PLACE_CHARACTERS:
        return start, end
    half = PLACE_CHARACTERS // 2
    return max(start, match.start() - half), min(end, match.start() + half)


def vouched_in(title: str, body: str, merged: str | None, edited: int) -> int | None:
    r"""How many characters of an outsider's merged pull request those who merged it stand behind; None is all of them.

    They are its title and paragraphs as far as *merged* has them, the message of its merge commit; of an unknown one
    they had the title before them, unless anything about it may have been *edited* since.

    >>> vouched_in("Mend it", "Mend it\n\nIt leaked.", "Mend it (#7)", 0)
    7
    >>> vouched_in("Mend it", "Mend it", "Mend (#7)", 0)
    0
    >>> vouched_in("Mend it", "Mend it\n\nIt leaked.", "Mend it (#7)\n\nIt leaked.\n\nSigned-off-by: ada", 0) is None
    True
    """
    until = 0
    if merged is None:
        until = 0 if edited else title_end(title, body)
    else:
        told = tells(merged)
        lines = _LISTED.sub(r"\1", _CONTINUED.sub("", _NUMBERED.sub("", merged)))
        known = _lines("\n".join([told.title if told else "", lines]))
        for found in _PARAGRAPH.finditer(body):
            if _lines(_NUMBERED.sub("", found[0])) not in known:
                break
            until = found.end()
    return None if until >= len(body.rstrip()) > 0 else until


def _lines(text: str) -> str:
    return "\n".join(["", *(" ".join(line.split()) for line in text.splitlines() if line.strip()), ""])


WORDING: Final[dict[str, Callable[..., Any]]] = {
    "kind_of": kinds.kind_of, "kind_of_words": kinds.kind_of_words, "is_document": kinds.is_document,
    "is_trivial": kinds.is_trivial, "is_declined": kinds.is_declined, "is_vague": kinds.is_vague,
    "reasons": kinds.reasons, "spoken": kinds.spoken, "labelled": labelled, "names": names, "owned": owned,
    "repeats": kinds.repeats, "listed": listed, "called": called, "opening": opening, "vouched_in": vouched_in,
    "takes_back": takes_back, "is_machine": is_machine, "place_start": place_start, "place_end": place_end,
}  # fmt: skip
"""The functions that the statements of promotion and of vouching call."""


def promote(brain: Brain, *, source_id: int, run_id: int, now: datetime) -> Changes:
    """Make the facts of every structured record of a source that changed since the last promotion.

    One transaction, which begins before it is seen what changed: a record that another process stores meanwhile waits
    for the next promotion. No fact is written when none changed.

    Returns:
        Facts added, removed because their record changed, and left as they were.
    """
    begin_batch(brain)
    brain.define(**WORDING)
    with brain.transaction():
        find_due(brain, source_id=source_id)
        return promote_due(brain, source_id=source_id, most=FACTS, run_id=run_id, now=now)


def pending_promotion(brain: Brain, *, source_id: int) -> bool:
    """Whether a promotion of this source would do anything."""
    begin_batch(brain)
    brain.define(**WORDING)
    return find_due(brain, source_id=source_id)


def vouch(brain: Brain, *, source_id: int) -> int:
    """Store of how much of each record of a source somebody of the project stands behind; of how many that is news.

    Those are promoted again, and what they say something of. What nobody stands behind does not say any more what it
    takes back, replaces or was fixed by.
    """
    brain.define(**WORDING)
    with brain.transaction():
        changed = vouch_records(brain, source_id=source_id)
        promote_anew(brain, source_id, vouch_links(brain, source_id=source_id))
    return changed
