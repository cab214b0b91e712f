"""The tests of the substrate run on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.substrate.brain import Brain
from tests import postgres
from tests.brains import open_new


@pytest.fixture(params=["postgres"] if postgres.CHOSEN else ["sqlite", "postgres"])
def brain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Brain]:
    """A brain that holds nothing."""
    with postgres.postgres_brain() if request.param == "postgres" else open_new(tmp_path / "brain.db") as brain:
        yield brain
