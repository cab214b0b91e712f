"""Fit the confidence of the rule distiller on judged sentences, publish its calibration, and time it.

    python bench/distilling.py DATA_FOLDER [DATA_FOLDER …] [--write]

A DATA_FOLDER holds a GitHub export. bench/judged/development.jsonl says of sentences in such folders whether a reader
was glad of them ({"source", "ref", "end", "fingerprint", "verdict"}; the texts stay where they are). Every confidence
reported is of a sentence whose whole project the model was not fitted on. `--write` keeps the weights in
cortex/indexers/distill/weights.json and the curve in bench/results/distilling.md and distilling.svg.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from data import rows as read_rows
from texts import texts_of

from cortex.indexers.distill.confidence import NEVER, features, path_of
from cortex.indexers.distill.rules import KEEP, distill, units
from cortex.indexers.distill.tells import CUES
from cortex.indexers.distill.text import Text
from cortex.language.patterns import read_table
from cortex.substrate.identity import fingerprint

JUDGED = Path(__file__).parent / "judged"
RESULTS = Path(__file__).parent / "results" / "distilling.md"
WEIGHTS = Path(__file__).parent.parent / "cortex" / "indexers" / "distill" / "weights.json"
RIDGE = 4.0
STEPS = 40
SHAPES = {"measured": 1.0, "decided why": 0.4, "release": 0.3}
Numbers = np.ndarray[Any, Any]
BINS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

PRIORS = {cue["name"]: cue.get("prior", 0.0) for cue in [*read_table("cues")["cue"], *CUES]}
"""What a cue weighs before anything is judged, from where it is fitted."""


class Example(NamedTuple):
    """A judged sentence as the model sees it."""

    source: str
    seen: dict[str, float]
    useful: bool


def examples(texts: dict[str, list[Text]]) -> dict[str, list[Example]]:
    """By path, the judged sentences that *texts* still hold, but for those that never make a fact."""
    by_ref = {(source, text.ref): text for source, held in texts.items() for text in held}
    found: dict[str, list[Example]] = {"docs": [], "comments": []}
    for row in read_rows(JUDGED, "development"):
        text = by_ref.get((row["source"], row["ref"]))
        for unit in units(text) if text else ():
            if unit.end == row["end"] and fingerprint(unit.text) == row["fingerprint"] and text:
                seen = features(unit, text)
                if not any(seen.get(name) for name in NEVER[path_of(text)]):
                    found[path_of(text)].append(Example(row["source"], seen, row["verdict"] == "useful"))
    return found


def fit(rows: Sequence[Example], names: Sequence[str]) -> Numbers:
    """Weights of *names* and the bias: logistic regression that leaves its priors as far as the rows make it."""
    x, y = matrix(rows, names), np.array([row.useful for row in rows], float)
    priors = np.array([(PRIORS | SHAPES).get(name, 0.0) for name in names] + [0.0])
    pull = np.diag([RIDGE] * len(names) + [1e-3])
    weights: Numbers = priors.copy()
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (p - y) + pull @ (weights - priors)
        weights -= np.linalg.solve((x.T * (p * (1 - p))) @ x + pull, slope)
    return weights


def matrix(rows: Iterable[Example], names: Sequence[str]) -> Numbers:
    """A row an example, a column a name and a constant."""
    x: Numbers = np.array([[*(row.seen.get(name, 0.0) for name in names), 1.0] for row in rows])
    return x


def held_out(rows: Sequence[Example], names: Sequence[str]) -> Numbers:
    """The confidence in each example of a model that has seen none of its project."""
    told: Numbers = np.zeros(len(rows))
    for source in {row.source for row in rows}:
        weights = fit([row for row in rows if row.source != source], names)
        own = [place for place, row in enumerate(rows) if row.source == source]
        told[own] = 1 / (1 + np.exp(-matrix([rows[place] for place in own], names) @ weights))
    return told


def curve(told: Numbers, useful: Numbers) -> list[tuple[float, float, int]]:
    """For each bin that holds any: mean confidence, share that is useful, how many."""
    inside = [(told >= low) & (told < high) for low, high in pairwise(BINS)]
    return [(float(told[m].mean()), float(useful[m].mean()), int(m.sum())) for m in inside if m.any()]


def kept(told: Numbers, useful: Numbers, least: float) -> str:
    """How many reach *least*, and how many of these are useful."""
    reach = told >= least
    return f"{int(reach.sum())} of {len(told)}, {useful[reach].mean():.2f} useful" if reach.any() else "none"


def speed(texts: Sequence[Text]) -> float:
    """Texts a second of processor time: other work on the machine does not count."""
    started = time.process_time()
    for text in texts:
        for _ in distill(text):
            pass
    return len(texts) / (time.process_time() - started)


def plot(curves: dict[str, list[tuple[float, float, int]]], path: Path) -> None:
    """Draw confidence against usefulness."""
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "distilling"
    from matplotlib import pyplot as plt  # noqa: PLC0415  after the choice of what draws

    figure, axes = plt.subplots(figsize=(5, 5))
    axes.plot([0, 1], [0, 1], color="0.8", linewidth=1)
    for path_name, points in curves.items():
        axes.plot([p[0] for p in points], [p[1] for p in points], marker="o", label=path_name)
    axes.set(xlabel="confidence, of a project not fitted on", ylabel="judged useful", xlim=(0, 1), ylim=(0, 1))
    axes.legend()
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")


def main() -> None:
    """Fit, report, and keep both if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true", help=f"keep {WEIGHTS.name}, {RESULTS.name} and the plot")
    options = parser.parse_args()
    texts = dict(texts_of(folder) for folder in options.folders)
    weights, curves, lines = {}, {}, []
    for path, rows in examples(texts).items():
        names = sorted({name for row in rows for name, value in row.seen.items() if value})
        told, useful = held_out(rows, names), np.array([row.useful for row in rows], float)
        found = fit(rows, names)
        weights[path] = {name: round(float(value), 2) for name, value in zip([*names, "bias"], found, strict=True)}
        curves[path] = curve(told, useful)
        lines += ["", f"## {path}", "", f"Kept from {KEEP[path]}: {kept(told, useful, KEEP[path])}.", ""]
        lines += ["| mean confidence | useful | sentences |", "|---|---|---|"]
        lines += [f"| {mean:.2f} | {share:.2f} | {count} |" for mean, share, count in curves[path]]
    comments = [text for held in texts.values() for text in held if text.type == "comment"]
    sections = [text for held in texts.values() for text in held if text.type == "doc"]
    head = [
        "# The confidence of the rule distiller",
        "",
        "`python bench/distilling.py FOLDER … --write`. Sentences of four projects, drawn, read and judged by hand;",
        "each confidence is that of a model fitted on the three other projects. ![calibration](distilling.svg)",
        "",
        f"Speed on one core: {speed(comments):,.0f} comments and {speed(sections):,.0f} sections a second.",
    ]
    report = "\n".join([*head, *lines, ""])
    print(report)
    if options.write:
        RESULTS.write_text(report, encoding="utf-8")
        WEIGHTS.write_text(json.dumps(weights, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        plot(curves, RESULTS.with_suffix(".svg"))


if __name__ == "__main__":
    main()
