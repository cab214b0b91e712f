"""Fit the judge of evidence on questions with and without an answer, and publish the curve it stands on.

    python bench/evidence.py DATA_FOLDER [--refuse 0.15] [--write]

DATA_FOLDER holds a GitHub export and `questions.jsonl` ({"question", "answerable", …}). Every likelihood reported is
of a question the model was not fitted on (leave one out). `--write` keeps the coefficients in
cortex/composer/evidence.json, refusing the given share of the answerable questions.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from data import rows as read_rows
from folders import indexed

from cortex.composer.ask import retrieve
from cortex.composer.evidence import FEATURES, features
from cortex.composer.question import understand
from cortex.substrate.brain import Brain
from cortex.substrate.stems import Stemmer

MODEL = Path(__file__).parent.parent / "cortex" / "composer" / "evidence.json"
RIDGE = 0.5
STEPS = 4000

Example = tuple[list[float], bool]


def examples(brain: Brain, questions: Sequence[dict[str, Any]]) -> list[Example]:
    """What the judge sees of each question, and whether it has an answer."""
    stemmer, rows = Stemmer(), []
    for asked in questions:
        question = understand(brain, str(asked["question"]), stemmer)
        seen = features(question, retrieve(brain, question, stemmer, sources=[1]))
        rows.append(([*(seen[name] for name in FEATURES), 1.0], bool(asked["answerable"])))
    return rows


def fit(rows: Sequence[Example]) -> list[float]:
    """Coefficients, the bias last, of a ridge logistic regression by gradient descent; both classes weigh the same."""
    share = sum(answerable for _, answerable in rows) / len(rows)
    weights = [0.0] * len(rows[0][0])
    for _ in range(STEPS):
        slope = [RIDGE * weight / len(rows) for weight in weights[:-1]] + [0.0]
        for values, answerable in rows:
            error = (likelihood(weights, values) - answerable) / len(rows) / (2 * (share if answerable else 1 - share))
            slope = [s + error * value for s, value in zip(slope, values, strict=True)]
        weights = [weight - 2.0 * s for weight, s in zip(weights, slope, strict=True)]
    return weights


def likelihood(weights: Sequence[float], values: Sequence[float]) -> float:
    """How likely a question with these features has an answer, 0 to 1."""
    return 1 / (1 + math.exp(-sum(weight * value for weight, value in zip(weights, values, strict=True))))


def left_out(rows: Sequence[Example]) -> tuple[list[float], list[float]]:
    """Sorted likelihoods of the answerable and of the unanswerable, each from a fit on all the others."""
    judged = [(likelihood(fit([*rows[:i], *rows[i + 1 :]]), values), can) for i, (values, can) in enumerate(rows)]
    return sorted(p for p, can in judged if can), sorted(p for p, can in judged if not can)


def curve(can: Sequence[float], cannot: Sequence[float]) -> str:
    """Refused unanswerable against refused answerable, as a Markdown table."""
    lines = ["| answerable refused | unanswerable refused | below |", "|---|---|---|"]
    for share in (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5):
        below = can[min(len(can) - 1, round(share * len(can)))]
        lines.append(f"| {share:.2f} | {sum(p < below for p in cannot) / len(cannot):.2f} | {below:.3f} |")
    area = sum((p > n) + (p == n) / 2 for p in can for n in cannot) / len(can) / len(cannot)
    return "\n".join([*lines, "", f"Area under the curve {area:.3f}; {len(can)} answerable, {len(cannot)} not."])


def main() -> None:
    """Fit, print the curve, and keep the coefficients if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--refuse", type=float, default=0.15, help="share of answerable questions to refuse")
    parser.add_argument("--write", action="store_true", help="keep the coefficients")
    options = parser.parse_args()
    with TemporaryDirectory() as scratch, indexed(options.folder, Path(scratch) / "brain.db") as brain:
        rows = examples(brain, list(read_rows(options.folder, "questions")))
    can, cannot = left_out(rows)
    print(curve(can, cannot))
    weights = fit(rows)
    model = {name: round(weight, 4) for name, weight in zip((*FEATURES, "bias"), weights, strict=True)}
    model["refuse_below"] = round(can[round(options.refuse * len(can))], 4)
    model["strong_from"] = round(cannot[round(0.9 * (len(cannot) - 1))], 4)
    print(json.dumps(model), file=sys.stderr)
    if options.write:
        MODEL.write_text(json.dumps(model, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
