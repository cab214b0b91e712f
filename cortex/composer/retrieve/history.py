"""The first and the last commit, and those that somebody made, by what is known of commits."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.list_wording import FIRST
from cortex.composer.retrieve.listing import listed
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

MOST: Final = 6

_WROTE: Final = r"(?:writ(?:e|ten)|wrote|ma[dk]e|author(?:ed)?|do(?:ne)?|push(?:ed)?|contributed?)"
_NAME: Final = r"@?[^\W_][\w.’'-]*(?:\s+[\w.’'-]+){0,3}?"
_WHOLE: Final = (
    r"(?:\s+(?:made|written|pushed|landed|here|ever|so far|of all|(?:in|of|to|on)\s+(?:(?:the|this|our)\s+)?"
    r"(?:main(?:\s+branch)?|repo(?:sitory)?|project|history)))*\W*$"
)
_END: Final = re.compile(
    r"^\W*(?:(?:when|what|which)(?:['’]s|\s+is|\s+was)?|who\s+(?:made|wrote|authored|pushed|did)|show(?:\s+me)?)\s+"
    r"(?:the\s+)?(?:very\s+)?(?P<end>first|oldest|earliest|initial|last|latest|newest|most\s+recent)\s+commit" + _WHOLE,
    re.I,
)
_BY: Final = re.compile(
    r"^\W*(?:which|what|list|show)(?:\s+(?:me|all|the|of))*\s+commits\s+(?:"
    rf"(?:did|has|have)\s+(?P<who>{_NAME})\s+(?:ever\s+)?{_WROTE}"
    rf"|(?:(?:are|were)\s+)?(?:{_WROTE}\s+)?(?:by|from)\s+(?P<by>{_NAME})){_WHOLE}",
    re.I,
)


def find_commits(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused] | None:
    """The first or the last commit, or the last that somebody made; None where it asks for no such commits.

    Returns:
        Empty where that is not known, or nobody is called so.
    """
    end = _END.search(question.text)
    by = None if end else _BY.search(question.text)
    if end is None and by is None:
        return None
    asked: dict[str, object] = {"sources": json.dumps([*sources]), "as_of": question.as_of}
    authors: list[str] = []
    if by:
        who = (by["who"] or by["by"]).lstrip("@").lower()
        authors = [who, *(name for (name,) in brain.db.execute(sql("names_of_login"), asked | {"who": who}))]
    oldest = end is not None and end["end"].lower() in (*FIRST, "initial")
    asked |= {"authors": json.dumps(authors), "oldest": oldest, "limit": 1 if end else MOST}
    found = brain.db.execute(sql("commits_by"), asked).fetchall()
    return listed(brain, [(record, fact, 0) for record, fact in found], as_of=question.as_of)
