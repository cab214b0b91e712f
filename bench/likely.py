"""Fit which property of a project a question asks for, in any words: python bench/likely.py [FOLDER …] [--write].

Positives are the questions of bench/questions/properties.jsonl that ask for their property; the others there share its
words and ask for something else. Questions of the FOLDERs and of bench/questions/everyday, dev and more that no
template matches ask for nothing of the kind; held-out sets are left out. Figures are of six folds, each fitted without
its questions. `--write` keeps the weights in likely.json and the figures in bench/results/likely.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from samples import Matrix

from cortex.composer.query.intents import matches
from cortex.composer.query.likely import NOTHING, measures, read_model
from cortex.language.stems import split
from cortex.llm.encoder import StaticEncoder, find_encoder, tokens_of
from cortex.substrate.encoder import Encoder
from cortex.substrate.vectors import SCALE

HERE: Final = Path(__file__).parent
WEIGHTS: Final = HERE.parent / "cortex" / "composer" / "query" / "likely.json"
RESULTS: Final = HERE / "results" / "likely.md"
HELD_OUT: Final = ("anyio", "bat", "build", "cobra", "cortex", "gin", "marshmallow", "pip-tools", "pluggy", "tenacity")
MEANT: Final = {"latest version": "latest release"}  # an intent, where it is no property
OTHERS: Final = ("everyday", "dev", "more")  # folders of questions that ask for something else
FOLDS: Final = 6
RIDGE: Final = 2e-5
NAMES: Final = frozenset(
    "click django express facebook flask google mux mysql neovim numpy pandas rails redis requests rich sqlite vue"
    " zod".split()
)
"""Projects and companies that the samples name: no ordinary words."""

STEPS: Final = 800
OWN: Final = 0.6  # share of the questions with a word that ask for one property, from which it is of that
SHARES: Final = (0.4, 0.5, 0.6, 0.7, 0.8)


class Sample(NamedTuple):
    """A question, what it asks for, and the kind of sample: asks, near, everyday."""

    question: str
    asks_for: str
    kind: str


def samples(folders: Sequence[Path]) -> list[Sample]:
    """All samples, each question once."""
    rows = [json.loads(line) for line in (HERE / "questions" / "properties.jsonl").read_text("utf-8").splitlines()]
    found = {
        one["question"]: Sample(one["question"], MEANT.get(one["property"], one["property"]), "asks")
        if one["asks"]
        else Sample(one["question"], NOTHING, "near")
        for one in rows
    }
    for question in (one for folder in folders for one in _everyday(folder)):
        found.setdefault(question, Sample(question, NOTHING, "everyday"))
    return [*found.values()]


def _everyday(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.jsonl")):
        if path.stem not in HELD_OUT:
            asked = (json.loads(line)["question"] for line in path.read_text("utf-8").splitlines())
            yield from (one for one in asked if next(matches(one, today=None), None) is None)


def fit(values: Matrix, truth: Matrix, count: int) -> Matrix:
    """Weights of a multinomial logistic regression with a ridge, one row a class, by Adam."""
    wanted = np.eye(count)[truth]
    weights, first, second = (np.zeros((count, values.shape[1])) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = (chances(values, weights) - wanted).T @ values / len(values) + RIDGE * weights
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights -= 0.1 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights


def chances(values: Matrix, weights: Matrix) -> Matrix:
    """The likelihood of each class, a row a question."""
    logits = values @ weights.T
    found = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(found / found.sum(1, keepdims=True))


def apart(values: Matrix, truth: Matrix, count: int) -> Matrix:
    """The likelihoods by fits without the question."""
    found = np.zeros((len(values), count))
    places = np.random.default_rng(0).permutation(len(values)) % FOLDS
    for fold in range(FOLDS):
        out = places == fold
        found[out] = chances(values[out], fit(values[~out], truth[~out], count))
    return found


def report(all_: Sequence[Sample], names: Sequence[str], likely: Matrix) -> Iterator[str]:
    """Tables of shares by the likelihood from which it counts, and by property."""
    kinds, truth = np.array([one.kind for one in all_]), np.array([names.index(one.asks_for) for one in all_])
    some = [at for at, name in enumerate(names) if name != NOTHING]
    best = np.array(some)[likely[:, some].argmax(1)]
    most = likely[:, some].max(1)
    yield from ("# What a question asks of the project", "", "`python bench/likely.py --write`; six folds.", "")
    asked, near, others = (f"{(kinds == kind).sum():,}" for kind in ("asks", "near", "everyday"))
    yield (
        f"| counts from | of {asked} found | taken for another | of {near} near ones taken"
        f" | of {others} everyday ones taken |"
    )
    yield "|---:|---:|---:|---:|---:|"
    for share in SHARES:
        said, right = most >= share, best == truth
        asks = kinds == "asks"
        shares = (said & right & asks, said & ~right & asks, said & (kinds == "near"), said & (kinds == "everyday"))
        parts = (asks, asks, kinds == "near", kinds == "everyday")
        yield (
            f"| {share} | "
            + " | ".join(f"{a.sum() / max(1, b.sum()):.2f}" for a, b in zip(shares, parts, strict=True))
            + " |"
        )


def ordinary(all_: Sequence[Sample], encoder: StaticEncoder) -> list[str]:
    """The words of the questions that ask for something, but for names: one piece to the encoder, or of a property."""
    of: dict[str, Counter[str]] = {}
    for one in (one for one in all_ if one.kind == "asks"):
        for word in {*split(one.question)} - NAMES:
            of.setdefault(word, Counter())[one.asks_for] += 1
    return sorted(
        word
        for word, counts in of.items()
        if len(tokens_of(word, encoder.vocabulary)) == 1 or max(counts.values()) > max(1, OWN * counts.total())
    )


def keep(names: Sequence[str], weights: Matrix, encoder: Encoder, from_: float, words: Sequence[str]) -> None:
    """Write the weights as signed bytes."""
    scale = float(abs(weights).max()) / 127
    rows = {
        name: b64encode((row / scale).round().astype(np.int8).tobytes()).decode()
        for name, row in zip(names, weights, strict=True)
    }
    made: Mapping[str, object] = {
        "encoder": encoder.name,
        "from": from_,
        "scale": round(scale, 5),
        "words": " ".join(words),
        "weights": rows,
    }
    WEIGHTS.write_text(json.dumps(made, indent=1) + "\n", "utf-8")
    read_model.cache_clear()


def main() -> None:
    """Fit, print, and keep what is asked for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folders", type=Path, nargs="*")
    options.add_argument("--from", type=float, default=0.5, dest="from_")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    all_ = samples([*(HERE / "questions" / name for name in OTHERS), *given.folders])
    with tempfile.TemporaryDirectory() as cache:
        encoder = find_encoder(Path(cache))
        if not isinstance(encoder, StaticEncoder):
            sys.exit("needs the extra `semantic`")
        vectors = encoder.encode([one.question for one in all_])
    values = np.array([measures(one.question, vector) for one, vector in zip(all_, vectors, strict=True)]) / SCALE
    names = sorted({one.asks_for for one in all_})
    truth = np.array([names.index(one.asks_for) for one in all_])
    lines = [*report(all_, names, apart(values, truth, len(names)))]
    sys.stdout.write("\n".join(lines) + "\n")
    if given.write:
        keep(names, fit(values, truth, len(names)), encoder, given.from_, ordinary(all_, encoder))
        RESULTS.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
