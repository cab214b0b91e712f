"""Candidates by meaning: the passages whose vectors are nearest to the question's."""

from __future__ import annotations

from typing import Final

from cortex.composer.retrieve.passages import candidates
from cortex.composer.values import Candidate, Query, Reason
from cortex.substrate.reading import Reader

NEAREST: Final = 20


def find_near(reader: Reader, query: Query) -> list[Candidate]:
    """Records with the passages nearest to the question, best first; none without an encoder."""
    near = reader.nearest(query.vector, encoder=query.encoder, limit=NEAREST) if query.vector else []
    rows = reader.passage_rows([id_ for id_, _ in near])
    return candidates([(likeness, rows[id_]) for id_, likeness in near if id_ in rows and likeness > 0], Reason.VECTOR)
