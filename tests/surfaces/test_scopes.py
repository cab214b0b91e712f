"""Which project is asked: the one a caller stands in, unless it names another or asks for all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, types
from mcp.client import ClientRequestContext

from cortex.errors import NotAllowed
from cortex.surfaces.contract import run
from cortex.surfaces.indexing import index
from cortex.surfaces.mcp_local import CHANGED
from cortex.surfaces.operations import named
from tests.brains import open_new, place
from tests.surfaces.conftest import NOW, Ran
from tests.surfaces.mcp_clients import call, on_stdio, unfenced
from tests.trees import git, write

Cortex = Callable[..., Ran]

QUESTION = "What must never be logged?"
UNANSWERABLE = "How much does a seat cost?"


def repository(root: Path) -> Path:
    name = root.name
    rule = f"# Rules\n\n- Never log the body of a packet in {name}.\n"
    write(
        root,
        {
            "AGENTS.md": rule,
            "src/deep/a.py": "",
            "docs/adr/0001-card.md": f"# One card\n\nStatus: accepted\n\n## Decision\n\nWe keep {name} on a card.\n",
        },
    )
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", f"Begin {name}")
    return root


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two indexed projects, `alpha` and `beta`, a work tree of the first and a link to it."""
    folder = tmp_path_factory.mktemp("projects")
    with open_new(folder / "brain.db") as brain:
        for name in ("alpha", "beta"):
            index(brain, repository(folder / name), now=NOW)
    git(folder / "alpha", "worktree", "add", "-q", str(folder / "tree"))
    (folder / "link").symlink_to("alpha")
    write(folder / "notes", {"a.md": "# Notes\n\nNothing of this is indexed.\n"})
    git(write(folder / "gamma", {"a.md": "# Gamma\n\nNothing of this is indexed.\n"}), "init", "-q")
    return folder


@pytest.fixture
def within(indexed: Path, cortex: Cortex, monkeypatch: pytest.MonkeyPatch) -> Cortex:
    """Run a command in a folder of the projects."""

    def run(folder: str, *arguments: object, **more: Any) -> Ran:  # noqa: ANN401
        monkeypatch.chdir(indexed / folder)
        return cortex(*arguments, db=place(indexed / "brain.db"), **more)

    return run


def sources(rows: list[dict[str, Any]]) -> set[str]:
    return {row["source"] for row in rows}


@pytest.mark.parametrize("folder", ["alpha", "alpha/src/deep", "tree", "tree/src", "link", "link/src/deep"])
def test_a_question_is_asked_of_the_project_one_stands_in(within: Cortex, folder: str) -> None:
    ran = within(folder, "ask", QUESTION, "--json")
    assert (sources(ran.json["citations"]), ran.err) == ({"alpha"}, "")
    assert sources(within(folder, "search", "packet", "--json").json["hits"]) == {"alpha"}
    assert sources(within(folder, "decisions", "--json").json["decisions"]) == {"alpha"}


@pytest.mark.parametrize("command", [("ask", QUESTION), ("search", "packet"), ("brief", "log a packet")])
def test_all_widens_and_a_named_source_wins(within: Cortex, command: tuple[str, str]) -> None:
    rows = {"ask": "citations", "search": "hits", "brief": "items"}[command[0]]

    def found(*more: str) -> set[str]:
        return sources(within("alpha/src", *command, *more, "--json").json[rows])

    assert found() == {"alpha"}
    assert found("--all") == {"alpha", "beta"}
    assert found("--source", "beta") == found("--source", "beta", "--all") == {"beta"}


def test_a_brief_opens_with_the_rules_of_its_own_project(within: Cortex) -> None:
    briefed = within("beta/src", "brief", "log a packet", "--json").json
    assert sources(briefed["items"]) == {"beta"}
    assert briefed["text"].startswith("Limited to beta.\n- Rule: “")
    assert within("beta/src", "brief", "log a packet").out.startswith("Limited to beta.\n")
    assert briefed["tokens"] == -(-len(briefed["text"].encode()) // 4)


def test_a_brief_of_a_path_elsewhere_is_of_the_project_there(within: Cortex, indexed: Path) -> None:
    briefed = within("beta", "brief", "--path", indexed / "alpha" / "src" / "deep" / "a.py", "--json").json
    assert (sources(briefed["items"]), briefed["of"]) == ({"alpha"}, "alpha")


def test_an_answer_names_its_source_and_a_refusal_says_what_was_asked(within: Cortex) -> None:
    assert "Sources in alpha\n" in within("alpha", "ask", QUESTION).out
    refused = within("alpha", "ask", UNANSWERABLE)
    assert (refused.out, refused.err.splitlines()[0]) == (
        "I don't have that information yet.\n", "asked only alpha; for every source: --all",
    )  # fmt: skip
    assert "--all" not in within("alpha", "ask", UNANSWERABLE, "--all").err
    assert "--all" not in within("alpha", "ask", UNANSWERABLE, "--source", "alpha").err


@pytest.mark.parametrize("folder", ["gamma", "notes"])
def test_a_folder_that_is_not_indexed_asks_everything_and_says_so(within: Cortex, folder: str) -> None:
    ran = within(folder, "ask", QUESTION, "--json")
    assert sources(ran.json["citations"]) == {"alpha", "beta"}
    assert ran.complaint == "this folder is not indexed; asked everything: cortex index"
    for more in (["--all"], ["--source", "beta"], ["-q"]):
        assert within(folder, "ask", QUESTION, *more).err == ""


def test_a_folder_that_sources_are_in_asks_everything(within: Cortex) -> None:
    ran = within(".", "ask", QUESTION, "--json")
    assert (sources(ran.json["citations"]), ran.err) == ({"alpha", "beta"}, "")


@pytest.mark.parametrize("told", ["gitdir: \0", "gitdir: " + "a" * 5000, "\x80", ""])
def test_what_stands_for_a_repository_and_is_none_is_no_project(within: Cortex, indexed: Path, told: str) -> None:
    folder = write(indexed / "odd", {"a.md": "# Odd\n"})
    (folder / ".git").write_bytes(told.encode("latin-1"))
    assert sources(within("odd", "ask", QUESTION, "--json").json["citations"]) == {"alpha", "beta"}


def test_a_conversation_and_a_batch_are_of_one_project(within: Cortex) -> None:
    def cited(*options: str, command: str = "chat", stdin: str = QUESTION) -> set[str]:
        ran = within("alpha", command, *options, stdin=stdin)
        return sources(ran.json["citations"])

    batch = f'{{"id": 1, "question": "{QUESTION}"}}'
    assert cited("--json") == cited("--batch", "-", command="ask", stdin=batch) == {"alpha"}
    assert cited("--json", "--all") == cited("--batch", "-", "--all", command="ask", stdin=batch) == {"alpha", "beta"}
    said = within("alpha", "chat", stdin=f"{QUESTION}\n{UNANSWERABLE}\n").err.splitlines()
    assert said.count("asked only alpha; for every source: --all") == 1
    assert "this folder" in within("notes", "chat", stdin=f"{QUESTION}\n{QUESTION}\n").complaint


def test_an_isolated_source_is_asked_where_one_stands_in_it_and_nowhere_else(
    indexed: Path, cortex: Cortex, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("alpha", "beta"):
        assert cortex("index", indexed / name, *(["--isolated"] if name == "beta" else [])).code == 0

    def cited(folder: str, *more: str) -> set[str]:
        monkeypatch.chdir(indexed / folder)
        return sources(cortex("search", "packet", *more, "--json").json["hits"])

    assert cited("beta") == {"beta"}
    assert cited("beta", "--all") == {"alpha", "beta"}
    assert cited("alpha") == cited("alpha", "--all") == cited("notes") == {"alpha"}


@pytest.mark.parametrize("name", ["ask", "search", "brief"])
def test_no_caller_gets_beyond_what_it_may_reach(indexed: Path, name: str) -> None:
    asked = {"ask": {"question": QUESTION}, "search": {"query": "packet"}, "brief": {"task": "log a packet"}}[name]
    for folders in ((), (indexed / "beta",), (indexed / "alpha",), (indexed / "notes",)):
        of_alpha = call(place(indexed / "brain.db"), "agent", sources=("alpha",), folders=folders)
        for more in ({}, {"all": True}):
            found = run(named(name), of_alpha, asked | more)
            assert "beta" not in found.model_dump_json()
            assert "alpha" in found.model_dump_json()
    with pytest.raises(NotAllowed, match="'all' is for the brain's own machine only"):
        run(named(name), call(place(indexed / "brain.db"), "remote", sources=("alpha",)), asked | {"all": True})


class Editor:
    """A client that works in some folders."""

    def __init__(self, *folders: Path) -> None:
        self.folders, self.asked = folders, 0

    async def __call__(self, _: ClientRequestContext) -> types.ListRootsResult:
        self.asked += 1
        return types.ListRootsResult.model_validate({"roots": [{"uri": folder.as_uri()} for folder in self.folders]})


async def of(client: Client, **more: object) -> set[str]:
    asked = await client.call_tool("cortex_ask", {"question": QUESTION, **more})
    assert asked.structured_content is not None
    return sources(asked.structured_content["citations"])


MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])


def session(indexed: Path, act: Callable[[Client], Awaitable[Any]], editor: Editor | None, **more: Any) -> Any:  # noqa: ANN401
    return on_stdio(place(indexed / "brain.db"), act, list_roots_callback=editor, **{"cwd": indexed / "beta"} | more)


@MODES
def test_an_agent_is_answered_of_the_folders_its_client_works_in(indexed: Path, mode: str) -> None:
    editor = Editor(indexed / "alpha" / "src")

    async def act(client: Client) -> list[Any]:
        briefed = await client.call_tool("cortex_brief", {"task": "log a packet"})
        prompted = await client.get_prompt("ask", {"question": QUESTION})
        assert "in alpha." in prompted.model_dump_json()
        assert "in beta." not in prompted.model_dump_json()
        return [await of(client), await of(client, all=True), await of(client, sources=["beta"]), briefed.content]

    own, every, named_, briefed = session(indexed, act, editor, mode=mode)
    assert (own, every, named_) == ({"alpha"}, {"alpha", "beta"}, {"beta"})
    assert unfenced(briefed[0].text).startswith("Limited to alpha.\n")
    assert editor.asked == (1 if mode == "legacy" else 5)


@MODES
def test_a_client_of_several_folders_is_answered_of_all_their_projects(indexed: Path, mode: str) -> None:
    folders = (indexed / "notes", indexed / "beta", indexed / "tree")
    assert session(indexed, of, Editor(*folders), mode=mode) == {"alpha", "beta"}


@MODES
def test_a_client_that_tells_no_folders_is_where_its_server_was_started(indexed: Path, mode: str) -> None:
    assert session(indexed, of, None, mode=mode) == {"beta"}
    assert session(indexed, of, Editor(), mode=mode) == {"beta"}
    assert session(indexed, of, None, mode=mode, cwd=indexed / "notes") == {"alpha", "beta"}


def test_folders_that_changed_are_asked_for_again(indexed: Path) -> None:
    editor = Editor(indexed / "alpha")

    async def act(client: Client) -> list[set[str]]:
        before = [await of(client), await of(client)]
        editor.folders = (indexed / "beta",)
        await client.session.send_notification(types.RootsListChangedNotification())
        return [*before, await of(client)]

    assert session(indexed, act, editor, mode="legacy") == [{"alpha"}, {"alpha"}, {"beta"}]
    assert editor.asked == 2
    assert types.RootsListChangedNotification().method == CHANGED


@MODES
def test_a_server_kept_to_a_source_stays_there_whatever_folders_its_client_tells(indexed: Path, mode: str) -> None:
    async def act(client: Client) -> list[set[str]]:
        return [await of(client), await of(client, all=True)]

    kept = on_stdio(
        place(indexed / "brain.db"), act, "--source", "alpha", mode=mode, list_roots_callback=Editor(indexed / "beta")
    )
    assert kept == [{"alpha"}, {"alpha"}]
