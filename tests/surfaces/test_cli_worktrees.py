"""Work trees of one repository: one source, whichever of them a hook, a person or an agent comes from."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.surfaces import hooking
from cortex.surfaces.folders import standing
from tests.brains import open_new
from tests.surfaces.conftest import Ran, seen
from tests.trees import commit, git, until, write

Cortex = Callable[..., Ran]
pytestmark = pytest.mark.usefixtures("warm_hooks")
hooked = pytest.mark.skipif(sys.platform == "win32", reason="hooks are shell scripts")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a linked work tree beside it, both with a document of their own."""
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init")
    commit_to(root, "Begin")
    git(root, "worktree", "add", "-b", "side", str(tmp_path / "linked"))
    return root


@pytest.fixture
def linked(project: Path) -> Path:
    return project.parent / "linked"


def commit_to(root: Path, name: str) -> None:
    write(root, {f"{name.lower()}.md": f"# {name}\n\nThe {name.lower()} must hold.\n"})
    commit(root, name)


def held(tmp_path: Path) -> dict[str, list[str]]:
    """What stands in the brain: the titles of its commits, the paths of its documents, and the facts of both."""
    with open_new(tmp_path / "brain.db") as brain:
        standing = "select {} from records r {} where r.type = ? and r.gone_at is null order by 1"
        facts = standing.format("f.statement", "join facts f on f.record_id = r.id")
        return {
            "commits": [row[0] for row in brain.db.execute(standing.format("r.title", ""), ("commit",))],
            "documents": [row[0] for row in brain.db.execute(standing.format("r.path", ""), ("doc",))],
            "facts": [row[0] for type_ in ("commit", "doc") for row in brain.db.execute(facts, (type_,))],
        }


def holds(tmp_path: Path, commits: str, documents: str) -> bool:
    """Whether the brain has these and no others, and no run behind a hook failed."""
    found = held(tmp_path)
    last = hooking.last_run(seen(tmp_path / "brain.db"), tmp_path / "project")
    assert last is None or last.error == ""
    return (found["commits"], found["documents"]) == (commits.split(), documents.split())


@hooked
def test_a_commit_in_a_linked_work_tree_is_a_fact_after_its_hook_ran(
    cortex: Cortex, project: Path, linked: Path, tmp_path: Path
) -> None:
    done = cortex("hook", "install", linked, "--json")
    assert done.json["root"] == str(project.resolve())
    assert Path(done.json["folder"]) == project.resolve() / ".git" / "hooks"
    commit_to(linked, "Third")
    until(lambda: holds(tmp_path, "Begin Third", "begin.md") and len(held(tmp_path)["facts"]) == 3)
    facts = sorted(fact.rpartition(": ")[2] for fact in held(tmp_path)["facts"])
    assert facts == ["Begin", "The begin must hold.", "Third"]


@hooked
def test_no_hook_of_one_tree_takes_out_what_another_brought(
    cortex: Cortex, project: Path, linked: Path, tmp_path: Path
) -> None:
    cortex("hook", "install", project)
    commit_to(linked, "Third")
    commit_to(project, "Second")
    until(lambda: holds(tmp_path, "Begin Second Third", "begin.md second.md"))
    git(linked, "checkout", "-b", "other")
    git(project, "checkout", "-b", "aside")
    commit_to(linked, "Fourth")
    until(lambda: holds(tmp_path, "Begin Fourth Second Third", "begin.md second.md"))
    git(project, "merge", "--no-ff", "-m", "Merge", "other")
    everything = "Begin Fourth Merge Second Third", "begin.md fourth.md second.md third.md"
    until(lambda: holds(tmp_path, *everything))
    assert cortex("index", linked).code == 0
    assert holds(tmp_path, *everything)
    assert [one["name"] for one in cortex("status", "--json").json["sources"]] == ["project"]


def test_trees_come_and_go(cortex: Cortex, project: Path, linked: Path, tmp_path: Path) -> None:
    """What none of them has checked out is gone, and comes again with a tree that has."""
    commit_to(linked, "Third")
    detached = tmp_path / "detached"
    git(project, "worktree", "add", "--detach", str(detached))
    commit_to(detached, "Fourth")
    assert cortex("index", project).code == 0
    assert held(tmp_path)["commits"] == ["Begin", "Fourth", "Third"]
    shutil.rmtree(detached)  # git knows it until it is pruned
    assert cortex("index", linked).code == 0
    assert held(tmp_path)["commits"] == ["Begin", "Fourth", "Third"]
    git(project, "worktree", "prune")
    assert cortex("index", linked).code == 0
    assert held(tmp_path)["commits"] == ["Begin", "Third"]
    git(project, "worktree", "remove", str(linked))
    assert cortex("index", project).code == 0
    assert held(tmp_path)["commits"] == ["Begin"]
    git(project, "worktree", "add", str(linked), "side")
    assert cortex("index", project).code == 0
    assert held(tmp_path)["commits"] == ["Begin", "Third"]
    git(project, "merge", "side")
    git(project, "worktree", "remove", str(linked))
    assert cortex("index", project).code == 0
    assert held(tmp_path)["commits"] == ["Begin", "Third"]


@pytest.mark.parametrize("where", ["beside", "within"])
def test_a_bare_repository_has_the_files_of_the_tree_with_its_branch(
    where: str, cortex: Cortex, project: Path, tmp_path: Path
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    bare = place / ".bare" if where == "within" else place / "bare.git"
    git(place, "clone", "--bare", str(project), str(bare))
    git(bare, "remote", "remove", "origin")
    if where == "within":
        (place / ".git").write_text("gitdir: ./.bare\n")
    git(bare, "worktree", "add", str(place / "early"), "side")
    git(bare, "worktree", "add", str(place / "late"), "main")
    commit_to(place / "early", "Third")
    commit_to(place / "late", "Second")
    for root in (place / "early", place / "late", bare, *([place] if where == "within" else [])):
        done = cortex("index", root, "--json")
        assert (done.code, done.json["source"], done.json["location"], done.json["skipped"]) == (
            0, "place" if where == "within" else "bare", str(bare.resolve()), [],
        )  # fmt: skip
        assert holds(tmp_path, "Begin Second Third", "begin.md second.md")
        with open_new(tmp_path / "brain.db") as brain:  # as an agent's hook sees it
            assert standing(brain, root).sources == [1]
    git(place / "late", "checkout", "--detach")
    assert cortex("index", bare).code == 0
    assert held(tmp_path)["documents"] == ["begin.md", "third.md"]  # of the first that was added
    git(place / "late", "checkout", "main")
    if sys.platform != "win32":
        assert cortex("hook", "install", place / "late").code == 0
        commit_to(place / "early", "Fourth")
        until(lambda: holds(tmp_path, "Begin Fourth Second Third", "begin.md second.md"))


@pytest.mark.parametrize("named", [[], ["--source", "ours"]], ids=["by git", "by hand"])
def test_two_work_trees_are_one_source(
    named: list[str], cortex: Cortex, project: Path, linked: Path, tmp_path: Path
) -> None:
    assert cortex("index", project, *named).code == 0
    assert not cortex("index", linked, "--json").json["changed"]
    commit_to(linked, "Third")
    assert cortex("index", linked, *named, "--json").json["changed"]
    (one,) = cortex("status", "--json").json["sources"]
    assert (one["name"], one["location"]) == (named[-1] if named else "project", str(project.resolve()))
    assert held(tmp_path)["documents"] == ["begin.md"]


def test_a_work_tree_of_a_submodule_is_the_submodule(cortex: Cortex, project: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", str(project), "inner")
    git(outer / "inner", "worktree", "add", "-b", "aside", str(tmp_path / "apart"))
    done = cortex("index", tmp_path / "apart", "--json")
    assert done.json["location"] == str(outer.resolve() / "inner")
    assert held(tmp_path)["documents"] == ["begin.md"]


@hooked
def test_a_hook_installed_from_a_folder_of_a_tree_that_goes_still_indexes(
    cortex: Cortex, project: Path, linked: Path, tmp_path: Path
) -> None:
    write(linked, {"docs/deep.md": "# Deep\n\nIt must hold.\n"})
    assert cortex("hook", "install", linked / "docs", "--json").json["root"] == str(project.resolve())
    git(project, "worktree", "remove", "--force", str(linked))
    commit_to(project, "Second")
    until(lambda: holds(tmp_path, "Begin Second", "begin.md second.md"))
