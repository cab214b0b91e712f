"""After a compaction every answer of the smoke questions is the same or better."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from cortex.compactor.run import compact
from cortex.evals.asking import smoke
from cortex.evals.cases import load_suite
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import open_demo
from tests.compactor.brains import NOW
from tests.sources import ROOT

SMOKE = ROOT / "evals" / "smoke.yaml"


def right(brain: Brain) -> set[str]:
    """Ids of the smoke questions that get the right answer."""
    (once,) = smoke(brain, load_suite(SMOKE), scope=Scope(), runs=1).runs
    return {result.case.id for result in once.results if result.right}


def test_what_was_right_before_is_right_after_years_of_nights(tmp_path: Path) -> None:
    with open_demo(tmp_path / "brain.db") as brain:
        before = right(brain)
        assert before
        for years in (0, 5):
            compact(brain, now=NOW + timedelta(days=365 * years))
            assert before - right(brain) == set()
