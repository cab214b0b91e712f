"""Linear models of the ranking and the judge: how they are fitted, and what shares of questions they get right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from samples import Judged, Matrix, Ranked

KINDS: Final = {"answered": 0.5, "unanswerable": 0.3, "foreign": 0.2}
"""Share of each kind of question in the judge's loss; what ranking missed is left out."""
RANK_RIDGE: Final = 0.05
JUDGE_RIDGE: Final = 0.02


def fit_rank(asked: Sequence[Ranked]) -> Matrix:
    """Weights under which gold is likeliest among the candidates, and gold that shows the answer thrice as much."""
    useful = [one for one in asked if one.gold.any()]
    spread = np.concatenate([one.values for one in useful]).std(axis=0) + 1e-6
    size = max(len(one.values) for one in useful)
    values, target = np.zeros((len(useful), size, len(spread))), np.zeros((len(useful), size))
    absent = np.full((len(useful), size), -1e9)
    for at, one in enumerate(useful):
        n = len(one.values)
        values[at, :n], target[at, :n], absent[at, :n] = one.values / spread, one.gold + 2 * one.shown, 0
    weights, first, second = (np.zeros(len(spread)) for _ in range(3))
    for step in range(1, 601):  # Adam
        scores = values @ weights + absent
        chance = np.exp(scores - scores.max(1, keepdims=True))
        chance /= chance.sum(1, keepdims=True)
        right = chance * target / (chance * target).sum(1, keepdims=True)
        slope = np.einsum("kn,knf->f", right - chance, values) / len(useful) - RANK_RIDGE * weights
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights += 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights / spread


def fit_judge(seen: Sequence[Judged]) -> Matrix:
    """Coefficients of a logistic regression by Newton's method, with a ridge; the last is the bias."""
    used = [one for one in seen if one.kind in KINDS and np.isfinite(one.values).all()]
    values, truth = np.array([one.values for one in used]), np.array([float(one.kind == "answered") for one in used])
    counts = Counter(one.kind for one in used)
    share = np.array([KINDS[one.kind] / counts[one.kind] for one in used])
    share /= share.sum()
    centre, spread = values.mean(axis=0), values.std(axis=0) + 1e-6
    table = np.c_[(values - centre) / spread, np.ones(len(values))]
    ridge = np.r_[np.full(values.shape[1], JUDGE_RIDGE), 1e-9]
    found = np.zeros(table.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-table @ found))
        bend = (table.T * (share * chance * (1 - chance))) @ table + np.diag(ridge)
        found -= np.linalg.solve(bend, table.T @ ((chance - truth) * share) + ridge * found)
    weights = found[:-1] / spread
    return np.r_[weights, found[-1] - weights @ centre]


def likelihoods(fitted: Matrix, seen: Sequence[Judged]) -> Matrix:
    """How likely each question is answered; 0 without rows."""
    logits = [one.values @ fitted[:-1] + fitted[-1] if np.isfinite(one.values).all() else -np.inf for one in seen]
    return 1 / (1 + np.exp(-np.array(logits)))


def order_shares(asked: Sequence[Ranked], weights: Matrix) -> list[float]:
    """Shares of questions with gold first, among six rows of at most two a thread, and shown there."""
    found = []
    for one in asked:
        taken: list[int] = []
        threads: Counter[str] = Counter()
        for at in np.argsort(-(one.values @ weights), kind="stable"):
            threads[one.threads[at]] += 1
            taken += [at] if threads[one.threads[at]] <= 2 and len(taken) < 6 else []
        found.append((one.gold[taken[0]], one.gold[taken].max(), one.shown[taken].max()))
    return [*np.mean(found, axis=0)] if found else [np.nan] * 3


def judge_shares(kinds: Matrix, scores: Matrix, below: float) -> list[float]:
    """Shares: right of the answerable; refused of these, of the unanswerable, and of another project's questions."""
    can, kept = np.isin(kinds, ("answered", "missed")), scores >= below
    pairs = [
        (kept & (kinds == "answered"), can),
        *((~kept, of) for of in (can, kinds == "unanswerable", kinds == "foreign")),
    ]
    return [float(shares[of].mean()) if of.any() else np.nan for shares, of in pairs]
