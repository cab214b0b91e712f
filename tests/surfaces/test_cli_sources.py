"""Which source a place is: no project takes another's name, and one that moved is the one it was."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cortex.surfaces.naming import Chosen, choose_name
from tests.brains import open_new, place, trace
from tests.surfaces.conftest import Ran
from tests.trees import git, write

Cortex = Callable[..., Ran]


def repository(root: Path, *, remote: str = "", **files: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q")
    if remote:
        git(root, "remote", "add", "origin", remote)
    write(root, {"README.md": f"# Here\n\nThis is {root}.\n", **files})
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", f"Begin what is in {root.parent.name}")
    return root


def folder(root: Path) -> Path:
    return write(root, {"a.md": f"# Notes\n\nWhat {root.parent.name} decided is written down here.\n"})


def indexed(cortex: Cortex, *arguments: object) -> Any:  # noqa: ANN401  what the command prints
    return cortex("index", *arguments, "--json").json


def gone(done: Any) -> int:  # noqa: ANN401
    return sum(origin["gone"] for origin in done["origins"])


@pytest.mark.parametrize("made", [folder, repository], ids=["folders", "repositories without a remote"])
def test_two_projects_of_one_name_are_two_sources(cortex: Cortex, tmp_path: Path, made: Callable[[Path], Path]) -> None:
    one, other, third = (made(tmp_path / above / "docs") for above in ("d1", "d2", "x/d2"))
    assert indexed(cortex, one)["source"] == "docs"
    second = indexed(cortex, other)
    assert (second["source"], gone(second), second["namesake"]) == ("d2/docs", 0, str(one))
    assert indexed(cortex, third)["source"] == "x/d2/docs"
    assert [indexed(cortex, place)["source"] for place in (one, other, third)] == ["docs", "d2/docs", "x/d2/docs"]
    assert {sum(one["records"].values()) for one in cortex("status", "--json").json["sources"]} == {
        sum(origin["added"] for origin in second["origins"])
    }


def test_why_a_project_is_not_called_as_its_folder_is_said(cortex: Cortex, tmp_path: Path) -> None:
    one, other = folder(tmp_path / "d1" / "docs"), folder(tmp_path / "d2" / "docs")
    cortex("index", one)
    assert "--source" not in cortex("init", one).out
    told = "".join(cortex("init", other).out.split())
    assert f"d2/docsregisteredat{other}anotherprojectofthatnameisat{one};--sourceNAME" in told
    assert "d2/docs" in cortex("index", other).out


def test_a_repository_that_moved_is_the_same_source(cortex: Cortex, tmp_path: Path) -> None:
    root = repository(tmp_path / "a" / "api")
    assert indexed(cortex, root)["source"] == "api"
    moved = tmp_path / "b" / "service"
    moved.parent.mkdir()
    shutil.move(root, moved)
    again = indexed(cortex, moved)
    assert (again["source"], again["location"], gone(again)) == ("api", str(moved), 0)


def test_two_processes_that_find_a_new_project_at_once_call_it_the_same(cortex: Cortex, tmp_path: Path) -> None:
    """The other registers it after this one has looked at the place, and before it has looked for the name."""
    root, path = folder(tmp_path / "gear"), place(tmp_path / "brain.db")
    looks: list[str] = []

    def other(statement: str) -> None:
        looks.extend([statement] if "location from sources" in statement else [])
        if len(looks) > 1:
            trace(brain, None)
            assert indexed(cortex, root)["source"] == "gear"

    with open_new(path) as brain:
        trace(brain, other)
        assert choose_name(brain, root) == Chosen("gear")
        assert brain.db.execute("select count(*) from sources").fetchone() == (1,)


def test_so_is_a_copy_of_it_that_has_its_name(cortex: Cortex, tmp_path: Path) -> None:
    root = repository(tmp_path / "a" / "api")
    indexed(cortex, root)
    copy = shutil.copytree(root, tmp_path / "b" / "api")
    assert indexed(cortex, copy)["source"] == "api"


def test_repositories_of_one_remote_are_the_same_source(cortex: Cortex, tmp_path: Path) -> None:
    for above in ("a", "b"):
        root = repository(tmp_path / above / "api", remote="https://github.com/ada/api.git")
        assert indexed(cortex, root)["source"] == "ada/api"


def test_a_remote_does_not_take_the_name_that_a_folder_got(cortex: Cortex, tmp_path: Path) -> None:
    indexed(cortex, repository(tmp_path / "x" / "api"))
    assert indexed(cortex, repository(tmp_path / "ada" / "api"))["source"] == "ada/api"
    done = indexed(cortex, repository(tmp_path / "y" / "api", remote="https://github.com/ada/api.git"))
    assert (done["source"], gone(done)) == ("y/api", 0)


def test_whoever_names_a_source_means_it(cortex: Cortex, tmp_path: Path) -> None:
    indexed(cortex, folder(tmp_path / "d1" / "docs"))
    assert indexed(cortex, folder(tmp_path / "d2" / "docs"), "--source", "docs")["source"] == "docs"


def test_anywhere_in_a_repository_the_whole_of_it_is_indexed(
    cortex: Cortex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"docs/guide/a.md": "# Guide\n\nThe guide says how the parser works.\n"}
    root = repository(tmp_path / "api", remote="https://github.com/ada/api.git", **files)
    indexed(cortex, root)
    monkeypatch.chdir(root / "docs" / "guide")
    again = indexed(cortex)
    assert (again["source"], again["location"], again["changed"], gone(again)) == ("ada/api", str(root), False, 0)
    assert cortex("init", root / "docs", "--json").json["location"] == str(root)


def test_a_folder_of_a_repository_with_a_name_of_its_own_is_a_source(cortex: Cortex, tmp_path: Path) -> None:
    files = {"docs/a.md": "# Guide\n\nThe guide says how the parser works.\n"}
    root = repository(tmp_path / "api", **files)
    indexed(cortex, root)
    own = indexed(cortex, root / "docs", "--source", "guide")
    assert (own["source"], own["location"]) == ("guide", str(root / "docs"))
    assert indexed(cortex, root / "docs")["source"] == "guide"
    assert not indexed(cortex, root)["changed"]


def test_a_folder_that_the_repository_around_it_does_not_track_is_a_project_of_its_own(
    cortex: Cortex, tmp_path: Path
) -> None:
    root = repository(tmp_path / "api", remote="https://github.com/ada/api.git", **{".gitignore": "/exports/\n"})
    indexed(cortex, root)
    own = indexed(cortex, folder(root / "exports" / "wiki"))
    assert (own["source"], own["location"], gone(own)) == ("wiki", str(root / "exports" / "wiki"), 0)
    assert not indexed(cortex, root)["changed"]


def test_a_bare_repository_is_called_as_a_clone_of_it(cortex: Cortex, tmp_path: Path) -> None:
    root = repository(tmp_path / "api")
    subprocess.run(["git", "clone", "-q", "--bare", str(root), str(tmp_path / "bare" / "api.git")], check=True)
    assert indexed(cortex, tmp_path / "bare" / "api.git")["source"] == "api"
    assert indexed(cortex, root)["source"] == "api"


def test_a_remote_and_an_export_in_other_capitals_are_one_source(cortex: Cortex, tmp_path: Path) -> None:
    root = repository(tmp_path / "w", remote="git@github.com:Acme/W.git")
    row = '{"number": 7, "title": "Oil", "state": "open", "created_at": null, "user": null, "body": null, "html_url": '
    export = write(tmp_path / "export", {"issues.jsonl": row + '"https://github.com/acme/w/issues/7"}\n'})
    assert indexed(cortex, root)["source"] == "Acme/W"
    assert indexed(cortex, "--github-export", export)["source"] == "Acme/W"
    assert len(cortex("status", "--json").json["sources"]) == 1


def test_a_source_that_is_read_from_another_folder_says_what_it_was(cortex: Cortex, tmp_path: Path) -> None:
    one, other = folder(tmp_path / "d1" / "docs"), folder(tmp_path / "d2" / "docs")
    assert indexed(cortex, one, "--source", "notes")["instead_of"] == ""
    assert indexed(cortex, one, "--source", "notes")["instead_of"] == ""
    told = " ".join(cortex("index", other, "--source", "notes").out.split())
    assert "before: what stands only there is gone from this source" in told


def test_a_named_source_is_that_of_the_name_whatever_the_case(cortex: Cortex, tmp_path: Path) -> None:
    place = folder(tmp_path / "d1" / "docs")
    indexed(cortex, place, "--source", "Grüße/w")
    assert indexed(cortex, place, "--source", "GRÜSSE/W")["source"] == "Grüße/w"
    assert cortex("init", place, "--source", "grüße/W", "--json").json["source"] == "Grüße/w"
    assert [one["name"] for one in cortex("status", "--json").json["sources"]] == ["Grüße/w"]
    question = ("What is written down here?", "--source", "GRÜSSE/w", "--json")
    assert cortex("ask", *question).code == 0
    assert cortex("compact", "--source", "GRÜSSE/w", "--json").json["sources"] == ["Grüße/w"]
    added = cortex("outcome", "add", "Written down", "--status", "shipped", "--source", "GRÜSSE/w", "--json").json
    assert added["outcome"]["source"] == "Grüße/w"
    assert cortex("ask", *question[:2], "GRUSSE/x").code != 0
