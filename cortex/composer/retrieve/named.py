"""Candidates that the question names: '#496', 'PR 958', commit '8a700a3', 'ADR 12'."""

from __future__ import annotations

from typing import Final

from cortex.composer.values import Candidate, Query, Reason
from cortex.substrate.reading import Reader

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
