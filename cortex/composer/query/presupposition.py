"""Presupposition: the change a question assumes ('why was X removed?'), and whether the project records it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cortex.composer.values import AnswerType, Query, Scored
from cortex.language.stems import Stemmer, split
from cortex.language.verbs import FORMS, Form, Op
from cortex.language.words import STOP_WORDS
from cortex.substrate.reading import Reader

ENDS: Final = frozenset((Op.REMOVES, Op.REVERTS, Op.REPLACES, Op.SUPERSEDES, Op.DEPRECATES))
"""Ways in which something ceases to be; texts use one for another."""

PRESUPPOSING: Final = (AnswerType.REASON, AnswerType.PERSON, AnswerType.DATE, AnswerType.NAME, AnswerType.LIST)
DID, NOT = "did", "not"
MOST_WORDS: Final = 3  # words of a verb with its particles


def asked_change(query: Query) -> Op | None:
    """The operation a wh-question assumes: 'reverted' in 'why was X reverted?'."""
    if query.type not in PRESUPPOSING:
        return None
    return next((form.op for form, _ in _past_verbs(query.text)), None)


def _past_verbs(text: str) -> Iterator[tuple[Form, str]]:
    words = split(text)
    if NOT in words:
        return
    for size in range(MOST_WORDS, 0, -1):
        for place in range(len(words) - size + 1):
            form = FORMS.get(" ".join(words[place : place + size]))
            if form and (form.tense == "past" or (form.op in ENDS and DID in words[:place])):
                yield form, " ".join(words[:place] + words[place + size :])


def presupposed(query: Query, stemmer: Stemmer) -> tuple[frozenset[Op], frozenset[str]] | None:
    """The operations a wh-question assumes, and the stems of their object."""
    if query.type not in PRESUPPOSING:
        return None
    for form, rest in _past_verbs(query.text):
        if form.op in ENDS:
            about = {*stemmer.sequence(" ".join(word for word in split(rest) if word not in STOP_WORDS))}
            return ENDS, frozenset(about & query.content)
    return None


def is_unfounded(reader: Reader, query: Query, ranked: Sequence[Scored], stemmer: Stemmer) -> bool:
    """Whether *query* assumes a change that neither the stored changes nor the first rows state."""
    asked = presupposed(query, stemmer)
    if asked is None:
        return False
    ops, about = asked
    if not about or any(one.op in ops for one in reader.changes_about(about)):
        return False
    return not any(_states(one, ops, about, stemmer) for one in ranked)


def _states(one: Scored, ops: frozenset[Op], about: frozenset[str], stemmer: Stemmer) -> bool:
    start, end = one.window.span
    text = f"{one.row.title}\n{one.record['body'][start:end]}"
    return not ops.isdisjoint(named_ops(text)) and 2 * len(about & {*stemmer.sequence(text)}) > len(about)


def named_ops(text: str) -> set[Op]:
    """The operations whose verbs *text* holds, in any form."""
    words = split(text)
    sizes = range(1, MOST_WORDS + 1)
    grams = {" ".join(words[place : place + size]) for size in sizes for place in range(len(words))}
    return {FORMS[gram].op for gram in grams & FORMS.keys()}
