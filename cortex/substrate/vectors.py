"""Vectors of passages: how alike two are, those a brain holds, and the nearest to one.

They stand in blocks of many rows, by the passage's number: a whole brain is scanned in a few reads and a product of
matrices a block, four milliseconds for 100,000 passages once they are read. A process keeps the blocks it has read as
long as their checksums are those in the brain.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from operator import mul
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple
from zlib import crc32

from cortex.substrate.brain import Brain
from cortex.substrate.encoder import Vector
from cortex.substrate.statements import run

SCALE: Final = 256  # hardly a number of a vector of length one is over .5, which is cut to that
ROWS: Final = 512
"""Vectors of a block: the scan is fastest where a block fits the processor's cache; released brains have as many."""

FEW_BLOCKS: Final = 10  # blocks up to which the first question of a process is answered sooner without importing NumPy
WIDER: Final = 8  # how many times more rows are looked at when too few of the nearest may be read


class Near(NamedTuple):
    """A passage, by its number in `passages`, and how alike it is."""

    passage: int
    likeness: float


def nearest(
    brain: Brain, vector: Vector, *, encoder: str, sources: Sequence[int] | None, limit: int, as_of: str = ""
) -> list[Near]:
    """The passages most like *vector*, best first; of equally like ones the first stored, of unlike ones none.

    Args:
        encoder: the name of the encoder that made *vector*; passages with another one's vectors are not found.
        sources: ids of the sources to search; None searches all.
        as_of: a time as records have it: only what was known then; '' is now.
    """
    is_asked_again = brain.path in _read
    blocks = _blocks(brain, encoder)
    if not blocks or not any(vector):
        return []
    with_numpy = is_asked_again or len(blocks) > FEW_BLOCKS
    scores: Any = (_products_by_numpy if with_numpy else _products)(vector, blocks.values())
    first = [ROWS * block for block in blocks]
    wanted = 2 * limit
    while True:
        wanted = min(wanted, len(scores))
        top = (
            scores.argpartition(-wanted)[-wanted:].tolist()
            if with_numpy
            else nlargest(wanted, range(len(scores)), scores.__getitem__)
        )
        near = {first[row // ROWS] + row % ROWS: float(scores[row]) / SCALE**2 for row in top}
        readable = _readable(brain, near, sources, as_of)
        if len(readable) >= limit or wanted == len(scores):
            return sorted((Near(*one) for one in readable.items()), key=lambda one: (-one.likeness, one.passage))[
                :limit
            ]
        wanted *= WIDER


def _products(vector: Vector, blocks: Iterable[bytes]) -> list[int]:
    ours, dims = memoryview(vector).cast("b").tolist(), len(vector)
    rows = (memoryview(block).cast("b")[at : at + dims] for block in blocks for at in range(0, ROWS * dims, dims))
    return [sum(map(mul, ours, row)) for row in rows]


def _products_by_numpy(vector: Vector, blocks: Iterable[bytes]) -> Any:  # noqa: ANN401  an array
    import numpy  # noqa: ICN001, PLC0415  as long as it takes to multiply 5,000 rows without it

    asked: Any = numpy.frombuffer(vector, numpy.int8).astype(numpy.float32)
    return numpy.concatenate([
        numpy.frombuffer(block, numpy.int8).reshape(ROWS, len(vector)).astype(numpy.float32) @ asked for block in blocks
    ])  # fmt: skip


def _readable(brain: Brain, near: Mapping[int, float], sources: Sequence[int] | None, as_of: str) -> dict[int, float]:
    asked = json.dumps([passage for passage, likeness in near.items() if likeness > 0])
    of = None if sources is None else json.dumps([*sources])
    found = [passage for (passage,) in run(brain, "vectors.passages_encoded", ids=asked, sources=of)]
    if as_of:
        rows = run(brain, "text_index.rows_of_passages", ids=found, as_of=as_of)
        found = [row[0] for row in rows]
    return {passage: near[passage] for passage in found}


_read: dict[Path, dict[int, tuple[int, bytes]]] = {}
_reading = Lock()


def _blocks(brain: Brain, encoder: str) -> dict[int, bytes]:
    """The blocks of vectors by number; those with the checksum of one this process has read are not read again."""
    checksums = _checksums(brain, encoder)
    with _reading:
        kept = _read.get(brain.path, {})
        held = {block: one for block, one in kept.items() if checksums.get(block) == one[0]}
        missing = json.dumps([*(checksums.keys() - held.keys())])
        for block, checksum, vectors in run(brain, "vectors.vector_blocks_read", blocks=missing):
            held[block] = checksum, vectors
        _read[brain.path] = held
    return {block: held[block][1] for block in sorted(held)}


def _checksums(brain: Brain, encoder: str) -> dict[int, int]:
    return dict(brain.db.execute("select block, checksum from vector_blocks where encoder = ?", (encoder,)).fetchall())


def has_vectors(brain: Brain) -> bool:
    """Whether any passage has a vector."""
    (found,) = brain.db.execute("select exists (select 1 from encoded)").fetchone()
    return bool(found)


def unencoded(brain: Brain, *, encoder: str) -> list[int]:
    """The passages that have no vector of *encoder*."""
    if _is_foreign(brain, encoder):
        return [passage for (passage,) in brain.db.execute("select id from passages order by id")]
    return [passage for (passage,) in run(brain, "vectors.passages_unencoded")]


def texts_of(brain: Brain, passages: Iterable[int]) -> Iterator[tuple[int, str]]:
    """What each of *passages* is about and says: the text that its vector is of."""
    yield from run(brain, "vectors.texts_of_passages", ids=passages)


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
        content = bytes(filled)
        run(brain, "vectors.put_vector_block", block=block, encoder=encoder, checksum=crc32(content), vectors=content)
    brain.db.executemany("insert or ignore into encoded (passage_id) values (?)", [(one,) for one in vectors])


def _is_foreign(brain: Brain, encoder: str) -> bool:
    found = brain.db.execute("select 1 from vector_blocks where encoder <> ? limit 1", (encoder,)).fetchone()
    return found is not None


def count_passages(brain: Brain) -> int:
    """How many passages there are."""
    return int(brain.db.execute("select count(*) from passages").fetchone()[0])
