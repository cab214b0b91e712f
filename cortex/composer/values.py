"""The values that pass between the stages, and the protocols of what can be plugged in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from cortex.language.markdown import Span
from cortex.substrate.encoder import Vector
from cortex.substrate.model import Citation, Evidence, QuestionClass, Statement
from cortex.substrate.reading import Row


class AnswerType(StrEnum):
    """The type of answer a question asks for."""

    PERSON = "person"
    DATE = "date"
    NUMBER = "number"
    NAME = "name"
    YES_NO = "yes/no"
    REASON = "reason"
    PROCEDURE = "procedure"
    LIST = "list"
    LINK = "link"
    RESULT = "result"
    TEXT = "text"


class Model(StrEnum):
    """Which coefficients apply: those fitted with an encoder's likeness, or without."""

    LEXICAL = "lexical"
    SEMANTIC = "semantic"


class Reason(StrEnum):
    """Why a row is a candidate."""

    LISTED = "listed"
    NAMED = "named"
    TEXT = "text"
    FACT = "fact"
    VECTOR = "vector"
    LINK = "link"
    LINEAGE = "lineage"


@dataclass(frozen=True)
class Query:
    """A question as understood.

    Attributes:
        terms: words to search for, lower case, rarest knowledge left to the index.
        weights: idf of each stem, in nats.
        related: for a stem, stems of words used for the same thing.
        variant: words of those, searched for beside the terms.
        forms: stems that are another form of one of the question's stems, each with that.
        content: stems that name what the question is about.
        named: stems of names, identifiers and versions, which an answer has to hold.
        names: those as written.
        numbers: issues and pull requests by number; `hashes` commits; `paths` files.
        days: the times it names, each as its first day and the day after its last.
        dates: stems of those times as written; a record of the time holds them.
        thread: stems that name its threads, 'issue' and '12'; such a thread holds them.
        counted: stem of what 'how many' asks to count; '' where it does not.
        recorded: the day or the author of a commit or a pull request answers it.
        kind: record type that is asked for, 'pull' of 'which PR'; '' for any.
        rows: passages in the brain.
        as_of: ISO 8601, '' for now.
        today: the day that 'last month' counts from.
        vector: of the text, where an encoder is installed, by the `encoder` of this name; else empty.
    """

    text: str
    class_: QuestionClass
    type: AnswerType
    terms: tuple[str, ...]
    weights: Mapping[str, float]
    rows: int
    related: Mapping[str, frozenset[str]] = field(default_factory=dict)
    variant: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict)
    content: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    unseen: frozenset[str] = frozenset()
    numbers: tuple[int, ...] = ()
    decisions: tuple[int, ...] = ()
    hashes: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    days: tuple[tuple[str, str], ...] = ()
    dates: frozenset[str] = frozenset()
    thread: frozenset[str] = frozenset()
    counted: str = ""
    recorded: bool = False
    kind: str = ""
    as_of: str = ""
    today: date | None = None
    vector: Vector = b""
    encoder: str = ""

    @property
    def model(self) -> Model:
        """The coefficients that apply."""
        return Model.SEMANTIC if self.vector else Model.LEXICAL

    @property
    def stems(self) -> frozenset[str]:
        """All stems that weigh anything."""
        return frozenset(self.weights)


@dataclass(frozen=True)
class Candidate:
    """A possible answer: a record's best row and its score by retriever.

    Attributes:
        row: its best passage, or its fact where no passage was found.
        fact: its best fact.
        scores: by retriever, 0 to 1 of the best there.
        relation: of the link it came by, 'fixed by'; '' for none.
        fused: the score the retrievers give it together, 0 to 1 of the best.
    """

    row: Row
    reason: Reason
    fact: Row | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    relation: str = ""
    fused: float = 0.0


class Window(NamedTuple):
    """The span of a record's body to quote, and its best sentence."""

    span: Span
    best: Span
    holds: frozenset[str]
    """Stems of the question that the window holds."""
    best_holds: frozenset[str]
    stated: tuple[tuple[frozenset[str], bool], ...] = ()
    """Of each sentence that does not ask: the question's stems, and whether it has the form of an answer."""


@dataclass(frozen=True)
class Scored:
    """A candidate with its window, its features and its score.

    Attributes:
        record: columns of `records.cited_records` and the source's name.
        lineage: what took its place: refs of the records that superseded, reverted or amended it.
    """

    candidate: Candidate
    record: Mapping[str, Any]
    window: Window
    features: Mapping[str, float]
    score: float
    lineage: tuple[Any, ...] = ()

    @property
    def row(self) -> Row:
        """The row of the candidate."""
        return self.candidate.row


class Verdict(NamedTuple):
    """The likelihood that the rows answer the question.

    Attributes:
        caps: names of the overrides that applied, in order.
        features: what the model weighed, by name.
    """

    likelihood: float
    evidence: Evidence
    caps: tuple[str, ...] = ()
    features: Mapping[str, float] = MappingProxyType({})


class Listed(NamedTuple):
    """The result of a lookup of stored fields.

    Attributes:
        intent: name of the template that matched.
        items: (record id, what is stated of it in our words: 'PR #453 by X, merged 2025-01-30'), best first.
        lead: our words before the first item: '12 in all: '.
        complete: the fields answer all that was asked; else the records are candidates like others.
        sure: nothing limits it, as a revert of a part does.
        quotes: characters of the record's body that are quoted after an item, by its place.
    """

    intent: str
    items: tuple[tuple[int, str], ...]
    lead: str = ""
    complete: bool = True
    sure: bool = True
    quotes: Mapping[int, Span] = MappingProxyType({})


class Written(NamedTuple):
    """Statements, their citations and the composer: a tier, or 'extractive'."""

    statements: list[Statement]
    citations: list[Citation]
    composer: str
