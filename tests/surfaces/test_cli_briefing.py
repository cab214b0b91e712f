"""Brief, decisions, owners, remember and sources at a terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.surfaces.contract import run
from cortex.surfaces.indexing import index
from cortex.surfaces.operations import named
from tests.brains import open_new
from tests.surfaces.conftest import NOW, SEEDS, Ran
from tests.surfaces.mcp_clients import call

Cortex = Callable[..., Ran]
SAYING = ("remember", "Leases of the gateway end at midnight.", "--source", "o8-labs/o8")


@pytest.fixture(autouse=True)
def _held(brain: Path) -> None:
    """The brain every command here is about."""


def test_a_brief_reads_by_section_and_says_what_it_took(cortex: Cortex) -> None:
    ran = cortex("brief", "make", "leases", "longer", "--path", "packages/gateway", "--budget", "900")
    assert ran.out.startswith("Limited to o8-labs/o8.\n\nRules\n")
    assert "\nWho knows it\n" in ran.out
    assert "\nLeft out\n" in ran.out
    assert "of 900 tokens (one token for every 4 bytes" in ran.out
    assert cortex("brief", "make leases longer", "--json").json["budget"] == 1200


def test_a_long_statement_is_begun_as_the_budget_counts_it(cortex: Cortex) -> None:
    said = f"Leases of the gateway end at midnight {'and no packet waits for them ' * 20}but zebras."
    assert cortex("remember", said, "--source", "o8-labs/o8").code == 0
    out = " ".join(cortex("brief", "leases of the gateway that end at midnight").out.split())
    assert "Leases of the gateway end at midnight and no packet" in out
    assert "zebras" not in out


def test_decisions_say_how_they_stand(cortex: Cortex) -> None:
    out = cortex("decisions", "--state", "superseded").out
    assert "superseded by doc:docs/decisions/0006-tauri-shell.md 2025-10-07" in " ".join(out.split())
    assert cortex("decisions", "zeppelins").out == "No such decision.\n"
    assert cortex("decisions", "--as-of", "yesterday").code == 2


def test_owners_of_a_path_and_of_a_topic(cortex: Cortex) -> None:
    assert "jide-oko" in cortex("owners", "packages/gateway/src/lease.ts", "--source", "o8-labs/o8").out
    assert "pravnkilde" in cortex("owners", "eval", "harness").out
    assert cortex("owners", "zeppelins").out == "Nobody that the project names.\n"


def test_sources_are_listed_with_what_they_hold(cortex: Cortex) -> None:
    listed = cortex("sources", "--json").json["sources"]
    assert [one["name"] for one in listed] == ["o8-labs/o8", "o8-labs/o8-runner"]
    assert "371 records" in cortex("sources").out


@pytest.mark.parametrize("blank", [("--by", " "), ("--where", " ")])
def test_nothing_is_remembered_of_nobody_or_nowhere(cortex: Cortex, blank: tuple[str, ...]) -> None:
    ran = cortex(*SAYING, *blank)
    assert ran.code == 2
    assert "it is empty" in ran.complaint
    assert "Leases of the gateway" not in cortex("search", "gateway leases midnight").out


def test_what_is_remembered_is_answered_at_once_and_survives_indexing_again(cortex: Cortex, brain: Path) -> None:
    said = cortex(*SAYING, "--kind", "directive", "--by", "ada", "--where", "issue:671", "--json").json
    assert (said["type"], said["authority"], said["did"]) == ("directive", 1.0, "added")
    with open_new(brain) as opened:
        index(opened, export=SEEDS / "o8", again=True, now=NOW)
    answered = cortex("ask", "When do leases of the gateway end?", "--json").json
    assert said["fact"]["handle"] in [citation["handle"] for citation in answered["citations"]]
    again = cortex(*SAYING, "--kind", "directive", "--by", "ada", "--where", "issue:671", "--json").json
    assert (again["did"], again["fact"]) == ("unchanged", said["fact"])


def test_what_is_remembered_can_be_looked_up_with_its_provenance(cortex: Cortex) -> None:
    said = cortex(*SAYING, "--by", "ada", "--where", "issue:671", "--path", "packages/gateway", "--json").json
    shown = cortex("show", said["ref"], "--json").json
    assert shown["record"]["title"] == "ada, issue:671 › packages/gateway"
    assert [link["ref"] for link in shown["links"]] == ["issue:671"]
    briefed = cortex("brief", "leases that end at midnight", "--path", "packages/gateway/src", "--json").json
    assert shown["body"] == "Leases of the gateway end at midnight."
    assert (said["authority"], shown["record"]["unverified"]) == (0.7, False)
    assert briefed["tokens"] <= 4000


def test_a_project_that_weighs_events_itself_is_heard(cortex: Cortex) -> None:
    own = {"CORTEX_AUTHORITY": '{"event": 0.3, "outcome": 0.8}'}
    assert cortex(*SAYING, "--by", "ada", "--where", "chat", "--json", **own).json["authority"] == 0.3
    cortex("outcome", "add", "Retry", "--status", "shipped", "--source", "o8-labs/o8", **own)
    assert cortex("show", "outcome:retry", "--json").json["authority"] == 0.8


def test_a_thread_is_shown_in_full(cortex: Cortex, brain: Path) -> None:
    with open_new(brain) as opened:
        (ref,) = opened.db.execute("select thread from records where type = 'comment' order by id limit 1").fetchone()
    shown = cortex("show", ref, "--thread", "--json").json
    assert (shown["what"], shown["record"]["ref"]) == ("thread", ref)
    comment = shown["comments"][0]
    assert cortex("show", comment["ref"], "--thread", "--json").json == shown
    assert comment["body"].splitlines()[0] in cortex("show", ref, "--thread").out


@pytest.fixture
def project(brain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in the work tree that the first source was read from, and one stands in it."""
    root = (tmp_path / "project").resolve()
    (root / ".git").mkdir(parents=True)
    folder = root / "packages" / "gateway"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "lease.ts").touch()
    with open_new(brain) as opened:
        opened.db.execute("update sources set location = ? where name = 'o8-labs/o8'", (str(root),))
    monkeypatch.chdir(folder)
    return root


@pytest.mark.parametrize(
    "path", ["src/lease.ts", "packages/gateway/src/lease.ts", "{root}/packages/gateway/src/lease.ts"]
)
def test_a_path_may_be_given_as_it_is_at_hand(cortex: Cortex, project: Path, path: str) -> None:
    found = cortex("brief", "longer leases", "--path", path.format(root=project), "--json").json
    assert found["paths"] == ["packages/gateway/src/lease.ts"]
    assert {item["source"] for item in found["items"] if item["section"] == "rule"} == {"o8-labs/o8"}
    owned = cortex("owners", path.format(root=project), "--json").json
    assert {one["source"] for one in owned["owners"]} == {"o8-labs/o8"}


def test_who_is_asked_of_several_repositories_says_which(cortex: Cortex) -> None:
    assert "line 2 of o8-labs/o8" in " ".join(cortex("owners", "packages/orchestrator/src/x.ts").out.split())


def test_a_path_of_nothing_is_named(cortex: Cortex) -> None:
    assert "Nothing is known of packages/gatway." in cortex("brief", "leases", "--path", "packages/gatway").out


def test_what_an_agent_said_is_marked_and_what_an_operator_said_is_not(cortex: Cortex, brain: Path) -> None:
    said = {"text": "We decided that leases of the night shift end at 04:00.", "by": "ada", "where": "chat"}
    run(named("remember"), call(brain, "agent"), said | {"source": "o8-labs/o8"})
    asked = {
        ("decisions", "leases of the night shift"): "· unverified",
        ("brief", "leases of the night shift"): "· unverified",
        ("facts", "night shift"): "· unverified",
        ("ask", "when do leases of the night shift end?"): "‘agent, for ada, chat’",
        ("search", "leases of the night shift"): ", unverified",
    }
    for command, mark in asked.items():
        assert mark in cortex(*command).out, command
    run(named("remember"), call(brain, "operator"), said | {"source": "o8-labs/o8"})
    for command in asked:
        shown = cortex(*command).out
        assert "04:00" in shown
        assert "nverified" not in shown, command
