"""Fit the ranking and the judge on questions about several projects, each with the encoder's features and without.

    python bench/fitting.py DATA_FOLDER [DATA_FOLDER …] [--brains DIR] [--everyday DIR] [--refuse-below 0.42] [--write]

A DATA_FOLDER holds a GitHub export; it is asked its own questions and those of bench/questions, and with `--everyday`
the file there of its name, whose `must` are groups of alternatives. `--brains` reads brains that are there already; a
clone without an export needs it. The tiny projects of bench/small, the demo and the worlds of the behaviour packs fit
the judge too. Every figure is of a fit without its project; the judge reads rows as the weights of all projects rank
them. `--write` keeps the coefficients, and the figures in bench/results/fitting.md and fitting.svg.

Source of the ranking's loss: Cao et al. 2007, ListNet, doi:10.1145/1273496.1273513.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
from behaviours import packs
from data import rows
from folders import SMALL, all_asked, held_out, opened
from samples import NOW, Judged, Matrix, Question, Ranked, judged_of, ranked_of
from worlds import build

from cortex.composer.judge.features import FEATURES as JUDGED
from cortex.composer.judge.judge import caps
from cortex.composer.rank.features import FEATURES as RANKED
from cortex.composer.values import Model
from cortex.evals.cases import load_suite
from cortex.indexers.encoding import encode_passages
from cortex.llm.encoder import find_encoder
from cortex.substrate.brain import Brain, open_brain
from cortex.surfaces.demo import index_demo

HERE: Final = Path(__file__).parent
COMPOSER: Final = HERE.parent / "cortex" / "composer"
RESULTS: Final = HERE / "results" / "fitting.md"
FIXED: Final = {
    "rule": (1.5, "authority"),
    "kind": (0.5, "who_when_where"),
    "authority": (1.0, "authority"),
    "named": (0.4, "named_things"),
    "unverified": (-0.8, "outsiders"),
    "proposal": (-1.0, "supersession"),
    "passed": (-2.0, "supersession"),
}
"""Weights set by hand, and the behaviour pack that keeps each: questions hardly ask for what they decide."""

KINDS: Final = {"answered": 0.5, "unanswerable": 0.3, "foreign": 0.2}
"""Share of each kind of question in the judge's loss; what ranking missed is left out."""
FOREIGN: Final = 8
"""Questions about each other project that a project is asked."""
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


class Fitted(NamedTuple):
    """The models of one kind; of every question its kind, and its likelihood by a fit without its project."""

    rank: Mapping[str, float]
    judge: Mapping[str, float]
    table: str
    kinds: Matrix
    scores: Matrix


def fitted(model: Model, brains: Mapping[str, Brain], asked: Mapping[str, Sequence[Question]], below: float) -> Fitted:
    """Both models, fitted on every project, and the figures of each by a fit without it."""
    near = "near_" if model is Model.LEXICAL else "-"
    of_rank = [name for name in RANKED if name not in FIXED and not name.startswith(near)]
    of_judge = [name for name in JUDGED if name not in {cap.feature for cap in caps()} and not name.startswith(near)]
    ranked = [one for name, brain in brains.items() for one in ranked_of(name, brain, asked[name], of_rank)]
    rank = named(of_rank, fit_rank([one for one in ranked if not one.held])) | {
        name: weight for name, (weight, _) in FIXED.items()
    }
    judged = [one for name, brain in brains.items() for one in judged_of(name, brain, asked[name], rank, of_judge)]
    kinds, scores = np.array([one.kind for one in judged]), np.zeros(len(judged))
    lines = [HEAD, "|---" + "|---:" * 8 + "|"]
    for name in brains:
        own, here = [one for one in ranked if one.project == name], np.array([one.project == name for one in judged])
        without = fit_rank([one for one in ranked if one.project != name and not one.held])
        left_out = fit_judge([one for one in judged if one.project != name and not one.held])
        scores[here] = likelihoods(left_out, [one for one in judged if one.project == name])
        found = [*order_shares(own, without), *judge_shares(kinds[here], scores[here], below)]
        lines.append(row(name, str(len(asked[name])), found))
    lines.append(row("**all**, judge alone", str(len(judged)), [np.nan] * 3 + judge_shares(kinds, scores, below)))
    return Fitted(
        rank,
        named([*of_judge, "bias"], fit_judge([one for one in judged if not one.held])),
        "\n".join(lines),
        kinds,
        scores,
    )


HEAD: Final = (
    "| left out | questions | gold first | in six | shown | right | answerable refused | unanswerable refused"
    " | another project's refused |"
)


def named(names: Sequence[str], values: Matrix) -> dict[str, float]:
    """*values* by name, as they are kept."""
    return {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}


def row(name: str, count: str, shares: Sequence[float]) -> str:
    """A row of the table; '–' for what was not asked."""
    return f"| {' | '.join([name, count, *('–' if np.isnan(one) else f'{one:.2f}' for one in shares)])} |"


def area(one: Fitted, kind: str) -> float:
    """How often an answered question is likelier than one of *kind*."""
    can, cannot = one.scores[one.kinds == "answered"], one.scores[one.kinds == kind]
    return float((can[:, None] > cannot[None, :]).mean())


def draw(found: Mapping[Model, Fitted], below: float, path: Path) -> None:
    """Unanswerable questions refused against answerable ones refused, a curve a model."""
    try:
        import matplotlib as mpl  # noqa: PLC0415  its own extra
    except ImportError:
        return
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "fitting"
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(5, 4.5), layout="constrained")
    for model, one in found.items():
        shares = np.array([judge_shares(one.kinds, one.scores, at)[1:3] for at in np.linspace(0, 1, 201)])
        axes.plot(shares[:, 0], shares[:, 1], label=str(model))
        axes.plot(*judge_shares(one.kinds, one.scores, below)[1:3], "ko", markersize=5)
    axes.set(xlabel="answerable refused", ylabel="unanswerable refused", xlim=(0, 1), ylim=(0, 1))
    axes.legend(loc="lower right")
    figure.savefig(path, metadata={"Date": None})


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
    for name, questions in asked.items():
        (scratch / name).mkdir()
        yield name, build(name, scratch / name), questions
    with open_brain(scratch / "demo.db") as brain:
        deque(index_demo(brain, progress=lambda *_: None, now=NOW), maxlen=0)
    cases = load_suite(HERE.parent / "evals" / "demo.yaml").cases
    rows = [{"question": one.question, "answerable": one.answerable} for one in cases]
    yield "demo", scratch / "demo.db", [Question("own", row) for row in rows]


def report(found: Mapping[Model, Fitted], below: float) -> str:
    """The page of results."""
    parts = ["# The ranking and the judge", "", f"`python bench/fitting.py FOLDER … --write`: {ABOUT}", ""]
    for model, one in found.items():
        parts += [f"## {model}", "", one.table, ""]
        parts += [
            f"Area under the curve: unanswerable {area(one, 'unanswerable'):.2f}, foreign {area(one, 'foreign'):.2f}.",
            "",
        ]
        parts += [
            "| refused below | right | answerable refused | unanswerable refused | foreign refused |",
            "|---:" * 5 + "|",
        ]
        for at in sorted({0.3, 0.35, 0.4, 0.5, 0.55, 0.6, below}):
            parts.append(row(f"{at:.2f}", "", judge_shares(one.kinds, one.scores, at)).replace("|  |", "|", 1))
        parts += ["", f"Ranking: `{json.dumps(one.rank)}`", "", f"Judge: `{json.dumps(one.judge)}`", ""]
    kept = "; ".join(f"{name} by `{pack}`" for name, (_, pack) in FIXED.items())
    return "\n".join(
        [*parts, f"Weights set by hand, each kept by a behaviour pack: {kept}.", "", "![curve](fitting.svg)", ""]
    )


ABOUT: Final = """every figure is of a fit without its project and without the questions
held out (`bench/questions/README.md`). *In six* is gold among six rows, *shown* gold that holds the answer; *right* is
what the judge lets pass of the questions that the six answer."""


def main() -> None:
    """Fit, print the figures, and keep the coefficients if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--brains", type=Path, help="a folder with a brain of each")
    parser.add_argument("--everyday", type=Path, help="a folder of everyday questions")
    parser.add_argument("--refuse-below", type=float, default=0.42, help="likelihood below which a question is refused")
    parser.add_argument("--strong-from", type=float, default=0.7, help="likelihood from which evidence is strong")
    parser.add_argument("--write", action="store_true", help="keep the coefficients and the figures")
    given = parser.parse_args()
    folders = [*given.folders, *sorted(SMALL.iterdir())]
    asked, found = questions_of(folders, given.everyday), {}
    with TemporaryDirectory() as scratch, ExitStack() as stack:
        encoder = find_encoder(Path(scratch))
        brains = {one.name: stack.enter_context(opened(one, given.brains, encoder)) for one in folders}
        for name, path, asked[name] in invented(Path(scratch)):
            with open_brain(path) as brain:
                _ = encoder and encode_passages(brain, encoder)
            brains[name] = stack.enter_context(open_brain(path, read_only=True))
        for model, used in ((Model.LEXICAL, None), (Model.SEMANTIC, encoder)):
            of_kind = {name: brain.encoding(partial(next, repeat(used))) for name, brain in brains.items()}
            found[model] = fitted(model, of_kind, asked, given.refuse_below)
    text = report(found, given.refuse_below)
    print(text)
    if given.write:
        limits = {"refuse_below": given.refuse_below, "strong_from": given.strong_from}
        rank, judge = (
            {m: one.rank for m, one in found.items()},
            {m: {**one.judge, **limits} for m, one in found.items()},
        )
        (COMPOSER / "rank" / "rank.json").write_text(json.dumps(rank, indent=2), "utf-8")
        (COMPOSER / "judge" / "judge.json").write_text(json.dumps(judge, indent=2), "utf-8")
        RESULTS.write_text(text, "utf-8")
        draw(found, given.refuse_below, RESULTS.with_suffix(".svg"))


if __name__ == "__main__":
    main()
