"""How sure an answer may be whose first row says but some of what is asked."""

from __future__ import annotations

import pytest

from cortex.composer.ask import in_order
from cortex.composer.gathering import gather
from cortex.composer.signs import is_told_first
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from cortex.substrate.sources import begun, readable
from tests.brains import index_records, record

MANY = [
    record(f"issue:{number}", f"Ferry {number} is late\n\nShip {number} waits outside.", state="open")
    for number in range(20, 60)
]
ROWS = [
    record(
        "doc:docs/frames.md#berth-available", "## BERTH_AVAILABLE\n\nThe codepoint of BERTH_AVAILABLE is 0x3e.",
        path="docs/frames.md", title="Frames › BERTH_AVAILABLE",
    ),
    record("issue:3", "Berths\n\nWhich codepoint a berth has is in the table, where it is available.", state="open"),
    record("issue:4", "Turnstile\n\nThe turnstile of the harbourmaster became mandatory.", state="open"),
    record("issue:5", "Disclosure\n\nGoogle made a short disclosure mandatory.", state="open"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "ref", "told"),
    [
        ("What is the codepoint of BERTH_AVAILABLE?", "doc:docs/frames.md#berth-available", True),
        ("What is the codepoint of BERTH_AVAILABLE?", "issue:3", False),
        ("Why was the harbourmaster turnstile made mandatory?", "issue:4", True),
        ("Why was the harbourmaster turnstile made mandatory?", "issue:5", False),
    ],
)
def test_a_row_tells_most_of_what_is_asked_and_identifiers_as_they_are(
    brain: Brain, text: str, ref: str, *, told: bool
) -> None:
    index_records(brain, *ROWS, *MANY)
    question = understand(brain, text, brain.stemmer)
    names = begun(brain, readable(brain, Scope()), as_of="")
    gathered = gather(brain, question, brain.stemmer, sources=[*names])
    ordered, _ = in_order(brain, question, gathered, names, brain.stemmer)
    row = next(one for one in ordered if one.fused.row.ref == ref)
    assert is_told_first(question, row, brain.stemmer) is told
