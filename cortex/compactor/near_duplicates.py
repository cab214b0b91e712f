"""Job 5: of facts that say nearly the same one stands. Exact: every pair that is similar enough is found, and no other.

Only what was never compared is looked up in the index of keys, which is kept from run to run. The comparing reads; one
short transaction then merges what it found, and some more write the index: other writers never wait for long.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from time import perf_counter
from typing import Any, Final, NamedTuple

from cortex.compactor.crowds import Crowds
from cortex.compactor.job import JobReport, Work, removal
from cortex.compactor.sayings import Saying, saying
from cortex.compactor.signatures import Signature, signature, similar
from cortex.substrate.statements import sql

NAME: Final = "near_duplicates"
BATCH: Final = 2000
PART: Final = 50_000
"""How much of the index one transaction writes."""


class _Merge(NamedTuple):
    fact_id: int
    survivor: int


def near_duplicates(work: Work) -> JobReport:
    """Merge what says nearly the same into the fact of highest authority, then earliest."""
    started = perf_counter()
    crowds, merged = Crowds(), set[int]()
    report = removal(work, NAME, lambda: merged.update(_found(work, crowds)))
    _remember(work, crowds, merged)
    return work.finished(report, started)


def _found(work: Work, crowds: Crowds) -> Iterator[int]:
    """Put what merges into `temp.leaving`, and give each of it."""
    compared = _signed(work, crowds)
    for merge in [*_merges(work, crowds, compared)]:
        work.brain.db.execute(sql("leave_merged"), merge._asdict())
        yield merge.fact_id


def _remember(work: Work, crowds: Crowds, gone: Collection[int]) -> None:
    """Keep the keys of what was compared and stands, a part at a time: what is not kept is compared again next time."""
    pairs = crowds.sorted(without=gone)
    while part := [*islice(pairs, PART)]:
        with work.brain.transaction() as db:
            db.executemany("insert or ignore into comparisons values (?, ?)", part)
    facts = (fact for fact in crowds.facts if fact not in gone)
    while ids := [*islice(facts, PART)]:
        with work.brain.transaction() as db:
            db.execute(sql("mark_compared"), {"ids": json.dumps(ids)})
    work.wrote(len(crowds.facts))


def _signed(work: Work, crowds: Crowds) -> Compared:
    """What was never compared; its keys go into *crowds*."""
    tokens = Compared(work)
    rows = work.brain.db.execute(sql("facts_to_compare"), work.values())
    while batch := rows.fetchmany(BATCH):
        for row in batch:
            said = _said(row)
            signed = signature(said, work.source_id, row[-1])
            crowds.add(row[0], signed.keys)
            tokens.keep(row[0], signed)
        work.progress("comparing facts", len(batch), None)
    return tokens


def _said(row: tuple[Any, ...]) -> Saying:
    _, statement, excerpt, type_, author, thread, _ = row
    return saying(statement, excerpt, type_, author, thread)


def _merges(work: Work, crowds: Crowds, tokens: Compared) -> Iterator[_Merge]:
    """What goes into what: each fact into the weightiest of those that stand and are similar to it.

    Going from the weightiest down makes the outcome depend on nothing but the facts themselves, and leaves no two
    that are similar. What stood before is among them, as a fact of today may outweigh it.
    """
    keys = _keys_in_common(work, crowds)
    standing: defaultdict[int, list[int]] = defaultdict(list)
    survivors: list[int] = []
    for fact in _by_weight(work, keys):
        met = sorted({place for key in keys[fact] for place in standing.get(key, ())})
        survivor = next((s for s in (survivors[place] for place in met) if tokens.alike(fact, s)), None)
        if survivor is not None:
            yield _Merge(fact, survivor)
            continue
        for key in keys[fact]:
            standing[key].append(len(survivors))
        survivors.append(fact)


def _keys_in_common(work: Work, crowds: Crowds) -> dict[int, list[int]]:
    known = "select exists (select 1 from comparisons)"
    lookup = "select fact_id from comparisons where key = ?"
    db = work.brain.db
    old = (lambda key: [fact for (fact,) in db.execute(lookup, (key,))]) if db.execute(known).fetchone()[0] else None
    keys: defaultdict[int, list[int]] = defaultdict(list)
    for key, facts in crowds.shared(old):
        for fact in facts:
            keys[fact].append(key)
    return keys


def _by_weight(work: Work, facts: Iterable[int]) -> Sequence[int]:
    work.brain.db.executemany("insert into temp.meeting values (?)", ((fact,) for fact in facts))
    return array("q", (fact for (fact,) in work.brain.db.execute(sql("facts_by_weight"), work.values())))


class Compared:
    """What facts say, as far as comparing needs it, eight bytes a token: a set of numbers takes five times that."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._packed: dict[int, bytes] = {}

    def keep(self, fact: int, signed: Signature) -> None:
        """Remember what *fact* tells and its tokens."""
        self._packed[fact] = array("q", (signed.told,)).tobytes() + array("Q", signed.tokens).tobytes()

    def alike(self, one: int, other: int) -> bool:
        """Whether two facts say nearly the same; one that another run took out meanwhile is like none."""
        ours, theirs = self._of(one), self._of(other)
        return ours[:8] == theirs[:8] and similar(_numbers(ours), _numbers(theirs))

    def _of(self, fact: int) -> bytes:
        """What was kept of *fact*; of one that was compared before, from the brain, and nothing of one that is gone."""
        if fact not in self._packed:
            self._packed[fact] = b""
            for row in self._work.brain.db.execute(sql("facts_compared"), {"ids": json.dumps([fact])}):
                self.keep(fact, signature(_said(row), self._work.source_id, row[-1]))
        return self._packed[fact]


def _numbers(packed: bytes) -> frozenset[int]:
    return frozenset(memoryview(packed)[8:].cast("Q"))
