"""How a team's brain grows to a million facts and beyond: PostgreSQL beside SQLite, on the same rows, in the same run.

    python bench/teams_scale.py BRAIN.db… [--facts 100000 300000 1000000] [--server postgresql://127.0.0.1] [--write]

What is given are brains in files, folders of such, or folders to index. Their projects are copied, one source a copy,
until there are so many facts: in each copy a tenth of the vocabulary is other words, as long and about as frequent, and
each vector is a little another. So there are more projects than anybody wrote, and their words are rather too alike:
a word of one project stands in each of its copies. On the server a database is made and dropped again.

A search by words is the 50 best passages by BM25, as every question needs; a search is what `cortex search` does.
Questions are those of bench/questions, asked once each after others: of the whole brain, and of one source. Times are
of the processors, client and server, which other programs on the machine do not stretch as they do what a clock shows;
so the server is one on this machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import re
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

import numpy as np
from both_engines import database, indexed_s, opened
from data import EPOCH, rows
from folders import QUESTIONS

from cortex.composer.search import search
from cortex.evals.scoring import percentile
from cortex.substrate.address import located
from cortex.substrate.blocks import ROWS
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
from cortex.substrate.search import count_terms, query_terms
from cortex.substrate.search import search as search_words
from cortex.substrate.vectors import put_vectors

RESULTS: Final = Path(__file__).parent / "results" / "teams_scale.md"
SIZES: Final = (100_000, 300_000, 1_000_000)
ASKED: Final = 120
FIRST: Final = 20  # questions that are asked before times are taken
BEST: Final = 50
OTHER: Final = 0.1  # share of the vocabulary that is other words in a copy
NOISE: Final = 12  # of the numbers of a vector, which are up to 127
NUMBERED: Final = ("records", "passages", "facts")
TABLES: Final = (*NUMBERED, "links", "changes", "lineage", "tree")
TEXTS: Final = ("title", "body", "context", "parts", "statement", "excerpt")

_WORD: Final = re.compile(r"\b[a-z]{3,}\b")


class Table(NamedTuple):
    """Rows of a corpus, with the names of their columns."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


class Corpus(NamedTuple):
    """One project: the rows of each table, and its passages' vectors by number."""

    name: str
    tables: dict[str, Table]
    vectors: dict[int, bytes]
    encoder: str


def corpora(paths: Sequence[Path], scratch: Path) -> list[Corpus]:
    """The projects of brains, of folders of brains, and of folders that are indexed for it."""
    files = []
    for path in paths:
        brains = sorted(path.glob("*.db")) if path.is_dir() else [path]
        if not brains:
            brains = [scratch / f"{path.resolve().name}.db"]
            indexed_s(path, str(brains[0]))
        files += brains
    found = {file.resolve(): file.stem for file in files}
    return [corpus for file, name in found.items() if (corpus := _corpus(file, name)).tables["facts"].rows]


def _corpus(file: Path, name: str) -> Corpus:
    with open_brain(file, read_only=True) as brain:
        tables, vectors, encoder = {}, {}, ""
        for table in TABLES:
            cursor = brain.db.execute(f"select * from {table}")  # noqa: S608  one of ours
            tables[table] = Table(tuple(column for column, *_ in cursor.description), cursor.fetchall())
        encoded = {id_ for (id_,) in brain.db.execute("select passage_id from encoded")}
        for block, encoder, data in brain.db.execute("select block, encoder, vectors from vector_blocks"):  # noqa: B007
            size = len(data) // ROWS
            for place in range(ROWS):
                if block * ROWS + place in encoded:
                    vectors[block * ROWS + place] = data[place * size : (place + 1) * size]
    return Corpus(name, tables, vectors, encoder)


def ranked_words(every: Sequence[Corpus]) -> dict[int, list[str]]:
    """The words of all corpora by their length, the commonest first."""
    often = Counter[str]()
    for corpus in every:
        table = corpus.tables["passages"]
        body = table.columns.index("body")
        for row in table.rows:
            often.update(_WORD.findall(row[body]))
    by_length = defaultdict[int, list[str]](list)
    for word, _ in often.most_common():
        by_length[len(word)].append(word)
    return by_length


def others(words: Mapping[int, Sequence[str]], chance: random.Random) -> dict[str, str]:
    """What a tenth of the words are in a copy: each one as long, and about as frequent."""
    found = {}
    for same in words.values():
        for place in chance.sample(range(len(same)), int(len(same) * OTHER)):
            about = 2 + place // 10
            found[same[place]] = same[min(len(same) - 1, max(0, place + chance.randint(-about, about)))]
    return found


class Copy(NamedTuple):
    """A corpus under other numbers and in partly other words."""

    source: str
    tables: dict[str, Table]
    vectors: dict[int, bytes]
    encoder: str

    @property
    def facts(self) -> int:
        return len(self.tables["facts"].rows)


def copies(every: Sequence[Corpus]) -> Iterator[Copy]:
    """Copies without end, of one corpus after the other; rows count on from copy to copy."""
    words, free = ranked_words(every), dict.fromkeys(NUMBERED, 1)
    number = 0
    while True:
        for corpus in every:
            number += 1
            chance = random.Random(number)  # noqa: S311  no secret
            numbers = {}
            for table in NUMBERED:
                there = corpus.tables[table]
                at = there.columns.index("id")
                numbers[table] = {row[at]: free[table] + place for place, row in enumerate(there.rows)}
                free[table] += len(there.rows)
            yield _copied(corpus, number, numbers, others(words, chance))


def _copied(corpus: Corpus, number: int, numbers: Mapping[str, Mapping[int, int]], other: Mapping[str, str]) -> Copy:
    record, get = numbers["records"].__getitem__, other.get

    def varied(text: str) -> str:
        return _WORD.sub(lambda found: get(found[0], found[0]), text)

    tables = {}
    for table, (columns, there) in corpus.tables.items():
        change: dict[str, Callable[[Any], Any]] = dict.fromkeys(TEXTS, varied)
        change |= {"source_id": lambda _: number, "record_id": record, "by_record_id": record}
        change["handle"] = partial(_handle, number)
        if table in NUMBERED:
            change["id"] = numbers[table].__getitem__
        ways = [change.get(column) for column in columns]
        tables[table] = Table(
            columns,
            [tuple(way(value) if way else value for way, value in zip(ways, row, strict=True)) for row in there],
        )
    passages, noise = numbers["passages"], np.random.default_rng(number)
    vectors = {passages[id_]: _shaken(vector, noise) for id_, vector in corpus.vectors.items()}
    return Copy(f"{corpus.name}-{number}", tables, vectors, corpus.encoder)


def _handle(number: int, handle: str) -> str:
    return f"{handle}-{number:x}"


def _shaken(vector: bytes, noise: np.random.Generator) -> bytes:
    there = np.frombuffer(vector, np.int8).astype(np.int16)
    return bytes((there + noise.integers(-NOISE, NOISE + 1, len(there))).clip(-127, 127).astype(np.int8))


def taken_in(brain: Brain, copy: Copy) -> float:
    """How many seconds it takes to write *copy* with its text index and vectors."""
    started = perf_counter()
    with brain.transaction() as db:
        (number,) = db.execute(
            "insert into sources (name, created_at) values (?, ?) returning id", (copy.source, EPOCH)
        ).fetchone()
        assert all(row[copy.tables["facts"].columns.index("source_id")] == number for row in copy.tables["facts"].rows)
        for table, (columns, there) in copy.tables.items():
            names, insert = ", ".join(columns), getattr(db, "copy", None)
            if insert:
                insert(table, columns, there)
            else:
                db.executemany(f"insert into {table} ({names}) values ({', '.join('?' * len(columns))})", there)  # noqa: S608
        put_vectors(brain, copy.vectors, encoder=copy.encoder)
    return perf_counter() - started


def asked_questions() -> list[str]:
    """Questions of bench/questions, evenly taken from all its files, in no order."""
    every: dict[str, None] = {}
    for path in sorted(QUESTIONS.rglob("*.jsonl")):
        every |= {row["question"]: None for row in rows(path.parent, path.stem) if "question" in row}
    asked = [text for text in every if query_terms(text)]
    some = asked[:: max(1, len(asked) // (ASKED + FIRST))][: ASKED + FIRST]
    random.Random(0).shuffle(some)  # noqa: S311
    return some


class Times(NamedTuple):
    """Milliseconds of the processors for one way to ask, in the middle and in the 95th percentile."""

    half: float
    most: float

    def __str__(self) -> str:
        return f"{self.half:.1f} / {self.most:.1f}"


def spent_ms(brain: Brain) -> float:
    """What this process and the server's for its connection have spent of the processors: Linux tells it of each."""
    served = "0"
    if server := process_of(brain):
        served, *_ = Path(f"/proc/{server}/schedstat").read_text("utf-8").split()
    return process_time() * 1000 + int(served) / 1e6


@cache
def process_of(brain: Brain) -> int:
    """The number of the server's process for a brain in a database; 0 of a file."""
    if type(brain.db) is sqlite3.Connection:
        return 0
    return int(brain.db.execute("select pg_backend_pid()").fetchone()[0])


def timed(brains: Sequence[Brain], ask: Callable[[Brain, str], object], asked: Sequence[str]) -> list[Times]:
    """What *ask* takes of each brain; they take turns, question by question."""
    took: list[list[float]] = [[] for _ in brains]
    for question in asked:
        for brain, times in zip(brains, took, strict=True):
            started = spent_ms(brain)
            ask(brain, question)
            times.append(spent_ms(brain) - started)
    return [Times(percentile(ms[FIRST:], 0.5) or 0.0, percentile(ms[FIRST:], 0.95) or 0.0) for ms in took]


def by_words(brain: Brain, question: str, sources: Sequence[int] | None = None) -> object:
    """The best passages by BM25."""
    brain.restrict(sources)
    return search_words(brain.db, "passages", question, sources=sources, limit=BEST)


def searched(brain: Brain, question: str, scope: Scope = Scope()) -> object:  # noqa: B008  frozen
    """The best records."""
    return search(brain, question, scope=scope)


WAYS: Final[Mapping[str, Callable[[int, str], Callable[[Brain, str], object]]]] = {
    "by words": lambda _, __: by_words,
    "by words, one source": lambda id_, _: partial(by_words, sources=[id_]),
    "search": lambda _, __: searched,
    "search, one source": lambda _, name: partial(searched, scope=Scope(sources=(name,))),
}


class Point(NamedTuple):
    """What brains of one size take: first PostgreSQL, then SQLite."""

    sources: int
    facts: int
    passages: int
    rate: tuple[float, ...]
    gigabytes: tuple[float, ...]
    times: dict[str, list[Times]]


def measured(brains: Sequence[Brain], asked: Sequence[str]) -> dict[str, list[Times]]:
    """Times of every way to ask, by its name."""
    sources = brains[0].db.execute("select id, name from sources order by id").fetchall()
    id_, name = sources[len(sources) // 2]
    return {way: timed(brains, make(id_, name), asked) for way, make in WAYS.items()}


HEAD: Final = (
    "| sources | facts | passages | engine | passages/s | GB | " + " | ".join(f"{way}, ms" for way in WAYS) + " |",
    "|---:|---:|---:|---|---:|---:|" + "---:|" * len(WAYS),
)


def lines(point: Point) -> Iterator[str]:
    """The rows of the table for *point*: both engines, and what PostgreSQL takes of SQLite's time."""
    size = f"| {point.sources} | {point.facts:,} | {point.passages:,}"
    for place, engine in enumerate(("PostgreSQL", "SQLite")):
        times = " | ".join(str(each[place]) for each in point.times.values())
        yield f"{size} | {engine} | {point.rate[place]:,.0f} | {point.gigabytes[place]:.2f} | {times} |"
    ratios = " | ".join(f"{p.half / s.half:.2f} / {p.most / s.most:.2f}" for p, s in point.times.values())
    rate, room = (one[0] / one[1] for one in (point.rate, point.gigabytes))
    yield f"{size} | ratio | {rate:.2f} | {room:.2f} | {ratios} |"


def said(progress: str) -> None:
    """Show where we are, on standard error."""
    print(progress, file=sys.stderr, flush=True)


def grown(
    every: Sequence[Corpus], addresses: Sequence[str], scratch: Path, sizes: Sequence[int], asked: Sequence[str]
) -> Iterator[Point]:
    """Build both brains step by step, and measure at each size."""
    facts = passages = sources = 0
    coming = copies(every)
    for size in sizes:
        took, since = [0.0, 0.0], passages
        with ExitStack() as stack:
            brains = [stack.enter_context(open_brain(located(one, scratch))) for one in addresses]
            while facts < size:
                copy = next(coming)
                took = [before + taken_in(brain, copy) for before, brain in zip(took, brains, strict=True)]
                facts, passages, sources = (
                    facts + copy.facts, passages + len(copy.tables["passages"].rows), sources + 1
                )  # fmt: skip
                if sources % 10 == 0:
                    rates = ", ".join(f"{(passages - since) / seconds:,.0f}" for seconds in took)
                    said(f"{sources} sources, {facts:,} facts, {passages:,} passages; passages a second: {rates}")
            for place, brain in enumerate(brains):
                started = perf_counter()
                with brain.transaction():
                    count_terms(brain)
                took[place] += perf_counter() - started
            gigabytes = tuple(brain.bytes_held / 1e9 for brain in brains)
        said("measuring")
        with opened(addresses[0], scratch) as one, opened(addresses[1], scratch) as other:
            times = measured((one, other), asked)
        rate = tuple((passages - since) / seconds if seconds else 0.0 for seconds in took)
        yield Point(sources, facts, passages, rate, gigabytes, times)


def main() -> None:
    """Grow, measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("given", type=Path, nargs="+")
    parser.add_argument("--facts", type=int, nargs="+", default=SIZES)
    parser.add_argument("--server", default="postgresql://127.0.0.1")
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    options = parser.parse_args()
    with TemporaryDirectory() as scratch, database(options.server, f"cortex_scale_{os.getpid()}") as address:
        every = corpora(options.given, Path(scratch))
        said(f"{len(every)} projects: {', '.join(corpus.name for corpus in every)}")
        addresses, table = (address, str(Path(scratch) / "brain.db")), [*HEAD]
        print("\n".join(HEAD), flush=True)
        for point in grown(every, addresses, Path(scratch), options.facts, asked_questions()):
            for line in lines(point):
                print(line, flush=True)
                table.append(line)
    if options.write:
        versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
        where = f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.1f}, {versions}."
        asked = f"{ASKED} questions; processor time, p50 / p95. {len(every)} projects were copied."
        RESULTS.write_text("\n".join(["# A team's brain as it grows", "", f"{where} {asked}", "", *table, ""]), "utf-8")


if __name__ == "__main__":
    main()
