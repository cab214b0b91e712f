"""Fit the judge of evidence on questions with and without an answer, and publish the curve it stands on.

    python bench/evidence.py DATA_FOLDER [--foreign DATA_FOLDER …] [--refuse 0.15] [--write]

DATA_FOLDER holds a GitHub export and `questions.jsonl` ({"question", "answerable", …}). The foreign folders' brains
are asked the same questions, which have no answer there, and every folder is asked the titles of its own issues, which
have one: both weigh little and keep the model honest where the questions say nothing. Every likelihood reported is of
a question the model was not fitted on (leave one out). `--write` keeps the coefficients in
cortex/composer/evidence.json and the curve in bench/results/evidence.md, refusing the given share of the answerable.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from data import rows as read_rows
from folders import indexed

from cortex.composer.ask import retrieve
from cortex.composer.evidence import FEATURES, features
from cortex.composer.question import understand
from cortex.substrate.brain import Brain
from cortex.substrate.stems import Stemmer

MODEL = Path(__file__).parent.parent / "cortex" / "composer" / "evidence.json"
RESULTS = Path(__file__).parent / "results" / "evidence.md"
RIDGE = 1.0
STEPS = 30
ASIDE = 0.1
TITLES = 36


class Example(NamedTuple):
    """What the judge sees of a question, a constant last; whether it has an answer; what it weighs in the fit."""

    values: list[float]
    answerable: bool
    weight: float


def examples(brain: Brain, asked: Iterable[tuple[str, bool, float]]) -> list[Example]:
    """The examples of (question, answerable, weight) put to *brain*."""
    stemmer, rows = Stemmer(), []
    for text, answerable, weight in asked:
        question = understand(brain, text, stemmer)
        seen = features(question, retrieve(brain, question, stemmer, sources=[1]))
        rows.append(Example([*(seen[name] for name in FEATURES), 1.0], answerable, weight))
    return rows


def titles(folder: Path) -> list[tuple[str, bool, float]]:
    """Titles of the folder's issues, evenly spread: questions that have an answer."""
    every = [row["title"] for row in read_rows(folder, "issues")]
    return [(title, True, ASIDE) for title in every[:: max(1, len(every) // TITLES)]]


def fit(rows: Sequence[Example]) -> list[float]:
    """Coefficients, the bias last, of a ridge logistic regression by Newton's method on standardised features."""
    values = np.array([row.values for row in rows])
    centre, spread = values.mean(axis=0), values.std(axis=0)
    centre[-1], spread[-1] = 0.0, 1.0
    scaled = (values - centre) / np.where(spread > 0, spread, 1.0)
    answers, weight = np.array([row.answerable for row in rows]), np.array([row.weight for row in rows])
    ridge = np.diag([RIDGE] * len(FEATURES) + [1e-6])
    found = np.zeros(values.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-scaled @ found))
        slope = scaled.T @ (weight * (chance - answers)) + ridge @ found
        found -= np.linalg.solve((scaled * (weight * chance * (1 - chance))[:, None]).T @ scaled + ridge, slope)
    plain = found / np.where(spread > 0, spread, 1.0)
    plain[-1] = found[-1] - (plain[:-1] * centre[:-1]).sum()
    return [float(one) for one in plain]


def likelihood(weights: Sequence[float], values: Sequence[float]) -> float:
    """How likely a question with these features has an answer, 0 to 1."""
    return 1 / (1 + math.exp(-sum(weight * value for weight, value in zip(weights, values, strict=True))))


def left_out(asked: Sequence[Example], aside: Sequence[Example]) -> tuple[list[float], list[float]]:
    """Sorted likelihoods of the answerable and of the unanswerable, each from a fit on all the others."""
    judged = [
        (likelihood(fit([*asked[:i], *asked[i + 1 :], *aside]), one.values), one.answerable)
        for i, one in enumerate(asked)
    ]
    return sorted(p for p, can in judged if can), sorted(p for p, can in judged if not can)


def curve(can: Sequence[float], cannot: Sequence[float]) -> str:
    """Refused unanswerable against refused answerable, as a Markdown table."""
    lines = ["| answerable refused | unanswerable refused | below |", "|---|---|---|"]
    for share in (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5):
        below = can[min(len(can) - 1, round(share * len(can)))]
        lines.append(f"| {share:.2f} | {sum(p < below for p in cannot) / len(cannot):.2f} | {below:.3f} |")
    area = sum((p > n) + (p == n) / 2 for p in can for n in cannot) / len(can) / len(cannot)
    return "\n".join([*lines, "", f"Area under the curve {area:.3f}; {len(can)} answerable, {len(cannot)} not."])


def gather(folder: Path, foreign: Sequence[Path]) -> tuple[list[Example], list[Example], list[Example]]:
    """The questions asked where they belong; the same asked elsewhere; titles asked where they stand."""
    asked = list(read_rows(folder, "questions"))
    share = sum(row["answerable"] for row in asked) / len(asked)
    here = [
        (row["question"], bool(row["answerable"]), 1.0 if row["answerable"] else share / (1 - share)) for row in asked
    ]
    home: list[Example] = []
    elsewhere: list[Example] = []
    own: list[Example] = []
    for place in (folder, *foreign):
        with TemporaryDirectory() as scratch, indexed(place, Path(scratch) / "brain.db") as brain:
            if place == folder:
                home = examples(brain, here)
            else:
                elsewhere += examples(brain, [(row["question"], False, ASIDE) for row in asked])
            own += examples(brain, titles(place))
    return home, elsewhere, own


def main() -> None:
    """Fit, print the curve, and keep the coefficients if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--foreign", type=Path, nargs="*", default=[], help="folders of other projects")
    parser.add_argument("--refuse", type=float, default=0.15, help="share of answerable questions to refuse")
    parser.add_argument("--write", action="store_true", help="keep the coefficients and the curve")
    options = parser.parse_args()
    home, elsewhere, own = gather(options.folder, options.foreign)
    can, cannot = left_out(home, elsewhere + own)
    weights = fit([*home, *elsewhere, *own])
    model = {name: round(weight, 4) for name, weight in zip((*FEATURES, "bias"), weights, strict=True)}
    model["refuse_below"] = round(can[round(options.refuse * len(can))], 4)
    model["strong_from"] = round(cannot[round(0.9 * (len(cannot) - 1))], 4)
    refused = [
        sum(likelihood(weights, row.values) < model["refuse_below"] for row in rows) for rows in (elsewhere, own)
    ]
    report = f"""# The judge of evidence

Refuse below a likelihood of {model["refuse_below"]}.

{curve(can, cannot)}

Refused of {len(elsewhere)} questions about another project: {refused[0]}.
Refused of {len(own)} titles of a project's own issues: {refused[1]}.
"""
    print(report)
    if options.write:
        MODEL.write_text(json.dumps(model, indent=2) + "\n", "utf-8")
        RESULTS.write_text(report, "utf-8")


if __name__ == "__main__":
    main()
