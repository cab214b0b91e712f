"""Whether something is there: what a document lists, an item or a heading each, answers 'is X supported?'."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cortex.composer.ordered import Ordered
from cortex.composer.question import Question
from cortex.composer.retrieve.offered import asked_for, lists
from cortex.language.stems import Stemmer

LISTED: Final = "listed in a document"
"""Why such a part stands before what is worth more."""


def listed_first(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> list[Ordered]:
    """*ordered*, where it asks whether something is there, after the first document that lists it as it is now."""
    what = asked_for(question, stemmer)
    listing = [one for one in ordered if what and lists(one.fused.row, what, stemmer)]
    listing.sort(key=lambda one: one.fused.relation != "listing")
    if not listing or any(one.fused.relation in ("listed", "owns", "done") for one in ordered):
        return [*ordered]
    return [listing[0]._replace(moved=LISTED), *(one for one in ordered if one is not listing[0])]
