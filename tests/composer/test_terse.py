"""What one plain row of terse notes says is told: short forms, titles, items with a colon, and who people are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record

TOOLS = "# Tools\n\n- lint: `npx lint .`\n- ovens: 3 per row\n- You need about 8 GB of spare memory."
LIMITS = "# Limits\n\n| What | Trip |\n|---|---|\n| oven temp | 260 |\n| door temp | 60 |"


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("terse") / "brain.db") as brain:
        index_records(
            brain,
            record("doc:README.md", TOOLS, title="ovend", path="README.md"),
            record("doc:limits.md", LIMITS, title="Limits", path="limits.md"),
            record(
                "doc:TEAM.md", "# Team\n\nThere are two bakers: Ada Crust and Bo Crumb.", title="Team", path="TEAM.md"
            ),
            record("issue:4", "rm scale\n\nnobody weighs", state="closed"),
            record("issue:5", "K9 hums\n\nsince monday", state="open"),
            record("pull:6", "Require Node 20\n\nAs said.", state="merged"),
            record("issue:7", "Flour is damp\n\nthe sack at the door", state="open"),
        )
        yield brain


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("At which oven temperature do we trip?", "260"),
        ("Why was the scale removed?", "nobody weighs"),
        ("What is wrong with K9?", "K9 hums"),
        ("How do I lint?", "npx lint ."),
        ("Who are the bakers?", "Ada Crust"),
        ("Which Node version is required?", "Node 20"),
        ("How much memory do I need?", "8 GB"),
    ],
)
def test_what_one_terse_row_says_is_told(bakery: Brain, text: str, said: str) -> None:
    assert said in ask(bakery, text, scope=Scope()).answer


@pytest.mark.parametrize(
    "text",
    [
        "At which freezer temperature do we trip?",
        "What is wrong with K7?",
        "How do I deploy?",
        "Who are the millers?",
        "Which Ruby version is required?",
        "Where is the freezer password stored?",
    ],
)
def test_what_no_row_says_is_still_refused(bakery: Brain, text: str) -> None:
    assert ask(bakery, text, scope=Scope()).refused


RATES = record("doc:limits/kneading.md", "# Rate limits\n\nThe rate limit is two loaves a minute.", title="Rate limits")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Is there still a rate limit?", "two loaves a minute"),
        ("Who is on call?", "Dora Rye on weekends"),
        ("Which Go version is required?", "Require Go 1.22"),
    ],
    ids=["a yes or no", "one word that heads a part", "a name that is an everyday word"],
)
def test_what_everyday_words_ask_is_told_where_one_row_has_them_all(brain: Brain, text: str, said: str) -> None:
    call = record("doc:crew/call.md", "# On call\n\nBo Crumb is there, Dora Rye on weekends.", title="On call")
    go = [record("pull:9", "Require Go 1.22", state="merged"), record("pull:8", "Ovens, second version")]
    index_records(brain, RATES, call, *go, record("doc:LICENSE", "Bread license, version 1.1", title="License"))
    answer = ask(brain, text, scope=Scope())
    assert said in answer.answer.split("\n")[0]


@pytest.mark.parametrize("text", ["Is there a fine rate?", "Who is away?", "Is it good?"])
def test_everyday_words_that_no_row_has_together_ask_nothing(brain: Brain, text: str) -> None:
    index_records(brain, RATES, record("issue:3", "It was good to be away\n\nA fine day.", state="closed"))
    assert ask(brain, text, scope=Scope()).refused


@pytest.mark.parametrize(
    ("row", "is_strong"), [(RATES, True), (record("pull:9", "Remove the rate limit from doors", state="merged"), False)]
)
def test_everyday_words_are_answered_for_sure_by_a_document_alone(
    brain: Brain, row: Record, *, is_strong: bool
) -> None:
    index_records(brain, row)
    assert (ask(brain, "Is there a rate limit?", scope=Scope()).evidence == "strong") == is_strong
