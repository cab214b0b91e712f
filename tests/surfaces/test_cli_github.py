"""`cortex index --github`: the token stays out of everything, waiting is visible, a kill loses nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cortex.errors import BadInput
from cortex.substrate.address import argument
from cortex.surfaces.github import API, web_address
from tests.brains import SEEDS, content, open_new, place
from tests.indexers.connectors.github_server import GitHubServer, refuse, serving, stall
from tests.sources import ROOT
from tests.surfaces.conftest import Ran
from tests.tables import walk
from tests.warm import program

NAME = "o8-labs/o8-runner"
TOKEN = "ghp_" + "k3J9xQ2zB7" * 4
Cortex = Callable[..., Ran]
Process = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    gh(tmp_path, "exit 1")


@pytest.fixture
def export(tmp_path: Path) -> Path:
    made = tmp_path / "export"
    made.mkdir()
    for name in ("issues", "pulls", "comments"):
        shutil.copy(SEEDS / "o8-runner" / f"{name}.jsonl", made)
    return made


@pytest.fixture
def server(export: Path) -> Iterator[GitHubServer]:
    with serving(export, NAME, token=TOKEN) as found:
        yield found


def gh(folder: Path, does: str) -> None:
    """Put a GitHub command line on the PATH that *does* this."""
    path = folder / "bin" / "gh"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{does}\n", "utf-8")
    path.chmod(0o755)


def index(run: Cortex, server: GitHubServer, *more: str, **environment: str) -> Ran:
    return run("index", "--github", NAME, "--github-api", server.address, *more, **environment)


def test_a_repository_becomes_a_source_of_its_name(cortex: Cortex, server: GitHubServer) -> None:
    done = index(cortex, server, "--json", GITHUB_TOKEN=TOKEN)
    assert done.code == 0, done.err
    assert done.json["source"] == NAME
    assert done.json["location"] == f"{server.address}/{NAME}"
    assert done.json["origins"][0]["added"] == 30
    assert not index(cortex, server, "--json", GITHUB_TOKEN=TOKEN).json["changed"]


def test_the_token_may_be_the_one_of_the_github_command_line(
    cortex: Cortex, server: GitHubServer, tmp_path: Path
) -> None:
    gh(tmp_path, f'test "$*" = "auth token --hostname 127.0.0.1" && echo {TOKEN}')
    assert index(cortex, server).code == 0


def test_a_repository_and_its_github_are_one_source(cortex: Cortex, server: GitHubServer, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "README.md").write_text("# Runner\n\nA runner must stop within 5 seconds.\n", "utf-8")
    done = index(cortex, server, str(tmp_path / "project"), "--json", GITHUB_TOKEN=TOKEN)
    assert (done.json["source"], len(done.json["origins"])) == (NAME, 4)


@pytest.mark.parametrize("token", [TOKEN, TOKEN + "x"], ids=["good", "bad"])
def test_the_token_is_in_no_file_no_log_and_no_error(
    token: str, process: Process, server: GitHubServer, tmp_path: Path
) -> None:
    """With everything logged that Python, urllib3 and PyGithub log, and GitHub failing in every way."""
    server.faults = {3: refuse(403, "secondary rate limit", Retry_After="0"), 4: refuse(500, "x")}
    logged = tmp_path / "logged"
    logged.mkdir()
    (logged / "sitecustomize.py").write_text("import logging; logging.basicConfig(level=0)\n", "utf-8")
    environment = {**os.environ, "GITHUB_TOKEN": token, "PYTHONPATH": f"{logged}{os.pathsep}{ROOT}"}
    done = process("index", "--github", NAME, "--github-api", server.address, "--json", anew=True, env=environment)
    assert done.returncode == (0 if token == TOKEN else 1)
    assert "urllib3" in done.stderr
    assert token[4:] not in done.stdout + done.stderr
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes(), path


def test_a_server_that_tells_the_token_is_not_repeated(cortex: Cortex, server: GitHubServer) -> None:
    server.faults = {1: refuse(404, f"nothing for {TOKEN}")}
    done = index(cortex, server, GITHUB_TOKEN=TOKEN)
    assert done.code == 1
    assert TOKEN not in done.err


def test_the_token_is_not_sent_unencrypted(cortex: Cortex) -> None:
    done = cortex("index", "--github", NAME, "--github-api", "http://ghe.example.org", GITHUB_TOKEN=TOKEN)
    assert done.code == 2
    assert done.complaint == "cortex: ghe.example.org: would be sent the token unencrypted; use https://"


@pytest.mark.parametrize("name", ["ada", "ada/b/c", "../x", "https://github.com/ada/parser", "a b/c"])
def test_a_name_that_is_none_is_said(name: str, cortex: Cortex) -> None:
    done = cortex("index", "--github", name)
    assert (done.code, done.complaint) == (2, f"cortex: {name}: is no repository; name it as owner/name")


def test_a_repository_and_an_export_of_it_are_not_read_together(cortex: Cortex, export: Path) -> None:
    done = cortex("index", "--github", NAME, "--github-export", export)
    assert done.code == 2
    assert "are the same rows" in done.complaint


def test_a_repository_that_is_not_there_leaves_no_source(cortex: Cortex, server: GitHubServer) -> None:
    done = cortex("index", "--github", "ada/none", "--github-api", server.address, GITHUB_TOKEN=TOKEN)
    assert done.code == 1
    assert done.err.splitlines()[-1].startswith("cortex: GitHub did not give repos/ada/none: 404 Not Found; check")
    assert cortex("status", "--json").json["sources"] == []


def test_waiting_is_said_before_it_is_done(process: Process, server: GitHubServer) -> None:
    server.faults = {2: refuse(403, "secondary rate limit", Retry_After="1")}
    environment = {**os.environ, "GITHUB_TOKEN": TOKEN}
    done = process("index", "--github", NAME, "--github-api", server.address, env=environment)
    assert done.returncode == 0
    assert "waiting for its rate limit: 1 s" in done.stderr


@walk(
    ("api", "address"),
    [
        (API, "https://github.com/ada/parser"),
        ("https://ghe.example.org/api/v3", "https://ghe.example.org/ada/parser"),
        ("ghe.example.org", "https://ghe.example.org/ada/parser"),
    ],
)
def test_people_find_it_at_its_host(api: str, address: str) -> None:
    assert web_address("ada/parser", api) == address


@walk("api", ["ftp://x", "https://ada:pw@ghe.example.org", "http://"])
def test_an_address_that_is_none_is_said(api: str) -> None:
    with pytest.raises(BadInput, match="is no address of an API"):
        web_address("ada/parser", api)


def test_without_pygithub_one_line_says_what_to_install(process: Process, tmp_path: Path) -> None:
    (tmp_path / "github.py").write_text("raise ImportError('not here')\n", "utf-8")
    done = process(
        "index", "--github", NAME, anew=True, env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "cortex: cortex index --github needs the extra 'github'; pip install 'cortex-project-memory[github]'"
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("at", [2, 21])
def test_what_was_read_before_a_kill_is_kept_and_the_rest_follows(
    at: int, cortex: Cortex, server: GitHubServer, export: Path, tmp_path: Path
) -> None:
    server.faults = {at: stall}
    brain = argument(place(tmp_path / "brain.db"))
    command = [program(), "--db", brain, "index", "--github", NAME, "--github-api", server.address]
    with subprocess.Popen(command, env={**os.environ, "GITHUB_TOKEN": TOKEN}, stderr=subprocess.PIPE) as running:
        assert server.stalled.wait(120)
        running.send_signal(signal.SIGKILL)
        running.communicate()  # to the end of what it writes, as it may outlive its launcher for a moment
    server.released.set()
    assert index(cortex, server, GITHUB_TOKEN=TOKEN).code == 0
    assert cortex("index", "--github-export", export, db=place(tmp_path / "folder.db")).code == 0
    with open_new(tmp_path / "brain.db") as live, open_new(tmp_path / "folder.db") as folder:
        assert content(live) == content(folder)
