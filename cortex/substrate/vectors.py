"""Vectors of passages: how alike two are, those a brain holds, and the nearest to one.

They stand in blocks of many rows, by the passage's number: a whole brain is scanned in a few reads and a product of
matrices a block; of many blocks the signs of the numbers choose the rows that are multiplied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import islice
from operator import mul, sub
from struct import unpack
from typing import Any, Final, NamedTuple
from zlib import crc32

from cortex.substrate.blocks import FEW, ROWS, Block, has_read, read_blocks
from cortex.substrate.brain import Brain
from cortex.substrate.encoder import Vector
from cortex.substrate.selection import known_records
from cortex.substrate.statements import column, run

SCALE: Final = 256  # hardly a number of a vector of length one is over .5, which is cut to that
HEAVY: Final = 96  # the vector's largest numbers, which choose, without NumPy, the rows that are multiplied in full
IN_FULL: Final = 15  # of each row that is wanted, how many are: of the 60 nearest of 29,000 these hold all but equals
TOGETHER: Final = 8  # blocks that are multiplied in part at once: what they take fits the processor's cache
LANE: Final = 4  # bytes of a row in one large integer, which add up 96 products of two bytes
MANY_BLOCKS: Final = 200
FEW_SOURCES: Final = 8
"""Beyond so many blocks those that hold passages of so few sources are found sooner than all are read and scanned."""

WIDER: Final = 8  # how many times more rows are looked at when too few of the nearest may be read


class Near(NamedTuple):
    """A passage, by its number in `passages`, and how alike it is."""

    passage: int
    likeness: float


def nearest(
    brain: Brain, vector: Vector, *, encoder: str, sources: Sequence[int] | None, limit: int, as_of: str = "",
    counted: dict[str, Any] | None = None,
) -> list[Near]:  # fmt: skip
    """The passages most like *vector*, best first; of equally like ones the first stored, of unlike ones none.

    Args:
        encoder: the name of the encoder that made *vector*; passages with another one's vectors are not found.
        sources: ids of the sources to search; None searches all.
        as_of: a time as records have it: only what was known then; '' is now.
        counted: by the brain, where the caller has looked that up.
    """
    is_asked_again, counted = has_read(brain), brain.counted() if counted is None else counted
    few = sources is not None and len(sources) <= FEW_SOURCES and _are_many(brain, counted)
    blocks, chunks = read_blocks(brain, counted, encoder=encoder, sources=sources if few else None)
    if not blocks or not any(vector):
        return []
    rows_of = [*blocks.values()]
    if chunks:
        from cortex.substrate.signs import by_signs  # noqa: PLC0415  with NumPy

        best = by_signs(vector, chunks)
    else:
        best = (_by_numpy if is_asked_again or len(blocks) > FEW else _in_part)(vector, rows_of)
    first = [ROWS * block for block in blocks]
    wanted, rows = 2 * limit, ROWS * len(blocks)
    while True:
        wanted = min(wanted, rows)
        near = {first[row // ROWS] + row % ROWS: product / SCALE**2 for row, product in best(wanted).items()}
        readable = _readable(brain, near, sources, as_of)
        if len(readable) >= limit or wanted == rows:
            return sorted((Near(*one) for one in readable.items()), key=lambda one: (-one.likeness, one.passage))[
                :limit
            ]
        wanted *= WIDER
        best = _by_numpy(vector, rows_of)  # which looks at many more at once


Best = Callable[[int], dict[int, float]]
"""The products of so many rows, the greatest."""


def _by_numpy(vector: Vector, blocks: Sequence[Block]) -> Best:
    import numpy  # noqa: ICN001, PLC0415  as long as it takes to scan 50,000 rows without it

    asked: Any = numpy.frombuffer(vector, numpy.int8).astype(numpy.float32)
    products = numpy.concatenate([
        numpy.frombuffer(block, numpy.int8).reshape(ROWS, len(vector)).astype(numpy.float32) @ asked for block in blocks
    ])  # fmt: skip

    def best(wanted: int) -> dict[int, float]:
        rows: list[int] = products.argpartition(-wanted)[-wanted:].tolist()
        return {row: float(products[row]) for row in rows}

    return best


def _in_part(vector: Vector, blocks: Sequence[Block]) -> Best:
    """Multiplied by the vector's largest numbers alone, then, of the best of these, by all of them."""
    ours, dims = memoryview(vector).cast("b").tolist(), len(vector)
    heavy = sorted(range(dims), key=lambda at: -abs(ours[at]))[:HEAVY]
    parts: list[int] = []
    for at in range(0, len(blocks), TOGETHER):
        parts += _products_in_part(ours, heavy, b"".join(blocks[at : at + TOGETHER]))

    def best(wanted: int) -> dict[int, float]:
        products: dict[int, float] = {}
        for row in nlargest(wanted * IN_FULL, range(len(parts)), parts.__getitem__):
            at = row % ROWS * dims
            products[row] = sum(map(mul, ours, memoryview(blocks[row // ROWS])[at : at + dims].cast("b")))
        return {row: products[row] for row in nlargest(wanted, products, products.__getitem__)}

    return best


def _products_in_part(ours: Sequence[int], heavy: Sequence[int], vectors: bytes) -> list[int]:
    """A column of all rows is one large integer: Python multiplies and adds thousands of rows at once."""
    unsigned, dims = vectors.translate(_UNSIGNED), len(ours)
    size = len(vectors) // dims * LANE
    lanes, sums = bytearray(size), [0, 0]  # what counts for a row, and against it
    for at in heavy:
        lanes[::LANE] = unsigned[at::dims]
        sums[ours[at] < 0] += int.from_bytes(lanes, "little") * abs(ours[at])
    columns = (unpack(f"<{size // LANE}I", one.to_bytes(size, "little")) for one in sums)
    return [*map(sub, *columns)]


_UNSIGNED: Final = bytes((byte + 128) % 256 for byte in range(256))


def _readable(brain: Brain, near: Mapping[int, float], sources: Sequence[int] | None, as_of: str) -> dict[int, float]:
    alike = [passage for passage, likeness in near.items() if likeness > 0]
    found = dict(run(brain, "vectors.passages_encoded", ids=alike, sources=sources))
    known = known_records(brain, {*found.values()}, as_of=as_of)
    return {passage: near[passage] for passage, record in found.items() if record in known}


def _are_many(brain: Brain, counted: dict[str, Any]) -> bool:
    if "vectors many" not in counted:
        found = brain.db.execute("select 1 from vector_blocks where block >= ? limit 1", (MANY_BLOCKS,)).fetchone()
        counted["vectors many"] = found is not None
    return bool(counted["vectors many"])


def has_vectors(brain: Brain) -> bool:
    """Whether any passage has a vector."""
    (found,) = brain.db.execute("select exists (select 1 from encoded)").fetchone()
    return bool(found)


def unencoded(brain: Brain, *, encoder: str, of: Collection[int] | None = None) -> list[int]:
    """The passages, all or those *of* some, that have no vector of *encoder*."""
    return column(brain, "vectors.unencoded", anew=_is_foreign(brain, encoder), ids=of)


def texts_of(brain: Brain, passages: Iterable[int]) -> Iterator[tuple[int, str]]:
    """What each of *passages* is about and says: the text that its vector is of."""
    rest = iter(sorted(passages))
    while some := [*islice(rest, ROWS)]:
        for passage, context, body in run(brain, "vectors.texts", ids=some).fetchall():
            yield passage, f"{context}\n{body}"


def put_vectors(brain: Brain, vectors: Mapping[int, Vector], *, encoder: str) -> None:
    """Store the vectors of passages, inside the caller's transaction; those of another encoder go.

    Read the texts in the same transaction: another process may store others under the same numbers.
    """
    if _is_foreign(brain, encoder):
        brain.db.execute("delete from vector_blocks")
        brain.db.execute("delete from encoded")
    by_block: dict[int, list[int]] = defaultdict(list)
    for passage in vectors:
        by_block[passage // ROWS].append(passage)
    for block, passages in by_block.items():
        dims = len(vectors[passages[0]])
        row = brain.db.execute("select vectors from vector_blocks where block = ?", (block,)).fetchone()
        filled = bytearray(row[0] if row else ROWS * dims)
        for passage in passages:
            at = passage % ROWS * dims
            filled[at : at + dims] = vectors[passage]
        values = {"block": block, "encoder": encoder, "checksum": crc32(filled), "vectors": bytes(filled)}
        run(brain, "vectors.put_block", **values)
    brain.db.executemany("insert or ignore into encoded (passage_id) values (?)", [(one,) for one in vectors])


def _is_foreign(brain: Brain, encoder: str) -> bool:
    found = brain.db.execute("select 1 from vector_blocks where encoder <> ? limit 1", (encoder,)).fetchone()
    return found is not None


def count_passages(brain: Brain) -> int:
    """How many passages there are."""
    return int(brain.db.execute("select count(*) from passages").fetchone()[0])
