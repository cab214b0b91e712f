"""The rows an answer is looked for in: what the retrievers bring, in turn, and what the links of that bring in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cortex.composer.candidates import late_standing
from cortex.composer.fuse import Fused, fuse, join_related, put_first
from cortex.composer.question import Question
from cortex.composer.retrieve.doing import put_done_first
from cortex.composer.retrieve.graph import find_related, told_of
from cortex.composer.retrieve.merged import put_merged_first
from cortex.composer.retrieve.metadata import Listed, find_by_metadata
from cortex.composer.retrieve.named import find_named
from cortex.composer.retrieve.offered import with_listing
from cortex.composer.retrieve.outcomes import asked_outcome, find_outcome
from cortex.composer.retrieve.owners import only_owning
from cortex.composer.retrieve.passages import find_facts, find_passages
from cortex.composer.retrieve.proposed import put_proposed_first
from cortex.composer.retrieve.reasons import find_latest, find_reasons
from cortex.composer.retrieve.removed import put_removed_first
from cortex.composer.retrieve.said import only_said
from cortex.composer.retrieve.takers import put_taker_first
from cortex.composer.retrieve.turns import run
from cortex.composer.rows import load_firsts
from cortex.composer.trust import few
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain

PINNED_FACTS: Final = 6
FIRST_THREADS: Final = 3
ROWS: Final = 40
DEADLINE_S: Final = 5.0
"""After which a retriever is left out: many times what the slowest takes on a million records."""


class Gathered(NamedTuple):
    """What the retrievers found together.

    Attributes:
        ranks: by retriever, its records in its own order.
        took_ms: by retriever; a late one is left out of the rest and called '… (late)'.
        half_read: it asks for a list by more than what is known of records: these are what its words find.
    """

    fused: list[Fused]
    ranks: Mapping[str, Sequence[int]]
    took_ms: Mapping[str, float]
    half_read: bool = False


def retrieve(brain: Brain, question: Question, stemmer: Stemmer, *, sources: Sequence[int]) -> list[Fused]:
    """The records that bear on the question, best first, the pinned facts' among the first rows."""
    return gather(brain, question, stemmer, sources=sources).fused


def gather(brain: Brain, question: Question, stemmer: Stemmer, *, sources: Sequence[int]) -> Gathered:
    """What four retrievers bring: facts, full text and metadata, then the links of what these found."""
    if not question.terms or not sources:
        return Gathered([], {}, {})
    first = run(
        brain,
        {
            "facts": lambda: find_facts(brain, question, stemmer, sources=sources),
            "text": lambda: find_passages(brain, question, stemmer, sources=sources),
            "sql": lambda: _by_metadata(brain, question, sources),
        },
        deadline_s=DEADLINE_S,
    )  # fmt: skip
    facts, passages = (first.found.get(name, []) for name in ("facts", "text"))
    known: Listed = first.found.get("sql") or Listed([])
    listed = known.found
    whole = None if listed or "sql" not in first.found else known.is_whole(question)
    if whole:
        return Gathered([], {}, first.took_ms)  # there is none, which no row says
    fused = put_first(listed, fuse(passages, facts))
    named = {(one.row.source_id, one.row.about) for one in listed if one.relation == "named"}
    alone = named if question.told else set()  # nothing but what is known of these is asked
    threads = len(alone) or (len(listed) if listed and not question.rest else FIRST_THREADS)
    threads = 0 if asked_outcome(question, stemmer) else threads  # what is linked with those is among them
    related = {"graph": lambda: with_related(brain, fused, first=threads, as_of=question.as_of)}
    second = run(brain, related, deadline_s=DEADLINE_S)
    joined = second.found.get("graph", fused)
    if all(one.relation != "listed" for one in listed):
        joined = only_owning(brain, question, only_said(brain, question, joined, sources=sources))
        joined = put_taker_first(brain, question, joined, sources=sources)
        joined = put_done_first(brain, question, put_merged_first(brain, question, joined, sources=sources))
        joined = put_proposed_first(brain, question, joined, sources=sources)
        joined = put_removed_first(brain, question, joined, sources=sources)
        joined = with_listing(brain, question, joined, sources=sources)
    joined = few(joined, lambda one: one.row)
    if alone:
        joined = [one for one in joined if one.relation or (one.row.source_id, one.row.about) in alone]
    if whole is False:
        joined = known.of_its_time(joined)
    pinned = {found.row.record_id for found in [one for one in facts if not one.row.unverified][:PINNED_FACTS]}
    late = [one for one in joined[ROWS - PINNED_FACTS :] if one.row.record_id in pinned]
    kept = [one for one in joined if one not in late]
    ranks = {
        "facts": [*dict.fromkeys(found.row.record_id for found in facts)],
        "text": [*dict.fromkeys(found.row.record_id for found in passages)],
        "sql": [one.row.record_id for one in listed],
        "graph": [
            one.row.record_id
            for one in joined
            if one.relation not in ("", "named", "listed", "owns", "done", "titled", "listing", "said last")
        ],
    }
    took = {**first.took_ms, **second.took_ms}
    rows = [*kept[: ROWS - len(late)], *late, *kept[ROWS - len(late) :]]
    return Gathered(rows, ranks, took, whole is False or known.unsure)


def _by_metadata(brain: Brain, question: Question, sources: Sequence[int]) -> Listed:
    """The records that the question names, why they ended or what was said last where that is asked, and lists."""
    listed = find_by_metadata(brain, question, sources=sources)
    if listed.known and not listed.found:
        return listed
    named = find_named(brain, question, sources=sources)
    reasons = find_reasons(brain, question, named) or find_outcome(brain, question, named)
    told = {one.row.record_id for one in reasons}
    named = [one for one in named if one.row.record_id not in told]
    last = find_latest(brain, question, named)
    return listed._replace(found=[*reasons, *last, *named, *listed.found])


def with_related(brain: Brain, fused: Sequence[Fused], *, first: int = FIRST_THREADS, as_of: str = "") -> list[Fused]:
    """*fused* with what the links of its *first* threads bring in."""
    rows = [one.row for one in fused]
    threads: dict[tuple[int, str], None] = {}
    for row in rows:
        if len(threads) == first:
            break
        threads[row.source_id, row.about] = None
    related = [*find_related(brain, [*threads]), *told_of(rows, threads)]
    known = {row.record_id for row in rows}
    firsts = load_firsts(brain, [link.record_id for link in related if link.record_id not in known], as_of=as_of)
    return join_related(fused, related, firsts)


def first_rows(fused: Sequence[Fused]) -> list[Fused]:
    """Those of *fused* that are looked at, with the first documents and directives where others are before them."""
    return [*fused[:ROWS], *late_standing(fused, ROWS, lambda one: one)]
