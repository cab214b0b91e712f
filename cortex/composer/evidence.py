"""Whether what was found answers the question: decided before a word is written.

A logistic model over a few values; its coefficients are data, fitted by `bench/fitting.py` on questions with and
without an answer, about projects of several sizes: in a large one some row has any words by chance.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final, NamedTuple

from cortex.composer.assured import FORBIDS, OF_PROJECT, fixes_none, project_first
from cortex.composer.beside import BESIDE as TOLD_BESIDE
from cortex.composer.candidates import asks_for_fix
from cortex.composer.events import event_of
from cortex.composer.few_words import is_told
from cortex.composer.happened import TOLD, how_told
from cortex.composer.holding import WHO_IS_IT, asked_value, held
from cortex.composer.limited import is_limited
from cortex.composer.namesakes import ALL_BUT_KIND, is_of_namesake
from cortex.composer.offering import LISTED
from cortex.composer.ordered import CITED, Ordered, is_of_day
from cortex.composer.overtaken import has_changed
from cortex.composer.premises import is_so_no_more
from cortex.composer.proposals import tells_other_number
from cortex.composer.question import Question, coverage, likeness
from cortex.composer.replacing import is_told_so
from cortex.composer.retrieve.filter_words import VERBS
from cortex.composer.retrieve.people import asks_who_opened
from cortex.composer.retrieve.reasons import is_open_yet
from cortex.composer.rows import STANDING, Row, is_no_authority, is_opinion
from cortex.composer.saying import is_titled_so, likest
from cortex.composer.signs import answers, are_apart, are_written, asks_nothing, has_more_than_date, is_told_first
from cortex.composer.trust import is_passing, last
from cortex.indexers.distill.deciding import decides
from cortex.language.stems import Stemmer, split
from cortex.packaged import files
from cortex.substrate.model import Evidence

BESIDE: Final = 0.5
"""Share of what a question is about that stands beside the date, or the reason, it asks for in a sure answer."""

LACKING: Final = 0.5
"""What the likelihood of an answer is times where nothing has what is called by a name, or the person, date, price that
is asked for."""

FEATURES: Final = ("said", "nameless", "rare", "value", "surprise", "large", "tiny")

USUAL: Final = 1000
"""Passages of a brain that is neither large nor tiny."""

TINIEST: Final = 100
"""Passages of one that is as tiny as any the judge was fitted on."""


_PAST: Final = re.compile(r"\b(?:was|were|did|had)\b", re.I)


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
        "said": max((likest(question, one, stemmer) for one in first), default=0.0),
        "nameless": 1.0 - told if named else 0.0,
        "rare": sum(weights.values()) / len(weights) / math.log(1 + (question.rows + 0.5) / 0.5),
        "value": float(question.type in ("number", "date")),
        "surprise": held * question.weight - math.log(question.rows + 1),
        "large": max(0.0, size),
        "tiny": max(0.0, -size),
    }


def _unfound(question: Question, ordered: Sequence[Ordered]) -> Mapping[str, float]:
    """What the question's stems weigh but for those that name a thread which was found."""
    is_found = any(one.fused.relation == "named" or is_titled_so(question, one) for one in ordered)
    found = question.of_thread if is_found else frozenset()
    return {stem: weight for stem, weight in question.weights.items() if stem not in found} or question.weights


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
        unsure = _asks_for_somebody(question) or _is_end_untold(question, relations)
        unsure = unsure or bool(question.as_of and question.decisions)  # in which state it was then no file tells
        return "moderate" if unsure else "strong"
    if not relations.isdisjoint(("done", "titled")) or (question.numbers and not question.rest):
        return "moderate"  # it is known who did it and when, and no more
    return None


def _is_end_untold(question: Question, relations: AbstractSet[str]) -> bool:
    """Whether it asks if a thread was reverted, or replaced, and no link says that all was: that is no sure no."""
    if "revert" in question.rest:
        return relations.isdisjoint(("reverted by", "brought back by"))
    replaced = question.type == "yes/no" and not question.rest.isdisjoint(("supersed", "replac"))
    return replaced and relations.isdisjoint(("superseded by", "duplicate of"))


def _may_be_of_another_time(question: Question, first: Ordered) -> bool:
    """Whether a value is asked for of a time that the *first* row does not tell of, or within which that came to be."""
    if question.past:
        return first.fused.row.day.startswith(question.past)
    return bool(question.days) and _PAST.search(question.text) is not None and not question.dates <= first.holds


def _asks_for_somebody(question: Question) -> bool:
    """Whether it asks who of a thread it names, by no verb that is known of it: 'who is on #3?'."""
    return question.type == "person" and not any(word in VERBS for word in split(question.text))


def weigh(
    question: Question, ordered: Sequence[Ordered], stemmer: Stemmer, *, refuse_below: float | None = None
) -> tuple[list[Ordered], Judged]:
    """The rows and what they are worth as evidence; what nobody trusted wrote is last where the rest answers.

    Where it alone answers it stays where it was, and is no strong evidence.
    """
    ordered = project_first(ordered)
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
    if not ordered or not question.weights or _is_missing(question, relations) or fixes_none(question, ordered):
        return Judged(0.0, "none")
    known = _known(question, relations)
    if known:
        return Judged(1.0, known)
    lists = ordered[0].moved == LISTED
    if not lists and (asks_nothing(question, ordered, stemmer) or are_apart(question, ordered, stemmer)):
        return Judged(0.0, "none")
    if not lists and not any(has_more_than_date(question, one) for one in ordered[:CITED]):
        return Judged(0.0, "none")
    model = _model()
    found = features(question, ordered, stemmer)
    likelihood = 1 / (1 + math.exp(-model["bias"] - sum(model[name] * found[name] for name in FEATURES)))
    enough = model["refuse_below"] if refuse_below is None else refuse_below
    if question.names and not are_written(question.names, (one.fused.row for one in ordered[:CITED])):
        likelihood *= LACKING
    elif likelihood < model["refuse_below"] and (
        lists or answers(question, ordered, stemmer) or is_told_so(question, ordered)
    ):
        likelihood = model["refuse_below"]
    other = is_of_namesake(question, ordered[0], stemmer)
    likelihood *= LACKING if other == ALL_BUT_KIND else 1.0
    if likelihood < enough:
        return Judged(likelihood, "none")
    first = ordered[0].fused.row
    says_only = is_no_authority(first) or (question.type == "yes/no" and is_opinion(first))
    unsure = (
        lists
        or not (is_of_day(question, ordered[0]) and has_more_than_date(question, ordered[0]))
        or has_changed(ordered)
        or _may_be_of_another_time(question, ordered[0])
        or first.nested
        or is_passing(first)
        or ordered[0].moved == OF_PROJECT
        or any(one.moved == FORBIDS for one in ordered[:2])
        or says_only
        or tells_other_number(question, ordered[0])
        or is_so_no_more(question, ordered)
        or question.kind not in ("", first.type)
        or is_open_yet(question, first)
        or (first.type == "comment" and asks_who_opened(question.text))
        or (question.as_of and is_opinion(first) and not decides(first.text))  # a wish may have come to nothing
        or other > 0
        or (first.type == "pull" and is_limited(first.text, first.title, question.text))
    )
    sure = likelihood >= model["strong_from"] and not unsure
    asked = question.undated if question.type == "person" else question  # whom a date alone does not tell
    sure = sure and is_told_first(asked, ordered[0], stemmer) and is_told(question, ordered, stemmer)
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
    if value.name == WHO_IS_IT:  # which the first row tells, and not by what its thread is called
        first = ordered[0].fused.row
        alone = first if first.type in STANDING else first._replace(title="")
        beside = held(question, value, [alone], stemmer, enough=BESIDE)
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


def weigh_event(
    question: Question,
    judged: Judged,
    ordered: Sequence[Ordered],
    stemmer: Stemmer,
    *,
    refuse_below: float | None = None,
) -> Judged:
    """*judged* by whether what the question takes to have happened is told: 'why was it removed?' of what is there."""
    known = any(one.fused.relation in ("listed", "owns", "named") for one in ordered)
    event = None if known or judged.evidence == "none" else event_of(question, stemmer)
    if event is None:
        return judged
    rows = [one.fused.row for one in ordered[:CITED]]
    if judged.evidence == "strong" and how_told(question, event, rows[:1], stemmer) < TOLD:
        judged = judged._replace(evidence="moderate")
    told = how_told(question, event, rows, stemmer)
    if told == TOLD:
        return judged
    if told or event.kind.unsure:
        return judged._replace(evidence="moderate")
    likelihood = judged.likelihood * LACKING
    enough = _model()["refuse_below"] if refuse_below is None else refuse_below
    return Judged(likelihood, "none" if likelihood < enough else "moderate")
