"""What each part of retrieval earns: the same questions and rankings with one part left out or done another way.

    python bench/retrieval.py DATA_FOLDER [DATA_FOLDER …] [--write]

A DATA_FOLDER holds a GitHub export and, where it has them, `questions.jsonl` (else bench/questions/dev has some of its
name) and `gold/*.jsonl`. Printed as a
Markdown table: for questions, gold cited by the answer, gold cited first, and what was refused; for rankings, recall@5.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from data import rows as read_rows
from folders import asked, indexed

from cortex.composer import ask as asking
from cortex.composer import evidence, gathering, newness, rows, understanding
from cortex.composer import fuse as fusing
from cortex.composer import order as ordering
from cortex.composer.candidates import KEPT, Looked
from cortex.composer.evidence import Judged
from cortex.composer.fuse import Fused
from cortex.composer.order import order
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question
from cortex.composer.retrieve import passages as retrieving
from cortex.composer.retrieve.metadata import Listed
from cortex.composer.retrieve.passages import Found
from cortex.composer.rows import Row
from cortex.composer.understanding import understand
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope

RESULTS = Path(__file__).parent / "results" / "retrieval.md"
KEPT_FOR = """\
What changes nothing here is kept for what these questions hardly ask. Metadata and what is named answer counts, lists,
owners and threads by their numbers; a directive's worth decides between rows that contradict each other, as tests of
authority ask; a second window tells the rest of what the first begins."""


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


def unrelated(_: Brain, fused: Sequence[Fused], *, first: int = 0, as_of: str = "") -> list[Fused]:  # noqa: ARG001
    """No links: what the words found, and nothing else."""
    return list(fused)


def nothing(*_: object, **__: object) -> list[Found]:
    """A retriever that finds nothing."""
    return []


def no_list(*_: object, **__: object) -> Listed:
    """Metadata of which nothing is known."""
    return Listed([])


def certain(*_: object, **__: object) -> Judged:
    """A judge who lets everything pass."""
    return Judged(1.0, "strong")


def anything(*_: object) -> bool:
    """A judge of names who knows only their stems."""
    return True


def as_found(
    question: Question,
    looked: Sequence[Looked],
    records: Mapping[int, Mapping[str, Any]],
    stemmer: Stemmer,
    **others: Any,  # noqa: ANN401
) -> list[Ordered]:
    """The rows in the order in which they were found, each with its window."""
    return sorted(order(question, looked, records, stemmer, **others), key=lambda one: -one.values["found"])


def unrelated_words(brain: Brain, text: str, stemmer: Stemmer, **asked: Any) -> Question:  # noqa: ANN401
    """A question without the words that say the same: none is looked for, and none counts."""
    return replace(understanding.understand(brain, text, stemmer, **asked), related={}, variant=())


def equal(load: Callable[..., dict[int, Row]]) -> Callable[..., dict[int, Row]]:
    """Rows that all weigh the same."""

    def loaded(brain: Brain, ids: Sequence[int], *, as_of: str = "") -> dict[int, Row]:
        return {id_: row._replace(authority=1.0) for id_, row in load(brain, ids, as_of=as_of).items()}

    return loaded


Change = tuple[Any, str, Any]

VARIANTS: Mapping[str, Sequence[Change]] = {
    "as it is": [],
    "without facts": [(gathering, "find_facts", nothing)],
    "without metadata": [(gathering, "find_by_metadata", no_list)],
    "without what is named": [(gathering, "find_named", nothing)],
    "without links": [(gathering, "with_related", unrelated)],
    "without what comments tell": [(gathering, "told_of", nothing)],
    "without variant words": [(retrieving, "VARIED", 0.0)],
    "without related words": [(module, "understand", unrelated_words) for module in (asking, sys.modules[__name__])],
    "without the learned order": [(asking, "order", as_found)],
    "without a second window": [(ordering, "READ_ON", 0)],
    "far worse passages read too": [(retrieving, "WORTH", 0.0)],
    "every row read by sentence": [(ordering, "READ", (KEPT, 0.0))],
    "without authority": [
        (retrieving, "load_passages", equal(rows.load_passages)),
        (retrieving, "load_facts", equal(rows.load_facts)),
        (gathering, "load_firsts", equal(rows.load_firsts)),
    ],
    "a directive as good as others": [(ordering, "RULE", 0.0)],
    "what was said last as good as others": [(newness, "NOW", 0.0)],
    "without coverage": [(retrieving, "COVERAGE", 0.0)],
    "commits as good as their pulls": [(retrieving, "TOLD_BY_ITS_PULL", 1.0)],
    "reciprocal rank, k = 60": [(gathering, "fuse", reciprocal_rank(60))],
    "a name of the same stem as good": [(evidence, "are_written", anything)],
    "without the gate": [(evidence, "judge", certain)],
}


def plain(ref: str) -> str:
    """The form the gold files use: 'pr:9', 'comment:77', 'doc:a.md'."""
    kind, _, name = ref.partition(":")
    if kind == "comment":
        return f"comment:{name.rpartition('#')[2]}"
    return f"{ {'pull': 'pr'}.get(kind, kind) }:{name.partition('#')[0]}"


def ranked(brain: Brain, query: str, stemmer: Stemmer) -> list[Fused]:
    """The records for *query*, best first."""
    return gathering.retrieve(brain, understand(brain, query, stemmer), stemmer, sources=[1])


def first_six(fused: Iterable[Fused]) -> list[str]:
    """The first six refs, at most two a thread, as an answer would cite them."""
    taken: list[str] = []
    threads: Counter[str] = Counter()
    for one in fused:
        threads[one.row.about] += 1
        if threads[one.row.about] <= 2:
            taken.append(plain(one.row.ref))
    return taken[:6]


def questions(brain: Brain, folder: Path) -> dict[str, float]:
    """Shares of the questions: of the answerable with gold cited, and first; of both kinds, refused."""
    answers = [(row, asking.ask(brain, row["question"], scope=Scope())) for row in asked(folder)]
    can = [(answer, set(row["gold"])) for row, answer in answers if row["answerable"]]
    cannot = [answer for row, answer in answers if not row["answerable"]]
    cited = [([plain(one.record.ref) for one in answer.citations[:6]], gold) for answer, gold in can]
    return {
        "cited first": sum(refs[:1] != [] and refs[0] in gold for refs, gold in cited) / len(can),
        "cited": sum(not gold.isdisjoint(refs) for refs, gold in cited) / len(can),
        "answerable refused": sum(answer.refused for answer, _ in can) / len(can),
        "unanswerable refused": sum(answer.refused for answer in cannot) / len(cannot),
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
            measured.append((name, questions(brain, folder) | rankings(brain, folder, stemmer)))
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
    tables = ["# What each part of retrieval earns", "", "`python bench/retrieval.py FOLDER …`", "", KEPT_FOR, ""]
    for folder in options.folders:
        print(folder.name, file=sys.stderr)
        with TemporaryDirectory() as scratch, indexed(folder, Path(scratch) / "brain.db") as brain:
            tables += [table(folder.name, measure(brain, folder)), ""]
    print("\n".join(tables))
    if options.write:
        RESULTS.write_text("\n".join(tables), "utf-8")


if __name__ == "__main__":
    main()
