"""Keys of PostgreSQL's tables lead with the source of a row, and what is read of some sources asks for the rows of those alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cortex.compactor.run import JOBS, compact
from cortex.errors import CortexError
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.postgres.keys import PARENTS, REFERENCES, SHARDED
from cortex.surfaces.contract import run
from cortex.surfaces.operations import named
from tests import postgres
from tests.brains import index_demo
from tests.substrate.test_isolation import OURS, READ, asked_of
from tests.surfaces.mcp_clients import call

CONDITIONS = ("Index Cond", "Recheck Cond", "Filter", "Join Filter", "Hash Cond", "Merge Cond")


@pytest.fixture(scope="module")
def brain() -> Iterator[Brain]:
    """The demo project, which has two sources."""
    with postgres.postgres_brain() as brain:
        index_demo(brain)
        yield brain


def nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


def unbound(plan: Mapping[str, Any]) -> set[str]:
    """The tables that *plan* reads of more sources than it is about."""
    every = [*nodes(plan)]
    tables = {
        one["Alias"]: one["Relation Name"]
        for one in every
        if one.get("Relation Name") in SHARDED and one["Node Type"] != "ModifyTable"
    }
    said = [one[condition] for one in every for condition in CONDITIONS if condition in one]
    pairs = {pair for text in said for pair in re.findall(r"([\w.]+\.source_id|\S+) = ([\w.]+\.source_id|\S+)", text)}
    free = {*tables}

    def binds(other: str) -> bool:
        return not (other.endswith(".source_id") and other.removesuffix(".source_id") in free)

    while bound := {
        alias
        for alias in free
        for one, other in ((a.strip("()"), b.strip("()")) for pair in pairs for a, b in (pair, pair[::-1]))
        if one == f"{alias}.source_id" and binds(other)
    }:
        free -= bound
    return {tables[alias] for alias in free}


@contextmanager
def explaining(brain: Brain) -> Iterator[dict[str, set[str]]]:
    """What the statements of *brain* read of every source, by their text, whatever rows are secured."""
    found: dict[str, set[str]] = {}
    connection: Any = brain.db
    run_ = connection._run

    def explained(text: str, parameters: Any = ()) -> Any:  # noqa: ANN401
        if connection.scope is not None and re.match(r"(with|select|insert|update|delete)\b", text):
            ((plan,),) = run_(f"explain (verbose, format json) {text}", parameters).fetchall()
            plan = plan if isinstance(plan, list) else __import__("json").loads(plan)
            found[text] = unbound(plan[0]["Plan"])
        return run_(text, parameters)

    connection._run = explained
    try:
        yield found
    finally:
        connection._run = run_
