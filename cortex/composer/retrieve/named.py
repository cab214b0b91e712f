"""Records that a question names: '#496', 'PR 958', 'issue 12', commit '8a700a3', 'ADR 12'."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.rows import Row, load_facts, load_firsts
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

SHORT: Final = 12
"""Digits of a commit's hash that its ref has."""

AFTER_ANY_DIGIT: Final = "g"


def find_named(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused]:
    """The issues, pull requests, commits and decisions that the question names, in its order; none scored yet."""
    refs = [(ref, ref) for number in question.numbers for ref in (f"pull:{number}", f"issue:{number}")]
    commits = [f"commit:{hash_[:SHORT]}" for hash_ in question.hashes]
    refs += [(ref, f"{ref}{AFTER_ANY_DIGIT}") for ref in commits]
    asked = {"sources": json.dumps(list(sources)), "refs": json.dumps(refs), "numbers": json.dumps(question.decisions)}
    found = brain.db.execute(sql("named_records"), asked).fetchall() if refs else []
    found += brain.db.execute(sql("named_decisions"), asked).fetchall() if question.decisions else []
    if not found:
        return []
    firsts = load_firsts(brain, [record for record, _ in found], as_of=question.as_of)
    facts = load_facts(brain, [fact for _, fact in found if fact is not None], as_of=question.as_of)
    return [
        Fused(0.0, 0.0, firsts[record], facts.get(fact), "named")
        for record, fact in found
        if record in firsts and _is_there(question, firsts[record])
    ]


def _is_there(question: Question, row: Row) -> bool:
    """Whether a record is of the repository that the question gives its number, where it gives one."""
    number = row.ref.partition(":")[2]
    places = question.places.get(int(number)) if row.type in ("pull", "issue") and number.isdecimal() else None
    return places is None or row.source_id in places
