"""A client's configuration is shown, then merged with what is there, put aside, and mended back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client as McpClient
from mcp.client.stdio import StdioServerParameters

from cortex.substrate.address import argument
from cortex.surfaces.clients import Client, clients
from tests.sources import ROOT
from tests.surfaces.conftest import Ran

Cortex = Callable[..., Ran]
KNOWN = clients()
OF_JSON = [name for name, client in KNOWN.items() if not client.path.endswith(".toml")]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder and a project, both empty; the project is the folder one stands in."""
    project, home = tmp_path / "project", tmp_path / "home"
    project.mkdir()
    home.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(home))
    return home


def file_of(client: Client) -> Path:
    return client.file(Path.cwd(), Path.home())


def entry(client: Client) -> dict[str, Any]:
    """What the client's file says of our server."""
    path = file_of(client)
    held: Any = (tomllib.loads if path.suffix == ".toml" else json.loads)(path.read_text())
    for name in client.at:
        held = held[name]
    found: dict[str, Any] = held["cortex"]
    return found


@pytest.mark.parametrize("client", KNOWN.values(), ids=KNOWN.keys())
def test_it_is_shown_first_then_written_and_the_second_time_changes_nothing(cortex: Cortex, client: Client) -> None:
    shown = cortex("mcp", "install", "--client", client.name)
    assert '"mcp"' in shown.out
    assert shown.err.strip() == "Write it with: --write"
    assert not file_of(client).exists()
    cortex("mcp", "install", "--client", client.name, "--write")
    written = file_of(client).read_bytes()
    held = entry(client)
    assert Path(held["command"]).name
    assert held["args"][-1] == "mcp"
    again = cortex("mcp", "install", "--client", client.name, "--write", "--json").json
    assert (again["changed"], again["backup"]) == (False, None)
    assert file_of(client).read_bytes() == written


@pytest.mark.parametrize("name", OF_JSON)
def test_what_else_is_there_stays_and_removing_brings_it_back(cortex: Cortex, name: str) -> None:
    client = KNOWN[name]
    path = file_of(client)
    path.parent.mkdir(parents=True, exist_ok=True)
    own = {"theme": "dark", client.at[0]: {"other": {"command": "other", "args": ["é"]}}}
    path.write_text(json.dumps(own), "utf-8")
    path.chmod(0o600)
    cortex("mcp", "install", "--client", name, "--write")
    assert json.loads(path.read_text("utf-8"))["theme"] == "dark"
    assert json.loads(path.read_text("utf-8"))[client.at[0]]["other"] == own[client.at[0]]["other"]  # type: ignore[index]
    assert path.with_name(path.name + ".before-cortex").read_text("utf-8") == json.dumps(own)
    assert path.stat().st_mode & 0o777 == 0o600
    cortex("mcp", "remove", "--client", name, "--write")
    assert json.loads(path.read_text("utf-8")) == own


TOML = '# my settings\nmodel = "o5"  # the good one\n\n[mcp_servers.other]\ncommand = "other"\n'


def test_comments_of_a_toml_file_stay_and_removing_brings_it_back_to_the_byte(cortex: Cortex, home: Path) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text(TOML)
    cortex("mcp", "install", "--client", "codex", "--write")
    held = tomllib.loads(path.read_text())
    assert held["mcp_servers"].keys() == {"other", "cortex"}
    assert path.read_text().startswith(TOML)
    cortex("mcp", "remove", "--client", "codex", "--write")
    assert path.read_text() == TOML


def test_a_server_of_our_name_that_we_did_not_write_is_left_alone(cortex: Cortex, home: Path) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text('[mcp_servers.cortex]\ncommand = "mine"\n')
    ran = cortex("mcp", "install", "--client", "codex", "--write")
    assert ran.code == 2
    assert "has a [mcp_servers.cortex] already; it was left as it is" in ran.complaint
    assert path.read_text() == '[mcp_servers.cortex]\ncommand = "mine"\n'


def put(client: Client, ours: dict[str, Any]) -> bytes:
    """Write a file of *client* with our server, and *ours* in its entry."""
    path = file_of(client)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".toml":
        pairs = "".join(f"{name} = {_toml(value)}\n" for name, value in ours.items())
        path.write_text(f"{TOML}\n# cortex: begin\n[mcp_servers.cortex]\n{pairs}# cortex: end\n")
    else:
        held: dict[str, Any] = {"cortex": ours, "other": {"command": "other"}}
        for name in reversed(client.at):
            held = {name: held}
        path.write_text(json.dumps(held))
    return path.read_bytes()


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_toml(one)}' for name, one in value.items())} }}"
    return json.dumps(value)


SET = {"env": {"CORTEX_DB": "/srv/team.db"}, "alwaysAllow": ["cortex_ask"], "timeout": 60, "disabled": False}
NARROWED = ["mcp", "--may", "admin", "--source", "o8-labs/o8"]


@pytest.mark.parametrize("program", ["cortex", "/gone/bin/cortex", "/gone/bin/cortex.exe"])
@pytest.mark.parametrize("client", KNOWN.values(), ids=KNOWN.keys())
def test_what_somebody_put_into_our_entry_stays_there(plainly: Cortex, client: Client, program: str) -> None:
    put(client, {"command": program, "args": NARROWED} | SET)
    plainly("mcp", "install", "--client", client.name, "--write")
    held = entry(client)
    assert {name: held[name] for name in SET} == SET
    assert held["args"] == NARROWED
    assert held["command"] not in ("/gone/bin/cortex", "/gone/bin/cortex.exe")
    assert plainly("mcp", "install", "--client", client.name, "--write", "--json").json["changed"] is False


@pytest.mark.parametrize("client", KNOWN.values(), ids=KNOWN.keys())
def test_a_brain_that_is_named_now_stands_in_place_of_another(cortex: Cortex, client: Client, tmp_path: Path) -> None:
    put(client, {"command": "python3", "args": ["-P", "-m", "cortex", *NARROWED, "--db", "/srv/old.db", "-q"]} | SET)
    cortex("mcp", "install", "--client", client.name, "--write", db=tmp_path / "new.db")
    held = entry(client)
    assert held["args"] == ["--db", str(tmp_path / "new.db"), *NARROWED, "-q"]
    assert held["env"] == SET["env"]


@pytest.mark.parametrize("words", [["nonsense"], ["mcp", "install"], ["status"], [], "mcp", [7]])
@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_arguments_that_start_no_server_are_replaced(plainly: Cortex, name: str, words: object) -> None:
    put(KNOWN[name], {"command": "cortex", "args": words} | SET)
    plainly("mcp", "install", "--client", name, "--write")
    assert entry(KNOWN[name])["args"] == ["mcp"]
    assert entry(KNOWN[name])["env"] == SET["env"]


FOREIGN: dict[str, dict[str, Any]] = {
    "program": {"command": "/opt/other", "args": ["mcp"]},
    "argument": {"command": "echo", "args": ["cortex", "mcp"]},
    "module": {"command": "python3", "args": ["-m", "cortexx", "mcp"]},
    "address": {"url": "http://127.0.0.1:8970/mcp"},
}


@pytest.mark.parametrize("word", ["install", "remove"])
@pytest.mark.parametrize("ours", FOREIGN.values(), ids=FOREIGN.keys())
@pytest.mark.parametrize("name", OF_JSON)
def test_what_is_called_by_our_name_and_starts_no_cortex_is_left_alone(
    cortex: Cortex, name: str, ours: dict[str, Any], word: str
) -> None:
    before = put(KNOWN[name], ours)
    ran = cortex("mcp", word, "--client", name, "--write")
    assert (ran.code, file_of(KNOWN[name]).read_bytes()) == (2, before)
    assert f"its {'.'.join(KNOWN[name].at)}.cortex starts no Cortex; it was left as it is" in ran.complaint


@pytest.mark.parametrize(
    "held", ["// with comments\n{}", "[]", '{"mcpServers": []}', "\xff"], ids=["comments", "list", "odd", "binary"]
)
def test_a_file_that_cannot_be_read_is_left_as_it_is(cortex: Cortex, held: str) -> None:
    path = Path(".mcp.json")
    path.write_bytes(held.encode("latin-1"))
    ran = cortex("mcp", "install", "--client", "claude-code", "--write")
    assert (ran.code, path.read_bytes()) == (2, held.encode("latin-1"))
    assert "left as it is" in ran.complaint
    assert [*Path().iterdir()] == [path]


@pytest.mark.parametrize("options", [(), ("--write",)], ids=["shown", "written"])
@pytest.mark.parametrize("client", KNOWN.values(), ids=KNOWN.keys())
def test_of_a_file_that_cannot_be_read_it_says_what_to_add_by_hand(
    cortex: Cortex, client: Client, options: tuple[str, ...]
) -> None:
    path = file_of(client)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{broken")
    shown = cortex("mcp", "install", "--client", client.name, *options).complaint.partition("add by hand: ")[2]
    path.write_text(shown.removesuffix(", above every table") + "\n")
    held = entry(client)
    path.unlink()
    cortex("mcp", "install", "--client", client.name, "--write")
    assert held == entry(client)


def test_a_brain_that_was_named_is_named_in_the_configuration(cortex: Cortex, tmp_path: Path) -> None:
    cortex("mcp", "install", "--client", "cursor", "--write", db=tmp_path / "other.db")
    assert entry(KNOWN["cursor"])["args"] == ["--db", str(tmp_path / "other.db"), "mcp"]


def test_a_link_at_home_to_a_file_kept_elsewhere_stays_one_and_one_in_a_project_is_refused(
    cortex: Cortex, tmp_path: Path
) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    known = KNOWN["cursor"].file(Path(), Path.home())
    known.parent.mkdir(parents=True)
    for link in (known, Path(".mcp.json")):
        link.symlink_to(kept)
    refused = cortex("mcp", "install", "--client", "claude-code", "--write")
    assert (refused.code, kept.read_text()) == (2, "{}")
    assert f"a link leads from it out of the folder, to {kept}" in refused.err
    cortex("mcp", "install", "--client", "cursor", "--write")
    assert known.is_symlink()
    assert "cortex" in kept.read_text()


def test_removing_from_where_nothing_is_changes_nothing(cortex: Cortex) -> None:
    assert cortex("mcp", "remove", "--client", "cursor", "--write").out.startswith("Nothing to change in ")
    assert [*Path().iterdir()] == []


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """An interpreter that has no `cortex` beside it."""
    made = tmp_path / "env" / "bin" / "python"
    made.parent.mkdir(parents=True)
    made.symlink_to(Path(sys.executable).resolve())
    return made


def test_what_is_written_starts_where_no_path_leads_to_cortex(brain: Path, python: Path) -> None:
    environment = {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)]), "HOME": str(Path.home())}
    for name in ("claude-code", "codex"):
        command = [str(python), "-m", "cortex", "--db", argument(brain), "mcp", "install", "--client", name, "--write"]
        subprocess.run(command, check=True, capture_output=True, env=environment | {"PATH": "/nowhere"}, timeout=180)
    Path("cortex.py").write_text("raise SystemExit('the module of another project')")
    written, other = (entry(KNOWN[name]) for name in ("claude-code", "codex"))
    assert [written[key] for key in ("command", "args")] == [other[key] for key in ("command", "args")]
    server = StdioServerParameters(
        command=written["command"], args=written["args"], env=environment, cwd=str(Path.cwd())
    )

    async def asked() -> Any:  # noqa: ANN401
        async with McpClient(server) as client:
            return await client.call_tool("cortex_sources", {})

    assert [one["name"] for one in anyio.run(asked).structured_content["sources"]] == [
        "o8-labs/o8",
        "o8-labs/o8-runner",
    ]


@pytest.mark.parametrize(
    "held",
    ['mcp_servers = { foo = { command = "x" } }\n', '[[mcp_servers]]\ncommand = "x"\n', "mcp_servers = 5\n"],
    ids=["inline", "array", "number"],
)
def test_toml_that_no_table_can_be_added_to_is_left_as_it_is(cortex: Cortex, home: Path, held: str) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text(held)
    ran = cortex("mcp", "install", "--client", "codex", "--write")
    assert (ran.code, path.read_text(), [*path.parent.iterdir()]) == (2, held, [path])
    assert "left as it is" in ran.complaint
    assert "add by hand: mcp_servers.cortex = {" in ran.complaint


@pytest.mark.parametrize("word", ["install", "remove"])
@pytest.mark.parametrize(
    "held",
    [
        'a = """\n# cortex: begin\n"""\nb = """\n# cortex: end"""\n',
        '# cortex: begin\n[mcp_servers.cortex]\ncommand = "x"\n[mcp_servers.foo]\ncommand = "y"\n# cortex: end\n',
    ],
    ids=["in strings", "around another"],
)
def test_nothing_of_others_goes_with_what_stands_between_our_marks(
    cortex: Cortex, home: Path, held: str, word: str
) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text(held)
    ran = cortex("mcp", word, "--client", "codex", "--write")
    assert (ran.code, path.read_text()) == (2, held)
    assert "what else it holds could not stay; it was left as it is" in ran.complaint


def test_line_ends_of_a_toml_file_stay_and_removing_brings_it_back(cortex: Cortex, home: Path) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    held = TOML.replace("\n", "\r\n").encode()
    path.write_bytes(held)
    cortex("mcp", "install", "--client", "codex", "--write")
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n")
    cortex("mcp", "remove", "--client", "codex", "--write")
    assert path.read_bytes() == held
