"""Job 5: of facts that say nearly the same one stands. Exact: every pair that is similar enough is found, and no other.

Only what was never compared is looked up in the index of keys, which is kept from run to run. The comparing reads; one
short transaction then merges what it found, and some more write the index: other writers never wait for long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Final

from cortex.compactor.job import Example, Work, removal
from cortex.compactor.sayings import saying, telling, token_of, words_of
from cortex.substrate import compaction

SIMILAR: Final = (17, 20)  # the least Jaccard of near duplicates, as a fraction: whole numbers compare exactly
BATCH: Final = 2000
PART: Final = 50_000  # how much of the index one transaction writes


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
        alike = (other for other, tokens in standing[key] if similar(own, tokens))
        if (survivor := next(alike, None)) is not None:
            yield fact, survivor
        else:
            standing[key].append((fact, own))


def similar(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether the Jaccard of two sets is high enough, exactly.

    >>> similar(frozenset("abcdefghijklmnopq"), frozenset("abcdefghijklmnopqrst"))
    True
    """
    least, of = SIMILAR
    return len(one & other) * of >= least * len(one | other)
