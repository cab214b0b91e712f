"""What a token of some sources, or one that may only write, is told of a brain beside what it may read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.errors import AmbiguousSource, CortexError, UnknownSource
from cortex.settings import Settings
from cortex.substrate.brain import Brain
from cortex.surfaces.contract import Call, run
from cortex.surfaces.operations import named
from tests.brains import NOW, index_records, open_new, record


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Brain]:
    with open_new(tmp_path / "brain.db") as brain:
        for source in ("alpha-hidden", "beta-hidden"):
            index_records(brain, record("issue:1", "Oil the gears", source=source), source=source)
        yield brain


WRITES = {"remember": {"text": "Ship on Fridays.", "by": "ada", "where": "a meeting"},
          "outcome_record": {"title": "Ship on Fridays", "status": "shipped"}}  # fmt: skip


@pytest.mark.parametrize("sources", [None, ("alpha-hidden", "beta-hidden")], ids=["all", "some"])
@pytest.mark.parametrize("operation", WRITES)
@pytest.mark.parametrize("source", [None, "nowhere"])
def test_a_token_that_only_writes_learns_no_name_of_a_source(
    two: Brain, operation: str, source: str | None, sources: tuple[str, ...] | None
) -> None:
    given = WRITES[operation] | ({"source": source} if source else {})

    def refused(*grants: str) -> str:
        call = Call("remote", two.path, Settings(db=two.path), NOW, grants=frozenset(grants), sources=sources)  # type: ignore[arg-type]
        with pytest.raises((AmbiguousSource, UnknownSource)) as error:
            run(named(operation), call, given)
        assert isinstance(error.value, CortexError)
        return f"{error.value} {error.value.hint} {vars(error.value)} {error.value.__cause__}"

    assert "hidden" not in refused("write")
    assert "hidden" in refused("read", "write")


def test_a_token_of_some_sources_is_told_no_size_of_the_file(two: Brain) -> None:
    every = Call("remote", two.path, Settings(db=two.path), NOW)
    assert run(named("status"), every, {}).bytes > 0
    some = Call("remote", two.path, Settings(db=two.path), NOW, sources=("alpha-hidden", "beta-hidden"))
    assert run(named("status"), some, {}).bytes is None
