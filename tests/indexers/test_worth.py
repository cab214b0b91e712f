"""What of a change tells why it was done, and with which sentences beside."""

from __future__ import annotations

from cortex.indexers.worth import telling
from tests.tables import walk

LONG = (
    "nobody holds a lock for a minute, and each that was held for longer belonged to a job that died in its sleep, at"
    " night and far from home."
)
QUOTED = {
    "with what it leans on": (
        "Drop locks\n\nA job may die at night. So we can't wait for it, because nobody is there.\n\nTests follow.",
        "A job may die at night. So we can't wait for it, because nobody is there.",
    ),
    "with what follows while it is short": (
        "Drop locks\n\nWe can't wait because jobs die. A lease ends by itself.\n\nIt is renewed instead of freed.",
        "We can't wait because jobs die. A lease ends by itself.",
    ),
    "alone where it is long": (f"Drop locks\n\nBecause jobs may die: {LONG} The rest is as it was.", None),
    "not of another commit": ("Drop locks\n\n* Read in order\n\nThe disk is slow because it is full of pages.", ""),
}


@walk(("body", "said"), QUOTED.values(), ids=QUOTED.keys())
def test_a_reason_comes_with_what_it_needs(body: str, said: str | None) -> None:
    found = telling("Drop locks", body)
    quoted = body[found.start : found.end] if found else ""
    assert quoted == said if said is not None else "The rest" not in quoted
