"""Fit the order of rows and the judge of evidence on questions about several projects.

    python bench/fitting.py DATA_FOLDER [DATA_FOLDER …] [--refuse 0.2] [--write]

A DATA_FOLDER holds a GitHub export; its questions are `questions.jsonl` there, else those of its name in
bench/questions/dev. Every figure printed is of a project the model was not fitted on (leave one out). `--write` keeps
the coefficients in cortex/composer/order.json and evidence.json, and the figures with the judge's curve in
bench/results/fitting.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from folders import asked as questions
from folders import indexed
from retrieval import first_six, plain

from cortex.composer import evidence
from cortex.composer.ask import ROWS, load_records, retrieve
from cortex.composer.candidates import look
from cortex.composer.order import FEATURES, Ordered, order
from cortex.composer.question import Question, understand
from cortex.substrate.brain import Brain
from cortex.substrate.stems import Stemmer

HERE = Path(__file__).parent
COMPOSER = HERE.parent / "cortex" / "composer"
RESULTS = HERE / "results" / "fitting.md"
RIDGE = 0.05
KINDS = (0.5, 0.3, 0.2)
"""What questions weigh in fitting the judge: those that are answered, those without an answer, another project's."""
STEPS = 800
RATE = 0.05

Matrix: TypeAlias = Any
"""An array of numpy, whose types are not known where it is not installed."""


class Asked(NamedTuple):
    """A question with the rows that were read for it."""

    question: Question
    answerable: bool
    gold: set[str]
    rows: list[Ordered]

    @property
    def hits(self) -> Matrix:
        """1 for each row that is among the gold, else 0."""
        return np.array([plain(one.fused.row.ref) in self.gold for one in self.rows], float)

    @property
    def values(self) -> Matrix:
        """What the order weighs, a line a row."""
        return np.array([[one.values[name] for name in FEATURES] for one in self.rows])

    def ordered(self, weights: Mapping[str, float]) -> list[Ordered]:
        """The rows by these weights, best first."""
        return sorted(self.rows, key=lambda one: -sum(weights[name] * one.values[name] for name in FEATURES))


def gather(brain: Brain, asked: Iterable[Mapping[str, Any]]) -> list[Asked]:
    """What is read in *brain* for each question."""
    stemmer, found = Stemmer(), []
    for row in asked:
        question = understand(brain, row["question"], stemmer)
        looked = look(question, retrieve(brain, question, stemmer, sources=[1])[:ROWS], stemmer)
        records = load_records(brain, [one.fused.row.record_id for one in looked], {1: ""})
        rows = order(question, looked, records, stemmer)
        found.append(Asked(question, bool(row["answerable"]), set(row.get("gold", ())), rows))
    return found


def fit_order(asked: Sequence[Asked]) -> dict[str, float]:
    """Weights under which the gold among a question's rows is likeliest (listwise softmax, ridge)."""
    useful = [(one.values, one.hits) for one in asked if one.answerable and one.rows and one.hits.any()]
    spread = np.concatenate([values for values, _ in useful]).std(axis=0) + 1e-6
    weights, first, second = (np.zeros(len(FEATURES)) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = -RIDGE * weights
        for values, hits in useful:
            score = values / spread @ weights
            chance = np.exp(score - score.max())
            chance /= chance.sum()
            right = chance * hits / (chance * hits).sum()
            slope += (right - chance) @ (values / spread) / len(useful)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights += RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return {name: round(float(weight), 3) for name, weight in zip(FEATURES, weights / spread, strict=True)}


def seen_by_judge(asked: Sequence[Asked], weights: Mapping[str, float]) -> tuple[Matrix, Matrix, list[bool]]:
    """The judge's features of each question, whether it has an answer, and whether gold is among the first six."""
    stemmer, rows = Stemmer(), [(one, one.ordered(weights)) for one in asked if one.rows]
    features = [evidence.features(one.question, ordered, stemmer) for one, ordered in rows]
    values = [[found[name] for name in evidence.FEATURES] for found in features]
    cited = [not one.gold.isdisjoint(first_six([row.fused for row in ordered])) for one, ordered in rows]
    return np.array(values), np.array([one.answerable for one, _ in rows], float), cited


def fit_judge(answered: Matrix, unanswerable: Matrix, foreign: Matrix) -> dict[str, float]:
    """Coefficients and bias of a ridge logistic regression that weighs the three kinds of questions by `KINDS`."""
    kinds = (answered, unanswerable, foreign)
    sizes = [len(kind) for kind in kinds]
    values: Matrix = np.concatenate(kinds)
    truth: Matrix = np.repeat((1.0, 0.0, 0.0), sizes)
    weight: Matrix = np.repeat([share / len(kind) for share, kind in zip(KINDS, kinds, strict=True)], sizes)
    centre, spread = values.mean(axis=0), values.std(axis=0) + 1e-6
    found, bias = np.zeros(values.shape[1]), 0.0
    for _ in range(STEPS):
        off = (1 / (1 + np.exp(-(values - centre) / spread @ found - bias)) - truth) * weight
        found -= off @ ((values - centre) / spread) + RIDGE * found
        bias -= float(off.sum())
    plain_ = found / spread
    model = {name: round(float(one), 3) for name, one in zip(evidence.FEATURES, plain_, strict=True)}
    return model | {"bias": round(float(bias - plain_ @ centre), 3)}


def judged_on(asked: Sequence[Asked], foreign: Sequence[Asked], weights: Mapping[str, float]) -> dict[str, float]:
    """The judge fitted on *asked* and *foreign* questions: of the answerable on those that would be answered."""
    values, answerable, cited = seen_by_judge(asked, weights)
    others, *_ = seen_by_judge(foreign, weights)
    return fit_judge(values[(answerable > 0) & np.array(cited)], values[answerable < 1], others)


def likelihoods(model: Mapping[str, float], values: Matrix) -> Matrix:
    """How likely each question has an answer."""
    weighed = values @ np.array([model[name] for name in evidence.FEATURES])
    return np.asarray(1 / (1 + np.exp(-weighed - model["bias"])))


def ranks(asked: Sequence[Asked], weights: Mapping[str, float]) -> str:
    """Shares of the answerable with gold first and among the first six."""
    sixes = [(one.gold, first_six([row.fused for row in one.ordered(weights)])) for one in asked if one.answerable]
    first = sum(bool(six) and six[0] in gold for gold, six in sixes) / len(sixes)
    return f"{first:.2f} | {sum(not gold.isdisjoint(six) for gold, six in sixes) / len(sixes):.2f}"


def curve(scores: Matrix, answerable: Matrix, chosen: float) -> str:
    """Refused unanswerable against refused answerable as Markdown, the line of the chosen point marked."""
    can, cannot = np.sort(scores[answerable > 0]), scores[answerable < 1]
    lines = ["| answerable refused | unanswerable refused | below | |", "|---:|---:|---:|---|"]
    for share in (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5):
        below = can[min(len(can) - 1, round(share * len(can)))]
        mark = "chosen" if abs(share - chosen) < 1e-9 else ""
        lines.append(f"| {share:.2f} | {(cannot < below).mean():.2f} | {below:.3f} | {mark} |")
    return "\n".join(
        [*lines, "", f"Area under the curve {area(can, cannot):.3f}; {len(can)} answerable, {len(cannot)} not."]
    )


def area(can: Matrix, cannot: Matrix) -> float:
    """How often an answerable question is the likelier of a pair."""
    return float(np.mean([(p > n) + (p == n) / 2 for p in can for n in cannot]))


def main() -> None:
    """Fit, print the figures, and keep the coefficients if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--refuse", type=float, default=0.2, help="share of answerable questions to refuse")
    parser.add_argument("--write", action="store_true", help="keep the coefficients and the figures")
    options = parser.parse_args()
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory()))
        brains = {
            folder: stack.enter_context(indexed(folder, scratch / f"{folder.name}.db")) for folder in options.folders
        }
        projects = {folder.name: gather(brain, questions(folder)) for folder, brain in brains.items()}
        foreign = {
            folder.name: [
                one for other in options.folders if other != folder for one in gather(brain, questions(other))
            ]
            for folder, brain in brains.items()
        }
    every, strange = ([one for those in kind.values() for one in those] for kind in (projects, foreign))
    lines = [
        "| left out | gold first | gold in 6 | area under the judge's curve | with questions about others |",
        "|---|---:|---:|---:|---:|",
    ]
    scores, truths, told = [], [], []
    for name, asked in projects.items():
        others = [one for other, those in projects.items() if other != name for one in those] or asked
        weights = fit_order(others)
        model = judged_on(others, [one for other, those in foreign.items() if other != name for one in those], weights)
        values, answerable, _ = seen_by_judge(asked, weights)
        found = likelihoods(model, values)
        apart = likelihoods(model, seen_by_judge(foreign[name], weights)[0])
        can, cannot = found[answerable > 0], found[answerable < 1]
        lines.append(f"| {name} | {ranks(asked, weights)} | {area(can, cannot):.2f} | {area(can, apart):.2f} |")
        scores.append(found)
        truths.append(answerable)
        told.append(apart)
    weights = fit_order(every)
    model = judged_on(every, strange, weights)
    together, truth = np.concatenate(scores), np.concatenate(truths)
    can, cannot = np.sort(together[truth > 0]), np.sort(together[truth < 1])
    model["refuse_below"] = round(float(can[round(options.refuse * len(can))]), 3)
    model["strong_from"] = round(float(cannot[round(0.9 * (len(cannot) - 1))]), 3)
    refused = np.concatenate(told) < model["refuse_below"]
    report = "\n".join(
        [
            "# The order of rows and the judge of evidence",
            "",
            f"Fitted on {len(every)} questions about {len(projects)} projects; a line is of a fit without its project.",
            "",
            *lines,
            "",
            curve(together, truth, options.refuse),
            "",
            f"Refused of {len(refused)} questions about another project: {refused.sum()} ({refused.mean():.2f}).",
            "",
            f"Order: `{json.dumps(weights)}`",
            "",
            f"Judge: `{json.dumps(model)}`",
            "",
        ]
    )
    print(report)
    if options.write:
        (COMPOSER / "order.json").write_text(json.dumps(weights, indent=2) + "\n", "utf-8")
        (COMPOSER / "evidence.json").write_text(json.dumps(model, indent=2) + "\n", "utf-8")
        RESULTS.write_text(report, "utf-8")


if __name__ == "__main__":
    main()
