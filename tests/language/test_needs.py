"""A sentence holds the patterns that are found in it, whichever of them are tried."""

from __future__ import annotations

from cortex.indexers.distill.cues import NORMS, PATTERNS
from cortex.language.needs import Patterns
from tests.sources import ROOT


def test_the_patterns_that_are_not_tried_are_in_no_sentence() -> None:
    patterns = {**PATTERNS, **NORMS}
    table = Patterns(patterns)
    texts = "\n".join((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/agents.md", "CHANGELOG.md"))
    held = set()
    for sentence in texts.lower().splitlines()[::3]:
        found = [name for name, one in patterns.items() if one.search(sentence)]
        assert [*table.found(sentence)] == found, sentence
        assert all(table.holds(sentence, name) for name in found)
        held.update(found)
    assert len(held) > len(patterns) / 3
