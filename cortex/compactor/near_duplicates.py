"""Job 5: of facts that say nearly the same one stands. Exact: every pair that is similar enough is found, and no other.

What a fact says and the frame that names where it was said are compared differently:
docs/decisions/0010-near-duplicates-compare-what-is-said.md tells why. Only what was never compared is looked up in the
index of keys, which is kept from run to run. The comparing reads; one short transaction then merges what it found, and
some more write the index: other writers never wait for long.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Final, NamedTuple

from cortex.compactor.job import Example, Work, removal
from cortex.indexers.distill.text import is_machine
from cortex.language.patterns import words
from cortex.substrate import compaction
from cortex.substrate.facts import plain
from cortex.substrate.identity import normalised

SIMILAR: Final = (17, 20)  # the least Jaccard of near duplicates, as a fraction: whole numbers compare exactly
BATCH: Final = 2000
PART: Final = 50_000  # how much of the index one transaction writes

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


def near_duplicates(work: Work) -> Sequence[Example]:
    """Merge what says nearly the same into the fact of highest authority, then earliest."""
    keys: dict[int, int | None] = {}
    merged: set[int] = set()
    gone = removal(work, "near_duplicates", lambda: merged.update(_found(work, keys)))
    facts = (fact for fact in keys if fact not in merged)
    while part := [*islice(facts, PART)]:  # what is not kept is compared again next time
        with work.brain.transaction():
            compaction.keep_compared(work.brain, {fact: keys[fact] for fact in part})
    work.wrote(len(keys))
    return gone


def _found(work: Work, keys: dict[int, int | None]) -> Iterator[int]:
    """Put what merges into `temp.leaving`, and give each of it; *keys* gets those of what was never compared."""
    for batch in compaction.uncompared(work.brain, source_id=work.source_id, batch=BATCH):
        keys |= {row[0]: _signature(work, row)[0] for row in batch}
        work.progress("comparing facts", len(batch), None)
    for fact, survivor in [*_merges(work, _in_common(work, keys))]:
        compaction.leave_merged(work.brain, fact, survivor)
        yield fact


def _signature(work: Work, row: compaction.Compared) -> tuple[int | None, frozenset[str]]:
    """The key of a fact and its words, each once, those that tell nothing included.

    The key, signed and of 64 bits, is the same of all that tell the same in one frame; None of a sentence without a
    word.
    """
    _, statement, excerpt, type_, author, thread, stands = row
    said = saying(statement, excerpt, type_, author, thread)
    tokens = frozenset(filter(None, map(token_of, words_of(said.sentence))))
    text = "\0".join([str(work.source_id), str(stands), said.frame, *telling(said.sentence)])
    hashed = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(hashed, "little", signed=True) if tokens else None, tokens


def _in_common(work: Work, keys: Mapping[int, int | None]) -> dict[int, int]:
    """The key of each fact, new or compared before, that shares it with another."""
    facts_with = compaction.facts_with_key(work.brain)
    first: dict[int, int] = {}
    common: dict[int, int] = {}
    for fact, key in keys.items():
        if key is not None:
            others = {first[key]} if key in first else facts_with(key) - {fact}
            first.setdefault(key, fact)
            common |= dict.fromkeys((fact, *others) if others else (), key)
    return common


def _merges(work: Work, keys: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """What goes into what: each fact into the weightiest of those that stand and are similar to it.

    Going from the weightiest down makes the outcome depend on nothing but the facts themselves, and leaves no two
    that are similar. What stood before is among them, as a fact of today may outweigh it.
    """
    standing: defaultdict[int, list[tuple[int, frozenset[str]]]] = defaultdict(list)
    for fact in compaction.by_weight(work.brain, keys, source_id=work.source_id):
        row = compaction.compared(work.brain, fact)
        key, own = _signature(work, row) if row else (None, frozenset[str]())
        if key is None or key != keys[fact]:
            continue
        least, of = SIMILAR
        alike = [other for other, tokens in standing[key] if len(own & tokens) * of >= least * len(own | tokens)]
        if alike:
            yield fact, alike[0]
        else:
            standing[key].append((fact, own))


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
