"""What each part of retrieval earns: the same questions and rankings with one part left out or done another way.

    python bench/retrieval.py DATA_FOLDER [DATA_FOLDER …] [--write]

A DATA_FOLDER holds a GitHub export and, where it has them, `questions.jsonl` and `gold/*.jsonl`. Printed as a
Markdown table: for questions, gold among the first six records and gold first; for rankings, recall@5.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from data import rows as read_rows
from folders import indexed

from cortex.composer import ask as asking
from cortex.composer import fuse as fusing
from cortex.composer.fuse import Fused
from cortex.composer.question import understand
from cortex.composer.retrieve import passages as retrieving
from cortex.composer.retrieve.passages import Found
from cortex.substrate.brain import Brain
from cortex.substrate.stems import Stemmer

RESULTS = Path(__file__).parent / "results" / "retrieval.md"


def reciprocal_rank(k: int) -> Callable[[Sequence[Found], Sequence[Found]], list[Fused]]:
    """Reciprocal rank fusion by authority / (k + rank), the usual way to merge rankings."""

    def fuse(passages: Sequence[Found], facts: Sequence[Found]) -> list[Fused]:
        scores: dict[int, float] = defaultdict(float)
        best: dict[int, Fused] = {}
        for one in fusing.fuse(passages, facts):
            best[one.row.record_id] = one
        for ranking in (passages, facts):
            ranked = dict.fromkeys(found.row.record_id for found in ranking)
            for rank, record in enumerate(ranked, 1):
                scores[record] += best[record].row.authority / (k + rank)
        return sorted((best[r]._replace(score=s) for r, s in scores.items()), key=lambda one: -one.score)

    return fuse


def unrelated(_: Brain, fused: Sequence[Fused], *, first: int = 0) -> list[Fused]:  # noqa: ARG001  same shape
    """No links: what the words found, and nothing else."""
    return list(fused)


Change = tuple[Any, str, Any]

VARIANTS: Mapping[str, Sequence[Change]] = {
    "as it is": [],
    "reciprocal rank, k = 60": [(asking, "fuse", reciprocal_rank(60))],
    "reciprocal rank, k = 10": [(asking, "fuse", reciprocal_rank(10))],
    "without facts": [(fusing, "FACTS", 0.0)],
    "without the thread's best": [(fusing, "THREAD", 0.0)],
    "without links": [(asking, "with_related", unrelated)],
    "without coverage": [(retrieving, "COVERAGE", 0.0)],
    "commits as good as their pulls": [(retrieving, "TOLD_BY_ITS_PULL", 1.0)],
}


def plain(ref: str) -> str:
    """The form the gold files use: 'pr:9', 'comment:77', 'doc:a.md'."""
    kind, _, name = ref.partition(":")
    if kind == "comment":
        return f"comment:{name.rpartition('#')[2]}"
    return f"{ {'pull': 'pr'}.get(kind, kind) }:{name.partition('#')[0]}"


def ranked(brain: Brain, query: str, stemmer: Stemmer) -> list[Fused]:
    """The records for *query*, best first."""
    return asking.retrieve(brain, understand(brain, query, stemmer), stemmer, sources=[1])


def first_six(fused: Iterable[Fused]) -> list[str]:
    """The first six refs, at most two a thread, as an answer would cite them."""
    taken: list[str] = []
    threads: Counter[str] = Counter()
    for one in fused:
        threads[one.row.about] += 1
        if threads[one.row.about] <= 2:
            taken.append(plain(one.row.ref))
    return taken[:6]


def questions(brain: Brain, folder: Path, stemmer: Stemmer) -> dict[str, float]:
    """Shares of the answerable questions with gold among the first six records, and first."""
    asked = [row for row in read_rows(folder, "questions") if row["answerable"]]
    if not asked:
        return {}
    found = [(first_six(ranked(brain, row["question"], stemmer)), set(row["gold"])) for row in asked]
    return {
        "gold in 6": sum(not gold.isdisjoint(six) for six, gold in found) / len(asked),
        "gold first": sum(six[:1] != [] and six[0] in gold for six, gold in found) / len(asked),
    }


def rankings(brain: Brain, folder: Path, stemmer: Stemmer) -> dict[str, float]:
    """recall@5 of each gold file."""
    shares = {}
    for path in sorted((folder / "gold").glob("*.jsonl")):
        gold = list(read_rows(path.parent, path.stem))
        shares[path.stem] = sum(_among_five(ranked(brain, row["query"], stemmer), row) for row in gold) / len(gold)
    return shares


def _among_five(fused: Sequence[Fused], row: Mapping[str, Any]) -> bool:
    left_out = {*row.get("exclude", ()), row.get("thread")}
    numbers = {str(ref).partition(":")[2] for ref in row.get("exclude", ())}
    kept = [
        plain(one.row.ref)
        for one in fused
        if plain(one.row.ref) not in left_out and one.row.thread.partition(":")[2] not in numbers
    ]
    return not set(row.get("relevant_any") or row["relevant"]).isdisjoint(kept[:5])


def measure(brain: Brain, folder: Path) -> list[tuple[str, dict[str, float]]]:
    """Every variant's shares."""
    stemmer, measured = Stemmer(), []
    for name, changes in VARIANTS.items():
        with ExitStack() as changed:
            for module, attribute, value in changes:
                changed.enter_context(patch.object(module, attribute, value))
            measured.append((name, questions(brain, folder, stemmer) | rankings(brain, folder, stemmer)))
        print(f"  {name}", file=sys.stderr)
    return measured


def table(name: str, measured: Sequence[tuple[str, dict[str, float]]]) -> str:
    """The shares as Markdown."""
    columns = list(measured[0][1])
    lines = [f"## {name}", "", f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {variant} | {' | '.join(f'{shares[c]:.2f}' for c in columns)} |" for variant, shares in measured]
    return "\n".join(lines)


def main() -> None:
    """Measure every folder and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true", help=f"keep the tables in {RESULTS.name}")
    options = parser.parse_args()
    tables = ["# What each part of retrieval earns", "", "`python bench/retrieval.py FOLDER …`", ""]
    for folder in options.folders:
        print(folder.name, file=sys.stderr)
        with TemporaryDirectory() as scratch, indexed(folder, Path(scratch) / "brain.db") as brain:
            tables += [table(folder.name, measure(brain, folder)), ""]
    print("\n".join(tables))
    if options.write:
        RESULTS.write_text("\n".join(tables), "utf-8")


if __name__ == "__main__":
    main()
