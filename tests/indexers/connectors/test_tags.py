"""Tags called as versions are releases; they come, move and go with their tags, and their names are names alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex.indexers.connectors import Cursor, tags
from cortex.indexers.feeds import project_feeds
from cortex.indexers.run import index
from cortex.substrate.model import Record, Skipped
from tests.brains import NOW, open_new
from tests.trees import commit, git, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "kiln"
    git(tmp_path, "init", "kiln")
    commit(write(root, {"a.py": "1\n"}), "Start the kiln\n\nSlowly.")
    return root


def tag(root: Path, *names: str) -> None:
    for name in names:
        git(root, "tag", name)


def read(root: Path, since: str | None = None) -> dict[str, Record]:
    return {one.ref: one for one in tags.read(root, source="acme/kiln", since=since) if isinstance(one, Record)}


def held(path: Path) -> dict[str, str]:
    with open_new(path) as brain:
        asked = "select ref, body from records where type = 'release' and gone_at is null"
        return dict(brain.db.execute(asked).fetchall())


def test_a_tag_of_a_version_is_a_release_with_its_message_and_its_commit(root: Path) -> None:
    git(root, "tag", "-a", "v1.0", "-m", "The first kiln\n\n- It burns (#3).")
    commit(write(root, {"a.py": "2\n"}), "Grease the door\n\nAgain.")
    tag(root, "1.1")
    found = read(root)
    assert {ref: (one.title, one.body) for ref, one in found.items()} == {
        "release:v1.0": ("1.0", "The first kiln\n\n- It burns (#3)."),
        "release:1.1": ("1.1", "Grease the door"),
    }
    assert all(one.created_at and [link.relation for link in one.links] == ["releases"] for one in found.values())
    assert len({one.links[0].to_ref for one in found.values()}) == 2


def test_other_tags_are_none_and_packages_are_named(root: Path) -> None:
    tag(root, "latest", "1.0.x", "2024-01-15", "release-1.2", "REL_1_3", "kiln-1.4", "door@2.0", "@acme/fan/v3.1rc1")
    assert {one.title for one in read(root).values()} == {"1.2", "1.3", "1.4", "door 2.0", "@acme/fan 3.1rc1"}


def test_one_package_that_alone_is_tagged_from_some_day_on_is_the_project(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(day: int, name: str) -> set[str]:
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2024-01-0{day}T00:00:00Z")
        git(root, "tag", "-a", name, "-m", name)
        return {one.title for one in read(root).values()}

    assert made(1, "v1.0") == {"1.0"}
    assert made(2, "kiln-parent-1.1") == {"1.0", "1.1"}
    assert made(3, "v1.2") == {"1.0", "kiln-parent 1.1", "1.2"}
    assert made(4, "door-1.3") == {"1.0", "kiln-parent 1.1", "1.2", "door 1.3"}


def test_a_tag_that_names_no_commit_is_passed_over_and_named(root: Path) -> None:
    git(root, "tag", "v1.0", "HEAD^{tree}")
    found = [one for one in tags.read(root, source="kiln") if isinstance(one, Skipped)]
    assert [(one.input, one.reason) for one in found] == [("release:v1.0", "a tag that names no commit")]


def test_a_repository_without_tags_and_no_repository_give_no_release(root: Path, tmp_path: Path) -> None:
    assert read(root) == {}
    assert [*tags.read(tmp_path / "nowhere", source="kiln")] == []


def test_unchanged_tags_are_not_read_again(root: Path) -> None:
    tag(root, "v1.0")
    *_, cursor = tags.read(root, source="kiln")
    assert isinstance(cursor, Cursor)
    assert [*tags.read(root, source="kiln", since=cursor.value)] == [Cursor(value=cursor.value)]


def test_new_moved_and_deleted_tags_are_seen_by_the_next_run(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "brain.db"

    def run() -> dict[str, str]:
        with open_new(path) as brain:
            index(brain, project_feeds(root, "kiln"), source="kiln", now=NOW)
        return held(path)

    tag(root, "v1.0", "v1.1")
    assert [*run()] == ["release:v1.0", "release:v1.1"]
    git(root, "tag", "-d", "v1.0")
    commit(write(root, {"a.py": "2\n"}), "Grease the door")
    git(root, "tag", "-f", "v1.1")
    tag(root, "v1.2")
    assert run() == {"release:v1.1": "Grease the door", "release:v1.2": "Grease the door"}


@pytest.mark.parametrize(
    "name",
    [
        "$(touch${IFS}pwned)-1.0",
        "`touch\N{NO-BREAK SPACE}pwned`-1.0",
        "<script>-1.0",
        "a'b\"-1.0",
        "a;b|c&d-1.0",
        "é”]-1.0",
    ],
)
def test_a_hostile_name_is_no_more_than_a_name(root: Path, name: str) -> None:
    tag(root, name, "v1.0")
    assert [*read(root)] == ["release:v1.0"]
    assert not [*root.rglob("pwned")]
