"""What an error says to try is in the words of whoever met it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from cortex.errors import AmbiguousSource, CortexError, UnknownRun
from cortex.substrate.access import create_token
from cortex.surfaces.contract import Call, Effect, spelled
from cortex.surfaces.operations import every, named
from cortex.surfaces.wording import TO_OTHERS, Surface, spoken, worded
from tests.brains import nowhere, open_new
from tests.surfaces.conftest import NOW
from tests.surfaces.http_sites import serving
from tests.surfaces.mcp_clients import call, on_http, on_stdio
from tests.surfaces.test_mcp import text
from tests.test_errors import EXAMPLES

ALL: frozenset[Effect] = frozenset({"read", "write", "admin"})
OF_A_TERMINAL = re.compile(r"(?<![\w/-])(cortex [a-z]|--[a-z]|CORTEX_[A-Z])")


@pytest.fixture
def brain(brain: Path) -> Path:
    """Two sources that both have an issue:671, so that it could be of either."""
    with open_new(brain) as held:
        held.db.execute("update records set ref = 'issue:671' where id = (select max(id) from records)")
    return brain


@pytest.mark.parametrize("error", EXAMPLES.values(), ids=EXAMPLES.keys())
@pytest.mark.parametrize("surface", ["mcp", "http"])
def test_what_only_a_terminal_can_do_is_said_to_be_for_one(surface: Surface, error: CortexError) -> None:
    nobody = call(Path("brain.db"), "remote", grants=ALL)
    said = met(CortexError(str(error.args[0]), hint=error.hint), surface, nobody)
    for clause in said.split("; "):
        assert clause.startswith(TO_OTHERS) or not OF_A_TERMINAL.search(clause)
    assert spoken(said) == said


@pytest.mark.parametrize(("name", "parameter"), [("ask", "sources"), ("remember", "source"), ("compact", "source")])
def test_an_option_is_the_parameter_that_the_operation_calls_it(name: str, parameter: str, brain: Path) -> None:
    with (
        pytest.raises(AmbiguousSource, match=f"name one with `{parameter}`$"),
        worded("mcp", call(brain, "agent"), named(name)),
    ):
        raise AmbiguousSource("it", ["api", "docs"])


def test_a_command_is_the_operation_where_the_caller_has_it(brain: Path) -> None:
    assert met(UnknownRun(7, "is no compaction"), "http", call(brain, "remote")).endswith(": POST /v1/compactions")
    kept_outs: list[tuple[Surface, Call]] = [
        ("mcp", call(brain, "agent")),
        ("http", call(brain, "remote", grants=frozenset())),
    ]
    for surface, kept_out in kept_outs:
        said = met(UnknownRun(7, "is no compaction"), surface, kept_out)
        assert said == f"{TO_OTHERS}look its number up with: cortex compactions"
    for surface, told in SPELLED.items():
        assert (
            met(CortexError("it failed", hint="see: cortex status"), surface, call(brain, "remote")) == f"see: {told}"
        )


SPELLED: dict[Surface, str] = {"mcp": "cortex_status", "http": "POST /v1/status"}


def met(error: CortexError, surface: Surface, caller: Call) -> str:
    """What whoever meets *error* there is told to try."""
    with pytest.raises(type(error)), worded(surface, caller, named("compact")):
        raise error
    return error.hint


def test_every_option_of_an_operation_leads_back_to_one_parameter() -> None:
    for one in every():
        options = [spelled(name, field) for name, field in one.parameters.model_fields.items()]
        assert len(options) - options.count("") == len({*options} - {""})


def test_a_terminal_is_told_its_own_words_and_every_other_surface_its_own(brain: Path, cortex: Any) -> None:  # noqa: ANN401
    async def session(client: Client) -> str:
        result = await client.call_tool("cortex_get", {"name": "issue:671"})
        assert result.is_error
        return text(result)

    said = "issue:671 could be of o8-labs/o8, o8-labs/o8-runner; name one with "
    assert cortex("show", "issue:671").complaint.endswith(said + "--source")
    assert on_stdio(brain, session) == on_http(brain, session) == said + "`sources`"
    with open_new(brain) as opened:
        create_token(opened, "op", "token of op", grants=["read", "admin"], sources=None, now=NOW)
    with serving(brain) as site:
        assert site.call("get", name="issue:671").json["error"]["hint"] == "name one with `sources`"
        assert site.call("queue_drop", bearer="op").json["error"]["hint"] == "add `dead`"
        assert site.call("compact", bearer="op", undo=99).json["error"]["hint"].endswith("POST /v1/compactions")


def test_a_brain_that_is_missing_is_made_at_a_terminal(tmp_path: Path) -> None:
    with serving(nowhere(tmp_path / "none.db")) as site:
        assert site.call("ask", question="why?").json["error"]["hint"] == f"{TO_OTHERS}make one with: cortex index PATH"
