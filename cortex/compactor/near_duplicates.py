"""Job 5: of facts that say nearly the same one stands. Exact: every pair that is similar enough is found, and no other.

Only what was never compared is looked up in the index of keys, which is kept from run to run. The comparing reads; one
short transaction then writes what it found, so that other writers do not wait for it.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, Final, NamedTuple

from cortex.compactor.job import JobReport, Work, leaving
from cortex.compactor.sayings import different, saying
from cortex.compactor.signatures import Signature, signature, similar
from cortex.substrate.archive import archive_leaving, begin_removal
from cortex.substrate.statements import sql

NAME: Final = "near_duplicates"
BATCH: Final = 2000


class _Said(NamedTuple):
    fact: int
    sentence: str
    signature: Signature


def near_duplicates(work: Work) -> JobReport:
    """Merge what says nearly the same into the fact of highest authority, then earliest."""
    started = perf_counter()
    db = work.brain.db
    begin_removal(work.brain)
    looked_at = work.count()
    merges = list(_merges(work)) if _sign(work) else []
    with work.transaction():
        db.executemany(sql("leave_merged"), merges)
        report = work.report(NAME, looked_at, leaving(work), "leaving")
        archive_leaving(work.brain, run_id=work.run_id, job=NAME, now=work.now)
        db.execute(sql("keep_comparisons"))
        db.execute(sql("keep_compared"))
    return work.finished(report, started)


def _sign(work: Work) -> int:
    """Put the keys of what was never compared into `temp.new_comparisons`; how many facts that were."""
    db = work.brain.db
    signed = 0
    rows = db.execute(sql("facts_to_compare"), work.values())
    while batch := [_said(work, row) for row in rows.fetchmany(BATCH)]:
        db.executemany("insert into temp.new_compared values (?)", [(said.fact,) for said in batch])
        keys = [(key, said.fact) for said in batch for key in said.signature.keys]
        db.executemany("insert or ignore into temp.new_comparisons values (?, ?)", keys)
        signed += len(batch)
        work.progress("comparing facts", len(batch), None)
    return signed


def _said(work: Work, row: tuple[Any, ...]) -> _Said:
    fact, statement, excerpt, type_, author, thread, stands = row
    said = saying(statement, excerpt, type_, author, thread)
    return _Said(fact, said.sentence, signature(said, work.source_id, stands))


def _merges(work: Work) -> Iterator[dict[str, int]]:
    """What goes into what: each fact into the weightiest of those that stand and are similar to it.

    Going from the weightiest down makes the outcome depend on nothing but the facts themselves, and leaves no two
    that are similar. What stood before is among them, as a fact of today may outweigh it.
    """
    keys = _keys_in_common(work)
    work.brain.db.executemany("insert into temp.meeting values (?)", ((fact,) for fact in keys))
    ordered = array("q", (fact for (fact,) in work.brain.db.execute(sql("facts_by_weight"), work.values())))
    standing: defaultdict[int, list[int]] = defaultdict(list)
    survivors: list[tuple[int, tuple[int, ...]]] = []
    for start in range(0, len(ordered), BATCH):
        for said in _fetch(work, ordered[start : start + BATCH]):
            met = {place for key in keys[said.fact] for place in standing.get(key, ())}
            survivor = _survivor(work, said, [survivors[place] for place in sorted(met)])
            if survivor is not None:
                yield {"fact_id": said.fact, "survivor": survivor}
                continue
            for key in keys[said.fact]:
                standing[key].append(len(survivors))
            survivors.append((said.fact, said.signature.tokens))


def _keys_in_common(work: Work) -> dict[int, list[int]]:
    keys: defaultdict[int, list[int]] = defaultdict(list)
    for key, fact in work.brain.db.execute(sql("facts_in_common")):
        keys[fact].append(key)
    return keys


def _fetch(work: Work, facts: Sequence[int]) -> Iterator[_Said]:
    for row in work.brain.db.execute(sql("facts_compared"), {"ids": json.dumps([*facts])}).fetchall():
        yield _said(work, row)


def _survivor(work: Work, said: _Said, met: Sequence[tuple[int, tuple[int, ...]]]) -> int | None:
    """The first of *met* that *said* says nearly the same as."""
    tokens = set(said.signature.tokens)
    for fact, others in met:
        if similar(others, tokens) and (tokens == set(others) or not _differ(work, said, fact)):
            return fact
    return None


def _differ(work: Work, said: _Said, fact: int) -> bool:
    (other,) = _fetch(work, [fact])
    return different(said.sentence, other.sentence)
