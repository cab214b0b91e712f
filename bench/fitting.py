"""Fit the ranking and the judge on questions about several projects, each with the encoder's features and without.

    python bench/fitting.py DATA_FOLDER … [--brains DIR] [--everyday DIR] [--refuse-below 0.42] [--keep-rank] [--write]

A DATA_FOLDER holds a GitHub export; it is asked its own questions and those of bench/questions, and with `--everyday`
the file there of its name, whose `must` are groups of alternatives. `--brains` reads brains that are there already; a
clone without an export needs it. The tiny projects of bench/small, the demo and the worlds of the behaviour packs fit
the judge too. Every figure is of a fit without its project; the judge reads rows as the weights of all projects rank
them, or with `--keep-rank` as they are ranked now. `--write` keeps the coefficients, and the figures in
bench/results/fitting.md and fitting.svg.

Source of the ranking's loss: Cao et al. 2007, ListNet, doi:10.1145/1273496.1273513.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
from folders import SMALL, opened
from models import fit_judge, fit_rank, judge_shares, likelihoods, order_shares
from samples import Matrix, Question, invented, judged_of, questions_of, ranked_of

from cortex.composer.judge.judge import FEATURES as JUDGED
from cortex.composer.judge.judge import caps
from cortex.composer.rank.features import FEATURES as RANKED
from cortex.composer.rank.rank import weights
from cortex.composer.values import Model
from cortex.indexers.run import encode_passages
from cortex.llm.encoder import find_encoder
from cortex.substrate.brain import Brain, open_brain

HERE: Final = Path(__file__).parent
COMPOSER: Final = HERE.parent / "cortex" / "composer"
RESULTS: Final = HERE / "results" / "fitting.md"
FIXED: Final = {
    "rule": (1.5, "who_when_where"),
    "authority": (1.0, "who_when_where, reverts"),
    "unverified": (-0.8, ""),
}
"""Weights set by hand, for questions hardly ask for what they decide, and the behaviour packs that need them."""


class Fitted(NamedTuple):
    """The models of one kind; of every question its kind, and its likelihood by a fit without its project."""

    rank: Mapping[str, float]
    judge: Mapping[str, float]
    table: str
    kinds: Matrix
    scores: Matrix


def fitted(
    model: Model, brains: Mapping[str, Brain], asked: Mapping[str, Sequence[Question]], below: float, *, keep_rank: bool
) -> Fitted:
    """Both models, fitted on every project, and the figures of each by a fit without it."""
    near = "near_" if model is Model.LEXICAL else "-"
    of_rank = [name for name in RANKED if name not in FIXED and not name.startswith(near)]
    of_judge = [name for name in JUDGED if name not in {cap.feature for cap in caps()} and not name.startswith(near)]
    ranked = [one for name, brain in brains.items() for one in ranked_of(name, brain, asked[name], of_rank)]
    fresh = named(of_rank, fit_rank([one for one in ranked if not one.held]))
    rank = dict(weights(model)) if keep_rank else fresh | {name: weight for name, (weight, _) in FIXED.items()}
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
    kept = "; ".join(f"{name} by {packs or 'none'}" for name, (_, packs) in FIXED.items())
    return "\n".join(
        [*parts, f"Weights set by hand, kept by behaviour packs: {kept}.", "", "![curve](fitting.svg)", ""]
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
    parser.add_argument("--keep-rank", action="store_true", help="fit the judge alone, on rows as they are ranked now")
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
            found[model] = fitted(model, of_kind, asked, given.refuse_below, keep_rank=given.keep_rank)
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
