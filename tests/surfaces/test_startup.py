"""Importing Cortex is cheap: what only one command needs is loaded by that command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cortex.substrate.address import argument, is_database

HEAVY = {
    "anthropic",
    "asyncio",
    "concurrent.futures",
    "docutils",
    "email",
    "fastapi",
    "github",
    "httpx",
    "importlib.metadata",
    "importlib.resources",
    "logging",
    "lzma",
    "markdown_it",
    "multiprocessing",
    "numpy",
    "openai",
    "rich",
    "sqlite_utils",
    "starlette",
    "subprocess",
    "tempfile",
    "yaml",
}

ELSEWHERE = (
    "cortex.compactor.",
    "cortex.evals.",
    "cortex.indexers.connectors.",
    "cortex.llm.setup",
    "cortex.llm.tiers",
    "cortex.surfaces.commands.",
    "cortex.surfaces.doctor.",
    "cortex.surfaces.http.",
    "cortex.surfaces.operations.",
    "cortex.surfaces.render_report",
)
"""Where what other commands need is."""

ASKING = {f"cortex.surfaces.{name}" for name in ("commands.asking", "operations.asking", "operations.parameters")}


def heavy(names: set[str]) -> set[str]:
    """Those of *names* that are heavy modules or parts of one."""
    return {name for name in names if any(f"{name}.".startswith(f"{one}.") for one in HEAVY)}


def loaded(program: str, *arguments: object) -> set[str]:
    """The modules a new interpreter has after *program*."""
    lines = f"import sys\n{program}\nprint('loaded:', *sys.modules)"
    command = [sys.executable, "-c", lines, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=180)
    return {*done.stdout.rpartition("loaded: ")[2].split()}


@pytest.mark.parametrize("module", ["cortex", "cortex.surfaces.cli"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    assert heavy(loaded(f"import {module}")) == set()


def test_a_heavy_import_is_seen() -> None:
    assert "rich.table" in heavy(loaded("import rich.table"))


def test_a_question_loads_nothing_that_only_others_need(brain: Path) -> None:
    program = "from cortex.__main__ import main\ntry:\n  main()\nexcept SystemExit:\n  pass"
    asked = (program, "--db", argument(brain), "ask", "Who owns the eval harness?")
    loaded(*asked)  # which makes the encoder's table where there is none
    names = loaded(*asked)
    assert names >= ASKING
    of_engine = loaded("import cortex.substrate.postgres.brain") if is_database(brain) else set[str]()
    assert heavy(names - of_engine) == set()
    assert {name for name in names - ASKING if name.startswith(ELSEWHERE)} == set()
