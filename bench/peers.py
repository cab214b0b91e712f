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
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple
from unittest.mock import patch

from data import rows
from folders import indexed

from cortex.composer import ask as asking
from cortex.composer.ask import ask
from cortex.composer.search import search
from cortex.evals.rankings import Gold, Ranked, rank_quality
from cortex.evals.scoring import percentile
from cortex.indexers.feeds import Feed
from cortex.indexers.run import index
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import CitedRecord, Hit, Record, Scope
from cortex.substrate.stems import Stemmer

RESULTS: Final = Path(__file__).parent / "results" / "peers.md"
LIMIT: Final = 50

Finding = Callable[[str], list[int]]


class Task(NamedTuple):
    """What every engine gets: a folder, its records as (ref, text), and the queries."""

    folder: Path
    documents: list[tuple[str, str]]
    queries: list[str]
    rounds: int


class Ran(NamedTuple):
    """What an engine did: seconds to index, milliseconds a query, the refs it found, megabytes at its peak.

    Memory is what it took beyond Python, the libraries of this bench and the records themselves.
    """

    build_s: list[float]
    ms: list[float]
    found: list[list[str]]
    peak_mb: float


def is_collection(folder: Path) -> bool:
    """Whether *folder* is a test collection rather than an export."""
    return (folder / "corpus.jsonl").is_file()


def brain_at(folder: Path, path: Path) -> Brain:
    """A new brain of *folder* at *path*."""
    if not is_collection(folder):
        with indexed(folder, path):
            pass
        return open_brain(path)

    def read(_: str | None) -> Iterator[Record]:
        for row in rows(folder, "corpus"):
            title, text = row.get("title") or "", row["text"]
            body = f"{title}\n\n{text}".strip()
            yield Record(source="corpus", type="doc", ref=_ref(row["_id"]), title=title, body=body)

    brain = open_brain(path)
    index(brain, [Feed("corpus", read)], source="corpus", now=datetime.now(UTC))
    return brain


def _ref(name: str) -> str:
    return f"doc:{name.replace('#', '-')}"


def golds(folder: Path) -> dict[str, list[Gold]]:
    """The queries of *folder* with what is relevant, by file."""
    if is_collection(folder):
        relevant: dict[str, list[str]] = {}
        for line in (folder / "qrels" / "test.tsv").read_text("utf-8").splitlines()[1:]:
            query, document, grade = line.split("\t")
            if int(grade) > 0:
                relevant.setdefault(query, []).append(_ref(document))
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


def documents(brain: Brain) -> list[tuple[str, str]]:
    """Every record as its ref and its text, its title first."""
    held = brain.db.execute("select ref, title, body from records where gone_at is null order by id")
    return [(ref, body if body.startswith(title) else f"{title}\n{body}") for ref, title, body in held]


def cortex(task: Task, scratch: Path) -> Finding:
    """Index the folder as the command does, then search."""
    path = scratch / "brain.db"
    path.unlink(missing_ok=True)
    brain_at(task.folder, path).close()
    brain, stemmer = open_brain(path, read_only=True), Stemmer()
    places = {ref: n for n, (ref, _) in enumerate(task.documents)}

    def find(query: str) -> list[int]:
        return [places[hit.record.ref] for hit in search(brain, query, scope=Scope(), limit=LIMIT, stemmer=stemmer)]

    return find


def fts5(task: Task, scratch: Path) -> Finding:
    """SQLite's own full text: all words, joined by OR."""
    path = scratch / "plain.db"
    path.unlink(missing_ok=True)
    db = sqlite3.connect(path)
    db.execute("create virtual table plain using fts5 (text, tokenize = 'porter unicode61')")
    db.executemany("insert into plain (rowid, text) values (?, ?)", enumerate(text for _, text in task.documents))
    db.commit()

    def find(query: str) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in _words(query))
        best = "select rowid from plain where plain match ? order by rank limit ?"
        return [row[0] for row in db.execute(best, (words, LIMIT))]

    return find


def rank_bm25(task: Task, _: Path) -> Finding:
    """rank-bm25's BM25Okapi on lower-case words."""
    import numpy as np  # noqa: PLC0415  only its own process loads it
    from rank_bm25 import BM25Okapi  # type: ignore[import-untyped]  # noqa: PLC0415

    model = BM25Okapi([_words(text) for _, text in task.documents])
    return lambda query: [int(n) for n in np.argsort(-model.get_scores(_words(query)), kind="stable")[:LIMIT]]


def bm25s(task: Task, _: Path) -> Finding:
    """bm25s with its own tokenizer and English stop words."""
    import bm25s as library  # type: ignore[import-untyped]  # noqa: PLC0415

    model = library.BM25()
    tokens = library.tokenize([text for _, text in task.documents], stopwords="en", show_progress=False)
    model.index(tokens, show_progress=False)

    def find(query: str) -> list[int]:
        tokens = library.tokenize([query], stopwords="en", show_progress=False)
        k = min(LIMIT, len(task.documents))
        return [int(n) for n in model.retrieve(tokens, k=k, show_progress=False).documents[0]]

    return find


def tantivy(task: Task, scratch: Path) -> Finding:
    """Tantivy with its English stemmer, on disk."""
    import tantivy as library  # noqa: PLC0415  only its own process loads it

    folder = scratch / f"tantivy-{perf_counter()}"
    folder.mkdir()
    builder = library.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
    builder.add_unsigned_field("place", stored=True)
    found = library.Index(builder.build(), path=str(folder))
    writer = found.writer(heap_size=128_000_000)
    for place, (_, text) in enumerate(task.documents):
        writer.add_document(library.Document(text=text, place=place))
    writer.commit()
    writer.wait_merging_threads()
    found.reload()
    searcher = found.searcher()

    def find(query: str) -> list[int]:
        parsed = found.parse_query(" ".join(_words(query)), ["text"])
        return [searcher.doc(address)["place"][0] for _, address in searcher.search(parsed, LIMIT).hits]

    return find


def without_links(task: Task, scratch: Path) -> Finding:
    """Cortex as a search by words alone."""
    find = cortex(task, scratch)

    def by_words(query: str) -> list[int]:
        with patch.object(asking, "with_related", lambda _brain, fused, **_: list(fused)):
            return find(query)

    return by_words


BUILD: Final[dict[str, Callable[[Task, Path], Finding]]] = {
    "Cortex": cortex, "Cortex without links": without_links, "FTS5": fts5, "rank-bm25": rank_bm25, "bm25s": bm25s,
    "tantivy": tantivy,
}  # fmt: skip


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def child(engine: str, given: Path, result: Path) -> None:
    """Build *engine*'s index and ask it all queries, several times each; leave what came of it in *result*."""
    task: Task = pickle.loads(given.read_bytes())  # noqa: S301  written by our own parent
    builds, before = [], _memory("VmRSS")
    with TemporaryDirectory() as scratch:
        for _ in range(task.rounds):
            started = perf_counter()
            find = BUILD[engine](task, Path(scratch))
            builds.append(perf_counter() - started)
        found = [find(query) for query in task.queries]
        times = [[_ms(find, query) for query in task.queries] for _ in range(task.rounds)]
    peak = _memory("VmHWM") - before
    refs = [[task.documents[n][0] for n in places] for places in found]
    result.write_bytes(pickle.dumps(Ran(builds, [median(ms) for ms in zip(*times, strict=True)], refs, peak)))


def _memory(what: str) -> float:
    """Megabytes of this process, as Linux names them; 0 elsewhere. `ru_maxrss` would count the parent's too."""
    status = Path("/proc/self/status")
    lines = status.read_text("utf-8").splitlines() if status.is_file() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(what)), 0.0)


def _ms(find: Finding, query: str) -> float:
    started = perf_counter()
    find(query)
    return (perf_counter() - started) * 1000


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
        stemmer = Stemmer()
        every = [ask(brain, question, scope=Scope(), stemmer=stemmer) for question in [questions[0], *questions]]
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
