"""Candidates by reference: records named in the question, and linked records of strong candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from cortex.composer.values import Candidate, Query, Reason
from cortex.indexers.distill.tells import decides
from cortex.substrate.reading import Linked, Reader

SHORT: Final = 12  # hexadecimal digits of a commit's hash that its ref has
AFTER_ANY_DIGIT: Final = "g"


def find_named(reader: Reader, query: Query) -> list[Candidate]:
    """The issues, pull requests, commits and decisions that the question names, in its order."""
    refs = [(ref, ref) for number in query.numbers for ref in (f"pull:{number}", f"issue:{number}")]
    refs += [(ref := f"commit:{hash_[:SHORT]}", f"{ref}{AFTER_ANY_DIGIT}") for hash_ in query.hashes]
    found = [*reader.named(refs), *reader.decisions_numbered(query.decisions)]
    firsts = reader.first_rows([record for record, _ in found])
    facts = reader.fact_rows([fact for _, fact in found if fact is not None])
    return [
        Candidate(firsts[record], Reason.NAMED, facts.get(fact or 0), {Reason.NAMED: 1.0}, "named")
        for record, fact in dict(found).items()
        if record in firsts
    ]


THREADS: Final = 3  # threads whose links are followed

WORTH: Final[Mapping[str, float]] = MappingProxyType(
    {
        "itself": 1.0,
        "fixed by": 0.97,
        "closed with": 0.95,
        "decided in": 1.06,
        "duplicate of": 0.9,
        "called duplicate of": 0.9,
        "addressed by": 0.8,
        "superseded by": 1.05,
        "reverted by": 0.6,
        "reverted in part by": 0.6,
        "brought back by": 0.6,
        "fixes": 0.5,
    }
)
"""Share of a thread's score that a record linked so to it gets."""

CLAIMED: Final = ("", "called duplicate of", "closed with", "decided in", "addressed by")
"""Relations that an outsider's words bring about alone; the others somebody of the project stated or merged."""

SAID: Final = 0.85  # certainty that a comment decided its thread which says so and of which no fact was made
TIE: Final = 0.01


def with_linked(reader: Reader, found: Sequence[Candidate], *, threads: int = THREADS) -> list[Candidate]:
    """*found* with the records linked to the first threads, best first."""
    heads: dict[tuple[int, str], float] = {}
    for one in found:
        if len(heads) == threads:
            break
        heads.setdefault((one.row.source_id, one.row.about), one.fused)
    links = [*reader.linked([*heads]), *_decisions(found, heads)]
    joined: dict[int, Candidate] = {}
    for one in found:
        joined.setdefault(one.row.record_id, one)
    further = [one for one in found if joined[one.row.record_id] is not one]
    firsts = reader.first_rows([link.record_id for link in links if link.record_id not in joined])
    for link in links:
        known = joined.get(link.record_id)
        if known is None and link.record_id in firsts:
            known = Candidate(firsts[link.record_id], Reason.LINK, None, {}, link.relation)
        worth = heads[link.source_id, link.thread] * WORTH[link.relation] * link.certainty
        if known and worth + TIE * known.fused > known.fused:
            relation = known.relation if link.relation == "itself" or known.relation else link.relation
            scores = {**known.scores, Reason.LINK: worth}
            joined[link.record_id] = replace(known, fused=worth + TIE * known.fused, relation=relation, scores=scores)
    return sorted([*joined.values(), *further], key=lambda one: -one.fused)


def is_claim(one: Candidate) -> bool:
    """Whether *one* is unverified, both its text and the link to it."""
    return bool(one.row.unverified) and one.relation in CLAIMED


def _decisions(found: Sequence[Candidate], heads: Mapping[tuple[int, str], float]) -> list[Linked]:
    return [
        Linked(one.row.source_id, one.row.thread, one.row.record_id, "decided in", SAID)
        for one in found
        if one.row.thread and (one.row.source_id, one.row.thread) in heads and decides(one.row.text)
    ]
