"""Importing Cortex is cheap: what only one command needs is loaded by that command."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "anthropic",
    "apscheduler",
    "docutils",
    "fastapi",
    "github",
    "httpx",
    "markdown_it",
    "numpy",
    "openai",
    "rich",
    "sqlite_utils",
    "starlette",
    "yaml",
}


def loaded(statement: str) -> set[str]:
    """The modules a new interpreter has after *statement*, by their first name."""
    program = f"import sys; {statement}; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=180)
    return {name.partition(".")[0] for name in done.stdout.splitlines()}


@pytest.mark.parametrize("module", ["cortex", "cortex.surfaces.cli"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    assert loaded(f"import {module}") & HEAVY == set()


def test_a_heavy_import_is_seen() -> None:
    assert "rich" in loaded("import rich.table")
