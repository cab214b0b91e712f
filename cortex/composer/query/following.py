"""Follow-up questions: they name nothing themselves and are asked of what the last answer was about."""

from __future__ import annotations

from typing import Final

from cortex.composer.query.understand import understand
from cortex.composer.values import Query
from cortex.language.patterns import patterns
from cortex.language.words import STOP_WORDS
from cortex.regex import regex
from cortex.substrate.brain import Brain
from cortex.substrate.lookup import ArchivedFact, show
from cortex.substrate.model import CitedRecord, Scope
from cortex.substrate.reading import Reader
from cortex.substrate.sources import readable

_THREAD: Final = regex(r"[a-z]+:(\d+)")


def following(brain: Brain, text: str, after: str, *, scope: Scope) -> str:
    """*text* as it is to be asked after what cited *after*: unchanged unless it cannot stand alone.

    Args:
        after: a handle or a ref of what the last answer was about; '' at the start of a conversation.

    Raises:
        UnknownHandle: it cannot stand alone, and nothing the scope may read is called *after*.
    """
    if not after or not follows(understand(Reader(brain, readable(brain, scope)), text, brain.stemmer)):
        return text
    found = show(brain, after, scope=scope)
    if isinstance(found, ArchivedFact):
        found = show(brain, found.merged_into or found.record, scope=Scope(sources=(found.source,)))
    return text if isinstance(found, ArchivedFact) else asked_of(text, found.record)


def follows(query: Query) -> bool:
    """Whether the question cannot stand alone: it names nothing and has at most one or two words of its own."""
    if query.numbers or query.hashes or query.days or query.names:
        return False
    own = [term for term in query.terms if term not in STOP_WORDS]
    if patterns("questions", "asking")["pointing"].search(query.text):
        return len(own) <= 2 and len(query.content) <= 1
    return len(own) <= 1 and not query.content


def asked_of(text: str, topic: CitedRecord) -> str:
    """*text* as a question about *topic*: with its title, and the number of its thread where it has one.

    >>> asked_of("and why?", CitedRecord(type="issue", ref="issue:12", title="Leases end early"))
    'and why: Leases end early #12?'
    """
    thread = _THREAD.match(topic.ref)
    about = f"{topic.title} #{thread[1]}" if thread else topic.title
    return f"{text.strip().rstrip('?.! ')}: {about}?"
