"""The stored vectors of passages, for benches and tests."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from operator import mul

from cortex.substrate.blocks import ROWS
from cortex.substrate.brain import Brain
from cortex.substrate.encoder import Vector
from cortex.substrate.statements import run, sql
from cortex.substrate.vectors import SCALE


def vectors_of(brain: Brain, passages: Iterable[int], *, encoder: str) -> dict[int, Vector]:
    """The stored vectors of *passages*, by number; those without one are left out.

    Args:
        encoder: the name of the encoder they are compared with; of another one's there are none.
    """
    asked = json.dumps([*passages])
    readable = brain.db.execute(sql("vectors.passages_encoded"), {"ids": asked, "sources": None}).fetchall()
    by_block: dict[int, list[int]] = defaultdict(list)
    for passage, _ in readable:
        by_block[passage // ROWS].append(passage)
    checksums = dict(run(brain, "vectors.checksums", encoder=encoder, blocks=[*by_block]).fetchall())
    found = {}
    for block in by_block.keys() & checksums.keys():
        (blob,) = brain.db.execute("select vectors from vector_blocks where block = ?", (block,)).fetchone()
        dims = len(blob) // ROWS
        for passage in by_block[block]:
            start = passage % ROWS * dims
            found[passage] = blob[start : start + dims]
    return found


def likeness(one: Vector, other: Vector) -> float:
    """The cosine of two vectors of the same encoder, to about .01."""
    product: int = sum(map(mul, memoryview(one).cast("b").tolist(), memoryview(other).cast("b")))
    return product / SCALE**2
