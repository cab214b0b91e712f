"""What a question takes to be so that is so no more: 'Why is it 8 s?' of what was set back to 2 s."""

from __future__ import annotations

from collections.abc import Sequence

from cortex.composer.ordered import CITED, TAKEN_BACK, Ordered
from cortex.composer.question import Question
from cortex.composer.telling import asks_why_not
from cortex.composer.updated import takes_as_so


def is_so_no_more(question: Question, ordered: Sequence[Ordered]) -> bool:
    """Whether the first row may tell of another thing than the question takes to be so.

    It took that back, be it but asked how things are, has not its number, or lacks a word that what was superseded is
    titled by.
    """
    first = ordered[0]
    if asks_why_not(question):
        return False
    if not takes_as_so(question):  # 'Is it 8 s?' is answered by what took that back
        return first.moved == TAKEN_BACK and question.type != "yes/no"
    numbers = {stem for stem in question.stems if stem.isdecimal()}
    old = (one for one in ordered[1:CITED] if one.fused.row.state == "superseded")
    return first.moved == TAKEN_BACK or not numbers <= first.holds or any(one.titled - first.titled for one in old)
