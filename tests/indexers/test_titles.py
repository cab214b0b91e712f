"""A title that says that something was changed, and not what, is no fact; its record is found all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex.composer.search import search
from cortex.indexers.kinds import is_vague, says_nothing
from cortex.substrate.model import Scope
from tests.brains import NOW, index_records, open_new, record, statements
from tests.tables import walk

NOTHING = [
    "Fix typo", "fixed some typos in comments.", "Fix typos in section 3.2", "typo in the error text", "docs: typo",
    "Minor editorial fixes", "More wordsmithing", "nits", "Nits in s2.1", "editorial improvements to the overview",
    "[~] format fix", "Remove trailing whitespace", "whitespace...", "Update README.md",
    "Update draft-ada-parser.md", "changelog: update", "Clean up", "cleanups", "WIP", "Checkpoint", "more", ".",
    "X, Y", "Fixes #12", "fix #12, #13", "Address review comments", "Address Ada's comments",
    "Addressing Ada's editorial comments", "Comments by Ada", "comments from @ada and @bob", "MT's nits",
    "nits by ada", "Respond to @ada comments", "Apply suggestions from code review",
    "Minor comments from Ada Lovelace", "Merge branch 'main' into fix-parser",
    "Merge pull request #12 from ada/parser", "Merge remote-tracking branch 'origin/main'",
    "Merge 0a1b2c3d4e5f into 5f4e3d2c1b0a", "Initial commit", "Fix build", "Add Ada Lovelace to contributors",
    "add @bob to the acknowledgements section", "Change of affiliation", "Fix merge conflict",
    "Weekly Digest (8 December, 2019 - 15 December, 2019)", "Meeting notes, June 3", "changelog: Add entry for #12",
    "Addressed most of the changes requested by @ada", "Wrap to 80 characters.", "Fix Jon's email", 'remove "sent"',
    "Add Ada Lovelace to contributors for her text on leases",
    "Add tests",
]  # fmt: skip

SOMETHING = [
    "Fix the parser", "Fix the build on Windows", "Explain the license to contributors", "Fix UI", "Fix C++ build",
    "Detect typos in the configuration", "Fix typo that broke the parser", "Fix typo and bound the queue",
    "Handle whitespace in names", "Merge idle timeout and keep alive", "Remove compression",
    "Merge all benchmarks into one binary", "Update the key schedule", "Update OpenSSL to 3.2",
    "Clarify the key schedule", "Comments may be nested", "Require reviews", "Say who reviews releases",
    "doc: say why the queue is bounded", "secp256k1_context_randomize: document", "-1 is no error", "CRLF", "AEAD",
    "修正", "Fehler im Zerteiler", "v2: drop Python 3.10", "Release 1.2.0", "Bump the version to 1.3",
    'Revert "Fix typo"',
]  # fmt: skip


@walk("title", NOTHING)
def test_a_title_that_says_nothing_is_known(title: str) -> None:
    assert says_nothing(title, "ada")


@walk("title", SOMETHING)
def test_a_title_that_says_something_is_kept(title: str) -> None:
    assert not says_nothing(title, "ada")


@walk(
    "title",
    [
        "Clarify session keys",
        "doc: improve release process",
        "Progress on padding",
        "Edits",
        "Clean up `lease_s`",
        "Automatic update of .github/pages.yml",
    ],
)
def test_a_commit_that_names_what_it_bettered_and_not_how_is_vague(title: str) -> None:
    assert is_vague(title)


@walk(
    "title",
    ["Forbid key reuse", "Clarify that a retry is mandatory", "Refactor to remove a local var", "Update OpenSSL to 3.2",
     "Rename INIT -> HELLO", "Refuse a second lease of one job", ""],
)  # fmt: skip
def test_a_commit_that_says_what_it_changed_is_not_vague(title: str) -> None:
    assert not is_vague(title)


@walk(
    ("title", "author", "nothing"),
    [
        ("Bump actions/checkout from 3 to 4", "dependabot[bot]", True),
        ("chore(deps): update dependency vite to v6", "renovate[bot]", True),
        ("Bump actions/checkout from 3 to 4", "ada", False),
        ("Read in WAL mode", "copilot-swe-agent[bot]", False),
    ],
)
def test_what_keeps_dependencies_up_to_date_says_nothing(title: str, author: str, nothing: bool) -> None:  # noqa: FBT001
    assert says_nothing(title, author) is nothing


@pytest.mark.parametrize("ref", ["pull:9", "issue:9", "commit:0a1b2c3d4e5f"])
@pytest.mark.parametrize(
    "title", ["Fix typos", "Bump tox from 3.1 to 4.0", "deps: bump to tox 4.0", "Editorials", "Merge main into stable"]
)
def test_of_a_trifle_there_is_no_fact_and_its_record_is_found(ref: str, title: str, tmp_path: Path) -> None:
    merged = {"merged_at": NOW, "merged_by": "bob"} if ref == "pull:9" else {}
    with open_new(tmp_path / "brain.db") as brain:
        one = record(ref, f"{title}\n\nThe zebra stood in the glossary.", author="ada", state="merged", **merged)
        index_records(brain, one)
        assert statements(brain, ref=ref) == []
        found = search(brain, "zebra in the glossary", scope=Scope(), limit=5)
    assert [hit.record.ref for hit in found] == [ref]


def test_of_a_vague_pull_request_only_who_and_when_is_told(tmp_path: Path) -> None:
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, record("pull:9", "Clarify the glossary", author="ada", merged_at=NOW, merged_by="bob"))
        assert statements(brain) == ['PR #9 "Clarify the glossary" (merged 2026-01-01 by bob, written by ada)']
