"""The full-text index of PostgreSQL: our own postings, stemmed as FTS5 stems, and BM25 over them as FTS5 has it.

Triggers note which facts and passages came and went; before a transaction ends, `settle` takes them into the postings.
A block of postings is of 1,024 rows of one source: a common term is read in a few pieces, and a new row touches one
piece a term.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cortex.language.stems import stemmer
from cortex.substrate.postgres.kept import Array
from cortex.substrate.postgres.postings import BLOCK, FIELDS, WEIGHTS, Postings, sql
from cortex.substrate.statements import script
from cortex.substrate.text_index import GROWN, Name, TextIndex

if TYPE_CHECKING:
    from cortex.substrate.postgres.connection import Connection

TOGETHER: Final = 8192  # changed rows that are taken in at once, which bounds the memory for it
DOUBLED: Final = 0.5  # share of the passages that came since tables were sampled: what a run does next is planned anew
MOST, LONGEST = 255, 65535  # what a posting tells of a term's occurrences in a column, and of a row's tokens
COLUMNS: Final = 3
_PLACE: Final = Struct("<H")

_Key = tuple[str, int, int]
"""A term, a source, a block."""


def count_terms(db: Connection) -> None:
    """Take in what came and went, and have the server sample its tables where much did."""
    settle(db)
    _sample(db, GROWN)


def counted(db: Connection, grown: float = GROWN) -> bool:
    """Whether the server sampled its tables when there were about as many passages as there are."""
    return bool(db.execute(sql("is_sampled"), {"grown": grown}).fetchone()[0])


def _sample(db: Connection, grown: float) -> None:
    if not counted(db, grown):
        db.execute("analyze")


def text_index(db: Connection, name: Name, sources: Sequence[int] | None) -> TextIndex:
    """The index of *sources*; None is all that the brain has."""
    held = [id_ for (id_,) in db.execute("select id from sources order by id")]
    return Postings(db, name, held if sources is None else sorted({*sources}))


def examined(db: Connection, *, read_only: bool) -> Iterator[bool]:  # noqa: ARG001  an engine says which it needs
    """Whether each index holds what its rows say, the facts' first."""
    for name in WEIGHTS:
        sizes: defaultdict[int, Counter[str]] = defaultdict(Counter)
        rows = _pages(db, f"next_{name}", (-1,), {})
        want = sum(_hash(chain.from_iterable(_postings(page, sizes, 1) for page in rows)))
        held = chain.from_iterable(_pages(db, "next_postings", ("", 0, 0), {"index": name[0]}))
        have = sum(_hash((tuple(key), data) for *key, data in held))
        counts = {source: (size["rows"], size["tokens"]) for source, size in sizes.items()}
        noted = {source: size for source, *size in db.execute(sql("sizes"), {"index": name[0]}) if size[0]}
        yield want == have and counts == {source: tuple(size) for source, size in noted.items()}


def _hash(postings: Iterable[tuple[Sequence[object], bytes]]) -> Iterator[int]:
    return (hash((key, one)) for key, data in postings for one in _each(data))


def is_current(db: Connection) -> bool:
    """Whether its tables are as they are made today."""
    return bool(db.execute(sql("is_current")).fetchone()[0])


def renew(db: Connection) -> None:
    """Make the index of an earlier Cortex anew, as it is today; nothing happens when it is."""
    if is_current(db):
        return
    if not db.execute(sql("is_counted")).fetchone()[0]:
        db.script(sql("drop_index"))
        db.script(script("text_index_schema", "postgres/sql"))
        for name in WEIGHTS:
            rebuild(db, name)
    db.script(sql("index_terms"))


def rebuild(db: Connection, name: Name) -> None:
    """Make the index anew from its rows."""
    for statement in ("forget_postings", "forget_sizes", f"take_in_{name}"):
        db.execute(sql(statement), {"index": name[0]})
    settle(db)


def _pages(db: Connection, statement: str, after: Sequence[object], values: Mapping[str, object]) -> Iterator[Any]:
    """The rows of a statement that gives the next ones after a key, which they begin with."""
    names = ("after", "after_source", "after_block")
    while page := db.execute(
        sql(statement), {**values, "most": TOGETHER, **dict(zip(names, after, strict=False))}
    ).fetchall():
        yield page
        after = page[-1][: len(after)]


def settle(db: Connection) -> None:
    """Take the facts and passages that came or went into the postings, inside the caller's transaction."""
    if not _changes(db):
        return
    for name in WEIGHTS:
        for batch in _pages(db, "changed", (-1, -1), {"index": name[0]}):
            _take_in(db, name, batch)
    db.execute(sql("forget_changes"))
    _sample(db, DOUBLED)


def _changes(db: Connection) -> bool:
    return bool(db.execute(sql("has_changes")).fetchone()[0])


def _take_in(db: Connection, name: Name, batch: Sequence[tuple[int, int, list[str] | None]]) -> None:
    """Replace the postings of the rows in *batch*, which has what each said before where it was there."""
    were = [(id_, source, texts) for id_, source, texts in batch if texts is not None]
    are = db.execute(sql(f"texts_of_{name}"), {"ids": [id_ for id_, *_ in batch]}).fetchall()
    gone: defaultdict[tuple[int, int], set[bytes]] = defaultdict(set)
    for id_, source, _ in were:
        gone[source, id_ // BLOCK].add(_PLACE.pack(id_ % BLOCK))
    sizes: defaultdict[int, Counter[str]] = defaultdict(Counter)
    fresh = {key: b"" for key, _ in _postings(were, sizes, -1)} | dict(_postings(are, sizes, 1))
    held = db.execute(sql("held"), {"index": name[0], **_columns(fresh)}).fetchall()
    for term, source, block, data in held:
        fresh[term, source, block] = _without(data, gone[source, block]) + fresh[term, source, block]
    db.execute(sql("empty"), {"index": name[0], **_columns([key for *key, _ in held])})
    columns = ("index_name", "term", "source_id", "block", "data")
    db.copy("postings", columns, ((name[0], *key, data) for key, data in fresh.items() if data))
    for source, size in sizes.items():
        db.execute(sql("resize"), {"index": name[0], "source": source, "rows": size["rows"], "tokens": size["tokens"]})


def _postings(
    rows: Iterable[tuple[int, int, Sequence[str]]], sizes: Mapping[int, Counter[str]], sign: int
) -> Iterator[tuple[_Key, bytes]]:
    """The postings of *rows* by key, while their number and tokens are added to *sizes*."""
    ordered = sorted(rows, key=itemgetter(1, 0))
    if not ordered:
        return
    texts = [*chain.from_iterable(texts for _, _, texts in ordered)]
    stems, wide = stemmer().sequences(texts), len(texts) // len(ordered)
    numbers: dict[str, int] = {}
    terms = np.array([numbers.setdefault(stem, len(numbers)) for stem in chain.from_iterable(stems)], np.int64)
    columns: Array = np.repeat(np.arange(len(texts)), [*map(len, stems)])
    tokens = np.bincount(columns // wide, minlength=len(ordered))
    for (_, source, _), one in zip(ordered, tokens.tolist(), strict=True):
        sizes[source].update(rows=sign, tokens=sign * one)
    if not numbers:
        return
    cells, often = np.unique((terms * len(ordered) + columns // wide) * COLUMNS + columns % wide, return_counts=True)
    pairs, places = np.unique(cells // COLUMNS, return_inverse=True)
    of_term, at = np.divmod(pairs, len(ordered))
    ids, sources = (np.array([row[column] for row in ordered], np.int64)[at] for column in (0, 1))
    postings: Array = np.zeros(len(pairs), FIELDS)
    postings["place"], postings["tokens"] = ids % BLOCK, tokens[at].clip(max=LONGEST)
    postings["counts"][places, cells % COLUMNS] = often.clip(max=MOST)
    yield from _pieces(postings.tobytes(), of_term, sources, ids // BLOCK, [*numbers])


def _pieces(
    data: bytes, of_term: Array, sources: Array, blocks: Array, terms: Sequence[str]
) -> Iterator[tuple[_Key, bytes]]:
    """*data* by term, source and block, which it is in the order of."""
    keys = np.stack([of_term, sources, blocks])
    starts = np.flatnonzero(np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)))  # the first is new
    ends: Array = np.append(starts[1:], keys.shape[1]) * FIELDS.itemsize
    begins: Array = starts * FIELDS.itemsize
    for (term, source, block), begin, end in zip(
        keys[:, starts].T.tolist(), begins.tolist(), ends.tolist(), strict=True
    ):
        yield (terms[term], source, block), data[begin:end]


def _columns(keys: Iterable[Sequence[object]]) -> dict[str, list[object]]:
    columns = [[*column] for column in zip(*keys, strict=True)] or [[], [], []]
    return dict(zip(("terms", "sources", "blocks"), columns, strict=True))


def _without(data: bytes, gone: Collection[bytes]) -> bytes:
    if not gone:
        return data
    return b"".join(one for one in _each(data) if one[: _PLACE.size] not in gone)


def _each(data: bytes) -> Iterator[bytes]:
    return (data[at : at + FIELDS.itemsize] for at in range(0, len(data), FIELDS.itemsize))
