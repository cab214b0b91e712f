"""What a process keeps of the vectors of brains: the blocks it has read, and of a brain of many their signs.

A block that has the checksum of one this process has read is not read again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cortex.substrate.brain import Brain
from cortex.substrate.statements import column, run

if TYPE_CHECKING:
    from cortex.substrate.signs import Chunk

ROWS: Final = 512
"""Vectors of a block: the scan is fastest where a block fits the processor's cache; released brains have as many."""

FEW: Final = 100  # blocks up to which the first question of a process is answered sooner without importing NumPy
MOST_BYTES: Final = 2**30  # that are kept; the blocks of the brain that was asked last are, whatever they take

Block = bytes | memoryview
Held = dict[int, tuple[int, Block]]
"""Blocks by number, each with its checksum."""


class Blocks(NamedTuple):
    """Blocks by number, in order, and where they are many and all there are, the same in chunks."""

    vectors: Mapping[int, Block]
    chunks: Sequence[Chunk]


class _Kept(NamedTuple):
    blocks: Held
    chunks: dict[int, tuple[dict[int, int], Chunk]]


_kept: OrderedDict[Path, _Kept] = OrderedDict()
_lock = Lock()


def has_read(brain: Brain) -> bool:
    """Whether this process keeps any of the brain's."""
    return brain.path in _kept


def read_blocks(brain: Brain, counted: dict[str, Any], *, encoder: str, sources: Sequence[int] | None) -> Blocks:
    """The blocks of an encoder's vectors; with *sources* those with a passage of theirs.

    Args:
        counted: by the brain, where they are looked up as long as nobody writes.
    """
    key = f"vectors {encoder} {sources}"
    if key not in counted:
        counted[key] = _read(brain, encoder, sources)
    return counted[key]  # type: ignore[no-any-return]


def _read(brain: Brain, encoder: str, sources: Sequence[int] | None) -> Blocks:
    here = None if sources is None else column(brain, "vectors.blocks_of_sources", sources=sources, size=ROWS)
    checksums = dict(run(brain, "vectors.checksums", encoder=encoder, blocks=here).fetchall())
    with _lock:
        kept = _kept.pop(brain.path, _Kept({}, {}))
        chunks: dict[int, tuple[dict[int, int], Chunk]] = {}
        if here is None and len(checksums) > FEW:
            found, chunks = _in_chunks(brain, kept, checksums)
        else:
            found = _fresh(brain, kept.blocks, checksums)
        _kept[brain.path] = _Kept(found, chunks) if here is None else _Kept(kept.blocks | found, kept.chunks)
        while len(_kept) > 1 and sum(map(_size, _kept.values())) > MOST_BYTES:
            _kept.popitem(last=False)
    vectors = {block: vectors for block, (_, vectors) in found.items()}
    return Blocks(vectors, [chunk for _, chunk in chunks.values()])


def _fresh(brain: Brain, held: Held, checksums: Mapping[int, int]) -> Held:
    """The blocks with these checksums, in order; those that are not held are read."""
    found = {block: held[block] for block, one in checksums.items() if block in held and held[block][0] == one}
    if late := checksums.keys() - found.keys():
        found |= {block: (one, vectors) for block, one, vectors in run(brain, "vectors.blocks", blocks=late)}
    return dict(sorted(found.items()))


def _in_chunks(
    brain: Brain, kept: _Kept, checksums: Mapping[int, int]
) -> tuple[Held, dict[int, tuple[dict[int, int], Chunk]]]:
    from cortex.substrate.signs import BLOCKS, chunk_of  # noqa: PLC0415  with NumPy

    every: Held = {}
    chunks: dict[int, tuple[dict[int, int], Chunk]] = {}
    for number, blocks in groupby(sorted(checksums), key=lambda block: block // BLOCKS):
        found = _fresh(brain, kept.blocks, {block: checksums[block] for block in blocks})
        now = {block: one for block, (one, _) in found.items()}
        then, chunk = kept.chunks.get(number, ({}, None))
        if chunk is None or then != now:
            chunk = chunk_of([vectors for _, vectors in found.values()], ROWS)
        chunks[number] = now, chunk
        every |= {
            block: (one, chunk.vectors[ROWS * place : ROWS * (place + 1)].data.cast("B"))
            for place, (block, one) in enumerate(now.items())
        }
    return every, chunks


def _size(kept: _Kept) -> int:
    return sum(len(vectors) for _, vectors in kept.blocks.values())
