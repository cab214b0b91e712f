from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.compactor.brains import Facts


@pytest.fixture
def facts(tmp_path: Path) -> Iterator[Facts]:
    made = Facts(tmp_path / "brain.db")
    yield made
    made.brain.close()
