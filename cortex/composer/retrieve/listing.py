"""Records that are asked for by what is known of them, whatever their words, as rows in the order they were found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cortex.composer.fuse import Fused
from cortex.composer.rows import load_facts, load_firsts
from cortex.substrate.brain import Brain


def listed(
    brain: Brain, found: Sequence[tuple[int, int | None, int]], *, as_of: str, relation: str = "listed"
) -> list[Fused]:
    """The records *found*, in that order, each with its fact and how many there are; only what was known at *as_of*.

    Args:
        found: ids of a record and of the fact that tells where it stands, and how many there are where that is asked.
    """
    firsts = load_firsts(brain, [record for record, *_ in found], as_of=as_of)
    facts = load_facts(brain, [fact for _, fact, _ in found if fact is not None], as_of=as_of)
    return [
        Fused(0.0, 1.0, firsts[record], facts.get(fact) if fact is not None else None, relation, total)
        for record, fact, total in found
        if record in firsts
    ]


def told_by(brain: Brain, records: Iterable[int], *, as_of: str, relation: str = "listed") -> list[Fused]:
    """Those of *records* that were known at *as_of*, each once, in that order."""
    found = [*dict.fromkeys(records)]
    firsts = load_firsts(brain, found, as_of=as_of)
    return [Fused(0.0, 1.0, firsts[record], None, relation) for record in found if record in firsts]
