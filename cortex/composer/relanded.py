"""What brought back what a revert took out, where that revert would be told: 'Reland "Pack by weight"'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cortex.composer.ordered import Ordered
from cortex.composer.question import Question
from cortex.composer.retrieve.merge_titles import layers
from cortex.composer.retrieve.removal_titles import bare_title
from cortex.composer.rows import Row
from cortex.composer.updated import asks_how_it_is
from cortex.language.stems import split

RELANDED: Final = "brought back"
"""Why a row is first: the one after it was undone by it."""

MORE: Final = 3
"""Words a title may have beside that of the change it brings back: 'take two', 'bring back'."""


def relanded_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """*ordered*, where it asks how things are, or were, after the last change that undid the revert which was first."""
    is_asked = asks_how_it_is(question) or (question.type == "yes/no" and "revert" not in question.stems)
    first = ordered[0].fused.row if ordered and is_asked else None
    times, what = layers(bare_title(first.title)) if first and _is_done(first) else (0, "")
    if first is None or times % 2 == 0:
        return list(ordered)
    since = [one for one in ordered if _is_done(one.fused.row) and one.fused.row.day > first.day]
    of_it = [one for one in since if one.fused.row.source_id == first.source_id and _is_of(one.fused.row, what)]
    last = max(of_it, key=lambda one: one.fused.row.day, default=None)
    if last is None or layers(bare_title(last.fused.row.title))[0] % 2:
        return list(ordered)
    rest = [one for one in ordered[1:] if one is not last]
    return [last._replace(moved=RELANDED), ordered[0]._replace(moved=""), *rest]


def _is_done(row: Row) -> bool:
    return row.type == "commit" or (row.type, row.state) == ("pull", "merged")


def _is_of(row: Row, what: str) -> bool:
    """Whether a change is titled by *what* another took back, with few words beside."""
    wanted, words = split(what), split(layers(bare_title(row.title))[1])
    starts = range(len(words) - len(wanted) + 1)
    return (
        bool(wanted)
        and len(words) <= len(wanted) + MORE
        and any(words[at : at + len(wanted)] == wanted for at in starts)
    )
