from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest

from cortex.errors import BadInput
from cortex.indexers.connectors import Cursor, Item, git
from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG
from cortex.indexers.references import references
from cortex.substrate.model import Link, Record, Skipped

START = 1_704_103_200  # 2024-01-01T10:00:00Z


class Repository:
    """A real repository whose commits are a minute apart."""

    def __init__(self, root: Path, *arguments: str) -> None:
        self.root, self.minutes = root, 0
        self.git("init", "--quiet", "--initial-branch=main", *arguments, str(root), here=False)

    def git(
        self, *arguments: str, here: bool = True, stdin: bytes | None = None, names: dict[str, str] | None = None
    ) -> str:
        """Run git as Ada, committed by Bob; its output without the last newline."""
        identity = {
            "GIT_AUTHOR_NAME": "Ada Lovelace",
            "GIT_AUTHOR_EMAIL": "ada@example.com",
            "GIT_COMMITTER_NAME": "Bob",
            "GIT_COMMITTER_EMAIL": "bob@example.com",
            "GIT_AUTHOR_DATE": f"{START + 60 * self.minutes} +0200",
            "GIT_COMMITTER_DATE": f"{START + 60 * self.minutes + 30} +0000",
        }
        place = ["-C", str(self.root)] if here else []
        command = ["git", *place, *arguments]
        env = dict(os.environ) | identity | (names or {})
        done = subprocess.run(command, env=env, input=stdin, capture_output=True, check=True)
        return done.stdout.decode().rstrip("\n")

    def commit(self, message: str, *files: str, **names: str) -> str:
        """Change *files* and commit; the new commit's id."""
        self.minutes += 1
        for file in files:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            (self.root / file).write_text(f"{self.minutes}\n")
        self.git("add", "--all")
        text = message.encode(errors="surrogateescape")
        self.git("commit", "--quiet", "--allow-empty", "--allow-empty-message", "-F", "-", stdin=text, names=names)
        return self.git("rev-parse", "HEAD")

    def merge(self, branch: str, message: str, **names: str) -> str:
        self.minutes += 1
        self.git("merge", "--quiet", "--no-ff", "-m", message, branch, names=names)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "engine")


def read(root: Path, since: str | None = None) -> list[Item]:
    return list(git.read(root, source="engine", since=since))


def records(root: Path, since: str | None = None) -> dict[str, Record]:
    return {item.ref: item for item in read(root, since) if isinstance(item, Record)}


def titles(root: Path, since: str | None = None) -> list[str]:
    return [record.title for record in records(root, since).values()]


def cursor(root: Path, since: str | None = None) -> Cursor:
    last = read(root, since)[-1]
    assert isinstance(last, Cursor)
    return last


def test_a_commit_is_a_record_with_its_whole_message(repository: Repository) -> None:
    message = "Oil gears\n\nThey squeak.\n\n- twice\n\nCo-authored-by: Eve Moneypenny <eve@example.com>"
    sha = repository.commit(message, "src/gear.py", "ä b.txt")
    assert read(repository.root) == [
        Record(
            source="engine",
            type="commit",
            ref=f"commit:{sha[:12]}",
            title="Oil gears",
            body=message,
            author="Ada Lovelace",
            created_at=datetime(2024, 1, 1, 10, 1, tzinfo=UTC),
            updated_at=datetime(2024, 1, 1, 10, 1, 30, tzinfo=UTC),
            links=(
                Link(relation="co_author", to_ref="person:Eve Moneypenny"),
                Link(relation="touches", to_ref="file:src/gear.py"),
                Link(relation="touches", to_ref="file:ä b.txt"),
            ),
        ),
        Cursor(value=sha, complete=True),
    ]


def test_commits_come_newest_first_also_without_message_or_files(repository: Repository) -> None:
    repository.commit("one", "a", "b")
    repository.commit("")
    repository.commit("three", "c\nd")
    found = list(records(repository.root).values())
    assert [record.title for record in found] == ["three", "", "one"]
    assert [[link.to_ref for link in record.links] for record in found] == [["file:c\nd"], [], ["file:a", "file:b"]]


def test_a_mass_edit_names_fifty_files(repository: Repository) -> None:
    repository.commit("all", *(f"f{n}" for n in range(99)))
    repository.commit("next", "a")
    assert [len(record.links) for record in records(repository.root).values()] == [1, 50]


def test_the_first_commit_brings_all_the_texts_that_are_read(repository: Repository) -> None:
    first = repository.commit("all", *(f"f{n:03}" for n in range(99)), "zz/AGENTS.md", "zz/CODEOWNERS", "zz/guide.md")
    repository.commit("more", *(f"f{n:03}" for n in range(99)), "zz/AGENTS.md")
    links = {
        record.ref: {link.to_ref for link in record.links if link.to_ref.startswith("file:zz/")}
        for record in records(repository.root).values()
    }
    assert links.pop(f"commit:{first[:12]}") == {"file:zz/AGENTS.md", "file:zz/guide.md"}
    assert [*links.values()] == [set()]


def test_only_what_came_after_the_cursor_is_read(repository: Repository) -> None:
    since = repository.commit("one")
    assert cursor(repository.root, since) == Cursor(value=since)
    head = repository.commit("two")
    assert titles(repository.root, since) == ["two"]
    assert cursor(repository.root, since) == Cursor(value=head)


@pytest.mark.parametrize("since", ["f" * 40, "", "HEAD", "--all", "f" * 40 + " shallow:0"])
def test_a_cursor_that_is_not_in_the_history_reads_all_of_it(repository: Repository, since: str) -> None:
    repository.commit("one")
    assert titles(repository.root, since) == ["one"]
    assert cursor(repository.root, since).complete


def test_after_a_force_push_everything_is_read_and_the_cursor_says_it_is_all(repository: Repository) -> None:
    repository.commit("one")
    since = repository.commit("two")
    repository.git("reset", "--quiet", "--hard", "HEAD~1")
    head = repository.commit("other two")
    assert titles(repository.root, since) == ["other two", "one"]
    assert cursor(repository.root, since) == Cursor(value=head, complete=True)


def test_a_merge_tells_of_a_pull_with_the_author_of_its_branch(repository: Repository) -> None:
    repository.commit("one")
    repository.git("checkout", "--quiet", "-b", "oil")
    repository.commit("oil", GIT_AUTHOR_NAME="Eve")
    repository.git("checkout", "--quiet", "main")
    sha = repository.merge("oil", "Merge pull request #12 from eve/oil\n\nOil gears\n\nThey squeak.")
    found = records(repository.root)
    assert found["pull:12"] == Record(
        source="engine",
        type="pull",
        ref="pull:12",
        title="Oil gears",
        body="Oil gears\n\nThey squeak.",
        author="Eve",
        state="merged",
        merged_by="Bob",
        updated_at=datetime(2024, 1, 1, 10, 3, 30, tzinfo=UTC),
        merged_at=datetime(2024, 1, 1, 10, 3, 30, tzinfo=UTC),
        links=(Link(relation="merges", to_ref=f"commit:{sha[:12]}"),),
    )
    assert found[f"commit:{sha[:12]}"].links == (Link(relation="merges", to_ref="pull:12"),)


def test_a_pull_whose_branch_was_read_before_still_comes(repository: Repository) -> None:
    repository.commit("one")
    repository.git("checkout", "--quiet", "-b", "oil")
    since = repository.commit("oil")
    repository.git("checkout", "--quiet", "main")
    repository.commit("two")
    repository.merge("oil", "Merge #12: Oil gears")
    assert records(repository.root, since)["pull:12"].author == ""


@pytest.mark.parametrize(("committer", "merger"), [("GitHub", ""), ("Bob", "Bob")])
def test_a_squash_is_by_its_author_and_merged_by_who_committed_it(
    repository: Repository, committer: str, merger: str
) -> None:
    repository.commit("Oil gears (#12)", GIT_COMMITTER_NAME=committer)
    pull = records(repository.root)["pull:12"]
    assert (pull.title, pull.author, pull.merged_by) == ("Oil gears", "Ada Lovelace", merger)


def test_a_merge_made_on_the_site_is_merged_by_its_author(repository: Repository) -> None:
    repository.commit("one")
    repository.git("checkout", "--quiet", "-b", "oil")
    repository.commit("oil")
    repository.git("checkout", "--quiet", "main")
    names = {"GIT_COMMITTER_NAME": "GitHub", "GIT_AUTHOR_NAME": "Eve"}
    repository.merge("oil", "Merge pull request #12 from ada/oil\n\nOil", **names)
    assert records(repository.root)["pull:12"].merged_by == "Eve"


MERGES = ["Merge ada/engine#12: Oil gears", "Merge eve/paint#47: Blue gears"]


@pytest.mark.parametrize(
    ("remote", "subjects", "pulls"),
    [
        ("https://github.com/ada/engine.git", MERGES, ["pull:12"]),
        ("git@github.com:bob/Engine.git", MERGES, ["pull:12"]),
        ("https://github.com/eve/paint", MERGES, ["pull:47"]),
        ("", ["Merge ada/clock#12: Oil gears", "Merge eve/paint#47: Blue gears", "Merge #15: Grease"], ["pull:15"]),
    ],
    ids=["its own", "a fork", "the other", "no remote"],
)
def test_a_merge_of_another_repository_is_a_commit_and_no_pull(
    repository: Repository, remote: str, subjects: list[str], pulls: list[str]
) -> None:
    if remote:
        repository.git("remote", "add", "origin", remote)
    for subject in subjects:
        repository.commit(subject)
    found = records(repository.root)
    assert sorted(ref for ref in found if ref.startswith("pull:")) == pulls
    assert sum(ref.startswith("commit:") for ref in found) == len(subjects)


def test_a_revert_points_at_what_it_takes_back(repository: Repository) -> None:
    first = repository.commit("Oil gears (#12)")
    second = repository.commit(f'Revert "Oil gears (#12)" (#34)\n\nThis reverts commit {first}.')
    found = records(repository.root)
    for one, other in permutations((f"commit:{second[:12]}", "pull:34")):
        assert found[one].links == (Link(relation="merges", to_ref=other),)
        said = references(f"{found[one].title}\n\n{found[one].body}")
        assert {link.to_ref for link in said if link.relation == "reverts"} == {"#12", f"commit:{first[:12]}"}


def test_the_later_of_two_commits_that_tell_of_one_pull_counts(repository: Repository) -> None:
    repository.commit("Oil gears (#12)")
    repository.commit("Oil gears again (#12)")
    assert [item.title for item in read(repository.root) if isinstance(item, Record) and item.type == "pull"] == [
        "Oil gears again"
    ]


def test_a_shallow_clone_gives_what_it_has_and_all_of_it_once_deepened(repository: Repository, tmp_path: Path) -> None:
    for n in range(4):
        repository.commit(f"{n}", f"f{n}")
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", "--depth=2", f"file://{repository.root}", str(clone), here=False)
    found = list(records(clone).values())
    assert [record.title for record in found] == ["3", "2"]
    assert [len(record.links) for record in found] == [1, 0]  # git shows the last one as adding every file
    shallow = cursor(clone)
    assert not shallow.complete
    assert titles(clone, shallow.value) == []
    missing = [item.reason for item in read(clone, shallow.value) if isinstance(item, Skipped)]
    assert [reason.partition(":")[0] for reason in missing] == ["a shallow clone"]
    repository.git("-C", str(clone), "fetch", "--quiet", "--unshallow", here=False)
    assert titles(clone, shallow.value) == ["3", "2", "1", "0"]
    assert cursor(clone, shallow.value).complete
    assert not any(isinstance(item, Skipped) for item in read(clone))


def test_bare_detached_and_linked_work_trees_read_alike(repository: Repository, tmp_path: Path) -> None:
    head = repository.commit("one", "a")
    repository.git("clone", "--quiet", "--bare", str(repository.root), str(tmp_path / "bare"), here=False)
    repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    repository.git("checkout", "--quiet", "--detach")
    expected = read(repository.root)
    assert expected[-1] == Cursor(value=head, complete=True)
    (missing, *bare) = read(tmp_path / "bare")
    assert bare == read(tmp_path / "linked") == expected
    assert isinstance(missing, Skipped)
    assert missing.reason.startswith("a bare repository has no files")


def linked_to(repository: Repository, branch: str) -> Repository:
    """A linked work tree on a new *branch*, a minute later."""
    root = repository.root.with_name(branch)
    repository.git("worktree", "add", "--quiet", "-b", branch, str(root))
    linked = object.__new__(Repository)
    linked.root, linked.minutes = root, repository.minutes
    return linked


def test_a_commit_in_one_work_tree_is_all_that_is_new(repository: Repository) -> None:
    repository.commit("one")
    oil = linked_to(repository, "oil")
    since = cursor(repository.root).value
    oil.commit("oil")
    assert titles(repository.root, since) == ["oil"]
    since = cursor(repository.root, since).value
    assert not cursor(repository.root, since).complete
    repository.commit("two")
    assert titles(oil.root, since) == ["two", "oil"]
    assert read(repository.root, cursor(oil.root, since).value) == [cursor(oil.root, cursor(oil.root, since).value)]


def test_what_was_merged_into_the_main_tree_goes_with_its_tree_and_nothing_is_read_anew(repository: Repository) -> None:
    repository.commit("one")
    oil = linked_to(repository, "oil")
    oil.commit("oil")
    repository.git("merge", "--quiet", "oil")
    since = cursor(repository.root).value
    repository.git("worktree", "remove", str(oil.root))
    assert read(repository.root, since) == [Cursor(value=repository.git("rev-parse", "HEAD"))]


def test_reading_as_it_comes_gives_what_reading_at_once_gives(repository: Repository) -> None:
    """A branch that was read in its own work tree is told anew when it is merged: by whom, and with what it came."""
    first = repository.commit("one")
    oil = linked_to(repository, "oil")
    told: dict[str, Record] = {}
    told |= records(repository.root)
    since = cursor(repository.root).value
    oil.commit(f'Revert "one"\n\nThis reverts commit {first}.', GIT_AUTHOR_NAME="Eve")
    told |= records(repository.root, since)
    since = cursor(repository.root, since).value
    repository.commit("two")
    sha = repository.merge("oil", "Merge pull request #12 from eve/oil\n\nNo gears")
    told |= records(repository.root, since)
    assert told == records(repository.root)
    assert told["pull:12"].author == "Eve"
    (back,) = (record for record in told.values() if record.title == 'Revert "one"')
    assert Link(relation="came_with", to_ref=f"commit:{sha[:12]}") in back.links


def test_what_the_main_tree_tells_of_a_pull_stands_before_what_another_does(repository: Repository) -> None:
    repository.commit("one")
    old = linked_to(repository, "old")
    repository.commit("Oil gears (#12)")
    since = cursor(repository.root).value
    old.minutes = 30
    sha = old.commit("Oil gears for the old clock (#12)")
    old.commit("Paint the old clock (#13)")
    for given in (None, since):
        found = [item for item in read(repository.root, given) if isinstance(item, Record)]
        pulls = {record.ref: record.title for record in found if record.type == "pull"}
        assert pulls == {"pull:13": "Paint the old clock"} | ({} if given else {"pull:12": "Oil gears"})
        (backport,) = (record for record in found if record.ref == f"commit:{sha[:12]}")
        assert backport.links == (Link(relation="merges", to_ref="pull:12"),)


def test_a_merge_of_the_main_branch_into_another_tells_nothing_of_the_main_one(repository: Repository) -> None:
    first = repository.commit("one")
    oil = linked_to(repository, "oil")
    repository.commit(f'Revert "one"\n\nThis reverts commit {first}.')
    alone = records(repository.root)
    oil.commit("oil")
    oil.minutes += 5
    oil.merge("main", "Merge branch 'main' into oil")
    assert {ref: record for ref, record in records(repository.root).items() if ref in alone} == alone


def test_an_unborn_main_tree_and_a_deleted_one_whose_commit_is_gone_are_passed_over(repository: Repository) -> None:
    repository.commit("one")
    oil = linked_to(repository, "oil")
    oil.commit("oil")
    gone = linked_to(repository, "gone")
    (repository.root / ".git" / "worktrees" / "gone" / "HEAD").write_text("1" * 40 + "\n")
    repository.git("symbolic-ref", "HEAD", "refs/heads/new")
    assert titles(repository.root) == titles(oil.root) == titles(gone.root) == ["oil", "one"]
    assert titles(repository.root, cursor(repository.root).value) == []


def test_a_repository_without_commits_gives_nothing(repository: Repository) -> None:
    assert read(repository.root) == []


def test_a_folder_that_is_no_repository_gives_nothing_even_inside_one(repository: Repository, tmp_path: Path) -> None:
    repository.commit("one", "docs/a.md")
    assert read(tmp_path) == read(repository.root / "docs") == read(tmp_path / "nowhere") == []
    assert git.top(repository.root / "docs") == repository.root
    assert git.top(tmp_path) is None


def test_a_hooks_environment_does_not_lead_to_its_own_repository(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository(tmp_path / "other")
    other.commit("other")
    repository.commit("one")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    assert titles(repository.root) == ["one"]


def test_nothing_the_repository_configures_is_run(repository: Repository, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat\n")
    script.chmod(0o755)
    repository.commit("one", "a.txt", ".gitattributes")
    (repository.root / ".gitattributes").write_text("* diff=evil filter=evil\n")
    repository.commit("two", "a.txt")
    for name in ("core.pager", "core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv"):
        repository.git("config", name, str(script))
    repository.git("config", "filter.evil.smudge", str(script))
    repository.git("config", "gpg.program", str(script))
    for name, value in (("log.showSignature", "true"), ("color.ui", "always"), ("log.follow", "true")):
        repository.git("config", name, value)
    repository.git("config", "diff.orderFile", str(tmp_path / "missing"))
    ran.unlink(missing_ok=True)
    assert [record.body for record in records(repository.root).values()] == ["two", "one"]
    assert not ran.exists()


def test_other_encodings_arrive_as_text(repository: Repository) -> None:
    repository.git("config", "i18n.commitEncoding", "ISO-8859-1")
    repository.commit("Zahnr\udce4der \udcf6len")
    assert titles(repository.root) == ["Zahnräder ölen"]


def test_what_is_no_text_is_replaced_and_named(repository: Repository) -> None:
    repository.commit("good")
    raw = subprocess.run(
        ["git", "-C", str(repository.root), "cat-file", "commit", "HEAD"], capture_output=True, check=True
    )
    sha = repository.git(
        "hash-object", "-t", "commit", "-w", "--stdin", stdin=raw.stdout.replace(b"good", b"bad \xff byte")
    )
    repository.git("reset", "--quiet", "--hard", sha)
    skipped, record, _ = read(repository.root)
    assert skipped == Skipped(input=f"commit:{sha[:12]}", reason="invalid UTF-8 replaced", kept=True)
    assert isinstance(record, Record)
    assert record.body == "bad � byte"


def test_a_message_too_long_is_skipped_and_the_next_one_read(repository: Repository) -> None:
    repository.commit("one", "a")
    sha = repository.commit("x" * (BODY_LIMIT + 10), "b")
    assert titles(repository.root) == ["one"]
    assert Skipped(input=f"commit:{sha[:12]}", reason=BODY_TOO_LONG) in read(repository.root)


def test_a_damaged_history_is_named_and_gives_no_place_to_go_on_from(repository: Repository) -> None:
    first = repository.commit("one", "a")
    repository.commit("two", "a")
    (repository.root / ".git" / "objects" / first[:2] / first[2:]).unlink()
    *_, told, last = read(repository.root)
    assert isinstance(told, Skipped)
    assert told.input == "git log"
    assert last == Cursor(value="", stopped=told.reason)


def test_without_git_the_error_says_so(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BadInput, match="git is not installed"):
        read(repository.root)


REMOTES = {
    "git@github.com:ada/engine.git": "https://github.com/ada/engine/commit/",
    "https://github.com/ada/engine": "https://github.com/ada/engine/commit/",
    "https://token:x@github.com/ada/engine.git/": "https://github.com/ada/engine/commit/",
    "ssh://git@gitlab.com:2222/team/sub/engine.git": "https://gitlab.com/team/sub/engine/-/commit/",
    "https://bitbucket.org/ada/engine.git": "https://bitbucket.org/ada/engine/commits/",
    "https://git.example.com/ada/engine.git": "",
    "/srv/git/ada/engine.git": "",
    "../engine": "",
}


@pytest.mark.parametrize(("address", "start"), REMOTES.items(), ids=REMOTES.keys())
def test_the_address_of_a_commit_follows_from_its_remote(repository: Repository, address: str, start: str) -> None:
    sha = repository.commit("one")
    repository.git("remote", "add", "origin", address)
    (record,) = records(repository.root).values()
    assert record.url == (start and start + sha)
    known = git.remote(repository.root)
    assert (known.name if known else "").endswith("ada/engine" if "ada" in address and "//" in address else "")
