"""Follow-up questions: rewritten with the topic of the last answer if they name none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cortex.composer.answer.attribution import named
from cortex.composer.answer.extract import is_told
from cortex.composer.query.understand import understand
from cortex.composer.retrieve.lookup import look_up
from cortex.composer.values import AnswerType, Query
from cortex.language.changelogs import is_changelog, section
from cortex.language.patterns import patterns, words
from cortex.language.stems import split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.model import CitedRecord, Scope
from cortex.substrate.reading import Reader
from cortex.substrate.sources import readable

NAMED: Final = ("issue", "pull", "commit", "comment")
ASKED_OF_ALL: Final = (AnswerType.PERSON, AnswerType.DATE, AnswerType.REASON)
"""What may be asked of anything; what else the project itself states is asked of the project."""


def following(brain: Brain, text: str, after: str, *, scope: Scope) -> str:
    """Rewrite *text* with the topic *after*; unchanged if it names its own topic.

    Args:
        after: a handle or a ref of what the last answer was about; '' at the start of a conversation.

    Raises:
        UnknownHandle: it cannot stand alone, and nothing the scope may read is called *after*.
    """
    if not after or is_courtesy(text):
        return text
    reader = Reader(brain, readable(brain, scope))
    query = understand(reader, text, brain.stemmer)
    if not follows(query):
        return text
    stands_alone = is_told(look_up(reader, text, today=None))
    if stands_alone and query.type not in ASKED_OF_ALL:
        return text
    from cortex.substrate.lookup import ArchivedFact, show  # noqa: PLC0415  a first question does not wait for it

    found = show(brain, after, scope=scope)
    if isinstance(found, ArchivedFact):
        found = show(brain, found.merged_into or found.record, scope=Scope(sources=(found.source,)))
    if isinstance(found, ArchivedFact) or (stands_alone and found.record.type == "project"):
        return text  # after what the project states of itself, "it" is the project
    return asked_of(text, found.record)


def follows(query: Query) -> bool:
    """Whether the question depends on context: it names nothing and has at most two content words."""
    if query.numbers or query.hashes or query.days or query.names:
        return False
    own = [term for term in query.terms if term not in STOP_WORDS]
    if patterns("questions", "asking")["pointing"].search(query.text):
        return len(own) <= 2 and len(query.content) <= 1
    return len(own) <= 1 and not query.content


def asked_of(text: str, topic: CitedRecord) -> str:
    """*text* as a question about *topic*: a thread, a commit or a release in the place of 'it', else with its title.

    >>> topic = CitedRecord(type="issue", ref="issue:12", title="Leases end early")
    >>> asked_of("and who wrote it?", topic), asked_of("and why?", topic)
    ('and who wrote issue #12?', 'and why: Leases end early, issue #12?')
    >>> release = CitedRecord(type="doc", ref="doc:CHANGES.md#12", title="Changes › 1.2", path="CHANGES.md")
    >>> asked_of("when was it released?", release), asked_of("and why?", release)
    ('when was 1.2 released?', 'and why: Changes › 1.2?')
    """
    called = _called(topic)
    if called and (put := patterns("questions", "asking")["pronoun"].sub(called, text, count=1)) != text:
        return put
    title = topic.title if called in topic.title else f"{topic.title}, {called}"
    return f"{text.strip().rstrip('?.! ')}: {title}?"


def _called(topic: CitedRecord) -> str:
    """The thread, the commit or the release that *topic* is, or is part of; '' where it is none."""
    kind, _, name = topic.ref.partition(":")
    if kind in NAMED:
        return named(f"issue:{name.partition('#')[0]}" if kind == "comment" else topic.ref)
    release = section(topic.title, "") if is_changelog(topic.path) else None
    return release.version if release else ""


def next_topic(topic: str, text: str, question: str, cited: Sequence[str]) -> str:
    """The topic after *text* was asked as *question*: the first record *cited*; a follow-up keeps the topic."""
    return cited[0] if cited and (text == question or not topic) else topic


def is_courtesy(text: str) -> bool:
    """Whether *text* is only a greeting or thanks.

    >>> is_courtesy("Hello there!"), is_courtesy("thanks, that helps"), is_courtesy("hello world example")
    (True, True, False)
    """
    said, known = split(text), words("questions", "courtesies")
    return not known.isdisjoint(said) and words("questions", "beside_courtesies").union(known).issuperset(said)
