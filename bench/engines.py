"""The engines that `peers.py` puts side by side, each built from the same records and asked the same queries."""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple
from unittest.mock import patch

from data import rows
from folders import indexed

from cortex.composer.retrieve import gather
from cortex.composer.search import search
from cortex.indexers.feeds import Feed
from cortex.indexers.run import index
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record, Scope

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
            yield Record(source="corpus", type="doc", ref=collection_ref(row["_id"]), title=title, body=body)

    brain = open_brain(path)
    index(brain, [Feed("corpus", read)], source="corpus", now=datetime.now(UTC))
    return brain


def collection_ref(name: str) -> str:
    return f"doc:{name.replace('#', '-')}"


def documents(brain: Brain) -> list[tuple[str, str]]:
    """Every record as its ref and its text, its title first."""
    held = brain.db.execute("select ref, title, body from records where gone_at is null order by id")
    return [(ref, body if body.startswith(title) else f"{title}\n{body}") for ref, title, body in held]


def cortex(task: Task, scratch: Path) -> Finding:
    """Index the folder as the command does, then search."""
    path = scratch / "brain.db"
    path.unlink(missing_ok=True)
    brain_at(task.folder, path).close()
    brain = open_brain(path, read_only=True)
    places = {ref: n for n, (ref, _) in enumerate(task.documents)}

    def find(query: str) -> list[int]:
        return [places[hit.record.ref] for hit in search(brain, query, scope=Scope(), limit=LIMIT)]

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
    from rank_bm25 import BM25Okapi  # noqa: PLC0415

    model = BM25Okapi([_words(text) for _, text in task.documents])
    return lambda query: [int(n) for n in np.argsort(-model.get_scores(_words(query)), kind="stable")[:LIMIT]]


def bm25s(task: Task, _: Path) -> Finding:
    """bm25s with its own tokenizer and English stop words."""
    import bm25s as library  # noqa: PLC0415

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
        with patch.object(gather, "with_linked", lambda _reader, found, **_: list(found)):
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
