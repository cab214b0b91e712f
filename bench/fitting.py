"""Fit the order of rows and the judge of evidence on questions about several projects.

    python bench/fitting.py DATA_FOLDER [DATA_FOLDER …] [--below 0.545] [--write] [--write-order]

A DATA_FOLDER holds a GitHub export; its questions are `questions.jsonl` there, else those of its name in
bench/questions/dev, and those of bench/questions/more. The judge is fitted on each project in three sizes: whole, with
a fifth of the threads that answer nothing, and with none of them; and on the tiny ones of bench/small. Every figure
printed is of a project the model was not fitted on (leave one out). `--write` keeps the judge's coefficients in
cortex/composer/evidence.json, and the figures with its curve in bench/results/fitting.md and fitting.svg;
`--write-order` the weights of the order, by which the judge's rows are found the next time, in order.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import matplotlib as mpl
import numpy as np
from folders import all_asked, cut, indexed
from matplotlib import pyplot as plt
from retrieval import first_six, plain

from cortex.composer import evidence
from cortex.composer.candidates import look
from cortex.composer.gathering import ROWS, retrieve
from cortex.composer.order import FEATURES, order
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question
from cortex.composer.records import load_records
from cortex.composer.understanding import understand
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain

HERE = Path(__file__).parent
SMALL = HERE / "small"
COMPOSER = HERE.parent / "cortex" / "composer"
RESULTS = HERE / "results" / "fitting.md"
RIDGE = 0.05
KINDS = {"answered": 0.5, "unanswerable": 0.3, "foreign": 0.2}
"""What questions weigh in fitting the judge: those that are answered, those without an answer, another project's."""
TOLD = (("answered", "missed"), ("unanswerable",), ("foreign",))
SIZES = {"whole": None, "a fifth": 0.2, "least": 0.0}
"""Of a project, by the share of its threads that are kept beside those which answer a question."""
STEPS = 1200
MOST = 1.0
"""That being tiny may count."""
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


class Seen(NamedTuple):
    """What the judge looks at in one question, asked about a project of some size.

    Attributes:
        kind: 'answered' where gold is among the first six, 'missed', 'unanswerable', 'foreign'.
    """

    project: str
    size: str
    kind: str
    values: Mapping[str, float]


def seen(project: str, size: str, asked: Iterable[Asked], *, foreign: bool = False) -> Iterator[Seen]:
    """What the judge looks at in each question that found rows; one without gold is answered by any."""
    stemmer = Stemmer()
    for one in asked:
        if not one.rows:
            continue
        kind = "unanswerable"
        if one.answerable:
            told = not one.gold or not one.gold.isdisjoint(first_six([row.fused for row in one.rows]))
            kind = "answered" if told else "missed"
        found = evidence.features(one.question, one.rows, stemmer)
        yield Seen(project, size, "foreign" if foreign else kind, found)


def fit_judge(every: Sequence[Seen], below: float) -> dict[str, float]:
    """Coefficients and bias of a ridge logistic regression; each size weighs as much, and its kinds by `KINDS`.

    Of tiny projects, which are made up, only that is fitted how much likelier an answer has to be there for as large a
    share to be refused of the questions without one as in whole projects.
    """
    names = [name for name in evidence.FEATURES if name != "tiny"]
    used = [one for one in every if one.kind in KINDS and one.size in SIZES]
    cells = Counter((one.size, one.kind) for one in used)
    values: Matrix = np.array([[one.values[name] for name in names] for one in used])
    truth: Matrix = np.array([float(one.kind == "answered") for one in used])
    weight: Matrix = np.array([KINDS[one.kind] / cells[one.size, one.kind] for one in used])
    weight /= weight.sum()
    centre, spread = values.mean(axis=0), values.std(axis=0) + 1e-6
    found, bias = np.zeros(values.shape[1]), 0.0
    for _ in range(STEPS):
        off = (1 / (1 + np.exp(-(values - centre) / spread @ found - bias)) - truth) * weight
        found -= off @ ((values - centre) / spread) + RIDGE * found
        bias -= float(off.sum())
    plain_ = found / spread
    model = {name: round(float(one), 3) for name, one in zip(names, plain_, strict=True)}
    model |= {"tiny": 0.0, "bias": round(float(bias - plain_ @ centre), 3)}
    cannot = {
        size: [one for one in every if one.kind == "unanswerable" and one.size == size] for size in ("whole", "tiny")
    }
    share = (likelihoods(model, cannot["whole"]) < below).mean()
    while cannot["tiny"] and model["tiny"] > -MOST and (likelihoods(model, cannot["tiny"]) < below).mean() < share:
        model["tiny"] = round(model["tiny"] - 0.01, 3)
    return model


def likelihoods(model: Mapping[str, float], every: Sequence[Seen]) -> Matrix:
    """How likely each question has an answer."""
    weighed: Matrix = np.array([sum(model[name] * value for name, value in one.values.items()) for one in every])
    return np.asarray(1 / (1 + np.exp(-weighed - model["bias"])))


def ranks(asked: Sequence[Asked], weights: Mapping[str, float]) -> str:
    """Shares of the answerable with gold first and among the first six."""
    sixes = [(one.gold, first_six([row.fused for row in one.ordered(weights)])) for one in asked if one.answerable]
    first = sum(bool(six) and six[0] in gold for gold, six in sixes) / len(sixes)
    return f"{first:.2f} | {sum(not gold.isdisjoint(six) for gold, six in sixes) / len(sixes):.2f}"


def curve(scores: Matrix, kinds: Matrix, chosen: float) -> str:
    """What is refused of each kind below a likelihood, as Markdown, the line of the *chosen* point marked."""
    lines = ["| below | answerable | unanswerable | another project's | |", "|---:|---:|---:|---:|---|"]
    can = np.isin(kinds, ("answered", "missed"))
    for below in sorted({*np.arange(0.3, 0.8, 0.05).round(2), chosen}):
        told = [(scores[one] < below).mean() for one in (can, kinds == "unanswerable", kinds == "foreign")]
        mark = "chosen" if below == chosen else ""
        lines.append(f"| {below:.2f} | {' | '.join(f'{one:.2f}' for one in told)} | {mark} |")
    return "\n".join(lines)


def draw(scores: Matrix, kinds: Matrix, chosen: float, path: Path) -> None:
    """What is refused without an answer, and of other projects, against what is refused though it has one."""
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "fitting"
    below = np.linspace(0, 1, 201)
    can = np.isin(kinds, TOLD[0])
    refused = np.array([(scores[can] < one).mean() for one in below])
    figure, axes = plt.subplots(figsize=(5, 4.5), layout="constrained")
    for kind, name in (("foreign", "another project's"), ("unanswerable", "without an answer")):
        of_kind = scores[kinds == kind]
        axes.plot(refused, [(of_kind < one).mean() for one in below], label=name)
        axes.plot((scores[can] < chosen).mean(), (of_kind < chosen).mean(), "ko", markersize=5)
    axes.plot([0, 1], [0, 1], color="0.8", linewidth=1)
    axes.annotate(f"refused below {chosen}", ((scores[can] < chosen).mean() + 0.03, 0.68))
    axes.set(xlabel="refused though it has an answer", ylabel="refused", xlim=(0, 1), ylim=(0, 1))
    axes.legend(loc="lower right")
    figure.savefig(path, metadata={"Date": None})


def area(can: Matrix, cannot: Matrix) -> float:
    """How often an answerable question is the likelier of a pair."""
    return float(np.mean([(p > n) + (p == n) / 2 for p in can for n in cannot]))


def projects(folders: Sequence[Path], scratch: Path) -> Iterator[tuple[str, str, Path]]:
    """Each folder by name and size, the smaller ones made in *scratch*; then the tiny ones of bench/small."""
    for folder in folders:
        for number, (size, share) in enumerate(SIZES.items()):
            smaller = folder if share is None else cut(folder, scratch / f"{folder.name}.{number}", share)
            yield folder.name, size, smaller
    for folder in sorted(SMALL.iterdir()):
        yield folder.name, "tiny", folder


def read(folders: Sequence[Path], scratch: Path) -> tuple[dict[str, list[Asked]], list[Seen]]:
    """What is found of each whole project's questions, and what the judge sees in every size of it."""
    questions = {folder.name: all_asked(folder) for folder in (*folders, *SMALL.iterdir())}
    whole: dict[str, list[Asked]] = {}
    every: list[Seen] = []
    for name, size, folder in projects(folders, scratch):
        with indexed(folder, scratch / f"{folder.name} {size}.db") as brain:
            own = gather(brain, questions[name])
            every += seen(name, size, own)
            if size == "whole":
                whole[name] = own
            for other in (one.name for one in folders if one.name != name):
                every += seen(name, size, gather(brain, questions[other]), foreign=True)
        print(f"{name}, {size}: {len(own)} questions", file=sys.stderr)
    return whole, every


def main() -> None:
    """Fit, print the figures, and keep the coefficients if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--below", type=float, default=0.545, help="the likelihood under which a question is refused")
    parser.add_argument("--write", action="store_true", help="keep the judge's coefficients and the figures")
    parser.add_argument("--write-order", action="store_true", help="keep the order's weights")
    options = parser.parse_args()
    with TemporaryDirectory() as scratch:
        whole, every = read(options.folders, Path(scratch))
    lines = ["| left out | gold first | gold in 6 |", "|---|---:|---:|"]
    for name, asked in whole.items():
        others = [one for other, those in whole.items() if other != name for one in those] or asked
        lines.append(f"| {name} | {ranks(asked, fit_order(others))} |")
    scores: Matrix = np.zeros(len(every))
    for name in dict.fromkeys(one.project for one in every):
        model = fit_judge([one for one in every if one.project != name], options.below)
        place = [at for at, one in enumerate(every) if one.project == name]
        scores[place] = likelihoods(model, [every[at] for at in place])
    kinds, sizes = (np.array([getattr(one, name) for one in every]) for name in ("kind", "size"))
    lines += [
        "",
        "| size | area, unanswerable | area, another project's | refused: answerable | unanswerable | another's |",
    ]
    lines += ["|---|---:|---:|---:|---:|---:|"]
    for size in dict.fromkeys(sizes):
        told = [scores[(sizes == size) & np.isin(kinds, names)] for names in TOLD]
        areas = [f"{area(told[0], one):.2f}" for one in told[1:]]
        refused = [f"{(one < options.below).mean():.2f}" for one in told]
        lines.append(f"| {size} | {' | '.join((*areas, *refused))} |")
    weights, model = fit_order([one for those in whole.values() for one in those]), fit_judge(every, options.below)
    model["refuse_below"] = options.below
    cannot = np.sort(scores[kinds == "unanswerable"])
    model["strong_from"] = round(float(cannot[round(0.9 * (len(cannot) - 1))]), 3)
    report = "\n".join(
        [
            "# The order of rows and the judge of evidence",
            "",
            (
                f"Fitted on {sum(map(len, whole.values()))} questions about {len(whole)} projects, the judge on these"
                " in several sizes and on the tiny ones of `bench/small`; every figure is of a fit without its project."
            ),
            "",
            *lines,
            "",
            "Refused below a likelihood, all sizes, the chosen point marked: ![curve](fitting.svg)",
            "",
            curve(scores, kinds, options.below),
            "",
            f"Order: `{json.dumps(weights)}`",
            "",
            f"Judge: `{json.dumps(model)}`",
            "",
        ]
    )
    print(report)
    if options.write_order:
        (COMPOSER / "order.json").write_text(json.dumps(weights, indent=2) + "\n", "utf-8")
    if options.write:
        (COMPOSER / "evidence.json").write_text(json.dumps(model, indent=2) + "\n", "utf-8")
        RESULTS.write_text(report, "utf-8")
        draw(scores, kinds, options.below, RESULTS.with_suffix(".svg"))


if __name__ == "__main__":
    main()
