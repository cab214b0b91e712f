"""Short values of a list, read with the sentence that introduces them: "The service listens on: 8080; 9090."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cortex.indexers.distill.norms import requires_each
from cortex.indexers.distill.prose import Lead, leans
from cortex.indexers.distill.unit import FEWEST_WORDS, LONGEST, SHORT, WORD, Unit

_FEWEST: Final = 2
_VERBS: Final = (
    "accept add address allow come consist contain cover define depend distinguish drop emit export expose handle"
    " ignore include keep know listen need offer produce provide read recognise recognize reject remove replace require"
    " reserve respond return run send set ship store support take understand use write"
).split()
_STATES: Final = re.compile(
    r"\w\W+(?:(?:is|are|was|were|has|have|had|must|shall|should|may|can|cannot|will|does|do)\b"
    rf"|(?:{'|'.join(_VERBS)})e?s\b)"
)
_TELLS_NOTHING: Final = re.compile(
    r"\W*(?:(?:see|here|there|we|i|you|your|if|when|to|in this|some|other|please|what|who|how|why)\b|thank|https?:|\["
    r"|for (?:example|instance|more)\b|(?:good|further|useful|helpful|additional) )"
    r"|.*\b(?:thank\w*|examples?|contributors?|sponsors?|people|references?|links?|resources?|as follows|in this order"
    r"|steps?|checklist|questions?|tasks?|reading)\b",
    re.DOTALL,
)
"""A sentence that introduces a list without saying anything of what stands in it."""


def values(lead: Lead, items: Sequence[Unit]) -> Unit | None:
    """The items of a list and the sentence that introduces it as one, where they are too short to be read alone."""
    if lead.start < 0 or len(items) < _FEWEST or requires_each(lead.text) or not _states(lead.text):
        return None
    words = [len(WORD.findall(unit.text)) for unit in items]
    alone = sum(count >= FEWEST_WORDS for count in words)
    if max(words) >= SHORT or 2 * alone > len(words) or any(unit.sentences > 1 for unit in items):
        return None
    said = f"{lead.text}: {'; '.join(unit.text.rstrip(' .,;') for unit in items)}."
    end = items[-1].end
    return Unit(lead.start, end, said, shape="list") if max(end - lead.start, len(said)) <= LONGEST else None


def _states(lead: str) -> bool:
    """Whether what introduces a list says something with it, of something that it names."""
    said = lead.lower()
    return _STATES.search(said) is not None and not _TELLS_NOTHING.match(said) and not leans(lead)
