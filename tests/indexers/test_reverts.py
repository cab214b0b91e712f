"""What was reverted says so, as long as nothing brought it back; what never was merged reverted nothing."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from subprocess import check_output

import pytest

from cortex.composer.pipeline import ask
from cortex.indexers.feeds import project_feeds
from cortex.indexers.references import references
from cortex.indexers.run import index
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record, Scope
from cortex.substrate.work import works
from tests.brains import NOW, index_records, record, statements
from tests.trees import git, write


def repository(root: Path, reverts: int) -> Path:
    """One pull request, squashed, and as many reverts, each of the commit before it."""
    root.mkdir()
    git(root, "init", "--quiet")
    write(root, {"gears.txt": "oiled"})
    git(root, "add", "gears.txt")
    git(root, "commit", "--quiet", "-m", "Oil the gears with whale oil (#7)")
    for _ in range(reverts):
        git(root, "revert", "--no-edit", "HEAD")
    return root


def reverted_by(brain: Brain, question: str, ref: str) -> str:
    answer = ask(brain, question, scope=Scope())
    return next(one.record.reverted_by for one in answer.citations if one.record.ref == ref)


def newest_told(brain: Brain, ref: str) -> str:
    """What a pull request is told to have done, as it stands since the last that happened to it."""
    asked = """select statement from facts f join records r on r.id = f.record_id
        where r.ref = ? and statement glob '*): Oil*' order by valid_until is not null, valid_from desc"""
    (told, *_) = (statement for (statement,) in brain.db.execute(asked, (ref,)))
    return str(told)


def test_what_a_revert_of_its_revert_brings_back_does_not_stay_reverted(brain: Brain, tmp_path: Path) -> None:
    root = repository(tmp_path / "project", reverts=2)
    index(brain, project_feeds(root, "demo"), source="demo", now=NOW)
    said = statements(brain)
    assert len([one for one in said if "reverted PR #7" in one]) == 1
    assert "brought back by commit" in newest_told(brain, "pull:7")
    assert any("brought back PR #7" in one for one in said)
    assert reverted_by(brain, "Was PR #7 reverted?", "pull:7") == ""


def test_what_is_brought_back_in_a_later_run_is_no_longer_reverted(brain: Brain, tmp_path: Path) -> None:
    root = repository(tmp_path / "project", reverts=1)
    index(brain, project_feeds(root, "demo"), source="demo", now=NOW)
    assert any("reverted by commit" in one for one in statements(brain, ref="pull:7"))
    git(root, "revert", "--no-edit", "HEAD")
    index(brain, project_feeds(root, "demo"), source="demo", now=NOW)
    assert "brought back by commit" in newest_told(brain, "pull:7")


def newest(root: Path) -> tuple[str, str]:
    """The ref and the subject of the commit that HEAD is at."""
    told = check_output(["git", "log", "-1", "--format=%H%n%s"], cwd=root, text=True)
    return f"commit:{told[:12]}", told.splitlines()[1]


@pytest.mark.parametrize("reverts", [1, 2, 3, 4])
def test_reverts_of_one_second_count_in_the_order_of_who_reverts_whom(
    brain: Brain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reverts: int
) -> None:
    for of in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{of}_DATE", "2025-03-01T12:00:00Z")
    root = repository(tmp_path / "project", reverts)
    index(brain, project_feeds(root, "demo"), source="demo", now=NOW)
    told, (last, _) = newest_told(brain, "pull:7"), newest(root)
    assert reverted_by(brain, "Was PR #7 reverted?", "pull:7") == (last if reverts % 2 else "")
    assert (f"reverted by {last.replace(':', ' ')}" in told) == (reverts % 2 == 1)
    assert (f"brought back by {last.replace(':', ' ')}" in told) == (reverts % 2 == 0)


def merge(root: Path, branch: str, number: int, title: str = "") -> None:
    git(root, "switch", "--quiet", "main")
    git(root, "merge", "--quiet", "--no-ff", branch, "-m", f"Merge pull request #{number} from ann/{branch}\n\n{title}")


def revert_merge(root: Path, number: int, *, titled: bool) -> str:
    """Take back the last merge in pull request *number*; the ref of what did so."""
    git(root, "switch", "--quiet", "-c", f"revert-{number}")
    git(root, "revert", "--no-edit", "-m1", "HEAD")
    by, subject = newest(root)
    merge(root, f"revert-{number}", number, subject if titled else "")
    return f"pull:{number}" if titled else by


@pytest.mark.parametrize("titled", [True, False], ids=["titled", "by git alone"])
def test_what_reverts_a_merge_takes_back_what_came_with_it(brain: Brain, tmp_path: Path, titled: bool) -> None:  # noqa: FBT001
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "--quiet", "-b", "main")
    git(root, "commit", "--quiet", "--allow-empty", "-m", "Start")
    git(root, "switch", "--quiet", "-c", "x")
    write(root, {"gears.txt": "oiled"})
    git(root, "add", "gears.txt")
    git(root, "commit", "--quiet", "-m", "Oil the gears")
    merge(root, "x", 7, "Oil the gears with whale oil")
    for number, stays in {8: True, 9: False, 10: True}.items():
        by = revert_merge(root, number, titled=titled)
        index(brain, project_feeds(root, "demo"), source="demo", now=NOW)
        assert ("brought back by" not in newest_told(brain, "pull:7")) == stays
        assert reverted_by(brain, "Was PR #7 reverted?", "pull:7") == (by if stays else "")


@pytest.mark.parametrize("text", ["Was #7 reverted?", "What reverted #7?", "When was PR #7 reverted?"])
def test_what_takes_back_one_commit_of_several_takes_back_a_part_and_not_all(
    brain: Brain, tmp_path: Path, text: str
) -> None:
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "--quiet", "-b", "main")
    git(root, "commit", "--quiet", "--allow-empty", "-m", "Start")
    git(root, "switch", "--quiet", "-c", "x")
    for part in ("gears", "chains"):
        write(root, {f"{part}.txt": "oiled"})
        git(root, "add", f"{part}.txt")
        git(root, "commit", "--quiet", "-m", f"Oil the {part}")
    merge(root, "x", 7, "Oil the drive")
    git(root, "revert", "--no-edit", "HEAD^2")
    by, _ = newest(root)
    index(brain, project_feeds(root, "demo"), source="demo", now=NOW)
    answer = ask(brain, text, scope=Scope())
    assert by.split(":")[1][:7] in answer.answer
    assert "part" in answer.answer
    assert answer.evidence == "moderate"


def pull(number: int, text: str, *, day: int = 0, merged: bool = True, **fields: object) -> Record:
    when = NOW + timedelta(days=day)
    stated = {"state": "merged", "merged_at": when} if merged else {"state": "closed", "closed_at": when}
    return record(f"pull:{number}", text, created_at=when, **stated | fields)


OILED = pull(12, "Oil the gears with whale oil")
TAKEN_BACK = pull(
    13, 'Revert "Oil the gears with whale oil (#12)"\n\nReverts ada/engine#12', day=1, source="ada/engine"
)
BROUGHT_BACK = pull(
    15,
    'Revert "Revert "Oil the gears with whale oil (#12)" (#13)"\n\nReverts ada/engine#13',
    day=2,
    source="ada/engine",
)
AGAIN = pull(
    16, 'Revert "Reapply "Oil the gears with whale oil (#12)""\n\nReverts ada/engine#15', day=3, source="ada/engine"
)


@pytest.mark.parametrize(
    ("records", "by"),
    [
        ((OILED, TAKEN_BACK), "pull:13"),
        ((OILED, TAKEN_BACK, BROUGHT_BACK), ""),
        ((OILED, TAKEN_BACK, BROUGHT_BACK, AGAIN), "pull:16"),
        ((OILED, TAKEN_BACK, BROUGHT_BACK.model_copy(update={"merged_at": None, "state": "open"})), "pull:13"),
        ((OILED, TAKEN_BACK.model_copy(update={"merged_at": None, "state": "closed"})), ""),
        ((OILED, TAKEN_BACK.model_copy(update={"merged_at": None, "state": "open"})), ""),
    ],
    ids=["reverted", "brought back", "reverted again", "to be brought back", "closed unmerged", "still open"],
)
def test_the_last_merged_word_on_a_pull_request_counts(brain: Brain, records: tuple[Record, ...], by: str) -> None:
    index_records(brain, *records)
    told = newest_told(brain, "pull:12")
    assert ("reverted by" in told and "brought back" not in told) == (by != "")
    assert by.replace("pull:", "PR #") in told
    assert reverted_by(brain, "Are the gears oiled with whale oil (PR #12)?", "pull:12") == by


@pytest.mark.parametrize("merged", [True, False])
def test_only_what_was_merged_supersedes(brain: Brain, merged: bool) -> None:  # noqa: FBT001
    newer = pull(20, "Oil the gears with rape oil", day=1, merged=merged)
    link = Link(relation="supersedes", to_ref="pull:12")
    index_records(brain, OILED, newer.model_copy(update={"links": (link,)}))
    cited = ask(brain, "What are the gears oiled with in PR #12?", scope=Scope()).citations
    older = next(one.record for one in cited if one.record.ref == "pull:12")
    assert older.superseded_by == ("pull:20" if merged else "")


MERGE = "a1" * 20
OILED_AS = Link(relation="merges", to_ref=f"commit:{MERGE[:12]}")


@pytest.mark.parametrize(
    "text",
    [
        'Revert "Oil the gears with whale oil"\n\nIt smells.',
        "Revert 'Oil the gears with whale oil'",
        'Revert "Oil the gears with whale oil" (#12)',
        "revert: oil the gears with whale oil",
        "revert(gears): oil them with whale oil (#12)",
        "Rollback: Oil the gears with whale oil",
        "Revert 12",
        f"No more whales\n\nThis reverts commit {MERGE}.",
        f"No more whales\n\nThis reverts commit {MERGE[:8]}.",
        f"No more whales\n\nThis backs out changeset {MERGE[:8]}.",
        f"Undo of {MERGE[:8]}",
        f"No more whales\n\nCommit {MERGE[:8]} made the gears smell. This undoes that commit.",
        f"No more whales\n\nThis commit reverts the following commits:\n\n  {MERGE[:8]} Oil the gears",
        'Revert "Oil the gears with whale"',
        'Revert "Oil the gears with whale oil, twice a year"',
        'gears: revert "Oil the gears with whale oil"',
    ],
)
def test_a_revert_names_what_it_takes_back_by_title_number_or_commit(brain: Brain, text: str) -> None:
    index_records(brain, OILED.model_copy(update={"links": (OILED_AS,)}), pull(13, text, day=1, author="ines"))
    assert reverted_by(brain, "Was PR #12 reverted?", "pull:12") == "pull:13"
    answer = ask(brain, "Who reverted #12?", scope=Scope()).answer
    assert "PR #13" in answer
    assert "ines" in answer
    assert "reverted by PR #13" in ask(brain, "Which PRs were reverted?", scope=Scope()).answer


@pytest.mark.parametrize(
    "text",
    [
        'Revert "Oil the gears"',
        'Partially revert "Oil the gears with whale oil"',
        "Revert to whale oil",
        "Oil the gears with whale oil",
        f"No more whales\n\nThis reverts commit {'b2' * 20}.",
    ],
)
def test_what_has_another_title_or_commit_is_not_taken_back(brain: Brain, text: str) -> None:
    index_records(brain, OILED.model_copy(update={"links": (OILED_AS,)}), pull(13, text, day=1))
    assert reverted_by(brain, "Was PR #12 reverted?", "pull:12") == ""


@pytest.mark.parametrize(
    "text",
    [
        "Revert #12 (partly)",
        'Partially revert "Oil the gears with whale oil"',
        f"No more whales\n\nCommit {MERGE} made the gears smell. This largely reverts that commit.",
        f'Partly revert "Oil the gears with whale oil"\n\nThis reverts commit {MERGE}.',
    ],
)
def test_what_says_that_it_takes_back_a_part_is_believed_whatever_its_title(brain: Brain, text: str) -> None:
    index_records(brain, OILED.model_copy(update={"links": (OILED_AS,)}), pull(13, text, day=1))
    (id_,) = brain.db.execute("select id from records where ref = 'pull:12'").fetchone()
    assert (works(brain, [id_])[id_].fate, works(brain, [id_])[id_].by) == ("partly reverted", "pull:13")
    amended = "select certainty from changes where op = 'amends' and target_ref = 'pull:12'"
    assert all(certainty < 1 for (certainty,) in brain.db.execute(amended).fetchall())


def test_a_title_that_ends_with_again_brings_back_nothing_of_its_own(brain: Brain) -> None:
    index_records(brain, pull(12, "Oil the gears of the mill again"), pull(13, 'Revert "Oil the mill again"', day=1))
    assert brain.db.execute("select count(*) from links where relation = 'reapplies'").fetchone() == (0,)


def test_a_reason_behind_the_reverted_commit_is_why_it_was_taken_back(brain: Brain) -> None:
    why = "as it was incorrect in that it made the gears smell of whale, rather than of lime."
    text = f'Revert "Oil the gears with whale oil"\n\nThis reverts commit {MERGE} {why}'
    index_records(brain, OILED.model_copy(update={"links": (OILED_AS,)}), pull(13, text, day=1))
    (id_,) = brain.db.execute("select id from records where ref = 'pull:12'").fetchone()
    assert works(brain, [id_])[id_].why.endswith(why)


def test_of_two_that_are_called_the_same_the_one_that_stands_is_taken_back(brain: Brain) -> None:
    again = 'Revert "Oil the gears with whale oil"'
    first, second = pull(13, again, day=1), pull(15, again, day=3)
    index_records(brain, OILED, first, pull(14, OILED.title, day=2), second, pull(16, OILED.title, day=4))
    found = {ref: reverted_by(brain, f"Was PR #{ref[5:]} reverted?", ref) for ref in ("pull:12", "pull:14", "pull:16")}
    assert found == {"pull:12": "pull:13", "pull:14": "pull:15", "pull:16": ""}


def test_of_two_that_stand_and_are_called_the_same_none_is_taken_back(brain: Brain) -> None:
    second = pull(14, OILED.title, day=1)
    index_records(brain, OILED, second, pull(15, 'Revert "Oil the gears with whale oil"', day=3))
    assert reverted_by(brain, "Was PR #12 reverted?", "pull:12") == ""


@pytest.mark.parametrize(
    "title", ['Revert "Revert "Oil the gears with whale oil""', 'Reapply "Oil the gears with whale oil"']
)
def test_what_a_title_brings_back_stands(brain: Brain, title: str) -> None:
    reverted = pull(13, 'Revert "Oil the gears with whale oil"', day=1)
    index_records(brain, OILED, reverted, pull(14, title, day=2))
    assert reverted_by(brain, "Was PR #12 reverted?", "pull:12") == ""
    assert any("brought back PR #12" in one for one in statements(brain))


@pytest.mark.parametrize("commits", [1, 2])
def test_who_takes_back_the_one_commit_of_a_pull_request_takes_it_back(
    brain: Brain, tmp_path: Path, commits: int
) -> None:
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init", "--quiet", "-b", "main")
    git(root, "commit", "--quiet", "--allow-empty", "-m", "Start")
    git(root, "switch", "--quiet", "-c", "x")
    for number in range(commits):
        write(root, {f"gears{number}.txt": "oiled"})
        git(root, "add", ".")
        git(root, "commit", "--quiet", "-m", f"Oil gear {number}")
    merge(root, "x", 7, "Oil with whale oil")
    git(root, "revert", "--no-edit", "HEAD^2")
    by, _ = newest(root)
    index(brain, project_feeds(root, "demo"), source="demo", now=NOW)
    assert reverted_by(brain, "Was PR #7 reverted?", "pull:7") == (by if commits == 1 else "")


def test_the_last_of_several_commits_put_on_the_trunk_is_not_all_of_its_pull_request(brain: Brain) -> None:
    tip = record(f"commit:{MERGE[:12]}", "Oil the last gear", created_at=NOW)
    by = pull(13, f"No more whales\n\nThis reverts commit {MERGE}.", day=1)
    index_records(brain, OILED.model_copy(update={"links": (OILED_AS,)}), tip, by)
    assert reverted_by(brain, "Was PR #12 reverted?", "pull:12") == ""


def test_the_commits_that_were_reverted_are_listed_not_those_that_did_so(brain: Brain, tmp_path: Path) -> None:
    root = repository(tmp_path / "project", reverts=0)
    write(root, {"gears.txt": "dry"})
    git(root, "commit", "--quiet", "-a", "-m", "Dry the gears")
    dried, _ = newest(root)
    git(root, "revert", "--no-edit", "HEAD")
    index(brain, project_feeds(root, "demo"), source="demo", now=NOW)
    answer = ask(brain, "Which commits were reverted?", scope=Scope())
    assert [one.record.ref for one in answer.citations] == [dried]


def test_whoever_asks_whether_it_was_reverted_is_told_what_brought_it_back(brain: Brain) -> None:
    again = pull(15, "Oil once more\n\nUn-reverts #12.", day=2)
    index_records(brain, OILED, TAKEN_BACK.model_copy(update={"source": "demo", "body": "Reverts #12"}), again)
    answer = ask(brain, "Was #12 reverted?", scope=Scope())
    assert answer.citations[0].record.ref == "pull:12"
    assert "PR #15" in answer.answer


def intervals(brain: Brain, ref: str) -> list[tuple[str, str, str | None]]:
    asked = """select statement, valid_from, valid_until from facts f join records r on r.id = f.record_id
        where r.ref = ? and statement glob '*): *' order by valid_from"""
    return [
        (said.partition(" (")[2].partition(")")[0], since, until)
        for said, since, until in brain.db.execute(asked, (ref,))
    ]


def test_what_was_brought_back_was_true_until_its_revert_and_is_again_since(brain: Brain) -> None:
    index_records(brain, OILED, TAKEN_BACK)
    before = intervals(brain, "pull:12")
    assert before == [
        ("merged 2026-01-01, reverted by PR #13 on 2026-01-02", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
    ]
    index_records(brain, OILED, TAKEN_BACK, BROUGHT_BACK)
    since = "merged 2026-01-01, reverted by PR #13 on 2026-01-02, brought back by PR #15 on 2026-01-03"
    assert intervals(brain, "pull:12") == [*before, (since, "2026-01-03T00:00:00Z", None)]


def test_what_another_replaced_was_true_until_then(brain: Brain) -> None:
    newer = pull(20, "Oil the gears with rape oil", day=1)
    replacing = newer.model_copy(update={"links": (Link(relation="supersedes", to_ref="pull:12"),)})
    index_records(brain, OILED)
    assert intervals(brain, "pull:12") == [("merged 2026-01-01", "2026-01-01T00:00:00Z", None)]
    for newest_, until in ((replacing, "2026-01-02T00:00:00Z"), (newer, None)):
        index_records(brain, OILED, newest_)
        assert intervals(brain, "pull:12") == [("merged 2026-01-01", "2026-01-01T00:00:00Z", until)]


def test_between_its_revert_and_its_return_a_pull_request_is_told_as_reverted(brain: Brain) -> None:
    index_records(brain, OILED, TAKEN_BACK, BROUGHT_BACK)
    then = ask(brain, "Was #12 reverted?", scope=Scope(), as_of=NOW + timedelta(days=1, hours=1)).answer.splitlines()[0]
    assert "reverted by PR #13" in then
    assert "#15" not in then


def test_what_was_taken_back_in_part_is_told_with_it_and_whether_it_was_is_open(brain: Brain) -> None:
    def merged(number: int, body: str, *links: Link) -> Record:
        title = body.partition("\n")[0]
        return record(f"pull:{number}", body, title=title, state="merged", merged_at=NOW + timedelta(days=number),
                      links=(*links, *references(body)))  # fmt: skip

    commit = record("commit:0a1b2c3d4e5f", 'Revert "Paint the keel red" (#5)', title='Revert "Paint the keel red" (#5)',
                    links=(Link(relation="merges", to_ref="pull:5"),))  # fmt: skip
    index_records(
        brain,
        merged(2, "Count the barnacles\n\nBy hand."),
        merged(3, "Revert the barnacle count\n\nReverts #2, but keeps the tests."),
        merged(4, "Paint the keel red"),
        merged(5, 'Revert "Paint the keel red"\n\nReverts #4 on the starboard side only.'),
        merged(6, "Caulk the deck"),
        commit,
    )
    for number, by in ((2, 3), (4, 5)):
        answer = ask(brain, f"Was #{number} reverted?", scope=Scope())
        assert [one.record.ref for one in answer.citations] == [f"pull:{number}", f"pull:{by}"]
        assert answer.evidence == "moderate"
        assert not answer.citations[0].record.reverted_by


def test_a_commit_named_by_a_few_digits_is_the_one_that_begins_with_them(brain: Brain) -> None:
    done = record("commit:60ef759d0eb4", "Move the lock", author="ada", association="OWNER")
    other, back = (
        record("commit:77ef759d0eb4", "Oil it"),
        record("commit:1a2b3c4d5e6f", "Revert 60ef759: move the lock"),
    )
    index_records(brain, done, other, record(back.ref, back.title, links=references(back.body)))
    assert brain.db.execute("select to_ref from links where relation = 'reverts'").fetchall() == [(done.ref,)]
