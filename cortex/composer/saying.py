"""What of a question each sentence of a row says, with its title, its columns and its form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Final

from cortex.composer.answer_types import KNOWN_BY_FORM, asks, gives
from cortex.composer.ordered import Ordered, is_beside
from cortex.composer.question import Question, likeness, stands_in, stands_in_each
from cortex.composer.retrieve.reasons import ended_so
from cortex.language.stems import Stemmer, split

BETWEEN_SENTENCES: Final = re.compile(r"\s(?:(?<=[.!?]\s)\s*|(?<=\n)\n*)")

NUMBERS: Final = frozenset(
    """zero no one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy
    eighty ninety hundred thousand million single both half once twice""".split()
)

FORMS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        **dict.fromkeys(("version", "releas"), re.compile(r"\b\d+\.\d+|\b(?P<of>[^\W\d]\w*) v?\d{1,3}\b(?![-/:])")),
        **dict.fromkeys(("url", "link"), re.compile(r"https?://")),
        "temperatur": re.compile(r"\d\s?°"),
        **dict.fromkeys(
            ("colour", "color"),
            re.compile(
                r"\b(?:black|white|grey|gray|red|green|blue|yellow|orange|purple|violet|pink|brown|amber)\b", re.I
            ),
        ),
    }
)
"""By the stem of a word for what is asked, what a text has that holds one without the word."""


USING: Final = frozenset("us need requir run support target want".split())
"""Stems of what is done with whatever has a version."""


def statements_in(text: str) -> list[str]:
    """The sentences of *text* that do not ask."""
    return [one for one in BETWEEN_SENTENCES.split(text) if one and not asks(one)]


def said_by_each(question: Question, one: Ordered, stemmer: Stemmer, *, giving: bool = False) -> list[frozenset[str]]:
    """What of the question each sentence of a row has with the title above it; no sentence that asks has anything.

    Args:
        giving: leave out sentences without what is asked for, where that is known by its form.
    """
    row = one.fused.row
    titled = stands_in(question, row.title, stemmer)
    titled |= question.of_thread if one.fused.relation == "named" or is_titled_so(question, one) else set()
    titled |= question.dates if one.values["dated"] == 1 else set()
    sentences = statements_in(row.text)
    if question.counted:
        sentences = [one for one in sentences if _counts(question.counted, one, stemmer)]
    if giving and question.type in KNOWN_BY_FORM and not question.counted:
        sentences = [one for one in sentences if gives(question.type, one)]
    found = stands_in_each(question, sentences, stemmer)
    found = with_columns(sentences, found) if "|" in row.text else found
    return [titled | stems for stems in (_with_forms(question, sentences, found) if giving else found)]


def is_titled_so(question: Question, one: Ordered) -> bool:
    """Whether a row is the thread that the question calls by its title, which ended as that says."""
    about = question.content - question.of_thread
    return bool(about) and about <= one.titled and ended_so(question, one.fused.row)


def likest(question: Question, one: Ordered, stemmer: Stemmer) -> float:
    """The largest likeness to the question that a sentence has with the title above it; 0 in a row beside the point."""
    if is_beside(question, one):
        return 0.0
    return max((likeness(question, held) for held in said_by_each(question, one, stemmer)), default=0.0)


def with_columns(sentences: Sequence[str], found: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """What each sentence has, a row of a table with what the names of its columns have."""
    columns: frozenset[str] = frozenset()
    before, told = "", []
    for sentence, stems in zip(sentences, found, strict=True):
        if not sentence.startswith("|"):
            columns = frozenset()
        elif not before.startswith("|"):
            columns = stems
        told.append(stems | columns)
        before = sentence
    return told


def _with_forms(question: Question, sentences: Iterable[str], found: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """What each sentence has, and the word for what its form tells: 'Python 3.10' need not say that it is a version."""
    told = {stem: form for stem, form in FORMS.items() if stem in question.stems}
    if not told:
        return [*found]
    return [
        stems | {stem for stem, form in told.items() if stems - told.keys() and _has(question, form, sentence, stems)}
        for sentence, stems in zip(sentences, found, strict=True)
    ]


def _has(question: Question, form: re.Pattern[str], sentence: str, stems: AbstractSet[str]) -> bool:
    """Whether *sentence* has *form*; where that is but a number, beside a word of the question: 'Node 20'.

    And then it says all else that is asked: where Node 20 is built it is not what was dropped.
    """
    found = {match.groupdict().get("of") for match in form.finditer(sentence)}
    if None in found:
        return True
    beside = any(of and of.lower() in question.words for of in found)
    return beside and question.stems - FORMS.keys() - USING <= stems


def _counts(noun: str, sentence: str, stemmer: Stemmer) -> bool:
    """Whether a number stands up to four words before *noun*: '4 GB of free memory'."""
    words = split(sentence)
    of_noun = {word for word, stem in stemmer.stem(words).items() if stem == noun}
    numbers = [place for place, word in enumerate(words) if word.isdecimal() or word in NUMBERS]
    return any(not of_noun.isdisjoint(words[place + 1 : place + 5]) for place in numbers)
