"""What is in force before what is only proposed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.ordered import CITED, Ordered
from cortex.composer.question import Question, coverage
from cortex.composer.rows import is_no_authority, is_opinion
from cortex.language.stems import split

SAME: Final = 0.5
"""What a row with the numbers of a question has of the rest of it, for it to tell what a proposal does."""

IN_FORCE: Final = "in force"

_PROPOSED: Final = re.compile(r"\b(?:pull requests?|prs?|propos\w+|unmerged|pending|plan(?:s|ned)?)\b", re.I)
"""What asks for what is not done yet."""


def in_force_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """What was merged, or a document says, before what is proposed or a program says, where it tells of the same.

    It has all that is asked about, other numbers for those, or these and half of the rest; the first with these.
    """
    first = ordered[0].fused if ordered else None
    if first is None or first.relation or not is_no_authority(first.row) or _asks_for_proposals(question):
        return list(ordered)
    numbers = _numbers(question)
    about = question.content - numbers
    rest = {stem: weight for stem, weight in question.weights.items() if stem not in numbers}

    numbered = _with_number(question)

    def tells(one: Ordered) -> bool:
        if numbers and numbers <= one.holds:
            return coverage(rest, one.holds) >= SAME
        return bool(about) and about <= one.holds and (numbered is None or bool(numbered.search(one.fused.row.text)))

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


def _with_number(question: Question) -> re.Pattern[str] | None:
    """What a text has with a number where the question has one: 'Postgres 16' for 17, '40 minutes' for 35."""
    words = ["", *question.words, ""]
    beside = [
        form
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
        if word.isdecimal()
        for form in (before and rf"\b{before}\W{{1,2}}\d", after and rf"\d\W{{0,2}}{after}\b")
        if form
    ]
    return re.compile("|".join(beside), re.I) if beside else None


def asks_for_state(question: Question) -> bool:
    """Whether what is known of a thread tells it, and no comment need."""
    return question.told or not {"open", "opened", "closed", "merged"}.isdisjoint(split(question.text))


def _asks_for_proposals(question: Question) -> bool:
    """Whether it asks for somebody, a day or pull requests, or in which state they are."""
    of_somebody = question.type in ("person", "date")
    return of_somebody or asks_for_state(question) or _PROPOSED.search(question.text) is not None
