"""A question of few words is told for sure by what tells more than these: nearly every project has them somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask, in_order
from cortex.composer.few_words import is_told
from cortex.composer.gathering import gather
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record, Scope
from cortex.substrate.sources import begun, readable
from tests.brains import index_records, record

NOON = datetime(2024, 6, 1, 12, tzinfo=UTC)


def part(path: str, title: str, text: str) -> Record:
    ref = f"doc:{path}#{title.rpartition(' › ')[2].lower().replace(' ', '-')}"
    return record(ref, text, title=title, path=path)


def merged(number: int, text: str) -> Record:
    return record(f"pull:{number}", text, state="merged", author="odo-k", merged_at=NOON, created_at=NOON)


def said(number: int, text: str) -> Record:
    return record(f"comment:{number}#{number}0", text, author="odo-k", association="MEMBER", thread=f"pull:{number}")


@pytest.fixture(scope="module")
def lights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("lights") / "brain.db") as brain:
        index_records(
            brain,
            part("lamp.md", "Lamp › Monday", "The lens is cleaned every Monday with a dry cloth."),
            part("lamp.md", "Lamp › Words", "A prism is a wedge of glass that bends the beam."),
            part("lamp.md", "Lamp › Foghorn", "It sounds twice a minute, until the fog has gone."),
            part("lamp.md", "Lamp › Export", '{\n  "wick": "flat",\n}'),
            part("tower.md", "Tower › Doors", "Doors open outward because the storm would push them in."),
            part("tower.md", "Tower › Coat", "The railing must be painted before every winter."),
            part("tower.md", "Tower › Sizes", "The gallery height is 31 m above the rock."),
            part(
                "tower.md", "Tower › Steps", "The default stair is of oak. Of the lamp we know the height of its foot."
            ),
            merged(3, "Use brass for the foot of the lamp\n\nThe old one is gone."),
            merged(7, "Avoid oakum in the hull\n\nTar holds as well."),
            merged(5, "Ropes: splice or knot them\n\nBoth are shown."),
            said(5, "Thanks to odo-k, who ties better than I do."),
            record("issue:6", "Use petrol\n\nWe should use petrol since it burns brighter.", state="closed"),
            *(
                record(f"issue:{number}", f"Berth {number}\n\nThe boat waits.", state="open")
                for number in range(20, 60)
            ),
        )
        yield brain


@pytest.mark.parametrize(
    ("text", "ref", "told"),
    [
        ("What is a prism?", "doc:lamp.md#words", True),
        ("Define prism", "doc:lamp.md#words", True),
        ("What is a lens?", "doc:lamp.md#monday", False),
        ("What is a wick?", "doc:lamp.md#export", False),
        ("What is the foghorn?", "doc:lamp.md#foghorn", True),
        ("foghorn", "doc:lamp.md#foghorn", True),
        ("odo-k", "comment:5#50", False),
        ("Why do doors open outward?", "doc:tower.md#doors", True),
        ("Why use brass?", "pull:3", False),
        ("Why avoid oakum?", "pull:7", False),
        ("Why not use petrol?", "issue:6", False),
        ("What is the gallery height?", "doc:tower.md#sizes", True),
        ("What is the default lamp height?", "doc:tower.md#steps", False),
        ("Should I paint the railing?", "doc:tower.md#coat", True),
        ("Should I clean the lens?", "doc:lamp.md#monday", False),
        ("Is the lens cleaned every Monday?", "doc:lamp.md#monday", True),
        ("How large is a prism?", "doc:lamp.md#words", False),
        ("Should I splice or knot ropes?", "pull:5", False),
    ],
)
def test_what_defines_reasons_rules_or_is_headed_so_tells_few_words(
    lights: Brain, text: str, ref: str, *, told: bool
) -> None:
    question = understand(lights, text, lights.stemmer)
    names = begun(lights, readable(lights, Scope()), as_of="")
    gathered = gather(lights, question, lights.stemmer, sources=[*names])
    ordered, _ = in_order(lights, question, gathered, names, lights.stemmer)
    rows = [one for one in ordered if one.fused.row.ref == ref]
    assert rows
    assert is_told(question, rows, lights.stemmer) is told


@pytest.mark.parametrize("text", ["Should I splice or knot ropes?", "What rope do I splice?"])
def test_a_few_words_that_a_change_is_titled_by_make_no_strong_answer(lights: Brain, text: str) -> None:
    answer = ask(lights, text, scope=Scope())
    assert (answer.citations[0].record.ref, answer.evidence) == ("pull:5", "moderate")
