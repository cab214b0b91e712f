"""What holds for every test: nothing of the person who runs it leaks in, and hypothesis draws the same twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("cortex", deadline=None, derandomize=True)
settings.load_profile("cortex")


@pytest.fixture(autouse=True)
def _empty_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home: Path = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in [name for name in os.environ if name.startswith(("CORTEX_", "GIT_"))]:
        monkeypatch.delenv(name)
