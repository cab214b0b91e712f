"""Vectors of passages: stored in blocks, found by likeness, and gone with their passage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from vectors import likeness, vectors_of

from cortex.substrate import blocks, signs
from cortex.substrate import vectors as of_passages
from cortex.substrate.blocks import ROWS
from cortex.substrate.brain import Brain
from cortex.substrate.encoder import Vector
from cortex.substrate.vectors import SCALE, Near, nearest, put_vectors, unencoded
from tests.brains import open_new, put, record

NAME = "two directions"
EAST, NORTH = bytes([127, 0]), bytes([0, 127])
NORTH_EAST, WEST = bytes([90, 90]), bytes([129, 0])


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_new(tmp_path / "brain.db") as brain:
        put(brain, *(record(f"issue:{n}", f"What is said of number {n}.") for n in (1, 2, 3)))
        yield brain


def passages(brain: Brain) -> dict[str, int]:
    told = "select r.ref, p.id from passages p join records r on r.id = p.record_id order by p.id"
    return dict(brain.db.execute(told).fetchall())


def stored(brain: Brain, vectors: Mapping[str, Vector], encoder: str = NAME) -> dict[str, int]:
    known = passages(brain)
    with brain.transaction():
        put_vectors(brain, {known[ref]: vector for ref, vector in vectors.items()}, encoder=encoder)
    return known


def test_likeness_is_the_cosine() -> None:
    unit = 127**2 / SCALE**2  # as long as a cut number is
    assert likeness(EAST, EAST) == -likeness(EAST, WEST) == unit
    assert likeness(EAST, NORTH) == 0
    assert 0 < likeness(EAST, NORTH_EAST) < unit


def test_the_nearest_come_first_and_those_without_a_vector_not_at_all(brain: Brain) -> None:
    known = stored(brain, {"issue:1": NORTH, "issue:2": NORTH_EAST})
    found = nearest(brain, NORTH, encoder=NAME, sources=None, limit=5)
    assert [near.passage for near in found] == [known["issue:1"], known["issue:2"]]
    assert found[1] == Near(known["issue:2"], likeness(NORTH, NORTH_EAST))
    assert nearest(brain, NORTH, encoder=NAME, sources=None, limit=1) == found[:1]


def test_what_the_caller_may_not_read_is_not_found(brain: Brain) -> None:
    stored(brain, {"issue:1": NORTH})
    assert nearest(brain, NORTH, encoder=NAME, sources=[77], limit=5) == []
    brain.db.execute("update records set gone_at = '2026-01-01T00:00:00Z' where ref = 'issue:1'")
    assert nearest(brain, NORTH, encoder=NAME, sources=None, limit=5) == []


def test_what_was_not_known_at_the_time_is_not_found(brain: Brain) -> None:
    known = stored(brain, {"issue:1": NORTH, "issue:2": EAST})
    brain.db.execute("update records set created_at = '2025-01-01T00:00:00Z' where ref = 'issue:2'")
    found = nearest(brain, NORTH_EAST, encoder=NAME, sources=None, limit=5, as_of="2025-06-01T00:00:00Z")
    assert [near.passage for near in found] == [known["issue:2"]]


def test_an_encoder_finds_no_vectors_of_another(brain: Brain) -> None:
    known = stored(brain, {"issue:1": NORTH})
    assert nearest(brain, NORTH, encoder="another", sources=None, limit=5) == []
    assert vectors_of(brain, known.values(), encoder="another") == {}
    assert unencoded(brain, encoder="another") == [*known.values()]


def test_the_vectors_of_one_encoder_replace_those_of_another(brain: Brain) -> None:
    known = stored(brain, {"issue:1": NORTH, "issue:2": NORTH})
    stored(brain, {"issue:1": bytes([1, 2, 3])}, encoder="three")
    assert vectors_of(brain, known.values(), encoder="three") == {known["issue:1"]: bytes([1, 2, 3])}
    assert unencoded(brain, encoder="three") == [known["issue:2"], known["issue:3"]]


def test_a_vector_is_read_as_it_was_stored(brain: Brain) -> None:
    known = stored(brain, {"issue:1": NORTH, "issue:3": WEST})
    held = vectors_of(brain, [*known.values(), 5 * ROWS], encoder=NAME)
    assert held == {known["issue:1"]: NORTH, known["issue:3"]: WEST}


def test_a_changed_record_loses_its_vector_and_readers_see_the_new_one(brain: Brain) -> None:
    known = stored(brain, {"issue:1": EAST, "issue:2": NORTH_EAST})
    assert nearest(brain, EAST, encoder=NAME, sources=None, limit=1)[0].passage == known["issue:1"]
    put(brain, record("issue:1", "It says something else."))
    assert nearest(brain, EAST, encoder=NAME, sources=None, limit=1)[0].passage == known["issue:2"]
    known = stored(brain, {"issue:1": WEST})
    with brain.reader() as reader:
        reader.restrict(None)
        assert nearest(reader, WEST, encoder=NAME, sources=None, limit=1)[0].passage == known["issue:1"]


def test_the_first_readable_one_is_found_behind_many_that_are_not(brain: Brain) -> None:
    put(brain, *(record(f"issue:{n}", f"Number {n}.") for n in range(10, 60)))
    known = passages(brain)
    stored(brain, dict.fromkeys(known, NORTH) | {"issue:2": NORTH_EAST})
    brain.db.execute("update records set gone_at = '2026-01-01T00:00:00Z' where ref <> 'issue:2'")
    assert [near.passage for near in nearest(brain, NORTH, encoder=NAME, sources=None, limit=1)] == [known["issue:2"]]


def test_a_vector_of_zeros_is_like_nothing(brain: Brain) -> None:
    stored(brain, {"issue:1": NORTH, "issue:2": bytes(2)})
    assert nearest(brain, bytes(2), encoder=NAME, sources=None, limit=5) == []
    assert len(nearest(brain, NORTH, encoder=NAME, sources=None, limit=5)) == 1


def test_the_first_scan_of_a_process_finds_what_later_ones_do(brain: Brain) -> None:
    chance = Random(7)  # noqa: S311  no secret
    put(brain, *(record(f"issue:{n}", f"What is said of number {n}.") for n in range(4, 700)))
    known = stored(brain, {ref: chance.randbytes(256) for ref in passages(brain)})
    asked = chance.randbytes(256)
    first, later = (nearest(brain, asked, encoder=NAME, sources=None, limit=9) for _ in range(2))
    assert len(first) == 9
    assert first == later
    assert {near.passage for near in first} <= {*known.values()}


def test_a_scan_of_the_blocks_of_a_few_sources_finds_what_one_of_all_does(
    brain: Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(8)  # noqa: S311  no secret
    for source, numbers in (("demo", range(4, 600)), ("other", range(600, 900)), ("demo", range(900, 1600))):
        put(brain, *(record(f"issue:{n}", f"What is said of number {n}.") for n in numbers), source=source)
    stored(brain, {ref: chance.randbytes(256) for ref in passages(brain)})
    asked = chance.randbytes(256)
    found = []
    for many in (1000, 0):
        monkeypatch.setattr(of_passages, "MANY_BLOCKS", many)
        found.append([nearest(brain, asked, encoder=NAME, sources=of, limit=9) for of in ([2], [1], [1, 2], [77])])
    assert [len(near) for near in found[0]] == [9, 9, 9, 0]
    assert found[0] == found[1]
    here = {at // ROWS for (at,) in brain.db.execute("select id from passages where source_id = 2")}
    assert 0 < len(here) < 4


def noisy(vector: Vector, chance: Random) -> Vector:
    return bytes(
        (byte + chance.randint(-2, 2)) % 256 if 2 < byte < 126 or 130 < byte < 254 else byte for byte in vector
    )


def test_of_many_rows_signs_choose_the_nearest(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "FEW", 0)
    monkeypatch.setattr(signs, "IN_FULL", 2)
    monkeypatch.setattr(signs, "BLOCKS", 1)
    chance = Random(9)  # noqa: S311  no secret
    put(brain, *(record(f"issue:{n}", f"What is said of number {n}.") for n in range(4, 1400)))
    asked = chance.randbytes(256)
    like = {f"issue:{n}" for n in (5, 600, 1300)}
    known = stored(
        brain, {ref: noisy(asked, chance) if ref in like else chance.randbytes(256) for ref in passages(brain)}
    )
    near = nearest(brain, asked, encoder=NAME, sources=None, limit=3)
    assert {one.passage for one in near} == {known[ref] for ref in like}
    stored(brain, {"issue:5": chance.randbytes(256), "issue:700": asked})
    near = nearest(brain, asked, encoder=NAME, sources=None, limit=3)
    assert {one.passage for one in near} == {known[f"issue:{n}"] for n in (600, 700, 1300)}


def test_the_rows_with_most_signs_in_common_are_multiplied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "IN_FULL", 2)
    chance = Random(10)  # noqa: S311  no secret
    asked = chance.randbytes(256)
    rows = [noisy(asked, chance) if place in (3, 700, 1500) else chance.randbytes(256) for place in range(2000)]
    chunks = [signs.chunk_of([b"".join(rows[:1000])], 1000), signs.chunk_of([b"".join(rows[1000:])], 1000)]
    found = signs.by_signs(asked, chunks)(3)
    assert found == {place: likeness(asked, rows[place]) * SCALE**2 for place in (3, 700, 1500)}
