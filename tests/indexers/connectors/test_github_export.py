from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.errors import BadInput
from cortex.indexers.connectors import Cursor, Item, github_export, github_rows
from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG
from cortex.substrate.model import Link, Record, Skipped

WEB = "https://github.com/ada/engine"
TIMES = {"created_at": "2024-01-01T10:00:00Z", "updated_at": "2024-01-02T10:00:00Z"}
ISSUE: dict[str, Any] = {
    "id": 1001,
    "number": 7,
    "html_url": f"{WEB}/issues/7",
    "title": "Gears slip",
    "body": "They do.",
    "state": "closed",
    "state_reason": "completed",
    "user": {"login": "ada"},
    "labels": [{"name": "bug"}, "urgent"],
    "assignees": [{"login": "bob"}],
    "milestone": {"title": "1.0"},
    "closed_by": {"login": "bob"},
    "author_association": "MEMBER",
    "closed_at": "2024-01-03T10:00:00Z",
    **TIMES,
}
PULL: dict[str, Any] = {
    "id": 1002,
    "number": 8,
    "html_url": f"{WEB}/pull/8",
    "title": "Mesh gears",
    "body": "Fixes #7",
    "state": "closed",
    "user": {"login": "bob"},
    "labels": [],
    "assignees": [],
    "merged_at": "2024-01-03T10:00:00Z",
    "merged_by": {"login": "ada"},
    "merge_commit_sha": "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
    **TIMES,
}
COMMENT: dict[str, Any] = {
    "id": 31,
    "issue_url": "https://api.github.com/repos/ada/engine/issues/7",
    "html_url": f"{WEB}/issues/7#issuecomment-31",
    "body": "Seen here too.",
    "user": {"login": "eve"},
    "author_association": "NONE",
    **TIMES,
}
REVIEW: dict[str, Any] = {
    "id": 32,
    "pull_request_url": "https://api.github.com/repos/ada/engine/pulls/8",
    "html_url": f"{WEB}/pull/8#pullrequestreview-32",
    "body": "Good.",
    "state": "APPROVED",
    "user": {"login": "ada"},
    "submitted_at": "2024-01-02T11:00:00Z",
}
REMARK: dict[str, Any] = {
    "id": 33,
    "pull_request_url": "https://api.github.com/repos/ada/engine/pulls/8",
    "html_url": f"{WEB}/pull/8#discussion_r33",
    "body": "Why 12?",
    "path": "src/gear.py",
    "line": 12,
    "start_line": 10,
    "in_reply_to_id": 30,
    "user": {"login": "ada"},
    **TIMES,
}


def write(folder: Path, name: str, *rows: object) -> None:
    texts = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / name).write_text("\n".join(texts) + "\n", encoding="utf-8", errors="surrogatepass")


def read(folder: Path) -> list[Item]:
    return list(github_export.read(folder, source="engine"))


def records(folder: Path) -> dict[str, Record]:
    return {item.ref: item for item in read(folder) if isinstance(item, Record)}


def skipped(folder: Path) -> list[tuple[str, str]]:
    return [(item.input, item.reason) for item in read(folder) if isinstance(item, Skipped)]


def cursor(folder: Path) -> Cursor:
    last = read(folder)[-1]
    assert isinstance(last, Cursor)
    return last


def test_an_issue_is_a_record_with_everything_github_says_of_it(tmp_path: Path) -> None:
    write(tmp_path, "issues.jsonl", ISSUE)
    assert records(tmp_path)["issue:7"] == Record(
        source="engine",
        type="issue",
        ref="issue:7",
        title="Gears slip",
        body="Gears slip\n\nThey do.",
        url=f"{WEB}/issues/7",
        author="ada",
        association="MEMBER",
        state="closed",
        labels=("bug", "urgent", "milestone: 1.0"),
        assignees=("bob",),
        closed_by="bob",
        created_at=datetime(2024, 1, 1, 10, tzinfo=UTC),
        updated_at=datetime(2024, 1, 2, 10, tzinfo=UTC),
        closed_at=datetime(2024, 1, 3, 10, tzinfo=UTC),
    )


def test_a_merged_pull_names_who_merged_it_and_as_what_and_an_open_one_no_test_merge(tmp_path: Path) -> None:
    write(tmp_path, "pulls.jsonl", PULL, PULL | {"number": 9, "state": "open", "merged_at": None})
    merged, open_ = records(tmp_path).values()
    assert (merged.state, merged.merged_by) == ("merged", "ada")
    assert merged.links == (Link(relation="merges", to_ref="commit:0a1b2c3d4e5f"),)
    assert (open_.state, open_.links) == ("open", ())


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        pytest.param({"state": "open", "closed_at": None}, "open", id="open"),
        pytest.param({"state_reason": None}, "closed", id="closed"),
        pytest.param({"state_reason": "not_planned"}, "closed as not planned", id="not planned"),
        pytest.param({"state_reason": "duplicate"}, "closed as duplicate", id="duplicate"),
        pytest.param({"state": "open", "state_reason": "reopened"}, "open", id="reopened"),
        pytest.param({"state": None}, "closed", id="no state but a closing date"),
    ],
)
def test_the_state_of_an_issue_says_why_it_was_closed(tmp_path: Path, changes: dict[str, Any], state: str) -> None:
    write(tmp_path, "issues.jsonl", ISSUE | changes)
    assert records(tmp_path)["issue:7"].state == state


def test_a_comment_stands_under_its_thread_and_has_its_title(tmp_path: Path) -> None:
    write(tmp_path, "a_comments.jsonl", COMMENT, REVIEW, REMARK)
    write(tmp_path, "issues.jsonl", ISSUE)
    write(tmp_path, "pulls.jsonl", PULL)
    found = records(tmp_path)
    assert (found["comment:7#31"].thread, found["comment:7#31"].title) == ("issue:7", "Gears slip")
    review = found["comment:8#32"]
    assert (review.thread, review.title, review.state) == ("pull:8", "Mesh gears", "approved")
    assert review.created_at == datetime(2024, 1, 2, 11, tzinfo=UTC)
    remark = found["comment:8#33"]
    assert (remark.path, remark.lines, remark.state) == ("src/gear.py", (10, 12), "")
    assert remark.links == (Link(relation="replies", to_ref="comment:8#30"),)


def test_a_comment_whose_thread_is_not_there_still_knows_what_it_was(tmp_path: Path) -> None:
    write(tmp_path, "comments.jsonl", COMMENT, REMARK)
    assert [record.thread for record in records(tmp_path).values()] == ["issue:7", "pull:8"]


@pytest.mark.parametrize("state", ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"])
def test_a_review_without_a_word_is_its_verdict(tmp_path: Path, state: str) -> None:
    write(tmp_path, "reviews.jsonl", REVIEW | {"body": "", "state": state}, REVIEW | {"id": 5, "state": state})
    found = records(tmp_path)
    bare = found["comment:8#32"]
    assert (bare.body, bare.title, bare.state) == (state, "Review of pull request #8", state.lower())
    assert (bare.author, bare.thread, skipped(tmp_path)) == ("ada", "pull:8", [])
    assert {link for one in found.values() for link in one.links} == {Link(relation="reviews", to_ref="pull:8")}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (REVIEW | {"body": " ", "state": "COMMENTED"}, github_rows.NO_VERDICT),
        (REVIEW | {"body": " ", "state": None}, github_rows.NO_VERDICT),
        (COMMENT | {"body": " "}, github_rows.BLANK),
    ],
    ids=["a review", "a review without a state", "a comment"],
)
def test_what_says_nothing_is_counted_and_loses_nothing(tmp_path: Path, row: object, reason: str) -> None:
    write(tmp_path, "comments.jsonl", row)
    assert skipped(tmp_path) == [("comments.jsonl:1", reason)]
    assert not cursor(tmp_path).lost


def test_a_deleted_account_is_ghost(tmp_path: Path) -> None:
    write(tmp_path, "issues.jsonl", ISSUE | {"user": None})
    assert records(tmp_path)["issue:7"].author == "ghost"
    assert skipped(tmp_path) == []


LISTED = PULL | {"pull_request": {"merged_at": PULL["merged_at"]}, "merged_at": None, "merged_by": None}


def test_a_pull_among_the_issues_is_a_pull(tmp_path: Path) -> None:
    write(tmp_path, "issues.jsonl", ISSUE, LISTED)
    pull = records(tmp_path)["pull:8"]
    assert (pull.state, pull.merged_at) == ("merged", datetime(2024, 1, 3, 10, tzinfo=UTC))


def test_a_pull_of_its_own_beats_the_same_number_among_the_issues(tmp_path: Path) -> None:
    write(tmp_path, "issues.jsonl", LISTED, ISSUE, ISSUE | {"number": 8})
    write(tmp_path, "pulls.jsonl", PULL)
    found = records(tmp_path)
    assert sorted(found) == ["issue:7", "pull:8"]
    assert found["pull:8"].merged_by == "ada"
    assert skipped(tmp_path) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(json.dumps([ISSUE, PULL]), id="one array"),
        pytest.param(json.dumps([[ISSUE], [PULL]], indent=2), id="an array of pages"),
        pytest.param(json.dumps([ISSUE]) + json.dumps([PULL]), id="pages one after the other"),
        pytest.param("\ufeff" + json.dumps([ISSUE, PULL]), id="with a byte order mark"),
        pytest.param(json.dumps(ISSUE) + "\n" + json.dumps(PULL), id="objects without an array"),
    ],
)
def test_arrays_read_as_lines_do(tmp_path: Path, text: str) -> None:
    (tmp_path / "all.json").write_text(text, encoding="utf-8")
    assert sorted(records(tmp_path)) == ["issue:7", "pull:8"]
    assert skipped(tmp_path) == []


def test_commits_of_both_shapes_become_commits_and_pulls_nobody_else_told_of(tmp_path: Path) -> None:
    flat = {
        "sha": "1" * 40,
        "author": "Ada",
        "date": "2024-01-01T10:00:00+02:00",
        "subject": "Oil gears (#9)",
        "body": "They squeak.",
        "files": ["src/gear.py"],
    }
    nested = {
        "sha": "2" * 40,
        "commit": {
            "author": {"name": "Bob", "date": "2024-01-01T10:00:00Z"},
            "committer": {"name": "GitHub", "date": "2024-01-02T10:00:00Z"},
            "message": "Mesh gears (#8)\n\nFixes #7",
        },
        "parents": [{"sha": "1" * 40}],
    }
    write(tmp_path, "pulls.jsonl", PULL)
    write(tmp_path, "commits.jsonl", nested, flat)
    found = records(tmp_path)
    assert sorted(found) == ["commit:111111111111", "commit:222222222222", "pull:8", "pull:9"]
    assert found["pull:8"].merged_by == "ada"
    assert found["commit:111111111111"].created_at == datetime(2024, 1, 1, 8, tzinfo=UTC)
    assert found["commit:111111111111"].body == "Oil gears (#9)\n\nThey squeak."
    assert found["commit:111111111111"].links == (
        Link(relation="merges", to_ref="pull:9"),
        Link(relation="touches", to_ref="file:src/gear.py"),
    )
    assert found["commit:222222222222"].url == f"{WEB}/commit/{'2' * 40}"


def test_a_number_that_is_an_issue_makes_no_pull_of_a_commit(tmp_path: Path) -> None:
    write(tmp_path, "issues.jsonl", ISSUE)
    write(tmp_path, "commits.jsonl", {"sha": "1" * 40, "message": "Tighten bolts (#7)"})
    found = records(tmp_path)
    assert sorted(found) == ["commit:111111111111", "issue:7"]
    assert found["commit:111111111111"].links == ()


BROKEN_LINES = {
    "broken JSON": ('{"number": 9, "title": ', "broken JSON"),
    "not an object": ("[1, 2]", "not a JSON object"),
    "nested too deeply": ("[" * 200_000, "nested too deeply"),
    "an endless integer": ('{"number": ' + "9" * 5000 + "}", "broken JSON"),
    "no number": (ISSUE | {"number": None}, "no number"),
    "a negative number": (ISSUE | {"number": -7}, "no number"),
    "a comment without id": (COMMENT | {"id": None, "html_url": ""}, "no id"),
    "a comment without thread": (COMMENT | {"issue_url": None, "html_url": ""}, "no thread number"),
    "a comment without body": (COMMENT | {"body": None}, "no body"),
    "a long body": (ISSUE | {"number": 9, "body": "x" * (BODY_LIMIT + 1)}, BODY_TOO_LONG),
    "something else": ({"name": "Ada"}, github_export.UNKNOWN),
    "a milestone": ({"title": "1.0", "number": 1, "open_issues": 3}, github_export.UNKNOWN),
    "a commit without id": ({"sha": "HEAD", "message": "x"}, "no commit id"),
}


@pytest.mark.parametrize(("row", "reason"), BROKEN_LINES.values(), ids=BROKEN_LINES.keys())
def test_a_row_that_gives_no_record_costs_one_named_line(tmp_path: Path, row: object, reason: str) -> None:
    write(tmp_path, "issues.jsonl", ISSUE, row, PULL)
    assert sorted(records(tmp_path)) == ["issue:7", "pull:8"]
    assert skipped(tmp_path) == [("issues.jsonl:2", reason)]
    assert cursor(tmp_path).lost


MISSING = object()
MENDED = {
    "a date that is none": ({"created_at": "yesterday"}, "created_at is no date"),
    "a date out of range": ({"created_at": "0001-01-01T00:00:00+14:00"}, "created_at is no date"),
    "a date that is a number": ({"closed_at": 1700000000}, "closed_at is no date"),
    "a title that is a number": ({"title": 12}, "title is not text"),
    "labels that are null": ({"labels": None}, "labels is not a list"),
    "labels without names": ({"labels": [{"name": None}, "bug"]}, "labels holds what has no name"),
    "fields that are missing": ({"title": MISSING, "state": MISSING, "user": MISSING}, "no title, state, user"),
    "a user that is a list": ({"user": ["ada"]}, "user is nobody"),
}


@pytest.mark.parametrize(("changes", "reason"), MENDED.values(), ids=MENDED.keys())
@pytest.mark.parametrize("as_array", [False, True], ids=["line", "array"])
def test_a_field_that_is_wrong_is_named_and_its_record_kept(
    tmp_path: Path, changes: dict[str, Any], reason: str, *, as_array: bool
) -> None:
    row = {name: value for name, value in (ISSUE | changes).items() if value is not MISSING}
    write(tmp_path, "issues.json" if as_array else "issues.jsonl", [row] if as_array else row)
    assert list(records(tmp_path)) == ["issue:7"]
    assert [why for _, why in skipped(tmp_path)] == [reason]
    assert not cursor(tmp_path).lost


def test_what_cannot_be_stored_is_replaced_in_place(tmp_path: Path) -> None:
    (tmp_path / "issues.jsonl").write_bytes(
        b'{"number": 7, "state": "open", "created_at": null, "title": "caf\xe9 \\ud800 \\u0000", "user": null}\n'
    )
    assert records(tmp_path)["issue:7"].title == "caf� � �"
    assert skipped(tmp_path) == []


NEWER = ISSUE | {"title": "Newer", "updated_at": "2025-01-01T00:00:00Z"}


@pytest.mark.parametrize(
    ("rows", "title", "said"),
    [
        ([ISSUE, NEWER], "Newer", [("1", github_export.OLDER)]),
        ([NEWER, ISSUE], "Newer", [("2", github_export.OLDER)]),
        ([NEWER, ISSUE, NEWER], "Newer", [("1", github_export.DUPLICATE), ("2", github_export.OLDER)]),
        ([ISSUE, ISSUE | {"title": "Later"}], "Later", [("1", github_export.OLDER)]),
        ([ISSUE, ISSUE], "Gears slip", [("1", github_export.DUPLICATE)]),
        ([ISSUE | {"updated_at": None}, ISSUE, ISSUE | {"updated_at": None}], "Gears slip",
         [("1", github_export.OLDER), ("3", github_export.OLDER)]),
    ],
    ids=["newer last", "newer first", "three", "as old", "the same", "without a date"],
)  # fmt: skip
def test_of_rows_with_one_ref_the_last_changed_stands(
    tmp_path: Path, rows: list[object], title: str, said: list[tuple[str, str]]
) -> None:
    write(tmp_path, "issues.jsonl", *rows)
    write(tmp_path, "comments.jsonl", COMMENT)
    found = records(tmp_path)
    assert (found["issue:7"].title, found["comment:7#31"].title) == (title, title)
    assert skipped(tmp_path) == [(f"issues.jsonl:{line}", reason) for line, reason in said]
    assert not cursor(tmp_path).lost


def test_rows_with_one_ref_may_stand_in_two_files(tmp_path: Path) -> None:
    write(tmp_path, "issues-1.jsonl", NEWER)
    write(tmp_path, "issues-2.jsonl", ISSUE)
    write(tmp_path, "comments-1.jsonl", COMMENT | {"body": "Edited.", "updated_at": "2025-01-01T00:00:00Z"})
    write(tmp_path, "comments-2.jsonl", COMMENT)
    assert [one.body.partition("\n")[0] for one in records(tmp_path).values()] == ["Newer", "Edited."]


def _directory(path: Path) -> None:
    path.mkdir()


def _way_out(path: Path) -> None:
    outside = path.parent.parent / "outside.jsonl"
    outside.write_text(json.dumps(COMMENT))
    path.symlink_to(outside)


def _dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere.jsonl")


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a directory": (_directory, "not a file"),
    "a symlink out of the folder": (_way_out, "symlink out of the folder"),
    "a symlink to nothing": (_dangling, "not a file"),
    "an empty file": (lambda path: path.write_bytes(b""), "empty file"),
    "a foreign file": (lambda path: path.write_text('{"name": "x"}'), "every row of it named"),
    "UTF-16": (lambda path: path.write_text("[]", encoding="utf-16"), "UTF-16 where UTF-8 is expected"),
}


@pytest.mark.parametrize(("make", "reason"), FILES.values(), ids=FILES.keys())
def test_a_file_that_cannot_be_read_costs_one_named_line(
    tmp_path: Path, make: Callable[[Path], object], reason: str
) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    write(folder, "issues.jsonl", ISSUE)
    make(folder / "comments.jsonl")
    assert list(records(folder)) == ["issue:7"]
    assert len(skipped(folder)) == 1
    where, why = skipped(folder)[0]
    assert where.startswith("comments.jsonl")
    assert why == reason.replace("every row of it named", github_export.UNKNOWN)


def test_a_file_of_something_else_is_named_once_and_costs_no_completeness(tmp_path: Path) -> None:
    write(tmp_path, "issues.jsonl", ISSUE)
    write(tmp_path, "questions.jsonl", *({"id": n, "question": "Why?"} for n in range(50)))
    assert skipped(tmp_path) == [("questions.jsonl", github_export.FOREIGN)]
    assert cursor(tmp_path) == Cursor(value="issue", complete=True)


@pytest.mark.parametrize("name", ["issues.jsonl", "issues.json"])
def test_a_body_of_40_mb_is_stepped_over(tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("w") as file:
        file.write(json.dumps(ISSUE) + '\n{"number": 9, "title": "Huge \\" {", "body": "')
        file.writelines("x" * 1_000_000 + '\\"' for _ in range(40))
        file.write('"}\n' + json.dumps(PULL) + "\n")
    assert sorted(records(tmp_path)) == ["issue:7", "pull:8"]
    assert skipped(tmp_path) == [(f"{name}:2", "longer than 8 MB")]


def test_a_broken_object_in_an_array_costs_what_follows_and_is_named(tmp_path: Path) -> None:
    broken = '{"number": 9 "title": "no comma }", "labels": [{"name": "x"}]}'
    (tmp_path / "issues.json").write_text(f"[{json.dumps(ISSUE)}, {broken}, {json.dumps(PULL)}]")
    assert sorted(records(tmp_path)) == ["issue:7"]
    assert skipped(tmp_path) == [("issues.json:2", "broken JSON")]


@pytest.mark.parametrize("name", ["missing", "empty", "foreign"])
def test_a_folder_that_is_no_export_is_an_error(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    if name != "missing":
        folder.mkdir()
    if name == "foreign":
        write(folder, "package.json", {"name": "x"})
    with pytest.raises(BadInput):
        read(folder)


@pytest.mark.parametrize(
    ("row", "name"),
    [
        pytest.param(ISSUE, "ada/engine", id="by the address"),
        pytest.param({"number": 1, "title": "x", "repo": "bob/gear"}, "bob/gear", id="by the repo field"),
        pytest.param({"number": 1, "title": "x"}, None, id="not told"),
    ],
)
def test_the_source_is_named_by_the_first_row_that_tells_it(tmp_path: Path, row: object, name: str | None) -> None:
    write(tmp_path, "issues.jsonl", "not JSON", row)
    assert github_export.source_name(tmp_path) == name


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KNOWN = sorted({*ISSUE, *PULL, *COMMENT, *REVIEW, *REMARK, "sha", "commit", "message", "parents", "files", "line"})


@given(
    base=st.sampled_from([ISSUE, PULL, LISTED, COMMENT, REVIEW, REMARK, {"sha": "1" * 40}]),
    changes=st.dictionaries(st.sampled_from(KNOWN), JSON),
)
def test_whatever_the_fields_hold_nothing_is_raised(
    tmp_path_factory: pytest.TempPathFactory, base: dict[str, Any], changes: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("export")
    write(folder, "issues.jsonl", json.dumps(base | changes))
    write(folder, "issues.json", json.dumps([base | changes]))
    assert isinstance(read(folder)[-1], Cursor)


@given(st.binary(max_size=200) | st.text('[]{}",:\\ \n1tx', max_size=60).map(str.encode))
def test_whatever_the_bytes_nothing_is_raised(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("export")
    (folder / "issues.jsonl").write_bytes(content)
    (folder / "comments.json").write_bytes(content)
    assert isinstance(read(folder)[-1], Cursor)


def test_a_row_that_has_nothing_but_a_number_is_what_its_file_holds_and_is_named(tmp_path: Path) -> None:
    write(tmp_path, "pulls.json", [{"number": 4}])
    assert list(records(tmp_path)) == ["pull:4"]
    assert skipped(tmp_path) == [("pulls.json:1", "no title, state, created_at, user")]


def test_a_body_that_is_null_is_an_empty_one_and_not_counted(tmp_path: Path) -> None:
    write(tmp_path, "issues.jsonl", ISSUE | {"body": None})
    assert records(tmp_path)["issue:7"].body == "Gears slip"
    assert skipped(tmp_path) == []


def test_what_is_packed_or_in_a_folder_is_named_and_other_endings_are_read(tmp_path: Path) -> None:
    write(tmp_path, "issues.ndjson", ISSUE)
    write(tmp_path, "PULLS.JSON", [PULL])
    (tmp_path / "comments.jsonl.gz").write_bytes(b"\x1f\x8b")
    for folder in ("older", "docs", "empty"):
        (tmp_path / folder).mkdir()
    write(tmp_path / "older", "issues.jsonl", ISSUE)
    assert sorted(records(tmp_path)) == ["issue:7", "pull:8"]
    assert skipped(tmp_path) == [("comments.jsonl.gz", github_export.PACKED), ("older/", github_export.INSIDE)]
    assert not cursor(tmp_path).lost
