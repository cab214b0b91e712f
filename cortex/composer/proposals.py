"""What is in force before what is only proposed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.ordered import CITED, Ordered
from cortex.composer.question import Question, coverage
from cortex.composer.rows import is_no_authority, is_opinion
from cortex.substrate.stems import split

SAME: Final = 0.5
"""What a row with the numbers of a question has of the rest of it, for it to tell what a proposal does."""

IN_FORCE: Final = "in force"

_PROPOSED: Final = re.compile(r"\b(?:pull requests?|prs?|propos\w+|unmerged|pending|plan(?:s|ned)?)\b", re.I)
"""What asks for what is not done yet."""


def in_force_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """What was merged, or a document says, before what is proposed or a program says, where it tells of the same.

    It has all that is asked about but the numbers, or the numbers and half of the rest; the first with the numbers.
    """
    first = ordered[0].fused if ordered else None
    if first is None or first.relation or not is_no_authority(first.row) or _asks_for_proposals(question):
        return list(ordered)
    numbers = _numbers(question)
    about = question.content - numbers
    rest = {stem: weight for stem, weight in question.weights.items() if stem not in numbers}

    def tells(one: Ordered) -> bool:
        if numbers and numbers <= one.holds:
            return coverage(rest, one.holds) >= SAME
        return bool(about) and about <= one.holds

    done = [one for one in ordered[:CITED] if one.read and not is_opinion(one.fused.row) and tells(one)]
    if not done:
        return list(ordered)
    best = max(done, key=lambda one: numbers <= one.holds)
    return [best._replace(moved=IN_FORCE), *(one for one in ordered if one is not best)]


def tells_other_number(question: Question, first: Ordered) -> bool:
    """Whether what is in force stands first and has not the numbers that are asked for: those were only proposed."""
    return first.moved == IN_FORCE and not _numbers(question) <= first.holds


def _numbers(question: Question) -> set[str]:
    return {stem for stem in question.stems if stem.isdecimal()}


def asks_for_state(question: Question) -> bool:
    """Whether what is known of a thread tells it, and no comment need."""
    return question.told or not {"open", "opened", "closed", "merged"}.isdisjoint(split(question.text))


def _asks_for_proposals(question: Question) -> bool:
    """Whether it asks for somebody, a day or pull requests, or in which state they are."""
    of_somebody = question.type in ("person", "date")
    return of_somebody or asks_for_state(question) or _PROPOSED.search(question.text) is not None
