"""Questions that follow another: they name nothing themselves, and are asked of what the last answer was about."""

from __future__ import annotations

import re
from typing import Final

from cortex.composer.question import Question
from cortex.composer.understanding import understand
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import ArchivedFact, show
from cortex.substrate.model import CitedRecord, Scope

_POINTS: Final = re.compile(
    r"\b(?:it|its|this|that|these|those|they|them|their|he|him|his|she|her|hers|the same|so)\b", re.I
)
_THREAD: Final = re.compile(r"(?:issue|pull|comment):(\d+)")


def following(brain: Brain, text: str, after: str, *, scope: Scope) -> str:
    """*text* as it is to be asked after what cited *after*: as it stands, unless it cannot stand alone.

    Args:
        after: a handle or a ref of what the last answer was about; '' where nothing was said before.

    Raises:
        UnknownHandle: it cannot stand alone, and nothing the scope may read is called *after*.
    """
    if not after or not follows(understand(brain, text, brain.stemmer)):
        return text
    found = show(brain, after, scope=scope)
    if isinstance(found, ArchivedFact):
        found = show(brain, found.merged_into or found.record, scope=Scope(sources=(found.source,)))
    return text if isinstance(found, ArchivedFact) else asked_of(text, found.record)


def follows(question: Question) -> bool:
    """Whether the question cannot stand alone.

    It names no number, date or version; and either it has at most one word of its own, of everyday English ("and why?",
    "who decided?"), or it points at something ("who decided that?", "was it reverted?") with at most two, one of
    them out of the ordinary.
    """
    if question.numbers or question.hashes or question.days or question.versions:
        return False
    own = [term for term in question.terms if term not in STOP_WORDS]
    if _POINTS.search(question.text):
        return len(own) <= 2 and len(question.content) <= 1
    return len(own) <= 1 and not question.content


def asked_of(text: str, topic: CitedRecord) -> str:
    """*text* as a question about *topic*: with its title, and the number of its thread where it has one.

    >>> asked_of("and why?", CitedRecord(type="issue", ref="issue:12", title="Leases end early"))
    'and why: Leases end early #12?'
    """
    thread = _THREAD.match(topic.ref)
    about = f"{topic.title} #{thread[1]}" if thread else topic.title
    return f"{text.strip().rstrip('?.! ')}: {about}?"
