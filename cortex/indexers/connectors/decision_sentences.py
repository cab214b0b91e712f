"""What a decision says in its own sentences of those before it: 'Decision 1 no longer applies', 'replaces ADR 4'."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.indexers.connectors.outline import Document
from cortex.indexers.connectors.pages import line
from cortex.language.patterns import patterns
from cortex.language.sentences import sentences

_ENGLISH: Final = patterns("connectors", "decision_sentences")

_CLAUSE: Final = re.compile(r"(?<=;)\s+")


def ended_by(parsed: Document) -> Iterator[str]:
    """How *parsed* names each decision that it says no longer holds, where it says so of the whole of it."""
    for number, section in enumerate(parsed.sections):
        if number and not any(_ENGLISH["decides"].match(title) for title in section.titles[1:]):
            continue
        lines = (line(parsed.page, at) for at in range(section.heading[1], section.end))
        text = "".join(lines)
        for said in (part for span in sentences(text) for part in _CLAUSE.split(" ".join(text[slice(*span)].split()))):
            found = _ENGLISH["stopped"].match(said) or _ENGLISH["replaces"].match(said)
            if found and not _ENGLISH["only_if"].search(said):
                yield found["which"]
