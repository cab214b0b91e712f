"""Short values of a list, read with the sentence that introduces them: "The service listens on: 8080; 9090."."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cortex.indexers.distill.norms import requires_each
from cortex.indexers.distill.prose import Lead, leans
from cortex.indexers.distill.unit import FEWEST_WORDS, LONGEST, SHORT, WORD, Shape, Unit
from cortex.language.patterns import patterns

_ENGLISH: Final = patterns("distill", "values")

_FEWEST: Final = 2


def values(lead: Lead, items: Sequence[Unit], *, ordered: bool) -> Unit | None:
    """The items of a list and the sentence that introduces it as one, where none is read alone: values, or steps."""
    if lead.start < 0 or len(items) < _FEWEST:
        return None
    if _is_done_so(lead.text, ordered=ordered):
        return _joined(lead, items, "steps")
    if requires_each(lead.text) or not _states(lead.text):
        return None
    words = [len(WORD.findall(unit.text)) for unit in items]
    alone = sum(count >= FEWEST_WORDS for count in words)
    if max(words) >= SHORT or 2 * alone > len(words) or any(unit.sentences > 1 for unit in items):
        return None
    return _joined(lead, items, "list")


def _joined(lead: Lead, items: Sequence[Unit], shape: Shape) -> Unit | None:
    said = f"{lead.text}: {'; '.join(unit.text.rstrip(' .,;') for unit in items)}."
    end = items[-1].end
    return Unit(lead.start, end, said, shape=shape) if max(end - lead.start, len(said)) <= LONGEST else None


def _is_done_so(lead: str, *, ordered: bool) -> bool:
    return (ordered and _ENGLISH["goal"].match(lead) is not None) or _ENGLISH["steps"].search(lead) is not None


def _states(lead: str) -> bool:
    said = _ENGLISH["ahead"].sub(" ", lead.lower())
    states = _ENGLISH["states"].search(said) is not None and not _ENGLISH["tells_nothing"].match(said)
    return (states or _ENGLISH["we"].fullmatch(said) is not None) and not leans(said)
