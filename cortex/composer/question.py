"""A question taken apart, and how much of what it asks stands in a text."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Final

from cortex.composer.answer_types import AnswerType
from cortex.composer.dates import DATE, date_of
from cortex.composer.defining import term
from cortex.language.identifiers import parts
from cortex.language.stems import Stemmer, split
from cortex.substrate.model import QuestionClass

_JOINED: Final = re.compile(r"(?<![\d.])\d+(?:[.:,-]\d+)+")
_DAY: Final = re.compile(r"\d{1,2}")
_ANYTHING: Final = frozenset(("chang", "go", "new"))
"""Stems of words that ask for all there was of a day, beside those that ask so of a thread: 'what changed on …?'."""

_COMPOSED: Final = re.compile(r"\d+(?:\.\d+)+|\d{1,2}:\d\d(?::\d\d)?|\d+(?:-\d+)+|\d{1,3}(?:,\d{3})+")
"""A time, a date, a version, a range: numbers that are one, and none of which is a number by itself."""

SAME: Final = 0.5
"""What a word is worth that says the same as the question's, beside the question's own."""


@dataclass(frozen=True)
class Question:
    """What is asked, as the retrievers and the judge need it.

    Attributes:
        weights: idf of each stem, in nats; a stem the brain never saw has the highest.
        unseen: stems no row holds.
        rows: how many passages the brain has.
        numbers: of the issues and pull requests it names.
        places: of those that it gives a repository the sources, by id; none where the brain has no such repository.
        decisions: numbers of the decision records it names.
        paths: of files and folders it names, as it writes them.
        hashes: of commits it may name, or the beginnings of them.
        rest: stems that ask for more than where such a thread stands.
        of_thread: stems that name a thread, or ask for what is known of it.
        told: whatever is known of the thread it names tells what it asks.
        content: stems that are neither everyday English nor single letters or digits, and names: what it is about.
        counted: the stem of what 'how many' or 'how much' asks to count; '' where it does not.
        named: stems of what it calls by a name: capitals inside a sentence, identifiers.
        names: those as they are written, and its versions.
        versions: that it names, which texts hold only with their identifiers taken apart: '0.5.1'.
        compounds: hyphenated names with a stop word in them, 'oncall' of 'on-call', each with what finds it written.
        forms: stems that are a question's stem in another form, 'held' of 'hold', each with that.
        related: for a stem, those of words that people use for the same thing.
        variant: words that say the same as its content, the heaviest stem's first.
        kind: the type of the records of which it asks which one: 'pull' of 'which PR'; '' where it asks for none.
        days: beginnings of the dates it names, as '2024-07', each with how it writes them.
        dates: the stems that name them.
        as_of: what was known then is asked for, ISO 8601; '' for what is known now.
        today: the day that 'last month' counts from; None where it is not known.
        latest: it asks how things are now.
        past: the time that it asks for a value of, as '2023-03', of which *as_of* is the end; '' for none.
    """

    text: str
    class_: QuestionClass
    type: AnswerType
    terms: tuple[str, ...]
    weights: Mapping[str, float]
    unseen: frozenset[str]
    rows: int
    numbers: tuple[int, ...] = ()
    places: Mapping[int, frozenset[int]] = field(default_factory=dict)
    decisions: tuple[int, ...] = ()
    paths: tuple[str, ...] = ()
    hashes: tuple[str, ...] = ()
    rest: frozenset[str] = frozenset()
    of_thread: frozenset[str] = frozenset()
    told: bool = False
    content: frozenset[str] = frozenset()
    counted: str = ""
    named: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    compounds: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)
    related: Mapping[str, frozenset[str]] = field(default_factory=dict)
    variant: tuple[str, ...] = ()
    kind: str = ""
    days: Mapping[str, str] = field(default_factory=dict)
    dates: frozenset[str] = frozenset()
    as_of: str = ""
    today: date | None = None
    latest: bool = False
    past: str = ""

    @cached_property
    def term(self) -> str:
        """What it asks for the meaning of; '' where it asks something else."""
        return term(self.text)

    @cached_property
    def undated(self) -> Question:
        """What it asks beside its dates; itself where that is nothing, or it has none: 'what happened in May 2024?'."""
        if not self.dates or self.rest - _ANYTHING <= self.dates:
            return self
        weights = {stem: weight for stem, weight in self.weights.items() if stem not in self.dates}
        return replace(self, weights=weights, content=self.content - self.dates, named=self.named - self.dates)

    @property
    def refs(self) -> list[str]:
        """Of the issues and pull requests it names; a number may be of either."""
        return [f"{type_}:{number}" for number in self.numbers for type_ in ("pull", "issue")]

    @cached_property
    def stems(self) -> frozenset[str]:
        """What weighs something."""
        return frozenset(self.weights)

    @cached_property
    def near(self) -> frozenset[str]:
        """Its stems, in every form, and those that say the same."""
        return self.stems.union(self.forms, *self.related.values())

    @cached_property
    def about(self) -> frozenset[str]:
        """Its content, and what says the same as that."""
        return self.content.union(*(self.related.get(stem, ()) for stem in self.content))

    @cached_property
    def words(self) -> list[str]:
        """Of its text in order, lower case."""
        return split(self.text)

    @cached_property
    def bare(self) -> tuple[str, ...]:
        """Its stems that are numbers."""
        return tuple(filter(str.isdecimal, self.weights))

    @cached_property
    def composed(self) -> frozenset[str] | None:
        """What is between the numbers of its times, dates and the like; None where it has no number at all."""
        if not self.bare:
            return None
        return frozenset(_between(one) for one in _JOINED.findall(self.text) if _COMPOSED.fullmatch(one)) | (
            {"-"} if self.days else set()
        )

    @cached_property
    def of_days(self) -> re.Pattern[str] | None:
        """What finds the numbers of the days and months it names, which are such in a date alone; no 03 of 'T-03'."""
        days = [re.escape(one) for one in self.dates if _DAY.fullmatch(one) and int(one) not in self.numbers]
        return re.compile(rf"(?<!\d)(?:{'|'.join(sorted(days))})(?!\d)") if days else None

    @cached_property
    def likenesses(self) -> dict[frozenset[str], float]:
        """What `likeness` found of each set of stems: a few dozen of several hundred differ."""
        return {}

    @cached_property
    def held(self) -> dict[str, frozenset[str]]:
        """What `stands_in_each` found in each text: titles, passages and sentences are looked at more than once."""
        return {}

    @cached_property
    def weight(self) -> float:
        """Of all its stems together; never nothing."""
        return sum(self.weights.values()) or 1.0


def covered_by_each(question: Question, texts: Iterable[str], stemmer: Stemmer) -> list[float]:
    """The share of the question's weight whose terms stand in each of *texts*, 0 to 1."""
    weights, wanted = question.weights, question.stems.union(question.forms)
    held = stemmer.among_each(wanted, _searched(question, texts))
    own = [_own(question, stems) for stems in held]
    return [sum([weight for stem, weight in weights.items() if stem in stems]) / question.weight for stems in own]


def stands_in(question: Question, text: str, stemmer: Stemmer) -> frozenset[str]:
    """Those of the question's stems, and of what says the same, that stand in *text*."""
    return stands_in_each(question, [text], stemmer)[0]


def stands_in_each(question: Question, texts: Iterable[str], stemmer: Stemmer) -> list[frozenset[str]]:
    """`stands_in` for each of *texts*, which costs less."""
    texts, held = [*texts], question.held
    new = [text for text in dict.fromkeys(texts) if text not in held]
    found = stemmer.among_each(question.near, _searched(question, new)) if new else []
    held.update(zip(new, (_own(question, stems) for stems in found), strict=True))
    return [held[text] for text in texts]


def _own(question: Question, stems: frozenset[str]) -> frozenset[str]:
    """*stems* with those that are a stem of the question in another form as that."""
    return frozenset(question.forms.get(stem, stem) for stem in stems) if question.forms else stems


def _searched(question: Question, texts: Iterable[str]) -> Iterable[str]:
    """*texts*, those with a version that is asked for with their identifiers taken apart, and each date as it is asked.

    'Outage 2024-02-10' is of February 2024. What is asked for in one word, 'on-call', is one, and no 12 is in '07:12'.
    """
    if question.versions or question.days or question.compounds:
        return [
            f"{_numbers_in(question, text)}{_versions_in(question, text)}{_dates_in(question, text)}"
            f"{_compounds_in(question, text)}"
            for text in texts
        ]
    return texts if question.composed is None else [_numbers_in(question, text) for text in texts]


def _numbers_in(question: Question, text: str) -> str:
    """*text* without numbers that are a part of another, of a time where the question has no time."""
    own = question.composed
    if own is None or all(one not in text for one in question.bare):
        return text
    text = question.of_days.sub(" ", text) if question.of_days else text
    return _JOINED.sub(
        lambda match: match[0] if _between(match[0]) in own or not _COMPOSED.fullmatch(match[0]) else " ", text
    )


def _between(numbers: str) -> str:
    return next(one for one in numbers if not one.isdecimal())


def _compounds_in(question: Question, text: str) -> str:
    return "".join(f" {word}" for word, written in question.compounds.items() if written.search(text))


def _versions_in(question: Question, text: str) -> str:
    return f" {parts(text)}" if any(one in text for one in question.versions) else ""


def _dates_in(question: Question, text: str) -> str:
    """What the question calls the dates of *text*."""
    if all(day[:4] not in text for day in question.days):
        return ""
    told = {date_of(match) for match in DATE.finditer(text)}
    return "".join(said for day, said in question.days.items() if any(one.startswith(day) for one in told))


def likeness(question: Question, stems: Collection[str]) -> float:
    """The share of the question's weight that *stems* hold, 0 to 1; a word that says the same counts `SAME` of it."""
    known, these = question.likenesses, frozenset(stems)
    if these not in known:
        said = sum(weight for stem, weight in question.weights.items() if stem in these)
        same = sum(
            question.weights.get(stem, 0.0)
            for stem, others in question.related.items()
            if stem not in these and not others.isdisjoint(these)
        )
        known[these] = (said + SAME * same) / question.weight
    return known[these]


def coverage(weights: Mapping[str, float], stems: Collection[str]) -> float:
    """The share of *weights* whose terms are among *stems*, 0 to 1; 0 when nothing weighs anything."""
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in stems) / total if total else 0.0


def idf(documents: int, rows: int) -> float:
    """How much a term tells, in nats: ln(1 + (N - n + .5) / (n + .5)), never negative.

    Source: Robertson and Zaragoza 2009, doi:10.1561/1500000019, in the form of Lucene's BM25Similarity.
    """
    return math.log(1 + max(0.0, rows - documents + 0.5) / (documents + 0.5))
