"""Which comments of a thread tell why it is so, or how much, though they need not share a word with the question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from cortex.composer.amounts import LONGEST
from cortex.composer.answer_types import asks
from cortex.composer.claims import HEDGES, NEGATIONS, tokens
from cortex.composer.holding import Value
from cortex.composer.question import Question, coverage, stands_in, stands_in_each
from cortex.composer.retrieve.reasons import FEWEST, Said, said_in
from cortex.composer.rows import Row
from cortex.composer.rulings import lets
from cortex.language.markdown import Span
from cortex.language.sentences import sentences_of
from cortex.language.stems import Stemmer, split
from cortex.substrate.brain import Brain

FEW: Final = 4
"""Comments of a thread of which each may be meant as the answer, whatever its words."""

MOST: Final = 2
"""Comments that are told."""

_IGNORED: Final = re.compile(
    r"\b(?:ignore (?:me|my|this|that|it)|never ?mind|disregard|scratch that|my (?:bad|mistake|fault)"
    r"|i was wrong|wrong (?:repo|thread|issue|tab)|just (?:kidding|joking))\b",
    re.I,
)
_LIKED: Final = re.compile(
    r"\W*+(?:because|since|as|cause|cuz)?[,\s]*+(?:i|we) (?:just |simply |really )?"
    r"(?:hate|hated|like|liked|love|loved|prefer|preferred|want|wanted|felt like|said so|say so|can|could)"
    r"(?:\s+\w+){0,2}\W*+",
    re.I,
)
"""A reason that says of nobody but who gives it."""

_DENIES: Final = re.compile(
    r"\W*+(?:no|nope|nah|wrong|actually|not (?:true|so|quite)|that(?:['’]s| is| was) (?:not|wrong))\b", re.I
)
"""How a comment begins that says of the one before it that it is not so."""

_DENIED: Final = re.compile(r"\b(?:not|never|\w+n['’]t)\s+(?:so much |really )?$", re.I)
_WISHED: Final = re.compile(r"\b(?:wish\w*|hop(?:e|es|ing)|nice|(?:would|i['’]d|we['’]d) (?:like|love|prefer))\b", re.I)
"""What says before a reason that somebody wants it so, not that it is: 'Would be nice because my boss wants it'."""

_DOUBTS: Final = HEDGES | {"could"}

_ENDS: Final = re.compile(r"\b(?:clos|merg)(?:e|es|ed|ing)\b|\bn?ack\b|\blgtm\b", re.I)
"""What somebody says of the thread itself."""

MARKED: Final = 3
PLAIN: Final = 2
DOUBTED: Final = 1

PLAINLY: Final = 4
"""Words of a comment that tells something plainly."""

DOUBT: Final = 0.5
"""What a comment of a long thread is worth less for which who says it does not stand."""


class _Weighed(NamedTuple):
    """What a comment is worth as an answer; what comes first counts most."""

    says_something: bool
    of_project: bool
    how: int
    worth: float


def telling(
    brain: Brain, question: Question, thread: Row, value: Value, stemmer: Stemmer, *, fixed_by: str = ""
) -> list[int]:
    """The comments of *thread* that tell the *value*, best first: of members, not doubted, denied or a mere wish.

    Of a long thread one reason; of a short one that is about what is asked also what is said plainly.

    Args:
        fixed_by: what the change says of itself that fixed the thread, which so ended for that alone.
    """
    said = [*said_in(brain, question, thread)]
    denied = {one.record_id for later, one in pairwise(said) if _DENIES.match(later.body)}
    every = [one for one in said if len(split(one.body)) >= FEWEST and not asks(one.body)]
    if asks_why_not(question):
        every = [one for one in every if not lets(one.body)]
    held = stands_in_each(question, [one.body for one in every], stemmer)
    is_reason, is_short = value.name == "reason", len(said) <= FEW
    reads_plain = is_reason and is_short and _is_about(question, f"{thread.title}\n{thread.text}\n{fixed_by}", stemmer)
    weighed: list[tuple[_Weighed, int]] = []
    for one, stems in zip(every, held, strict=True):
        how = _how(question, one, value, stemmer)
        if how == PLAIN and not (reads_plain and _says_plainly(one.body)):
            continue
        worth = coverage(question.weights, stems) + (one.worth if is_reason and not fixed_by else 0.0)
        if how == DOUBTED and not is_short:
            how, worth = MARKED, worth - DOUBT
        how = 0 if one.record_id in denied else how
        weighed.append((_Weighed(not _tells_little(one.body), one.of_project, how, worth), one.record_id))
    weighed.sort(key=itemgetter(0), reverse=True)
    alike = [record for one, record in weighed if one[:3] == weighed[0][0][:3]]
    return alike[: MOST if is_short or not is_reason else 1]


def asks_why_not(question: Question) -> bool:
    """Whether it asks why something is not so, which nothing tells that speaks for it."""
    return question.type == "reason" and not NEGATIONS.isdisjoint(tokens(question.text))


def _is_about(question: Question, text: str, stemmer: Stemmer) -> bool:
    """Whether a thread says in *text* all that the question is about but what became of it."""
    about = question.content - question.of_thread
    return bool(about) and about <= stands_in(question, text, stemmer)


def _says_plainly(body: str) -> bool:
    return len(split(body)) >= PLAINLY and _ENDS.search(body) is None


def _how(question: Question, one: Said, value: Value, stemmer: Stemmer) -> int:
    """Whether a comment gives the value, and without doubt, or says something plainly."""
    marked = [*_marked(one.body, value)]
    if not marked:
        return MARKED if one.refuses else PLAIN
    if value.name != "reason":
        return MARKED
    held = stands_in_each(question, [sentence for sentence, _ in marked], stemmer)
    sure = (
        _is_sure(sentence, mark, does=not question.content.isdisjoint(stems))
        for (sentence, mark), stems in zip(marked, held, strict=True)
    )
    return MARKED if any(sure) else DOUBTED


def _marked(body: str, value: Value) -> Iterator[tuple[str, Span]]:
    """Each sentence of *body* that gives the value, or is labelled as one, and by what; by 'would' if by no more."""
    text = body[:LONGEST]
    for span in sentences_of(text, Span(0, len(text))):
        sentence = text[slice(*span)]
        label, colon, _ = sentence.partition(":")
        labelled = value.titled.search(label) if value.titled and colon else None
        marks = [labelled] if labelled else [*value.given.finditer(sentence)]
        if marks:
            yield sentence, Span(*min(marks, key=lambda mark: mark[0].casefold() == "would").span())


def _is_sure(sentence: str, mark: Span, *, does: bool) -> bool:
    """Whether a reason is given for what is, and not denied, guessed or wished.

    Args:
        does: the sentence says what is asked about: 'I dropped it because …' is no wish.
    """
    before = sentence[: mark.start]
    if sentence[slice(*mark)].casefold() == "would" or _DENIED.search(before) or _WISHED.search(before):
        return False
    return (_DOUBTS - {"i"} if does else _DOUBTS).isdisjoint(tokens(sentence))


def _tells_little(body: str) -> bool:
    """Whether a comment takes itself back, or gives as its reason but that somebody likes it so."""
    text = body[:LONGEST].strip()
    return _IGNORED.search(text) is not None or _LIKED.fullmatch(text) is not None
