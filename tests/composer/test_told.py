"""What a comment says was decided stands beside its thread, also where no fact was made of it."""

from __future__ import annotations

import pytest

from cortex.composer.search import search
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record

TITLE = "Rotate the signing keys of the workers"


@pytest.mark.parametrize(
    "told",
    [
        "As discussed on the call:\n\n* all four of you\n* nobody else",
        "Was discussed at the interim in Lyon, TODO:\n\n* ask Bo",
        "Closing, because nobody needs it.",
        "We agreed to do so.",
    ],
)
def test_a_comment_that_tells_what_was_decided_stands_before_those_that_share_more_words(
    brain: Brain, told: str
) -> None:
    talk = [
        record(
            f"comment:1#{n}", f"The signing keys of the workers rotate, says number {n}.", thread="issue:1", title=TITLE
        )
        for n in range(2, 12)
    ]
    index_records(
        brain,
        record("issue:1", f"{TITLE}\n\nThe signing keys of the workers never rotate.", state="open"),
        *talk,
        record("comment:1#50", told, thread="issue:1", title=TITLE),
    )
    found = [hit.record.ref for hit in search(brain, TITLE, scope=Scope(), limit=30)]
    assert found.index("comment:1#50") <= 2
