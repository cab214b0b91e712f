"""The confidence of the rules: weights for every cue, nothing of one project, and a judged sample that holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cortex.indexers.distill.confidence import NEVER, confidence
from cortex.indexers.distill.cues import KINDS, PATTERNS
from cortex.indexers.distill.tells import CUES, decides
from cortex.indexers.distill.text import Text
from cortex.indexers.distill.unit import Unit
from cortex.packaged import files

JUDGED = Path(__file__).parents[3] / "bench" / "judged"
WEIGHTS = json.loads((files("cortex.indexers.distill") / "weights.json").read_text("utf-8"))
COMMENT = Text(1, "comment", "comment:1#1", "A title", "body", "ada", "", None)


def test_every_cue_that_is_never_a_fact_is_a_cue_or_a_shape() -> None:
    assert {name for names in NEVER.values() for name in names} - {"fragment"} <= PATTERNS.keys()
    assert set(KINDS.values()) <= {"decision", "incident", "process", "ownership", "spec", "change"}


@pytest.mark.parametrize("path", ["docs", "comments"])
def test_what_a_fact_lives_on_speaks_for_it(path: str) -> None:
    weights = WEIGHTS[path]
    assert all(weights[name] > 0 for name in ("replaced", "rule", "length"))
    assert weights["bias"] < 1


def test_a_hedge_makes_less_sure() -> None:
    plain = Unit(0, 1, "The cache is invalidated by every writer, because readers must not see old rows.")
    hedged = plain._replace(text=plain.text.replace("The cache is", "Maybe the cache is probably"))
    assert 0 < confidence(hedged, COMMENT) < confidence(plain, COMMENT) < 1


def test_a_decision_is_told_by_cues_that_the_distiller_knows_too() -> None:
    assert decides("We decided to drop the cache because it was never invalidated.")
    assert not decides("The weather in the office was quite nice today.")
    assert all(cue["name"] in PATTERNS for cue in CUES)


def test_the_judged_samples_hold() -> None:
    for name in ("secp256k1", "multi"):
        rows = [json.loads(line) for line in (JUDGED / f"sample-{name}.jsonl").read_text("utf-8").splitlines()]
        verdicts = [row["verdict"] for row in rows]
        assert len(rows) == len({row["handle"] for row in rows}) == 200
        assert all(not row.keys() & {"statement", "excerpt", "text"} for row in rows)
        assert verdicts.count("useful") >= 0.8 * 200
        assert verdicts.count("wrong") <= 0.02 * 200
