"""Cortex beside plain FTS5, rank-bm25, bm25s and tantivy on the same records: what they find, how fast, in what memory.

    python bench/peers.py DATA_FOLDER [DATA_FOLDER …] [--rounds 3]

A DATA_FOLDER is an export of GitHub with `gold/*.jsonl` and `questions.jsonl`, or a test collection in the usual form
(`corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`). Each engine runs in a process of its own. The peers index every
record whole, its title before it, as their own documentation shows; Cortex reads the folder as `cortex index` does.
Writes `bench/results/peers.md` and its picture, `peers.svg`.
"""

from __future__ import annotations

import argparse
import os
import pickle
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from data import rows
from engines import BUILD, Ran, Task, brain_at, child, collection_ref, documents, is_collection

from cortex.composer.pipeline import ask
from cortex.evals.rankings import Gold, Ranked, rank_quality
from cortex.evals.scoring import percentile
from cortex.substrate.brain import open_brain
from cortex.substrate.model import CitedRecord, Hit, Scope

RESULTS: Final = Path(__file__).parent / "results" / "peers.md"


def golds(folder: Path) -> dict[str, list[Gold]]:
    """The queries of *folder* with what is relevant, by file."""
    if is_collection(folder):
        relevant: dict[str, list[str]] = {}
        for line in (folder / "qrels" / "test.tsv").read_text("utf-8").splitlines()[1:]:
            query, document, grade = line.split("\t")
            if int(grade) > 0:
                relevant.setdefault(query, []).append(collection_ref(document))
        asked = {row["_id"]: row["text"] for row in rows(folder, "queries")}
        return {"queries": [Gold(id=q, query=asked[q], relevant=tuple(refs)) for q, refs in relevant.items()]}
    found = {
        path.stem: [Gold.model_validate(row) for row in rows(path.parent, path.stem)]
        for path in sorted((folder / "gold").glob("*.jsonl"))
    }
    answerable = [row for row in rows(folder, "questions") if row["answerable"]]
    if answerable:
        found["questions"] = [
            Gold(id=row["id"], query=row["question"], relevant=tuple(row["gold"])) for row in answerable
        ]
    return found


def run(engine: str, task: Task, scratch: Path) -> Ran:
    """What *engine* does in a process of its own."""
    given, result = scratch / "task.pickle", scratch / "result.pickle"
    given.write_bytes(pickle.dumps(task))
    subprocess.run([sys.executable, __file__, "--child", engine, given, result], check=True)
    ran: Ran = pickle.loads(result.read_bytes())  # noqa: S301  written by our own child
    return ran


def quality(gold: Sequence[Gold], found: Sequence[list[str]]) -> Ranked:
    """How good the rankings *found* are, in the order of *gold*."""
    hits = {one.id: [_hit(ref) for ref in refs] for one, refs in zip(gold, found, strict=True)}
    return rank_quality(gold, hits)


def _hit(ref: str) -> Hit:
    record = CitedRecord(type="doc", ref=ref, title="")
    return Hit(ref=ref, statement="", excerpt="", score=0, record=record, source="")


def asked(folder: Path, scratch: Path) -> str:
    """How long whole answers take on the folder's own questions."""
    questions = [row["question"] for row in rows(folder, "questions")]
    if not questions:
        return ""
    brain_at(folder, scratch / "asked.db").close()
    with open_brain(scratch / "asked.db", read_only=True) as brain:
        every = [ask(brain, question, scope=Scope()) for question in [questions[0], *questions]]
        times = [answer.timings_ms["total"] for answer in every[1:]]
    size = (scratch / "asked.db").stat().st_size / 1e6
    return (
        f"`cortex ask` in process on its {len(questions)} questions: p50 {percentile(times, 0.5):.0f} ms,"
        f" p95 {percentile(times, 0.95):.0f} ms. The brain takes {size:.0f} MB.\n"
    )


def measured(folder: Path, rounds: int) -> tuple[str, dict[str, dict[str, Ranked]], dict[str, Ran]]:
    """A section about *folder*: tables of speed and of quality."""
    with TemporaryDirectory() as name:
        scratch = Path(name)
        with brain_at(folder, scratch / "brain.db") as brain:
            held = documents(brain)
        files = golds(folder)
        queries = [one.query for gold in files.values() for one in gold]
        task = Task(folder.resolve(), held, queries, rounds)
        ran = {engine: run(engine, task, scratch) for engine in BUILD}
        ranked = {engine: _by_file(files, one.found) for engine, one in ran.items()}
        parts = [
            f"## {folder.name}", "",
            f"{len(held):,} records, {len(queries):,} queries.", "",
            speed_table(ran), "", quality_table(ranked), "", asked(folder, scratch),
        ]  # fmt: skip
    return "\n".join(parts), ranked, ran


def _by_file(files: dict[str, list[Gold]], found: list[list[str]]) -> dict[str, Ranked]:
    rest = iter(found)
    return {name: quality(gold, [next(rest) for _ in gold]) for name, gold in files.items()}


def speed_table(ran: dict[str, Ran]) -> str:
    """Seconds to index, milliseconds to search, megabytes at the peak."""
    lines = ["| engine | index, s | search p50, ms | p95, ms | peak memory, MB |", "|---|---:|---:|---:|---:|"]
    for engine, one in ran.items():
        half, most = (percentile(one.ms, share) or 0.0 for share in (0.5, 0.95))
        lines.append(f"| {engine} | {median(one.build_s):.1f} | {half:.1f} | {most:.1f} | {one.peak_mb:.0f} |")
    return "\n".join(lines)


def quality_table(ranked: dict[str, dict[str, Ranked]]) -> str:
    """recall@5 / MRR / nDCG@10 of each engine on each file of queries."""
    names = list(next(iter(ranked.values())))
    head = [f"{name} ({ranked['Cortex'][name].queries})" for name in names]
    lines = [f"| recall@5 / MRR / nDCG@10 | {' | '.join(head)} |", "|---|" + "---|" * len(names)]
    for engine, files in ranked.items():
        cells = [f"{files[n].recall['5']:.2f} / {files[n].mrr:.2f} / {files[n].ndcg:.2f}" for n in names]
        lines.append(f"| {engine} | {' | '.join(cells)} |")
    return "\n".join(lines)


def draw(sections: dict[str, tuple[dict[str, dict[str, Ranked]], dict[str, Ran]]], path: Path) -> None:
    """A picture: for each folder, nDCG@10 over all queries against the median time of a search."""
    import matplotlib as mpl  # noqa: PLC0415  only its own process loads it

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "cortex"
    from matplotlib import pyplot as plt  # noqa: PLC0415  only its own process loads it

    size = (4.6 * len(sections), 3.4)
    figure, axes = plt.subplots(1, len(sections), figsize=size, squeeze=False, layout="constrained")
    for axis, (name, (ranked, ran)) in zip(axes[0], sections.items(), strict=True):
        for engine, one in ran.items():
            weights = [(r.ndcg * r.queries, r.queries) for r in ranked[engine].values()]
            mean = sum(w for w, _ in weights) / sum(n for _, n in weights)
            axis.plot(median(one.ms), mean, "o", color="#1a5fb4" if engine.startswith("Cortex") else "#8a939c")
            axis.annotate(engine, (median(one.ms), mean), xytext=(6, 4), textcoords="offset points", fontsize=9)
        axis.set(title=name, xscale="log", xlabel="search, median ms", ylabel="nDCG@10, mean of queries", ylim=(0, 1))
        axis.margins(x=0.25)
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


def machine(rounds: int) -> str:
    """What it was measured on and with."""
    names = {"rank-bm25", "bm25s", "tantivy", "ir-measures"}
    versions = ", ".join(f"{name} {version(name)}" for name in sorted(names))
    python = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return f"""{platform.machine()}, {os.cpu_count()} cores, {python}, {versions}.
Medians of {rounds} rounds; each engine in a process of its own; memory is what it takes beyond Python and the records.

`issue_to_pr`, `duplicate` and `question` are pairs that the projects' own people linked with a reference. Cortex
follows references, as its users do; a search by words cannot, so the second row shows Cortex without them."""


def main() -> None:
    """Measure every folder and write the page."""
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    texts, sections = [], {}
    for folder in options.folders:
        text, ranked, ran = measured(folder, options.rounds)
        print(text, flush=True)
        texts.append(text)
        sections[folder.name] = ranked, ran
    draw(sections, RESULTS.with_suffix(".svg"))
    head = ["# Search beside its peers", "", machine(options.rounds), "", "![nDCG against time](peers.svg)", ""]
    RESULTS.write_text("\n".join([*head, *texts]), "utf-8")


if __name__ == "__main__":
    main()
