"""What a fact says, apart from the frame that names where it was said: the two are compared differently.

docs/decisions/0010-near-duplicates-compare-what-is-said.md tells why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final, NamedTuple

from cortex.indexers.distill.machines import MACHINE
from cortex.substrate.facts import plain
from cortex.substrate.identity import normalised
from cortex.substrate.search import STOP_WORDS

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
# On these, too; apart from those above because the keys that brains keep are made of those.
_OPPOSING: Final = frozenset(
    """thirteen fourteen fifteen sixteen seventeen eighteen nineteen thirty forty fifty sixty seventy eighty ninety
    billion lack lacks lacking avoid avoids avoiding avoided missing absent present start starts started stop stops
    stopped above below over under up down rarely seldom hardly""".split()
)
_NUMBERS: Final = frozenset(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half double
    once twice no not never cannot without""".split()
)
_PREFIXES: Final = ("un", "in", "im", "ir", "il", "non", "non-", "dis", "mis", "de", "anti-")
_INFLECTED: Final = re.compile(r"(?:ing|ed|es|s|e|d)$")
_PATHLIKE: Final = re.compile(r"\w[/_]|[/_]\w|::|[a-z][A-Z]|\w\.\w")
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
    """Whether two sentences differ by a name, by a token they turn on, by its place, or by one word for another.

    A word is a name by its capitals. Where a sentence begins, a capital says little: there only one that another
    capitalised word replaces is a name.

    >>> different("We keep sessions in Redis for now", "We keep sessions in Memcached for now")
    True
    >>> different("Please run the tests first", "Always please run tests")
    True
    >>> different("Run all the tests again", "Please run all tests again")
    False
    """
    if _ordered(one) != _ordered(other) or cased(one) != cased(other):
        return True
    ours, theirs = dict(_occurrences(one)), dict(_occurrences(other))
    if _replaced(ours.keys() - theirs.keys(), theirs.keys() - ours.keys()):
        return True
    opened = []
    for own, others in ((ours, theirs), (theirs, ours)):
        extra = [(token, own[token]) for token in own if token not in others]
        if any(turning(token) or name == "name" for token, name in extra):
            return True
        opened.append(any(name == "opening" for _, name in extra))
    return all(opened)


def cased(sentence: str) -> frozenset[str]:
    """The paths and identifiers of *sentence* as they are written: their letters' case tells them apart.

    >>> sorted(cased("Read /etc/Foo, then call openBrain."))
    ['/etc/Foo', 'openBrain']
    """
    words = (raw.strip("`'\"“”‘’()[]<>.,:;!?") for raw in sentence.split())
    return frozenset(word for word in words if _PATHLIKE.search(word))


def _ordered(sentence: str) -> list[tuple[str, str]]:
    """The numbers and negations of *sentence* in order, each with the word after it: its unit, or what is negated."""
    tokens = [token for raw in sentence.split() if (token := _normalised(raw))]
    counted = zip(tokens, [*tokens[1:], ""], strict=True)
    return [(token, "" if after in STOP_WORDS else after) for token, after in counted if _counts(token)]


def _counts(token: str) -> bool:
    if token.isalpha():
        return token in _NUMBERS
    return any(map(str.isdigit, token)) or bool(_NEGATED.search(token)) or not _NUMBERS.isdisjoint(token.split("-"))


def _replaced(ours: AbstractSet[str], theirs: AbstractSet[str]) -> bool:
    """Whether one word that tells something stands for another, or one that means the contrary was added."""
    if not _OPPOSING.isdisjoint(ours | theirs):
        return True
    if any(prefix + word in others for word, others in _each(ours, theirs) for prefix in _PREFIXES):
        return True
    if len(ours) != 1 or len(theirs) != 1:
        return False
    (one,), (other,) = ours, theirs
    told = not {one, other} & STOP_WORDS
    return told and _INFLECTED.sub("", one) != _INFLECTED.sub("", other)


def _each(ours: AbstractSet[str], theirs: AbstractSet[str]) -> Iterator[tuple[str, AbstractSet[str]]]:
    yield from ((word, theirs) for word in ours)
    yield from ((word, ours) for word in theirs)


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
