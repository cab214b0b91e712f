"""What a decision says in its own sentences of those before it: 'Decision 1 no longer applies', 'replaces ADR 4'."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.indexers.connectors.outline import Document
from cortex.indexers.connectors.pages import line

# Where a decision is made, or what follows from it; elsewhere it tells of options and of what was before.
_DECIDES = re.compile(
    r"[\W\d_]*(?:the |our |final )?(?:decisions?|outcome|resolution|chosen option|conclusion|consequences?|status"
    r"|what (?:we|was) decided|we decided)\b",
    re.I,
)
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1|\Z)", re.M | re.S)
_SENTENCE_END = re.compile(r"(?<=[.!?;])(?<!\[\d\.)(?<!\[\d\d\.)\s+|\n\s*\n|\n(?=\s*(?:[-*+•]|\d+[.)])\s)")
_MARKS: Final = r"[^\w\[]*+(?:\d+[.)]\s+)?"  # a link, and no place within a run of marks is looked at from all others
_OLDER: Final = (
    r"(?P<which>(?:the\s+)?(?:(?:architecture\s+|architectural\s+)?decisions?(?:\s+records?)?|adrs?|records?)[\s#_-]*\d{1,5}"
    r"|\[[^\]\n]*\]\([^)\s\d]*+\d[^)\s]*\.(?:md|markdown|mdx|rst)[^)\s]*\))(?:\s*\([^()\n]*\)|\s*[“\"][^”\"\n]*[”\"])?"
)
_SO: Final = (
    r"(?:(?:so|thus|therefore|hence|hereby|herewith|with\s+this(?:\s+\w+)?|as\s+a\s+(?:result|consequence))\b,?\s+)?"
)
_STOPPED = re.compile(
    rf"{_MARKS}{_SO}{_OLDER}\s+(?:"
    r"(?:no\s+longer|does\s+not|doesn['’]t)\s+(?:appl(?:y|ies)|holds?|stands?)(?:\s+any\s*(?:more|longer))?"
    r"|(?:is|are)\s+(?:(?:now|hereby|thereby|thus|therefore)\s+)?(?:obsolete|void|revoked|withdrawn|retired|superseded|replaced"
    r"|overturned|no\s+longer\s+(?:valid|in\s+force|in\s+effect))(?:\s+(?:by|with)\s+this(?:\s+(?:one|decision|record|adr))?)?"
    r")\s*(?:[.!;]|$)",
    re.I,
)
_REPLACES = re.compile(
    rf"{_MARKS}{_SO}(?:(?:this(?:\s+(?:one|decision|record|adr))?|it|we|and)\s+)?(?:hereby\s+|now\s+)?"
    rf"(?:super[sc]edes?|replaces?|revokes?|withdraws?|overturns?|obsoletes?)\s+{_OLDER}\s*(?:[.,;!]|$)",
    re.I,
)
_ONLY_IF = re.compile(
    r"\b(?:partial\w*|partly|parts?|only|except|unless|if|when|once|until|would|could|should|may|might)\b", re.I
)


def ended_by(parsed: Document) -> Iterator[str]:
    """How *parsed* names each decision that it says no longer holds, where it says so of the whole of it."""
    for number, section in enumerate(parsed.sections):
        if number and not any(_DECIDES.match(title) for title in section.titles[1:]):
            continue
        lines = (line(parsed.page, at) for at in range(section.heading[1], section.end))
        text = _FENCED.sub("\n\n", "".join(lines))
        for sentence in _SENTENCE_END.split(text):
            said = " ".join(sentence.split())
            if (found := _STOPPED.match(said) or _REPLACES.match(said)) and not _ONLY_IF.search(said):
                yield found["which"]
