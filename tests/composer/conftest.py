"""The demo project, indexed once for all tests that only ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.substrate.brain import Brain, open_brain
from tests.brains import open_demo, open_new


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    path = tmp_path_factory.mktemp("demo") / "brain.db"
    open_demo(path).close()
    with open_brain(path, read_only=True) as brain:
        yield brain


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_new(tmp_path / "brain.db") as brain:
        yield brain
