"""`--explain` tells of the very judgement that the answer was given by."""

from __future__ import annotations

import pytest

from cortex.composer.ask import ask
from cortex.composer.explain import explain
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope


@pytest.mark.parametrize(
    "text",
    [
        "Who closed #1093?",
        "When was #1093 closed?",
        "Which pull requests about leases were merged by lunamdev?",
        "Who merged #1012?",
        "What does s-ashdown own?",
        "What is a packet?",
        "How much does the team plan cost per seat?",
        "Which PR fixes #496?",
    ],
)
def test_what_is_explained_is_what_was_judged(demo: Brain, text: str) -> None:
    answered, explained = ask(demo, text, scope=Scope()), explain(demo, text, scope=Scope())
    assert (explained.evidence == "none") is answered.refused
    if not answered.refused:
        assert explained.evidence == answered.evidence
