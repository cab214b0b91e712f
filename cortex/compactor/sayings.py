"""What a fact says, apart from the frame that names where it was said: the two are compared differently.

docs/decisions/0010-near-duplicates-compare-what-is-said.md tells why.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from cortex.indexers.distill.text import is_machine
from cortex.language.patterns import words
from cortex.substrate.facts import plain
from cortex.substrate.identity import normalised

_REMARKS: Final = ("comment", "event")
_FRAME_END: Final = "”: "

# Words that may come or go, and the sentence says what it said. Only where they are written small: "A" is a name.
_LIGHT: Final = words("compactor", "sayings_light")
_NAMES_IN_CAPITALS: Final = words("compactor", "sayings_names_in_capitals")
_PATHLIKE: Final = re.compile(r"\w[/_]|[/_]\w|::|[a-z][A-Z]|\w\.\w")
_MARKS: Final = re.compile(r"[-–—―*•·|…]+")
_ASKS: Final = re.compile(r"\?[\"'”’)*_]*$")
_ENDS: Final = ".,:;!?"
_STRIPPED: Final = "`'\"“”‘’()[]<>.,:;!?"


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
        return Saying(author if is_machine(author) else f"{author}\0{thread}", said)
    if said and statement.endswith(said):
        return Saying(normalised(statement[: len(statement) - len(said)]), said)
    return Saying("", statement)


def telling(sentence: str) -> tuple[str, ...]:
    """The words of *sentence* that tell something, in their order: articles and fillers do not.

    >>> telling("So the readers of src/A.py never wait for a writer, also.")
    ('readers', 'of', 'src/A.py', 'never', 'wait', 'for', 'writer')
    """
    return tuple(filter(None, map(_told, words_of(sentence))))


def _told(raw: str) -> str:
    """What *raw* tells: a path as it is written, '' for a light word; that it asks, too."""
    token, asks = token_of(raw), "?" if _ASKS.search(raw) else ""
    light = token in _LIGHT and token == (raw if len(token) == 1 else raw.rstrip(_ENDS))
    if light or _MARKS.fullmatch(token):
        return asks
    start = raw.casefold().find(token)
    written = raw[start : start + len(token)] if start >= 0 else token
    return (written if _PATHLIKE.search(raw) or _named(written) else token) + asks


def words_of(sentence: str) -> list[str]:
    """What stands between the spaces of *sentence*; a light word that opens it as it is written elsewhere.

    >>> words_of("The writer waits."), words_of("A is the writer, option a")
    (['the', 'writer', 'waits.'], ['A', 'is', 'the', 'writer,', 'option', 'a.'])
    """
    words = sentence.split()
    if words and len(words[0]) > 1 and words[0].istitle() and words[0].lower() in _LIGHT:
        words[0] = words[0].lower()
    if words and words[-1] == "a":
        words[-1] = "a."  # no article without its noun
    return words


def token_of(raw: str) -> str:
    """What stands between two spaces as `normalised` gives it; nothing of punctuation alone."""
    bare = raw[:-1] if raw[-1] in ".,:;" else raw
    return bare.casefold() if bare.isalpha() else normalised(f"a {raw}").partition(" ")[2]


def _named(word: str) -> bool:
    return word.isupper() and word.casefold() in _NAMES_IN_CAPITALS


def cased(sentence: str) -> frozenset[str]:
    """What tells two sentences apart that are the same word for word: paths and names as they are written, and asking.

    >>> sorted(cased("Read /etc/Foo, then call openBrain. Did IT agree?"))
    ['/etc/Foo', '?', 'IT', 'openBrain']
    """
    words = sentence.split()
    bare = (raw.strip(_STRIPPED) for raw in words)
    asks = {"?"} if words and _ASKS.search(words[-1]) else set()
    return frozenset(word for word in bare if _PATHLIKE.search(word) or _named(word)) | asks
