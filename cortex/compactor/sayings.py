"""What a fact says, apart from the frame that names where it was said: the two are compared differently.

docs/decisions/0010-near-duplicates-compare-what-is-said.md tells why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from cortex.indexers.distill.machines import MACHINE
from cortex.substrate.facts import plain
from cortex.substrate.identity import normalised

_REMARKS: Final = ("comment", "event")
_FRAME_END: Final = "”: "

# What a sentence means turns on these: one of two sentences that has another of them is another sentence.
_TURNING: Final = frozenset(
    """not no never none nothing nobody nor neither cannot without unless except only always must should shall may might
    can could yes true false on off enable enabled enables disable disabled disables allow allowed allows deny denied
    forbid forbidden forbids accept accepted accepts reject rejected rejects add added adds remove removed removes
    include included exclude excluded before after least most more less fewer min max minimum maximum increase increased
    decrease decreased first last public private internal external read write input output left right open opened closed
    optional required deprecated unsafe safe valid invalid success failure pass passed fail failed
    zero one two three four five six seven eight nine ten eleven twelve twenty hundred thousand million half double
    once twice second third fourth fifth second seconds minute minutes hour hours day days week weeks month months
    year years daily weekly monthly nightly hourly kb mb gb monday tuesday wednesday thursday friday saturday sunday
    january february march april june july august september october november december""".split()
)
_WORDLIKE: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[-–—―*•·|…]+")
_NEGATED: Final = re.compile(r"n['’]t$|^non-")
_SENTENCE_ENDS: Final = (".", "!", "?", ":", ";", "…")


class Saying(NamedTuple):
    """A fact as near duplicates are looked for: only those of an equal frame are compared, by their sentences."""

    frame: str
    sentence: str


def saying(statement: str, excerpt: str, type_: str, author: str, thread: str) -> Saying:
    """Take *statement* apart.

    The frame of a remark is its author and its thread, without the day; of a program's remark its author alone, so
    that a template collapses however many threads it stands in.

    >>> said = "stale[bot] on 2025-01-01 in #7 “Crash”: Closing as stale."
    >>> saying(said, "Closing as stale.", "comment", "stale[bot]", "issue:7")
    Saying(frame='stale[bot]', sentence='Closing as stale.')
    """
    said = excerpt if statement.endswith(excerpt) else plain(excerpt)
    if type_ in _REMARKS:
        if not (said and statement.endswith(said)):
            _, found, rest = statement.partition(_FRAME_END)
            said = rest if found else statement
        return Saying(author if author and MACHINE.search(author) else f"{author}\0{thread}", said)
    if said and statement.endswith(said):
        return Saying(normalised(statement[: len(statement) - len(said)]), said)
    return Saying("", statement)


def turning(token: str) -> bool:
    """Whether what a sentence means turns on *token*, as `normalised` gives it: a number, a version, a negation, code.

    >>> [turning(token) for token in ("parser", "#12", "v0.3", "don't", "busy_timeout", "re-read", "never")]
    [False, True, True, True, True, False, True]
    """
    if token in _TURNING:
        return True
    return not token.isalpha() and bool(_NEGATED.search(token) or not _WORDLIKE.fullmatch(token))


def different(one: str, other: str) -> bool:
    """Whether two sentences differ by a name, or by any token that `turning` says they turn on.

    A word is a name by its capitals. Where a sentence begins, a capital says little: there only one that another
    capitalised word replaces is a name.

    >>> different("We keep sessions in Redis for now", "We keep sessions in Memcached for now")
    True
    >>> different("Please run the tests first", "Always please run tests")
    True
    >>> different("Run all the tests again", "Please run all tests again")
    False
    """
    ours, theirs = dict(_occurrences(one)), dict(_occurrences(other))
    opened = []
    for own, others in ((ours, theirs), (theirs, ours)):
        extra = [(token, own[token]) for token in own if token not in others]
        if any(turning(token) or name == "name" for token, name in extra):
            return True
        opened.append(any(name == "opening" for _, name in extra))
    return all(opened)


_normalised = lru_cache(maxsize=1 << 15)(normalised)  # words repeat


def _occurrences(sentence: str) -> Iterator[tuple[str, str]]:
    """Each token with what its letters make of it: a 'name', the 'opening' of a sentence, or nothing."""
    starts = True
    for raw in sentence.split():
        if token := _normalised(raw):
            yield token, _standing(raw, starts=starts)
        starts = raw.endswith(_SENTENCE_ENDS)


def _standing(raw: str, *, starts: bool) -> str:
    if raw.startswith(("@", "`")):
        return "name"
    first = next((place for place, character in enumerate(raw) if character.isalpha()), len(raw))
    rest = raw[first + 1 :]
    if rest != rest.lower():
        return "name"
    if raw[first : first + 1].isupper():
        return "opening" if starts else "name"
    return ""
