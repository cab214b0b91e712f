"""Tiers over loopback servers: whatever the machine is set up for, only these are reached."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cortex.llm.model import Request
from cortex.llm.setup import Price, Setup, Tier
from cortex.llm.tiers import Tiers
from cortex.substrate.brain import open_brain
from cortex.substrate.model import Value
from tests.brains import open_new

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
PRICES = (Price(models=("paid",), input=1, output=10), Price(models=("free",), input=0, output=0))


class Ports(Value):
    """What a model is asked for in these tests."""

    ports: list[int]


def ask(content: str = "Which ports?", **fields: Any) -> Request[Any]:  # noqa: ANN401  any field of a request
    asked: dict[str, Any] = {"purpose": "docs", "system": "Name the ports.", "content": content, "answer": Ports}
    return Request(**asked | fields)


def tier(name: str, url: str = "", **fields: Any) -> Tier:  # noqa: ANN401
    return Tier(**{"name": name, "small": "paid", "large": "paid", "url": url, "key": "sk-test"} | fields)


def setup(*tiers: Tier, run: float = 10, day: float = 10, **fields: Any) -> Setup:  # noqa: ANN401
    return Setup(tiers=tiers, budget_run_usd=run, budget_day_usd=day, prices=PRICES, **fields)


class Watch:
    """A stopwatch that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture(autouse=True)
def _reach_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that is nowhere: what does not go to this machine directly fails at once."""
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "OPENAI_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
        monkeypatch.setenv(name.lower(), "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with open_new(tmp_path / "brain.db") as brain:
        return brain.path


@pytest.fixture
def make(path: Path, watch: Watch) -> Iterator[Callable[..., Tiers]]:
    """Tiers of a setup, closed at the end."""
    with ExitStack() as stack:
        yield lambda made: stack.enter_context(
            Tiers(made, path, clock=lambda: NOW, key=b"key", sleep=watch.sleep, monotonic=watch)
        )


def calls(path: Path, columns: str = "outcome") -> list[Any]:
    """What the brain at *path* keeps of its calls, in order."""
    with open_brain(path, read_only=True) as brain:
        rows = brain.db.execute(f"select {columns} from calls order by id").fetchall()  # noqa: S608  a test's own
    return [row[0] for row in rows] if "," not in columns else rows
