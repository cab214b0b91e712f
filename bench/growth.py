"""How time and space grow with a brain, from a thousand facts to a million: python bench/growth.py DATA_FOLDER.

Brains are made of the sentences of the folder, twenty facts to a record and a passage for each five of them, so that
word frequencies stay those of people's text. Fitted is the exponent k of size^k, by least squares on logarithms: 1 is
linear, below 1 is better. Times are of the processor, which other programs on the machine
do not stretch. Writes `bench/results/growth.md` and its picture, `growth.svg`.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final, NamedTuple

from data import EPOCH, questions, sentences, statements

from cortex.composer.pipeline import ask
from cortex.composer.search import search
from cortex.evals.scoring import percentile
from cortex.language.identifiers import parts
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.identity import fingerprint
from cortex.substrate.model import Scope
from cortex.substrate.search import count_terms, query_terms

RESULTS: Final = Path(__file__).parent / "results" / "growth.md"
SIZES: Final = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
QUESTIONS: Final = 60
FACTS: Final = 20
"""To a record."""
PASSAGE: Final = 5
"""Facts to a passage."""


class Point(NamedTuple):
    """What a brain of one size takes."""

    facts: int
    index_s: float
    megabytes: float
    search_p50: float
    search_p95: float
    ask_p50: float
    ask_p95: float


NAMES: Final = {
    "index_s": "index, s", "megabytes": "on disk, MB", "search_p50": "search p50, ms", "search_p95": "search p95, ms",
    "ask_p50": "ask p50, ms", "ask_p95": "ask p95, ms",
}  # fmt: skip


def grown(path: Path, texts: Iterator[str]) -> Brain:
    """A brain of *texts*, each a fact that stands verbatim in its record."""
    brain = open_brain(path)
    brain.db.execute("insert into sources (id, name, created_at) values (1, 'bench', ?)", (EPOCH,))
    number = 0
    while chunk := list(islice(texts, FACTS * 1_000)):
        with brain.transaction() as db:
            for first in range(0, len(chunk), FACTS):
                number += 1
                _add(db, number, chunk[first : first + FACTS])
    count_terms(brain)
    return brain


def _add(db: sqlite3.Connection, number: int, texts: Sequence[str]) -> None:
    body, title = "\n".join(texts), texts[0][:60]
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + len(text) + 1)
    db.execute(
        "insert into records (id, source_id, type, ref, title, body, authority, origin, content_hash)"
        " values (?, 1, 'comment', ?, ?, ?, 0.7, 'bench', '')",
        (number, f"comment:{number}", title, body),
    )
    spans = [(starts[n], starts[min(n + PASSAGE, len(texts))] - 1) for n in range(0, len(texts), PASSAGE)]
    db.executemany(
        "insert into passages (source_id, record_id, start, end_, context, body, parts) values (1, ?, ?, ?, ?, ?, ?)",
        [(number, start, end, title, body[start:end], parts(body[start:end])) for start, end in spans],
    )
    db.executemany(
        "insert into facts (source_id, record_id, handle, kind, statement, excerpt, start, end_, authority, confidence,"
        " base_confidence, fingerprint, path, parts)"
        " values (1, ?, ?, 'spec', ?, ?, ?, ?, 0.7, 0.7, 0.7, ?, 'comments', ?)",
        [
            (
                number, f"fact-{number * FACTS + n:012x}", text, text, starts[n], starts[n] + len(text),
                fingerprint(text), parts(text),
            )
            for n, text in enumerate(texts)
        ],
    )  # fmt: skip


def measured(path: Path, texts: Iterator[str], size: int, asked: Sequence[str]) -> Point:
    """Build a brain of *size* facts at *path* and time everything on it; each query once warm, then counted."""
    started = process_time()
    grown(path, islice(texts, size)).close()
    took = process_time() - started
    with open_brain(path, read_only=True) as brain:
        searches = [_ms(partial(search, brain, text, scope=Scope())) for text in asked]
        answers = [_ms(partial(ask, brain, text, scope=Scope())) for text in asked]
    megabytes = path.stat().st_size / 1e6
    half, most = ([percentile(times, share) or 0.0 for times in (searches, answers)] for share in (0.5, 0.95))
    return Point(size, took, megabytes, half[0], most[0], half[1], most[1])


def _ms(run: Callable[[], object]) -> float:
    """Milliseconds of the processor that *run* takes, the lesser of two."""
    times = []
    for _ in range(2):
        started = process_time()
        run()
        times.append((process_time() - started) * 1000)
    return min(times)


def exponent(points: Sequence[Point], name: str) -> float:
    """K of size^k that fits *name* best, from ten thousand facts up: below, what does not grow outweighs what does."""
    grown_up = [point for point in points if point.facts >= 10_000] or list(points)
    sizes = [math.log(point.facts) for point in grown_up]
    values = [math.log(max(getattr(point, name), 1e-9)) for point in grown_up]
    middle, mean = sum(sizes) / len(sizes), sum(values) / len(values)
    spread = sum((size - middle) ** 2 for size in sizes)
    return sum((s - middle) * (v - mean) for s, v in zip(sizes, values, strict=True)) / spread if spread else 0.0


def table(points: Sequence[Point]) -> str:
    """The points and the fitted exponents as Markdown."""
    lines = [f"| facts | {' | '.join(NAMES.values())} |", "|---:|" + "---:|" * len(NAMES)]
    lines += [f"| {p.facts:,} | {' | '.join(f'{getattr(p, name):,.1f}' for name in NAMES)} |" for p in points]
    fitted = " | ".join(f"**{exponent(points, name):.2f}**" for name in NAMES)
    return "\n".join([*lines, f"| exponent, from 10,000 | {fitted} |"])


def draw(points: Sequence[Point], path: Path) -> None:
    """Search and ask against size on logarithmic axes, beside indexing and size on disk."""
    import matplotlib as mpl  # noqa: PLC0415  only the last step needs it

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "cortex"
    from matplotlib import pyplot as plt  # noqa: PLC0415

    sizes = [point.facts for point in points]
    figure, (times, space) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for axis, names in ((times, ("search_p50", "search_p95", "ask_p50", "ask_p95")), (space, ("index_s", "megabytes"))):
        for name in names:
            label = f"{NAMES[name]} (k = {exponent(points, name):.2f})"
            style = "--" if "95" in name else "-"
            axis.plot(sizes, [getattr(point, name) for point in points], style, marker="o", ms=3, label=label)
        axis.set(xscale="log", yscale="log", xlabel="facts")
        axis.legend(fontsize=8, frameon=False)
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure every size and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options = parser.parse_args()
    originals, every = sentences(options.folder), [text for text in questions(options.folder) if query_terms(text)]
    asked = every[:: max(1, len(every) // QUESTIONS)][:QUESTIONS]
    points = []
    for size in options.sizes:
        with TemporaryDirectory() as scratch:
            points.append(measured(Path(scratch) / "brain.db", statements(originals, size), size, asked))
        print(points[-1], flush=True)
    draw(points, RESULTS.with_suffix(".svg"))
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    where = f"{platform.machine()}, {os.cpu_count()} cores, {versions}"
    times = "Processor time, for each question the lesser of two."
    about = f"{where}. {len(asked)} questions, in the words of {options.folder.name}. {times}"
    RESULTS.write_text("\n".join(["# Growth", "", about, "", "![growth](growth.svg)", "", table(points), ""]), "utf-8")


if __name__ == "__main__":
    main()
