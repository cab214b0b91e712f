"""Fit how likely somebody is glad of what is told: python bench/worth.py BRAINS_FOLDER … [--sort SORT] [--write].

bench/judged/worth.json tells of changes and remarks of many projects, by source and sort, `[ref, start, end, useful]`:
whether a reader who saw title, quotation and record alone found it useful and of the kind (a remark, a decision);
where several read it, the mean. The folders hold a brain of each project; what is in none is left out. Figures are of
fits without the project. `--write` keeps the weights of the sorts that were fitted, and the figures in
bench/results/worth.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from samples import Matrix

from cortex.indexers.distill.confidence import confidence
from cortex.indexers.distill.rules import units
from cortex.indexers.distill.text import Text
from cortex.indexers.worth import LEAST, Sort, Sure, Telling, features, features_of_remark, read_weights
from cortex.substrate.brain import open_brain

HERE: Final = Path(__file__).parent
JUDGED: Final = HERE / "judged" / "worth.json"
WEIGHTS: Final = HERE.parent / "cortex" / "indexers" / "worth.json"
RESULTS: Final = HERE / "results" / "worth.md"
PROJECTS: Final = (5, 0.1)  # in so many, and in this share, a word has to stand: what fewer say is their own
RIDGE: Final = 20.0
TELLS: Final = 0.02  # of a weight that is kept
FOLDS: Final = 10
SHARES: Final = (0.6, 0.65, 0.7, 0.75, 0.78, 0.84, 0.87, 0.88, 0.92)
RECORD: Final = """select id, type, ref, title, body, author, state, created_at, association, path, ?
from records where source_id = ? and ref = ?"""


class Sample(NamedTuple):
    """A change as it was read."""

    project: str
    found: dict[str, float]
    useful: float


def samples(folders: Sequence[Path], sort: Sort) -> Iterator[Sample]:
    """What was read of the projects whose brains are in *folders*."""
    judged = json.loads(JUDGED.read_text("utf-8"))
    for path in sorted(one for folder in folders for one in folder.glob("*.db")):
        with open_brain(path, read_only=True) as brain:
            for source_id, name in brain.db.execute("select id, name from sources").fetchall():
                for ref, start, end, useful in judged.get(name, {}).get(sort, ()):
                    told = brain.db.execute(RECORD, (sort == "closing", source_id, ref)).fetchone()
                    if told:
                        yield Sample(name, found(Text(*told), Telling(sort, start, end)), useful)


def found(text: Text, told: Telling) -> dict[str, float]:
    """The features of what a record tells."""
    if text.type != "comment":
        return features(text.title, text.body, told)
    sure = [Sure(unit.start, unit.end, confidence(unit, text)) for unit in units(text)]
    return features_of_remark(text.title, text.body, told, sure)


def known(read: Sequence[Sample]) -> list[str]:
    """The features that count: shapes, and words that several projects say."""
    says: dict[str, set[str]] = {}
    for one in read:
        for name in one.found:
            says.setdefault(name, set()).add(one.project)
    fewest, share = PROJECTS
    least = max(fewest, share * len({one.project for one in read}))
    return sorted(name for name, projects in says.items() if name[0] not in "=^" or len(projects) >= least)


def matrix(read: Sequence[Sample], names: Sequence[str]) -> Matrix:
    """A row a sample; the last column is 1."""
    place = {name: at for at, name in enumerate(names)}
    values = np.zeros((len(read), len(names) + 1))
    values[:, -1] = 1
    for row, one in zip(values, read, strict=True):
        for name, worth in one.found.items():
            if name in place:
                row[place[name]] = worth
    return values


def fit(values: Matrix, useful: Matrix) -> Matrix:
    """Weights of a logistic regression with a ridge, by Newton's method."""
    weights = np.zeros(values.shape[1])
    ridge = np.full(values.shape[1], RIDGE)
    ridge[-1] = 1e-6
    for _ in range(12):
        likely = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ (likely - useful) + ridge * weights
        bend = (values * (likely * (1 - likely))[:, None]).T @ values + np.diag(ridge)
        weights -= np.linalg.solve(bend, slope)
    return weights


def apart(values: Matrix, useful: Matrix, projects: Sequence[str]) -> Matrix:
    """The likelihoods by fits without the project."""
    likely = np.zeros(len(values))
    for fold in range(FOLDS):
        out = np.isin(projects, sorted(set(projects))[fold::FOLDS])
        likely[out] = 1 / (1 + np.exp(-values[out] @ fit(values[~out], useful[~out])))
    return likely


def report(sort: Sort, read: Sequence[Sample], likely: Matrix) -> Iterator[str]:
    """The share of useful ones by the likelihood from which they count."""
    useful = np.array([one.useful for one in read])
    yield from ("", f"## {sort}", "", f"{len(read):,} read of {len({one.project for one in read})} projects.", "")
    yield from ("| likelihood from | read | useful |", "|---:|---:|---:|")
    for least in (0.0, *SHARES):
        some = likely >= least
        mark = " (a fact)" if least == LEAST[sort] else ""
        if some.any():
            yield f"| {least}{mark} | {some.sum():,} | {useful[some].mean():.3f} |"


def main() -> None:
    """Fit, print, and keep what is asked for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folders", type=Path, nargs="+")
    options.add_argument("--sort", dest="sorts", choices=[*LEAST], action="append", help="fit these; the others stay")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    lines = ["# What a change or a remark tells that somebody is glad of", "", "`python bench/worth.py FOLDER --write`"]
    kept = {sort: dict(weights) for sort, weights in read_weights().items()}
    for sort in given.sorts or LEAST:
        read = [*samples(given.folders, sort)]
        if not read:
            sys.exit(f"no brain in {', '.join(map(str, given.folders))} holds a project of {JUDGED.name}")
        names = known(read)
        values, useful = matrix(read, names), np.array([one.useful for one in read])
        lines += report(sort, read, apart(values, useful, [one.project for one in read]))
        fitted = zip([*names, "bias"], fit(values, useful), strict=True)
        kept[sort] = {name: round(float(weight), 2) for name, weight in fitted if abs(weight) >= TELLS}
    sys.stdout.write("\n".join(lines) + "\n")
    if given.write:
        WEIGHTS.write_text(json.dumps(kept, ensure_ascii=False).replace("}, ", "},\n") + "\n", "utf-8")
        told = RESULTS.read_text("utf-8").split("\n## ")
        parts = [*told[1:], *"\n".join(lines).split("\n## ")[1:]]
        fresh = {one.split("\n")[0]: one.strip("\n") for one in parts}
        RESULTS.write_text("\n\n## ".join([lines[0] + "\n\n" + lines[2], *fresh.values()]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
