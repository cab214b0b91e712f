"""Searches by the rarest words beside plain ones, on brains made of the sentences of a data folder.

    python bench/search.py DATA_FOLDER [--rows 100000 1000000] [--json]

Plain is FTS5's own `match 'a OR b …' order by bm25()` over the same terms on the same brain: the reference for time
and for which rows are the best. Writes `bench/results/search.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from data import brain_of, questions, rows, sentences, statements

from cortex.language.stems import stemmer
from cortex.substrate.brain import open_brain
from cortex.substrate.search import MOST_TERMS, count_terms, query_terms
from cortex.substrate.search import search as find
from cortex.substrate.sqlite.text_index import quoted
from cortex.substrate.text_index import FACT_WEIGHTS, Match

RESULTS: Final = Path(__file__).parent / "results" / "search.md"
LIMIT: Final = 30
REPEATS: Final = 3
PEER_ROWS: Final = 10_000
SAME: Final = 1e-6


class Timed(NamedTuple):
    """One query: milliseconds of either way, and the share of the best rows that ours found."""

    ours: float
    plain: float
    overlap: float


def main() -> None:
    """Measure, print, and write the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000])
    options.add_argument("--json", action="store_true", help="print JSON, write no table")
    given = options.parse_args()
    originals = sentences(given.folder)
    asked = {
        "questions and titles": questions(given.folder),
        "common words": common(originals),
        "pasted texts": pasted(given.folder),
    }
    with tempfile.TemporaryDirectory() as scratch:
        found = [
            line for count in given.rows for line in measured(Path(scratch) / f"{count}.db", originals, count, asked)
        ]
        peer = beside_rank_bm25(Path(scratch) / "peer.db", originals, asked["questions and titles"])
    report = {
        "machine": f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.machine()}, load"
        f" {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores",
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "lines": found,
        "peer": peer,
    }
    if given.json:
        print(json.dumps(report, indent=2))
    else:
        RESULTS.write_text(table(report), "utf-8")
        print(table(report))


def pasted(folder: Path, count: int = 60) -> list[str]:
    """Comments of 150 words and more, as people paste them: evenly spread over the folder."""
    long = [row["body"] for row in rows(folder, "comments") if len((row.get("body") or "").split()) >= 150]
    return long[:: max(1, len(long) // count)][:count]


def common(originals: list[str], count: int = 60, seed: int = 0) -> list[str]:
    """Two to six of the forty commonest words that a query keeps."""
    chance = random.Random(seed)  # noqa: S311  no secret
    often = Counter(word for text in originals[::10] for word in query_terms(text)).most_common(40)
    return [" ".join(chance.sample([word for word, _ in often], chance.randint(2, 6))) for _ in range(count)]


def measured(path: Path, originals: list[str], count: int, asked: dict[str, list[str]]) -> Iterator[dict[str, Any]]:
    """A line of figures for each kind of query, on a brain of *count* facts opened read-only."""
    said(f"{count:,} facts: building")
    started = time.perf_counter()
    with brain_of(path, statements(originals, count)) as brain:
        built = time.perf_counter() - started
        counting = milliseconds(lambda: count_terms(brain))
        again = milliseconds(lambda: count_terms(brain))
    with open_brain(path, read_only=True) as brain:
        find(brain.db, "facts", "warm up", sources=None)
        for kind, queries in asked.items():
            said(f"{count:,} facts: {len(queries)} {kind}")
            figures = [figure for query in queries if (figure := one(brain.db, query))]
            if figures:
                costs = {"build_s": built, "count_ms": counting, "count_again_ms": again}
                yield {"facts": count, "kind": kind, "queries": len(figures)} | summary(figures) | costs


def one(db: sqlite3.Connection, query: str) -> Timed | None:
    """The figures of one query, the two ways taking turns; none when nothing has any of its terms."""
    match = expression(db, query)
    best = plain(db, match) if match else []
    if not best:
        return None
    ours: list[Match] = []
    ours_ms, plain_ms = [], []
    for _ in range(REPEATS):
        ours_ms.append(milliseconds(lambda: ours.extend(find(db, "facts", query, sources=None, limit=LIMIT))))
        plain_ms.append(milliseconds(lambda: plain(db, match)))
    least = best[-1][1] - SAME
    overlap = sum(match.score >= least for match in ours[: len(ours) // REPEATS]) / len(best)
    return Timed(statistics.median(ours_ms), statistics.median(plain_ms), overlap)


def expression(db: sqlite3.Connection, query: str) -> str:
    """Any of the terms that a search of *query* scores by: each stem once, the rarest of a long text."""
    word_of: dict[str, str] = {}
    for word, stem in stemmer().stem(query_terms(query)).items():
        word_of.setdefault(stem, word)
    known = dict(db.execute("select term, documents from term_frequencies where index_name = 'facts_fts'"))
    rarest = sorted(word_of, key=lambda stem: known.get(stem, 1))[:MOST_TERMS]
    return " OR ".join(quoted(word_of[stem]) for stem in rarest)


def plain(db: sqlite3.Connection, match: str) -> list[tuple[int, float]]:
    """Rowid and score of the best, by FTS5 alone."""
    return db.execute(
        "select rowid, -bm25(facts_fts, ?, ?) as score from facts_fts where facts_fts match ?"
        " order by score desc limit ?",
        (*FACT_WEIGHTS, match, LIMIT),
    ).fetchall()


def summary(figures: Sequence[Timed]) -> dict[str, float]:
    """Medians, 95th percentiles and means of the figures."""
    ours, plain_ms, overlap = zip(*figures, strict=True)
    return {
        "ours_p50_ms": percentile(ours, 50),
        "ours_p95_ms": percentile(ours, 95),
        "ours_max_ms": max(ours),
        "plain_p50_ms": percentile(plain_ms, 50),
        "plain_p95_ms": percentile(plain_ms, 95),
        "overlap_mean": statistics.mean(overlap),
        "overlap_worst": min(overlap),
    }


def beside_rank_bm25(path: Path, originals: list[str], queries: list[str]) -> dict[str, float] | None:
    """Milliseconds a query of rank_bm25 and of ours on the same facts; none where it is not installed."""
    try:
        from rank_bm25 import BM25Okapi  # noqa: PLC0415
    except ImportError:
        return None
    said(f"rank_bm25 on {PEER_ROWS:,} facts")
    texts = list(statements(originals, PEER_ROWS))
    peer = BM25Okapi([text.lower().split() for text in texts])
    with brain_of(path, iter(texts)) as brain:
        count_terms(brain)
        ours = [milliseconds(lambda: find(brain.db, "facts", query, sources=None)) for query in queries[:200]]  # noqa: B023
    theirs = [milliseconds(lambda: peer.get_top_n(query.lower().split(), texts, LIMIT)) for query in queries[:200]]  # noqa: B023
    return {
        "facts": PEER_ROWS,
        "ours_p50_ms": percentile(ours, 50),
        "ours_p95_ms": percentile(ours, 95),
        "rank_bm25_p50_ms": percentile(theirs, 50),
        "rank_bm25_p95_ms": percentile(theirs, 95),
    }


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that *percent* of *values* do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def milliseconds(work: Callable[[], object]) -> float:
    """How long *work* takes."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def table(report: dict[str, Any]) -> str:
    """The figures as Markdown."""
    head = [
        "# Search: by the rarest words, beside plain OR",
        "",
        f"{report['machine']}; peak memory {report['peak_memory_mb']} MB, building included. Milliseconds a query,",
        f"each the median of {REPEATS}, on a read-only connection after one warm-up; overlap is the share of",
        f"the {LIMIT} best rows of plain BM25 that our search returns.",
        "",
        "| facts | queries | ours p50 | p95 | plain p50 | p95 | plain / ours p95 | overlap mean | worst |",
        "|---:|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines = [
        f"| {line['facts']:,} | {line['queries']} {line['kind']} | {line['ours_p50_ms']:.1f} |"
        f" {line['ours_p95_ms']:.1f} | {line['plain_p50_ms']:.1f} | {line['plain_p95_ms']:.1f} |"
        f" {line['plain_p95_ms'] / line['ours_p95_ms']:.1f}× | {line['overlap_mean']:.3f} |"
        f" {line['overlap_worst']:.2f} |"
        for line in report["lines"]
    ]
    costs = [
        f"Counting the terms of {line['facts']:,} facts, once an index changed: {line['count_ms']:.0f} ms;"
        f" when it did not: {line['count_again_ms']:.1f} ms."
        for line in {line["facts"]: line for line in report["lines"]}.values()
    ]
    if peer := report["peer"]:
        costs.append(
            f"On {peer['facts']:,} facts: ours p50 {peer['ours_p50_ms']:.1f} ms, p95 {peer['ours_p95_ms']:.1f} ms;"
            f" rank_bm25 p50 {peer['rank_bm25_p50_ms']:.1f} ms, p95 {peer['rank_bm25_p95_ms']:.1f} ms."
        )
    return "\n".join([*head, *lines, "", *("- " + cost for cost in costs), ""])


def said(progress: str) -> None:
    """Show where we are, on standard error."""
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
