"""What one plain row of terse notes says is told: short forms, titles, items with a colon, and who people are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
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
