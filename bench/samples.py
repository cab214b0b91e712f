"""What the models see of questions: candidates for the ranking, first rows for the judge."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias
from unittest.mock import patch

import numpy as np
from behaviours import packs
from data import rows
from folders import all_asked, held_out
from worlds import DEMO, build

from cortex.composer import pipeline
from cortex.composer.answer.extract import FIRST, extract, is_told
from cortex.composer.answer.quote import quote
from cortex.composer.judge import judge as judging
from cortex.composer.query.matching import Likeness, Matcher
from cortex.composer.rank import features as ranking
from cortex.composer.rank import rank as rank_module
from cortex.composer.rank.windows import excerpt
from cortex.composer.stages import Clock
from cortex.composer.values import Query, Reason, Scored
from cortex.evals.cases import load_suite
from cortex.evals.scoring import is_gold, squash
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope

NOW: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""When the questions are asked."""

FOREIGN: Final = 8
"""Questions about each other project that a project is asked."""

Matrix: TypeAlias = Any
"""An array of numpy, whose types are not known where it is not installed."""


class Question(NamedTuple):
    """A question to a project; *kind* is 'own', 'held' out of fitting, 'everyday' or 'foreign'."""

    kind: str
    row: Mapping[str, Any]


def questions_of(folders: Sequence[Path], everyday: Path | None) -> dict[str, list[Question]]:
    """What each project is asked: its own questions, everyday ones, and some about every other project."""
    lots = random.Random(5)  # noqa: S311  which questions, no secret
    own = {folder.name: [Question("own", one) for one in all_asked(folder)] for folder in folders}
    held = {folder.name: [Question("held", one) for one in held_out(folder)] for folder in folders}
    answerable = {name: [one.row for one in every if one.row["answerable"]] for name, every in own.items()}
    found = {}
    for name, every in own.items():
        short = rows(everyday, name.rpartition("+")[2]) if everyday else ()
        others = [lots.sample(those, min(FOREIGN, len(those))) for other, those in answerable.items() if other != name]
        foreign = [Question("foreign", one) for several in others for one in several]
        found[name] = [*every, *held[name], *(Question("everyday", one) for one in short), *foreign]
    return found


def invented(scratch: Path) -> Iterator[tuple[str, Path, list[Question]]]:
    """The demo and the worlds of the behaviour packs: name, brain, and the questions nothing is held back of."""
    asked: defaultdict[str, list[Question]] = defaultdict(list)
    for case in (case for every in packs().values() for case in every):
        if case.split == "dev" and not case.as_of and case.refused != "allowed":
            row = {"question": case.question, "answerable": case.refused is not True}
            asked[case.world].append(Question("own", row))
    for told in load_suite(Path(__file__).parents[1] / "evals" / "demo.yaml").cases:
        asked[DEMO].append(Question("own", {"question": told.question, "answerable": told.answerable}))
    for name, questions in asked.items():
        (scratch / name).mkdir()
        yield name, build(name, scratch / name), questions


class Ranked(NamedTuple):
    """Candidates of an answerable question: features, a line each, whether gold, whether gold and all shown, thread."""

    project: str
    values: Matrix
    gold: Matrix
    shown: Matrix
    threads: Sequence[str]
    held: bool


class Judged(NamedTuple):
    """What the judge sees of a question; *kind* is 'answered', 'missed', 'unanswerable' or 'foreign'."""

    project: str
    kind: str
    values: Matrix
    held: bool


def weigh(brain: Brain, text: str, weights: Mapping[str, float]) -> pipeline.Weighed:
    """The evidence for an answer to *text*, ranked by these *weights*."""
    with patch.object(rank_module, "weights", lambda _: weights):
        return pipeline.weigh(
            brain, text, scope=Scope(), as_of=None, now=NOW, refuse_below=0.0, clock=Clock(lambda _: None)
        )


def shows(texts: str, must: Sequence[Any], *, everyday: bool = False) -> bool:
    """Whether *texts* has each of *must*; of everyday questions one of each group."""
    groups = must if everyday else [[one] for one in must]
    return all(any(squash(one) in squash(texts) for one in group) for group in groups)


def ranked_of(project: str, brain: Brain, questions: Sequence[Question], names: Sequence[str]) -> Iterator[Ranked]:
    """The candidates of each question with gold, and of each everyday one that has an answer."""
    for kind, row in questions:
        if kind not in ("own", "held", "everyday") or not (row.get("gold") or (kind == "everyday" and row["must"])):
            continue
        found = weigh(brain, row["question"], dict.fromkeys(ranking.FEATURES, 1.0))
        every = [one for one in found.ranked if one.candidate.reason is not Reason.LINEAGE]
        if is_told(found.gathered.listed) or not every:
            continue
        matcher = Matcher(found.query, brain.stemmer)
        if kind == "everyday":
            told = [shows(_first_quote(found.query, one, matcher), row["must"], everyday=True) for one in every]
            gold = [float(shows(one.record["body"], row["must"], everyday=True)) for one in every]
        else:
            gold = [float(is_gold(one.record["ref"], row["gold"], one.record["source"])) for one in every]
            told = [shows(_excerpt(found.query, one, matcher), row["must"]) for one in every]
        values = np.array([[one.features[name] for name in names] for one in every])
        yield Ranked(
            project, values, np.array(gold), np.array(gold) * told, [one.row.about for one in every], kind == "held"
        )


def _first_quote(query: Query, one: Scored, matcher: Matcher) -> str:
    found = quote(query, one, matcher, FIRST)
    return found.text if found else ""


def _excerpt(query: Query, one: Scored, matcher: Matcher) -> str:
    body, window, found = str(one.record["body"]), one.window.span, quote(query, one, matcher, FIRST)
    return body[slice(*excerpt(body, window, found.span if found else window))]


def judged_of(
    project: str, brain: Brain, questions: Sequence[Question], weights: Mapping[str, float], names: Sequence[str]
) -> Iterator[Judged]:
    """What the judge sees of each question that stored fields do not answer."""
    for question in questions:
        found = weigh(brain, question.row["question"], weights)
        if is_told(found.gathered.listed):
            continue
        first = found.ranked[: judging.FIRST]
        matcher, likeness = Matcher(found.query, brain.stemmer), Likeness(brain.encoder, found.query.vector)
        seen = judging.Evidence(found.query, first, matcher, likeness)
        values = [judging.FEATURES[name](seen) for name in names] if first else [-np.inf] * len(names)
        yield Judged(project, verdict(question, found, matcher), np.array(values), question.kind == "held")


def verdict(question: Question, found: pipeline.Weighed, matcher: Matcher) -> str:
    """What an answer without a judge would be."""
    kind, row = question
    if kind == "foreign" or not row["answerable"]:
        return "foreign" if kind == "foreign" else "unanswerable"
    statements, citations = extract(found.query, matcher, found.ranked)
    answer = "\n".join(one.quote for one in statements)
    if kind == "everyday":
        return "answered" if shows(answer[:600], row["must"], everyday=True) else "missed"
    if "gold" not in row:
        return "answered"
    told = "\n".join([answer, *(one.excerpt for one in citations)])
    cited = any(is_gold(one.record.ref, row["gold"], one.source) for one in citations)
    return "answered" if cited and shows(told, row["must"]) else "missed"
