"""Short values of a list, read with the sentence that introduces them: "The service listens on: 8080; 9090."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cortex.indexers.distill.norms import requires_each
from cortex.indexers.distill.prose import Lead, leans
from cortex.indexers.distill.unit import FEWEST_WORDS, LONGEST, SHORT, WORD, Shape, Unit

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

_AHEAD: Final = re.compile(r"\s(?:the|these) following(?=\s\w+(?:\s\w+)?$)")
"""What points at the list itself and leans on nothing before it."""

_WE: Final = re.compile(
    r"we (?:(?:only|officially|currently) )?(?:support|accept|require|guarantee|provide|use|allow|publish|ship)\b"
    r"(?!.*\b(?:examples?|references?|links?|resources?|as follows|steps?|questions?)\b).*"
)
_GOAL: Final = re.compile(
    r"\W*(?:in order )?to (?!(?:be|summari[sz]e|conclude|recap|clarify|illustrate|do (?:so|this|that)|this|that|me"
    r"|us|date)\b)\w+ \w",
    re.IGNORECASE,
)
"""What ordered steps lead to: "To restore a backup"."""

_STEPS: Final = re.compile(
    r"^(?!.*\b(?:this|that|it|its|they|here)\b)\W*(?!(?:please|you|i|we|see|there)\b)(?:\w+[ -]){2,}.*\b(?:(?:in|of"
    r"|has|takes) (?:(?:the|these) )?(?:following )?"
    r"(?:\w+ )?steps|these steps|(?:the )?following steps|in this order)$",
    re.IGNORECASE,
)
"""What is done in steps: "A release consists of these steps"."""


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
    """Whether what introduces a list says what its steps lead to."""
    return (ordered and _GOAL.match(lead) is not None) or _STEPS.search(lead) is not None


def _states(lead: str) -> bool:
    """Whether what introduces a list says something with it, of something that it names."""
    said = _AHEAD.sub(" ", lead.lower())
    states = _STATES.search(said) is not None and not _TELLS_NOTHING.match(said)
    return (states or _WE.fullmatch(said) is not None) and not leans(said)
