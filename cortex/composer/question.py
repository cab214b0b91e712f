"""A question taken apart: its class, the type of its answer, its terms and what each weighs."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.model import QuestionClass
from cortex.substrate.search import query_terms
from cortex.substrate.statements import sql
from cortex.substrate.stems import Stemmer, split

AnswerType = Literal["person", "date", "number", "name", "yes/no", "reason", "procedure", "list", "text"]


class _Type(NamedTuple):
    name: AnswerType
    asked: re.Pattern[str]
    given: re.Pattern[str]


_TYPES: Final = tuple(
    _Type(type_["name"], re.compile(type_["pattern"], re.I), re.compile(type_["given"]))
    for type_ in tomllib.loads((files("cortex.composer") / "answer_types.toml").read_text("utf-8"))["type"]
)
_GIVEN: Final = {type_.name: type_.given for type_ in _TYPES}
_REASONING: Final = re.compile(
    r"\b(why|how come|rationale|reason|compare|difference|versus|trade-?offs?|history|explain"
    r"|and (?:what|why|how|which|who|when))\b",
    re.I,
)


class Question(NamedTuple):
    """What is asked, as the retrievers and the judge need it.

    Attributes:
        weights: idf of each stem, in nats; a stem the brain never saw has the highest.
        unseen: stems no row holds.
        rows: how many passages the brain has.
    """

    text: str
    class_: QuestionClass
    type: AnswerType
    terms: tuple[str, ...]
    weights: Mapping[str, float]
    unseen: frozenset[str]
    rows: int


def understand(brain: Brain, text: str, stemmer: Stemmer) -> Question:
    """Take *text* apart; any text will do, and one without words has no terms."""
    terms = query_terms(text)[:64]
    typed = [word for word in split(text) if word in terms]
    stems = list(dict.fromkeys(stemmer.sequence(" ".join(typed))))
    wanted = json.dumps(["", *stems], ensure_ascii=False)
    found = dict(brain.db.execute(sql("term_weights"), {"index_name": "records_fts", "terms": wanted}))
    rows = found.pop("", 0)
    return Question(
        text=text,
        class_="B" if _REASONING.search(text) else "A",
        type=next((type_.name for type_ in _TYPES if type_.asked.search(text)), "text"),
        terms=tuple(terms),
        weights={stem: idf(found.get(stem, 0), rows) for stem in stems},
        unseen=frozenset(stem for stem in stems if not found.get(stem)),
        rows=rows,
    )


def gives(type_: AnswerType, sentence: str) -> bool:
    """Whether *sentence* holds what a question of this type asks for: a name, a number, a reason, …"""
    given = _GIVEN.get(type_)
    return given is not None and given.search(sentence) is not None


def idf(documents: int, rows: int) -> float:
    """How much a term tells, in nats: ln(1 + (N - n + .5) / (n + .5)), never negative.

    Source: Robertson and Zaragoza 2009, doi:10.1561/1500000019, in the form of Lucene's BM25Similarity.
    """
    return math.log(1 + max(0.0, rows - documents + 0.5) / (documents + 0.5))
