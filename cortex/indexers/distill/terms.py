"""What says what a term is: '*Epoch* means …', '"Quorum" refers to …', '**Fence** — a number that …'."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.unit import MOST_WORDS, WORD, Unit
from cortex.language.markdown import Span

_FEWEST: Final = 3
_SMALL: Final = frozenset(("an", "the", "of", "to"))

_SAYS: Final = r"(?:means?|refers?\s+to|denotes?|stands?\s+for|(?:is|are)\s+(?:defined|short\s+for))\b"
_IS: Final = (
    r"is\s+(?:an?|the|any|what|how|(?:more|less|fewer)\s+than|at\s+(?:least|most)|half)\b|are\s+(?:the|those|all)\b"
)
_WHAT: Final = r"(?:an?|the|any|each|every|all|one|how|what|when|where|whether|which|who)\b"
_LABEL: Final = (
    r"(?!(?:(?:good|bad|an?|for)\s+)?(?:examples?|exceptions?|notes?|tips?|hints?|warnings?|cautions?|important"
    r"|steps?|questions?"
    r"|answers?|problems?|solutions?|results?|reasons?|why|how|when|before|after|pros|cons|goals?|background"
    r"|context|options?"
    r"|updates?|edit|todo|fix(?:es|ed)?|bugs?|description|summary|usage|see|action|recommendation|e\.g|i\.e)\b)"
)
"""What stands before a colon and is no term."""

_MARKED: Final = re.compile(
    rf"(?:(?:an?|the)\s+(?:(?:term|word|name|phrase)\s+)?)?(?:\*\*|__|[*_`\"“]){_LABEL}"
    r"[^*_`\"”\n]{1,60}?(?P<inside>:)?(?:\*\*|__|[*_`\"”])"
    r"(?:\s\([^)\n]{1,40}\))?"
    rf"(?:\s+(?:{_SAYS}|{_IS})|(?(inside)|\s*(?::|[—–]|--?(?=\s)))\s+{_WHAT})",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(
    r"(?:(?:an?|the)\s+)?(?!(?:this|that|which|it|here|there)\b)[\w-]+(?:\s[\w-]+){0,2}\s+"
    r"(?:refers\s+to|denotes|stands\s+for|is\s+defined\s+as|is\s+short\s+for)\b",
    re.IGNORECASE,
)
_ONE: Final = re.compile(
    rf"An?\s+{_LABEL}(?!(?:\w+ )?(?:way|idea|alternative|approach|drawback|advantage|disadvantage|benefit|downside"
    rf"|caveat|concern"
    r"|challenge|goal|list|number|lot|few|bit|set|possibility|solution|fix|issue|case|choice|workaround|trade-?off"
    r"|change|common|typical"
    r"|similar|second|third|new|simple|key|major|main|further|related|popular|different)\b)"
    r"[\w-]+(?:\s[\w-]+){0,2}?\s+is\s+(?:an?|the|any|one)\s+(?!(?:good|bad|great|must|lot|bit|problem|mistake|risk"
    r"|concern|challenge"
    r"|nice|useful|common|better|best|easy|simple|first|next|last|same|way)\b)[a-z]",
)
"""What one of a kind is, marked or not: "A lease is a row that …"."""
_SAID: Final = re.compile(
    rf"By\s+[*_`\"“][^*_`\"”\n]{{1,60}}[*_`\"”]+,?\s+(?:we|I)\s+mean\b"
    rf"|(?!An?\s){_LABEL}[A-Z][\w-]+(?:\s[a-z][\w-]+)?:\s+an?\s"
    r"[\w\s-]{2,40}?\s(?:that|which|of|for|by|with|to|in)\s"
)


def defines(text: str, span: Span) -> bool:
    """Whether a sentence says what a term is."""
    return any(form.match(text, span.start, span.end) for form in (_MARKED, _PLAIN, _ONE, _SAID))


def says_what(unit: Unit) -> bool:
    """Whether a definition says more than its term: "url_for: The url_for function." does not."""
    words = WORD.findall(unit.text.lower())
    own = set(words) - set(WORD.findall(unit.context.lower())) - _SMALL
    return len(own) >= _FEWEST and len(words) <= MOST_WORDS
