"""Whether what was found answers the question: decided before a word is written.

A logistic model over a few values; its coefficients are data, fitted by `bench/fitting.py` on questions with and
without an answer, about projects of several sizes: in a large one some row has any words by chance.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

from cortex.composer.answer_types import KNOWN_BY_FORM, asks, gives
from cortex.composer.beside import BESIDE as TOLD_BESIDE
from cortex.composer.beside import heads_reason
from cortex.composer.candidates import asks_for_fix
from cortex.composer.defining import defines
from cortex.composer.holding import asked_value, held
from cortex.composer.ordered import CITED, Ordered, is_beside
from cortex.composer.question import Question, coverage, likeness, stands_in, stands_in_each
from cortex.composer.retrieve.filter_words import VERBS
from cortex.composer.rows import STANDING, Row, is_opinion
from cortex.composer.saying import BETWEEN_SENTENCES, said_by_each
from cortex.composer.steps import asks_steps
from cortex.composer.trust import last
from cortex.substrate.model import Evidence
from cortex.substrate.stems import Stemmer, split

ENOUGH: Final = 0.85
"""Share of the words of a query, which asks nothing, that one row has to cover."""

WHOLE: Final = 2
"""Words that a question is about of which one sentence with its title has all: the model has seen few so short."""

FEWEST: Final = 3
"""Everyday words that ask something; fewer are a greeting or a sigh, unless a sentence has all of them."""

BESIDE: Final = 0.5
"""Share of what a question is about that stands beside the date, or the reason, it asks for in a sure answer."""

LACKING: Final = 0.5
"""What the likelihood of an answer is times where nothing has what is called by a name, or the person, date, price that
is asked for."""

SHORT: Final = 3
LARGE: Final = 2000
"""Words of a question that is so short that a brain of so many passages has them all in some sentence, by chance."""

TOGETHER: Final = 4
"""How many words further on the second of two stands at most that say one thing."""

_VERSION: Final = re.compile(r"v\d+(?:\.\d+)+", re.I)
_TITLED: Final = ("issue", "pull", "comment")
"""Types of records whose title says what they are about; that of an event says who told it."""

_ASKS: Final = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.I)

FEATURES: Final = ("said", "nameless", "rare", "value", "surprise", "large", "tiny")

USUAL: Final = 1000
"""Passages of a brain that is neither large nor tiny."""

TINIEST: Final = 100
"""Passages of one that is as tiny as any the judge was fitted on."""


class Judged(NamedTuple):
    """How likely the rows answer the question, 0 to 1, and in a word."""

    likelihood: float
    evidence: Evidence


def features(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> dict[str, float]:
    """What the judge looks at.

    Returns:
        `said`: the largest likeness to the question that a sentence has with the title above it, of a question that
        counts only sentences that do; `nameless`: how much of what it calls by a name the row lacks that has most of
        it; `rare`: what its words weigh in the mean, over the most a word can weigh; `value`: whether it asks for a
        number or a date, all of them 0 to 1; `surprise`: how little is to be expected, in nats, that one of all rows
        has as much of it by chance; `large` and `tiny`: how much more, or less, than `USUAL` the brain holds, in nats.
    """
    first, weights = ordered[:CITED], _unfound(question, ordered)
    named = {stem: weights[stem] for stem in question.named if stem in weights}
    told = max((coverage(named, one.holds) for one in first), default=0.0)
    size = math.log(max(question.rows, TINIEST) / USUAL)
    held = max((likeness(question, one.holds) for one in first), default=0.0)
    return {
        "said": max((_said(question, one, stemmer) for one in first), default=0.0),
        "nameless": 1.0 - told if named else 0.0,
        "rare": sum(weights.values()) / len(weights) / math.log(1 + (question.rows + 0.5) / 0.5),
        "value": float(question.type in ("number", "date")),
        "surprise": held * question.weight - math.log(question.rows + 1),
        "large": max(0.0, size),
        "tiny": max(0.0, -size),
    }


def _unfound(question: Question, ordered: Sequence[Ordered]) -> Mapping[str, float]:
    """What the question's stems weigh but for those that name a thread which was found."""
    found = question.of_thread if any(one.fused.relation == "named" for one in ordered) else frozenset()
    return {stem: weight for stem, weight in question.weights.items() if stem not in found} or question.weights


def _is_said(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether one sentence has everything that is asked about: 'what is the rate limit?'."""
    asks = len(question.weights) > 1 and _ASKS.search(question.text)
    return bool(asks) and any(_said(question, one, stemmer) > 0.999 for one in ordered[:CITED])


def _is_dated(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether a document's sentence says when that is which is asked for, in all the question's words: 'We meet on …'.

    It stands under a heading that has one of them, or begins with what is asked for.
    """
    if question.type != "date" or not question.weights:
        return False
    for row in (one.fused.row for one in ordered[:CITED] if one.fused.row.type in STANDING):
        sentences = [one for one in BETWEEN_SENTENCES.split(row.text) if gives("date", one) and not asks(one)]
        headed = bool(stands_in(question, row.title, stemmer))
        for sentence, stems in zip(sentences, stands_in_each(question, sentences, stemmer), strict=True):
            if question.stems <= stems and (headed or defines(question.term, sentence)):
                return True
    return False


def _are_named(question: Question, ordered: Sequence[Ordered]) -> bool:
    """Whether a document names those who are asked for by what they are: 'Led by three maintainers: Ada and Bob'."""
    if question.type != "person" or not question.term:
        return False
    named = re.compile(
        rf"(?i:\b{re.escape(question.term.removesuffix('s'))}s?\b[^.:\n]{{0,20}}(?::|–|\bare\b|\bis\b))\s*@?[A-ZÀ-Þ]"
    )
    return any(one.fused.row.type in STANDING and named.search(one.fused.row.text) for one in ordered[:CITED])


def _is_told(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether one sentence with its title has all that the question is about; of a mere query, one row."""
    if not (_ASKS.search(question.text) or "?" in question.text):
        return max(one.fused.covered for one in ordered) >= ENOUGH
    about = question.content
    if not about or (len(about) < WHOLE and not (len(question.stems) > 1 or question.type in KNOWN_BY_FORM)):
        return False
    needed = about if len(about) >= WHOLE else question.stems
    return any(
        needed <= held
        for one in ordered[:CITED]
        if len(question.stems) > 1 or one.fused.row.type in STANDING
        for held in said_by_each(question, one, stemmer, giving=True)
    )


def _is_about(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether the first row of a small project is titled by all that an everyday question is about.

    'T7 drifts' is what 'Is T7 fixed?' and 'What is wrong with T7?' are about.
    """
    if question.rows >= LARGE or len(question.stems) > SHORT or question.type not in ("text", "yes/no"):
        return False
    if ordered[0].fused.row.type not in (*_TITLED, *STANDING):
        return False
    if not question.content or (question.term and {*stemmer.sequence(question.term)} <= question.content):
        return False  # of what is to be told what it is no title tells that
    return question.content <= stands_in(question, ordered[0].fused.row.title, stemmer)


def _is_headed(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether a part of a document is headed by what the question is about, and holds what it asks for.

    Or says what the thing is whose meaning is asked for, or the one step: 'flash: `make flash`'.
    """
    step = _step(question, stemmer) if asks_steps(question) and len(question.content) == 1 else ""
    for one in ordered[:CITED]:
        row = one.fused.row
        if defines(question.term, row.text) or (step and row.type in STANDING and defines(step, row.text)):
            return True
        headline = row.title.rpartition(" › ")[2]
        if row.type in STANDING and question.type == "reason" and heads_reason(question, headline, stemmer):
            return True
        heading = {*stemmer.sequence(headline)}
        about = question.content
        if row.type in STANDING and about and about <= heading <= question.stems:
            return question.type not in KNOWN_BY_FORM or gives(question.type, row.text)
    return False


def _step(question: Question, stemmer: Stemmer) -> str:
    """The word for what is to be done, which alone is out of the ordinary."""
    return next((word for word, stem in stemmer.stem(question.terms).items() if stem in question.content), "")


def _is_replaced(question: Question, ordered: Sequence[Ordered]) -> bool:
    """Whether it asks if something is still so, and what was decided of it is there with what superseded that."""
    if not _asks_if_still(question) or not question.content:
        return False
    pairs = pairwise(ordered[:CITED])
    return any(newer.moved == "supersedes" and question.content <= old.holds for newer, old in pairs)


def _asks_if_still(question: Question) -> bool:
    """Whether it asks if something is so now, of which what somebody said tells how it was then."""
    return question.latest and question.type == "yes/no"


def _are_apart(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether what a short question is about stands together nowhere: 'payment' here and 'provider' there.

    Under a heading that has the one a sentence may have the other.
    """
    said = stemmer.sequence(question.text)
    asked = [(place, stem) for place, stem in enumerate(said) if stem in question.weights and not stem.isdecimal()]
    pairs = [
        (first, second)
        for (place, first), (next_, second) in pairwise(asked)
        if first != second and len(question.content & {first, second}) + (next_ == place + 1) >= WHOLE
    ]
    if len(question.weights) > SHORT or question.rows < LARGE or not pairs or question.numbers:
        return False
    pair = max(pairs, key=lambda pair: question.weights[pair[0]] + question.weights[pair[1]])
    first, second = ({stem} | question.related.get(stem, frozenset()) for stem in pair)
    for one in ordered[:CITED]:
        row = one.fused.row
        titled = stemmer.sequence(row.title)
        if _together(first, second, titled):
            return False
        for sentence in map(stemmer.sequence, BETWEEN_SENTENCES.split(row.text)):
            if _together(first, second, sentence):
                return False
            if row.type in STANDING and any(
                not mine.isdisjoint(titled) and not its.isdisjoint(sentence)
                for mine, its in ((first, second), (second, first))
            ):
                return False
    return True


def _together(first: AbstractSet[str], second: AbstractSet[str], stems: Sequence[str]) -> bool:
    places = [[place for place, stem in enumerate(stems) if stem in wanted] for wanted in (first, second)]
    return any(abs(one - other) <= TOGETHER for one in places[0] for other in places[1])


def _are_written(names: Iterable[str], rows: Iterable[Row]) -> bool:
    """Whether each of *names* stands in one of *rows*: 'highs' is no 'HiGHS', though one stem is of both."""
    told = "\n".join(f"{row.title}\n{row.text}" for row in rows).lower()
    return all(re.search(_written(name), told) for name in names)


@lru_cache(256)
def _written(name: str) -> str:
    """What finds *name* in lower case, also in several words, or as one, or of many: 'S-57', 's57', 'S 57s'."""
    bare = name[1:] if _VERSION.fullmatch(name) else name.removesuffix("s") or name
    pieces = re.split(r"[\W_]+", bare.lower())
    said = r"[\W_]{0,2}".join(map(re.escape, pieces))
    return rf"(?<![^\W_v]){said}(?:['’]?s)?(?![^\W_])"


def _said(question: Question, one: Ordered, stemmer: Stemmer) -> float:
    if is_beside(question, one):
        return 0.0
    return max((likeness(question, held) for held in said_by_each(question, one, stemmer)), default=0.0)


@cache
def _model() -> dict[str, float]:
    model: dict[str, float] = json.loads((files("cortex.composer") / "evidence.json").read_text("utf-8"))
    return model


def _is_missing(question: Question, relations: AbstractSet[str]) -> bool:
    """Whether nothing was found of the thread that is named, or of what fixed it where that is asked."""
    if question.numbers and relations.isdisjoint(("named", "listed")):
        return True
    unfixed = relations.isdisjoint(("fixed by", "addressed by", "fixes"))
    return "named" in relations and unfixed and asks_for_fix(question)


def _known(question: Question, relations: AbstractSet[str]) -> Evidence | None:
    """How sure it is where metadata tells it; None where texts have to."""
    if not relations.isdisjoint(("listed", "owns")):
        return "strong"
    if "named" in relations and question.told:
        return "moderate" if _asks_for_somebody(question) else "strong"
    if "done" in relations or (question.numbers and not question.rest):
        return "moderate"  # it is known who did it and when, and no more
    return None


def _asks_for_somebody(question: Question) -> bool:
    """Whether it asks who of a thread it names, by no verb that is known of it: 'who is on #3?'."""
    return question.type == "person" and not any(word in VERBS for word in split(question.text))


def weigh(
    question: Question, ordered: Sequence[Ordered], stemmer: Stemmer, *, refuse_below: float | None = None
) -> tuple[list[Ordered], Judged]:
    """The rows and what they are worth as evidence; what nobody trusted wrote is last where the rest answers.

    Where it alone answers it stays where it was, and is no strong evidence.
    """
    rows = last(ordered, lambda one: one.fused.row)
    trusted = [one for one in rows if not one.fused.row.unverified]
    judged = judge(question, trusted, stemmer, refuse_below=refuse_below)
    found = [one for one in trusted if one.moved != TOLD_BESIDE]
    if judged.evidence == "none" and len(found) < len(trusted):
        judged = judge(question, found, stemmer, refuse_below=refuse_below)
    if judged.evidence != "none" or len(trusted) == len(rows):
        return rows, judged
    judged = judge(question, ordered, stemmer, refuse_below=refuse_below)
    return list(ordered), judged._replace(evidence="none" if judged.evidence == "none" else "moderate")


def judge(
    question: Question, ordered: Sequence[Ordered], stemmer: Stemmer, *, refuse_below: float | None = None
) -> Judged:
    """Weigh the rows; with no rows there is no evidence, nor with none of a thread that the question names.

    Args:
        refuse_below: the likelihood that is no evidence yet; by default the point of the curve that was chosen.
    """
    relations = {one.fused.relation for one in ordered}
    if not ordered or not question.weights or _is_missing(question, relations):
        return Judged(0.0, "none")
    known = _known(question, relations)
    if known:
        return Judged(1.0, known)
    named = _are_named(question, ordered)
    everyday = not question.content and len(question.weights) < FEWEST
    everyday = everyday and not named and not _is_dated(question, ordered, stemmer)
    if (everyday and not _is_said(question, ordered, stemmer)) or _are_apart(question, ordered, stemmer):
        return Judged(0.0, "none")
    model = _model()
    found = features(question, ordered, stemmer)
    likelihood = 1 / (1 + math.exp(-model["bias"] - sum(model[name] * found[name] for name in FEATURES)))
    enough = model["refuse_below"] if refuse_below is None else refuse_below
    if question.names and not _are_written(question.names, (one.fused.row for one in ordered[:CITED])):
        likelihood *= LACKING
    elif likelihood < model["refuse_below"] and (
        _is_told(question, ordered, stemmer)
        or _is_headed(question, ordered, stemmer)
        or _is_about(question, ordered, stemmer)
        or _is_replaced(question, ordered)
        or _is_dated(question, ordered, stemmer)
        or named
    ):
        likelihood = model["refuse_below"]
    if likelihood < enough:
        return Judged(likelihood, "none")
    sure = likelihood >= model["strong_from"] and not (_asks_if_still(question) and is_opinion(ordered[0].fused.row))
    evidence: Evidence = "strong" if sure else "moderate"
    return _with_value(question, ordered, stemmer, likelihood, evidence, enough)


def _with_value(
    question: Question,
    ordered: Sequence[Ordered],
    stemmer: Stemmer,
    likelihood: float,
    evidence: Evidence,
    enough: float,
) -> Judged:
    """What the rows are worth by whether what is asked for stands there, where its form tells that."""
    value = asked_value(question)
    if value is None or (evidence == "moderate" and not value.firm):
        return Judged(likelihood, evidence)
    beside = held(question, value, (one.fused.row for one in ordered[:CITED]), stemmer, enough=BESIDE)
    if value.firm and not beside:
        likelihood *= LACKING
        return Judged(likelihood, "none" if likelihood < enough else "moderate")
    return Judged(likelihood, evidence if beside >= BESIDE else "moderate")


def weigh_told(
    question: Question,
    judged: Judged,
    ordered: Sequence[Ordered],
    cited: Sequence[Row],
    stemmer: Stemmer,
    *,
    refuse_below: float | None = None,
) -> Judged:
    """*judged* by what is told: as if no row had the price, where none of those has it that are cited."""
    value = asked_value(question)
    if value is None or not value.firm or judged.likelihood == 1.0:  # where it is known no text has to tell it
        return judged
    found = [one.fused.row for one in ordered[:CITED]]
    if held(question, value, cited, stemmer, enough=BESIDE) or not held(question, value, found, stemmer, enough=BESIDE):
        return judged
    likelihood = judged.likelihood * LACKING
    enough = _model()["refuse_below"] if refuse_below is None else refuse_below
    return Judged(likelihood, "none" if likelihood < enough else "moderate")
