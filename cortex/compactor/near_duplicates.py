"""Job 5: of facts that say nearly the same one stands. Exact: every pair that is similar enough is found, and no other.

Only what was never compared is looked up in the index of keys, which is kept from run to run. The comparing reads; one
short transaction then writes what it found, so that other writers do not wait for it.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter
from typing import Any, Final, NamedTuple

from cortex.compactor.crowds import Crowds
from cortex.compactor.job import JobReport, Work, leaving
from cortex.compactor.sayings import different, saying
from cortex.compactor.signatures import Signature, signature, similar
from cortex.substrate.archive import archive_leaving, begin_removal
from cortex.substrate.statements import sql

NAME: Final = "near_duplicates"
BATCH: Final = 2000

_COMPARED: Final = "insert or ignore into compared (fact_id) select id from facts where id = ?"


class _Said(NamedTuple):
    fact: int
    sentence: str
    signature: Signature


class _Merge(NamedTuple):
    fact_id: int
    survivor: int


def near_duplicates(work: Work) -> JobReport:
    """Merge what says nearly the same into the fact of highest authority, then earliest."""
    started = perf_counter()
    db = work.brain.db
    begin_removal(work.brain)
    looked_at = work.count()
    crowds, tokens = _signed(work)
    merges = list(_merges(work, crowds, tokens))
    with work.transaction():
        db.executemany(sql("leave_merged"), [merge._asdict() for merge in merges])
        report = work.report(NAME, looked_at, leaving(work), "leaving")
        archive_leaving(work.brain, run_id=work.run_id, job=NAME, now=work.now)
        gone = {merge.fact_id for merge in merges}
        db.executemany("insert or ignore into comparisons values (?, ?)", crowds.sorted(without=gone))
        db.executemany(_COMPARED, ((fact,) for fact in crowds.facts))
    return work.finished(report, started)


def _signed(work: Work) -> tuple[Crowds, Tokens]:
    """The keys and the tokens of what was never compared."""
    crowds, tokens = Crowds(), Tokens(work)
    rows = work.brain.db.execute(sql("facts_to_compare"), work.values())
    while batch := rows.fetchmany(BATCH):
        for row in batch:
            said = _said(work, row)
            crowds.add(said.fact, said.signature.keys)
            tokens.keep(said)
        work.progress("comparing facts", len(batch), None)
    return crowds, tokens


def _said(work: Work, row: tuple[Any, ...]) -> _Said:
    fact, statement, excerpt, type_, author, thread, stands = row
    said = saying(statement, excerpt, type_, author, thread)
    return _Said(fact, said.sentence, signature(said, work.source_id, stands))


def _merges(work: Work, crowds: Crowds, tokens: Tokens) -> Iterator[_Merge]:
    """What goes into what: each fact into the weightiest of those that stand and are similar to it.

    Going from the weightiest down makes the outcome depend on nothing but the facts themselves, and leaves no two
    that are similar. What stood before is among them, as a fact of today may outweigh it.
    """
    keys = _keys_in_common(work, crowds)
    standing: defaultdict[int, list[int]] = defaultdict(list)
    survivors: list[int] = []
    for fact in _by_weight(work, keys):
        met = sorted({place for key in keys[fact] for place in standing.get(key, ())})
        survivor = next((s for s in (survivors[place] for place in met) if _alike(work, tokens, fact, s)), None)
        if survivor is not None:
            yield _Merge(fact, survivor)
            continue
        for key in keys[fact]:
            standing[key].append(len(survivors))
        survivors.append(fact)


def _keys_in_common(work: Work, crowds: Crowds) -> dict[int, list[int]]:
    """The keys that each fact shares with another, for facts that share one."""
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
    """Those of *facts* that stand, the weightiest first."""
    work.brain.db.executemany("insert into temp.meeting values (?)", ((fact,) for fact in facts))
    return array("q", (fact for (fact,) in work.brain.db.execute(sql("facts_by_weight"), work.values())))


def _alike(work: Work, tokens: Tokens, one: int, other: int) -> bool:
    ours, theirs = tokens.of(one), tokens.of(other)
    if not similar(ours, theirs):
        return False
    return ours == theirs or not different(*(said.sentence for said in _fetch(work, one, other)))


class Tokens:
    """The tokens of facts, eight bytes each: a set of numbers takes five times that."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._packed: dict[int, bytes] = {}

    def keep(self, said: _Said) -> None:
        """Remember the tokens of *said*."""
        self._packed[said.fact] = array("Q", said.signature.tokens).tobytes()

    def of(self, fact: int) -> frozenset[int]:
        """The tokens of *fact*; of one that was compared before, from the brain."""
        if fact not in self._packed:
            (said,) = _fetch(self._work, fact)
            self.keep(said)
        return frozenset(memoryview(self._packed[fact]).cast("Q"))


def _fetch(work: Work, *facts: int) -> list[_Said]:
    rows = work.brain.db.execute(sql("facts_compared"), {"ids": json.dumps(facts)})
    return [_said(work, row) for row in rows]
