"""Files that list owners, as documents: only what their comments say answers; who owns what is told by their lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.rows import Row
from cortex.substrate.brain import Brain
from cortex.substrate.owners import is_bare_list

_COMMENTS: Final = re.compile(r"^[ \t]*#[^\r\n]*(?:(?:\r\n|\r|\n)[ \t]*#[^\r\n]*)*", re.MULTILINE)


def is_list(row: Row) -> bool:
    """Whether a row is of a file that lists owners, as a document."""
    return row.type == "doc" and is_bare_list(row.ref.partition(":")[2].partition("#")[0])


def only_comments(brain: Brain, question: Question, fused: Iterable[Fused]) -> list[Fused]:
    """*fused*, each list of owners cut to its comment that has most of the question; without those that have none."""
    found = (_commented(brain, question, one) if is_list(one.row) else one for one in fused)
    return [one for one in found if one]


def _commented(brain: Brain, question: Question, one: Fused) -> Fused | None:
    """The best of the comments in a passage; none of somebody's handle, and none where somebody is asked for."""
    row = one.row
    (body,) = brain.db.execute("select body from records where id = ?", (row.record_id,)).fetchone()
    comments = [(len(_shared(brain, question, match[0])), match) for match in _COMMENTS.finditer(body)]
    most, best = max(comments, key=lambda comment: comment[0], default=(0, None))
    if best is None or not most or question.type == "person":
        return None
    return one._replace(passage=row._replace(start=best.start(), end=best.end(), text=best[0]))


def _shared(brain: Brain, question: Question, comment: str) -> frozenset[str] | set[str]:
    return brain.stemmer.among(question.content, comment)
