"""Indexing from the command line: what it says, what it stores, and that doing it again does nothing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.substrate.address import shown
from tests.brains import Rows, dump, image, open_new
from tests.surfaces.conftest import SEEDS, Ran
from tests.trees import git, write

Cortex = Callable[..., Ran]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "parser"
    (root / "docs").mkdir(parents=True)
    (root / "README.md").write_text("# Parser\n\nGrace owns the parser.\n")
    (root / "AGENTS.md").write_text("# Rules\n\n- Never parse HTML with regular expressions.\n")
    (root / "CODEOWNERS").write_text("* @grace\n")
    git(root, "init", "-q")
    git(root, "remote", "add", "origin", "git@github.com:acme/parser.git")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Begin the parser")
    return root


def rows(path: Path) -> dict[str, Rows]:
    """Everything a brain holds."""
    with open_new(path) as brain:
        return dump(brain)


def test_init_says_what_it_found_and_what_comes_next(cortex: Cortex, project: Path) -> None:
    ran = cortex("init", project)
    assert "acme/parser registered" in ran.out
    assert "1 commit, 1 document, 1 directive file, 1 ownership file" in ran.out
    assert "Next: cortex index" in ran.err
    assert "acme/parser already registered" in cortex("init", project).out


def test_init_again_changes_nothing(cortex: Cortex, project: Path, tmp_path: Path) -> None:
    assert cortex("init", project, "--json").json["registered"]
    before = rows(tmp_path / "brain.db")
    assert not cortex("init", project, "--json").json["registered"]
    assert rows(tmp_path / "brain.db") == before


def test_a_project_is_read_and_can_be_asked_at_once(cortex: Cortex, project: Path) -> None:
    ran = cortex("index", project)
    assert ran.code == 0
    assert ran.out.startswith("acme/parser")
    assert "1 commit" in ran.out
    assert "Next: cortex ask" in ran.err
    (hit, *_) = cortex("search", "regular expressions", "--json").json["hits"]
    assert hit["record"]["ref"] == "directive:AGENTS.md#1"


def test_where_one_stands_is_the_default(cortex: Cortex, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert cortex("index", "--json").json["source"] == "acme/parser"


def test_an_export_alone_is_read_alone(cortex: Cortex, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    done = cortex("index", "--github-export", SEEDS / "o8", "--json").json
    assert done["source"] == "o8-labs/o8"
    assert "git" not in {origin["origin"] for origin in done["origins"]}


def test_a_project_and_its_export_become_one_source(cortex: Cortex, project: Path) -> None:
    done = cortex("index", project, "--github-export", SEEDS / "o8", "--json").json
    assert {"git", "tree", "github"} <= {origin["origin"] for origin in done["origins"]}
    assert [source["name"] for source in cortex("status", "--json").json["sources"]] == [done["source"]]


def test_a_place_keeps_the_name_it_was_given(cortex: Cortex, project: Path) -> None:
    assert cortex("index", project, "--source", "ours", "--json").json["source"] == "ours"
    again = cortex("index", project, "--json").json
    assert (again["source"], again["changed"]) == ("ours", False)


@pytest.mark.parametrize(
    ("keeps", "said"),
    [((7, 8), "up to date but for 1 input that could not be used ("), ((7,), "but for what could not be read (")],
    ids=["a row beside", "the row of a record"],
)
def test_up_to_date_is_not_said_of_what_could_not_be_read(
    cortex: Cortex, tmp_path: Path, keeps: tuple[int, ...], said: str
) -> None:
    rows = {
        number: json.dumps(
            {"number": number, "title": f"Oil gear {number}", "state": "open", "user": {"login": "ann"}}
            | {"created_at": "2025-01-01T00:00:00Z", "html_url": f"https://github.com/acme/w/pull/{number}"}
        )
        for number in (7, 8)
    }
    export = write(tmp_path / "export", {"pulls.jsonl": "\n".join(rows.values())})
    assert cortex("index", "--github-export", export).code == 0
    write(export, {"pulls.jsonl": "\n".join([*(rows[number] for number in keeps), rows[8][:50]])})
    for _ in range(2):
        assert said in cortex("index", "--github-export", export).out.splitlines()[0]


@pytest.mark.parametrize("place", ["project", "export"])
def test_indexing_again_changes_nothing_and_says_so(cortex: Cortex, project: Path, tmp_path: Path, place: str) -> None:
    where = (project,) if place == "project" else ("--github-export", SEEDS / "o8")
    assert cortex("index", *where).code == 0
    before = rows(tmp_path / "brain.db")
    ran = cortex("index", *where)
    assert ran.code == 0
    assert ran.out.startswith("Nothing changed: ")
    assert not cortex("index", *where, "--json").json["changed"]
    assert not cortex("index", *where, "--again", "--json").json["changed"]
    assert rows(tmp_path / "brain.db") == before


def test_an_isolated_source_is_read_only_when_named(cortex: Cortex, project: Path) -> None:
    cortex("index", project, "--isolated")
    assert cortex("search", "Grace", "--json").json["hits"] == []
    assert cortex("search", "Grace", "--source", "acme/parser", "--json").json["hits"]
    cortex("index", project, "--federated")
    assert cortex("search", "Grace", "--json").json["hits"]


def test_what_cannot_be_used_is_counted_and_named(cortex: Cortex, tmp_path: Path) -> None:
    export = tmp_path / "export"
    export.mkdir()
    good = json.dumps(
        {
            "number": 1,
            "title": "Crash",
            "html_url": "https://github.com/acme/x/issues/1",
            "state": "open",
            "created_at": None,
            "user": {"login": "ada"},
        }
    )
    (export / "issues.jsonl").write_text(f"{good}\n{{broken\n[]\n")
    ran = cortex("index", "--github-export", export)
    assert ran.code == 0
    assert "skipped 2 inputs" in ran.out
    assert "issues.jsonl:2" in ran.out
    assert sum(cortex("index", "--github-export", export, "--json").json["reasons"].values()) == 2


def test_what_was_read_in_part_is_not_called_skipped(cortex: Cortex, tmp_path: Path) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "a.md").write_bytes("# Größe\n\nÄnderungen werden geprüft.\n".encode("cp1252"))
    (root / "empty.md").touch()
    ran = cortex("index", root)
    assert "skipped 1 input\n  1 × says nothing" in ran.out
    assert "read 1 input in part\n  1 × not UTF-8, read as cp1252: a.md" in ran.out
    found = cortex("index", root, "--again", "--json").json
    assert [(one["input"], one["kept"]) for one in found["skipped"]] == [("a.md", True), ("empty.md", False)]
    tree = next(origin for origin in found["origins"] if origin["origin"] == "tree")
    assert (tree["skipped"], tree["noted"]) == (1, 1)


def test_status_tells_the_facts_of_what_is_gone_apart(cortex: Cortex, project: Path) -> None:
    cortex("index", project)
    assert cortex("status", "--json").json["sources"][0]["facts_gone"] == {}
    (project / "AGENTS.md").unlink()
    cortex("index", project)
    after = cortex("status", "--json").json["sources"][0]
    assert after["facts_gone"] == {"directive": 1}
    assert "directive" not in after["facts"]
    assert "1 fact of them until the next cortex compact" in " ".join(cortex("status").out.split())
    cortex("compact")
    assert cortex("status", "--json").json["sources"][0]["facts_gone"] == {}


@pytest.mark.parametrize("digits", [7, 9, 12, 40])
def test_a_commit_is_shown_and_found_by_its_hash_whole_or_in_part(cortex: Cortex, project: Path, digits: int) -> None:
    cortex("index", project)
    asked = ["git", "-C", str(project), "rev-parse", "HEAD"]
    sha = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    for name in (sha[:digits], sha[:digits].upper(), f"commit:{sha[:digits]}"):
        assert cortex("show", name, "--json").json["record"]["ref"] == f"commit:{sha[:12]}"
    assert cortex("search", sha[:digits], "--json").json["hits"][0]["record"]["ref"] == f"commit:{sha[:12]}"
    assert "nothing here is called" in cortex("show", sha[:6]).err


def test_an_empty_folder_fails_and_leaves_no_source(cortex: Cortex, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = cortex("index", tmp_path / "empty")
    assert (ran.code, ran.out) == (1, "")
    assert ran.complaint.startswith(f"cortex: nothing to index in {tmp_path / 'empty'}; name a git repository")
    assert cortex("status", "--json").json["sources"] == []


@pytest.mark.parametrize("arguments", [("nowhere",), ("--github-export", "nowhere")])
def test_a_folder_that_is_not_there_is_a_wrong_use(cortex: Cortex, arguments: tuple[str, ...]) -> None:
    ran = cortex("index", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith("cortex: nowhere: no such folder; ")


def test_stages_go_to_standard_error_and_can_be_silenced(cortex: Cortex, project: Path) -> None:
    assert "reading git" in cortex("index", project, "--json").err
    assert cortex("index", project, "--again", "-q").err == ""


def test_status_counts_what_was_indexed(cortex: Cortex, brain: Path) -> None:
    found = cortex("status", "--json").json
    assert found["path"] == shown(brain)
    o8, runner = found["sources"]
    assert (o8["name"], runner["name"]) == ("o8-labs/o8", "o8-labs/o8-runner")
    assert o8["last_run"]["command"] == "index"
    assert sum(o8["records"].values()) > sum(runner["records"].values()) > 0
    text = cortex("status").out
    assert "o8-labs/o8-runner" in text
    assert "last run 2026-09-01 00:00 UTC: index" in text


def test_the_demo_asks_its_questions(cortex: Cortex, tmp_path: Path) -> None:
    ran = cortex("demo")
    assert ran.code == 0
    assert ran.out.count("\n? ") == 7
    assert "cortex index PATH" in ran.out or "index PATH" in ran.out
    done = cortex("demo", "--json", db=tmp_path / "other.db").json
    assert [one["answer"]["refused"] for one in done["answers"]] == [False] * 6 + [True]


def test_a_history_git_cannot_read_is_no_success(cortex: Cortex, project: Path) -> None:
    (project / "README.md").write_text("# Parser\n\nAda owns the parser.\n")
    git(project, "commit", "-q", "-a", "-m", "Ada takes over")
    assert cortex("index", project).code == 0
    first = subprocess.run(["git", "-C", project, "rev-parse", "HEAD~1"], capture_output=True, text=True, check=True)
    sha = first.stdout.strip()
    (project / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    ran = cortex("index", project, "--again")
    assert ran.code == 1
    assert "was not brought up to date" in ran.out
    assert "git: git stopped: " in ran.out


def test_an_empty_folder_of_a_repository_is_no_project(cortex: Cortex, project: Path) -> None:
    inside = project / "build"
    inside.mkdir()
    ran = cortex("init", inside)
    assert ran.code != 0
    assert f"the repository it is in stands at {project}" in ran.err
    assert cortex("status", "--json").code != 0 or cortex("status", "--json").json["sources"] == []
    assert "acme/parser registered" in cortex("init", project / "docs" / "..").out


def test_a_file_called_after_a_token_is_skipped_without_naming_it(cortex: Cortex, brain: Path, tmp_path: Path) -> None:
    token = "ghp_" + "aB3dE6gH9" * 4
    root = tmp_path / "gear"
    root.mkdir()
    (root / "a.md").write_text("# Gear\n\nEach gear must have an owner.\n", "utf-8")
    (root / f"{token}.md").write_bytes(b"")
    ran = cortex("index", root, "--json")
    assert "[REDACTED:github-token].md" in {one["input"] for one in ran.json["skipped"]}
    cortex("index", root)
    assert token not in ran.out
    assert token.encode() not in image(brain)
