"""Records that a question names: '#496', 'PR 958', 'issue 12'."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.rows import load_facts, load_firsts
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql


def find_named(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused]:
    """The issues and pull requests whose numbers stand in the question, in its order; none scored yet."""
    if not question.numbers:
        return []
    refs = [f"{type_}:{number}" for number in question.numbers for type_ in ("pull", "issue")]
    values = {"sources": json.dumps(list(sources)), "refs": json.dumps(refs)}
    found = brain.db.execute(sql("named_records"), values).fetchall()
    firsts = load_firsts(brain, [record for record, _ in found], as_of=question.as_of)
    facts = load_facts(brain, [fact for _, fact in found if fact is not None], as_of=question.as_of)
    return [Fused(0.0, 0.0, firsts[record], facts.get(fact), "named") for record, fact in found if record in firsts]
