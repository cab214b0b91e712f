"""What a fact says, apart from the frame that names where it was said: the two are compared differently.

docs/decisions/0010-near-duplicates-compare-what-is-said.md tells why.
"""

from __future__ import annotations

import re
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
# Words that may come, go or stand elsewhere, and the sentence says what it said. What is none of them tells something.
_LIGHT: Final = frozenset(
    """a an the this that these those it its it's itself which who is are am be being has have having do does and so too
    also then thus hence just really very quite rather please now currently here there again well as of ok okay thanks
    thank hi hello hey indeed actually basically simply already anyway further furthermore moreover therefore that's
    there's let's""".split()
)
_PATHLIKE: Final = re.compile(r"\w[/_]|[/_]\w|::|[a-z][A-Z]|\w\.\w")
_WORDLIKE: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[-–—―*•·|…]+")
_NEGATED: Final = re.compile(r"n['’]t$|^non-")
_MARKS: Final = re.compile(r"[-–—―*•·|…]+")
_STRIPPED: Final = "`'\"“”‘’()[]<>.,:;!?"
_PLURALS: Final = ("ches", "shes", "sses", "xes", "zes")


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
    """Whether two sentences say two things: words that tell something differ, or their order does.

    >>> different("We keep sessions in Redis for now", "We keep sessions in Memcached for now")
    True
    >>> different("Use the async client of the queue", "Use the client of the queue")
    True
    >>> different("The reader waits for the writer", "The writer waits for the reader")
    True
    >>> different("Run all the tests again", "Please run all tests again")
    False
    """
    return telling(one) != telling(other)


def telling(sentence: str) -> tuple[str, ...]:
    """The words of *sentence* that tell something, in their order: articles, fillers and the s of a plural do not.

    >>> telling("So the readers of src/A.py never wait for a writer, too.")
    ('reader', 'src/A.py', 'never', 'wait', 'for', 'writer')
    """
    return tuple(word for raw in sentence.split() if (word := telling_word(raw, token_of(raw))))


def token_of(raw: str) -> str:
    """What stands between two spaces as `normalised` gives it; nothing of punctuation alone."""
    bare = raw[:-1] if raw[-1] in ".,:;" else raw
    return bare.casefold() if bare.isalpha() else normalised(f"a {raw}").partition(" ")[2]


def telling_word(raw: str, token: str) -> str:
    """What *raw*, whose token is *token*, tells: a path as it is written, a noun without its s; '' for a light word."""
    if token in _LIGHT:
        return ""
    if token.isalpha():
        return _singular(token)
    if _MARKS.fullmatch(token):
        return ""
    start = raw.casefold().find(token)
    return raw[start : start + len(token)] if start >= 0 and _PATHLIKE.search(raw) else token


def _singular(word: str) -> str:
    if word[-1] != "s" or len(word) <= len("gas") or word.endswith(("ss", "us", "is")):
        return word
    one = word[: -2 if word.endswith(_PLURALS) else -1]
    return one if _TURNING.isdisjoint((one, word)) else word


def cased(sentence: str) -> frozenset[str]:
    """The paths and identifiers of *sentence* as they are written: their letters' case tells them apart.

    >>> sorted(cased("Read /etc/Foo, then call openBrain."))
    ['/etc/Foo', 'openBrain']
    """
    words = (raw.strip(_STRIPPED) for raw in sentence.split())
    return frozenset(word for word in words if _PATHLIKE.search(word))
