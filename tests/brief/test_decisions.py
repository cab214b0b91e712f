"""What was decided, whether it stands, and who owns what."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.brief.decisions import Wanted, decisions
from cortex.brief.owners import owners
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record, Scope
from cortex.substrate.owners import matches
from cortex.substrate.standing import Stood
from cortex.substrate.work import works
from tests.brains import WHY, index_records, record
from tests.tables import walk

EARLY, MIDDLE, LATE = (datetime(year, 6, 1, tzinfo=UTC) for year in (2024, 2025, 2026))
NOW = datetime(2026, 9, 20, tzinfo=UTC)
MEMORY = "doc:docs/adr/0004-memory.md"


def decided(
    brain: Brain, topic: str = "", *paths: str, state: Wanted = "active", at: datetime = NOW, limit: int = 50
) -> tuple[Stood, ...]:
    return decisions(brain, topic, paths, state=state, limit=limit, scope=Scope(), at=at).decisions


def pull(number: int, title: str, day: datetime, *links: Link, state: str = "merged") -> Record:
    merged = day if state == "merged" else None
    closed = day if state == "closed" else None
    return record(f"pull:{number}", title, state=state, created_at=day, merged_at=merged, closed_at=closed, links=links)


@pytest.fixture
def storage(brain: Brain) -> Brain:
    index_records(
        brain,
        pull(1, f"Use flat files\n\n{WHY}", EARLY),
        pull(2, f"Use SQLite\n\n{WHY}", LATE, Link(relation="supersedes", to_ref="pull:1")),
        record("outcome:cloud", "Keep facts in the cloud\n\nToo slow.", state="rejected", created_at=MIDDLE),
        record(MEMORY, "Keep facts in memory", path=MEMORY[4:], state="proposed", created_at=LATE),
        pull(4, "Add a command that lists facts", LATE),
    )
    return brain


@pytest.mark.parametrize(
    ("state", "refs"),
    [
        ("active", ["pull:2"]),
        ("superseded", ["pull:1"]),
        ("rejected", ["outcome:cloud"]),
        ("proposed", [MEMORY]),
        ("all", [MEMORY, "pull:2", "outcome:cloud", "pull:1"]),
    ],
)
def test_decisions_are_listed_by_how_they_stand(storage: Brain, state: Wanted, refs: list[str]) -> None:
    assert [one.ref for one in decided(storage, state=state)] == refs


def test_a_superseded_decision_says_by_what_and_when(storage: Brain) -> None:
    (old,) = decided(storage, state="superseded")
    assert (old.replaced_by, old.until) == ("pull:2", LATE)


@pytest.mark.parametrize(
    ("at", "active"), [(EARLY, ["pull:1"]), (MIDDLE, ["pull:1"]), (LATE, ["pull:2"])], ids=["2024", "2025", "2026"]
)
def test_as_of_a_day_what_stood_then_stands(storage: Brain, at: datetime, active: list[str]) -> None:
    assert [one.ref for one in decided(storage, at=at)] == active


def test_what_was_decided_later_is_not_listed_as_of_before(storage: Brain) -> None:
    assert [one.ref for one in decided(storage, state="all", at=EARLY)] == ["pull:1"]


def test_a_decisions_file_is_listed_with_what_replaced_it(demo: Brain) -> None:
    gone = {one.handle: one.replaced_by for one in decided(demo, state="superseded")}
    assert gone["doc:docs/decisions/0002-electron-shell.md"] == "doc:docs/decisions/0006-tauri-shell.md"
    before = decided(demo, "electron desktop shell", at=datetime(2025, 3, 1, tzinfo=UTC))
    assert before[0].handle == "doc:docs/decisions/0002-electron-shell.md"


def test_a_decision_that_tells_no_day_is_of_the_day_it_was_committed(brain: Brain) -> None:
    old, new = "docs/adr/0001-kiln.md", "docs/adr/0002-oven.md"
    made, moved = (
        tuple(Link(relation="touches", to_ref=f"file:{one}") for one in ones) for ones in ([old], [old, new])
    )
    newer = (Link(relation="supersedes", to_ref=f"doc:{old}"),)
    index_records(
        brain,
        record(f"doc:{old}", "Glaze in the kiln", path=old, state="superseded"),
        record(f"doc:{new}", "Glaze in the oven", path=new, state="accepted", links=newer),
        record("commit:0a1b2c3d4e5f", "Kiln", created_at=EARLY, links=made),
        record("commit:1a1b2c3d4e5f", "Oven", created_at=LATE, links=moved),
    )
    files = [(one.ref, one.since, one.state) for one in decided(brain, "glaze", at=MIDDLE, state="all")]
    assert files == [(f"doc:{old}", EARLY, "active")]
    assert decided(brain, "glaze", at=datetime(2023, 1, 1, tzinfo=UTC), state="all") == ()


def test_a_topic_lists_what_bears_on_it_first(demo: Brain) -> None:
    assert "branch picker" in decided(demo, "native branch picker", state="all")[0].statement


def test_a_topic_lists_what_was_done_or_turned_down_beside_what_was_decided(storage: Brain) -> None:
    index_records(
        storage,
        pull(5, "Remove the glaze of kilns", LATE),
        pull(6, "Add a second glaze of kilns", LATE, state="closed"),
        pull(7, "docs: tell of the glaze of kilns", LATE),
        record("issue:8", "One glaze of kilns or two?", state="closed", created_at=EARLY, closed_at=LATE),
        record("issue:9", "A third glaze of kilns", state="open", created_at=LATE),
    )
    found = decided(storage, "glaze of kilns", state="all")
    assert {(one.ref, one.kind, one.state) for one in found} == {
        ("pull:5", "change", "active"),
        ("pull:6", "change", "rejected"),
        ("pull:7", "change", "active"),
        ("issue:8", "change", "active"),
    }


PARSES = f"Replace the parser\n\n{WHY}"


def test_a_path_lists_what_was_decided_of_it(brain: Brain) -> None:
    commit = record(
        "commit:0a1b2c3d4e5f", PARSES, created_at=EARLY, author="ada",
        links=(Link(relation="touches", to_ref="file:src/parse.py"), Link(relation="merges", to_ref="pull:7")),
    )  # fmt: skip
    index_records(brain, commit, pull(7, PARSES, EARLY), pull(8, "Print faster", EARLY))
    assert [one.ref for one in decided(brain, "", "src/parse.py")] == ["pull:7"]
    assert [one.ref for one in decided(brain, "", "src")] == ["pull:7"]
    assert decided(brain, "", "sr") == ()


def test_no_more_than_asked_for_and_said_that_there_are(demo: Brain) -> None:
    found = decisions(demo, "", (), state="all", limit=3, scope=Scope(), at=NOW)
    assert (len(found.decisions), found.more) == (3, True)


@walk(
    ("pattern", "path", "owned"),
    [
        ("*", "a/b/c.py", True),
        ("*.py", "a/b/c.py", True),
        ("/*.py", "a/c.py", False),
        ("/src/", "src/a/b.py", True),
        ("/src/", "lib/src/b.py", False),
        ("src/", "lib/src/b.py", True),
        ("docs/*", "docs/a.md", True),
        ("docs/*", "docs/a/b.md", False),
        ("**/logs", "a/b/logs/c.txt", True),
        ("/a/**/z", "a/z", True),
        ("/a/**/z", "a/b/c/z", True),
        ("/src/a.py", "src/a.py.orig", False),
        ("/a[1].py", "a[1].py", True),
    ],
)
def test_a_pattern_speaks_of_a_path_as_on_github(pattern: str, path: str, *, owned: bool) -> None:
    assert matches(pattern, path) is owned


def test_of_codeowners_the_last_line_that_matches_counts(demo: Brain) -> None:
    found = owners(demo, "packages/app/settings/registry/list.ts", scope=Scope(sources=("o8-labs/o8",)), now=NOW)
    assert [(one.who, one.of) for one in found.owners] == [(("lunamdev",), "/packages/app/settings/registry/")]


def test_a_path_nobody_owns_names_who_worked_on_it(brain: Brain) -> None:
    touched = Link(relation="touches", to_ref="file:src/parse.py")
    index_records(
        brain,
        record("commit:000000000001", "One", created_at=EARLY, author="ada", links=(touched,)),
        record("commit:000000000002", "Two", created_at=LATE, author="ada", links=(touched,)),
        record("commit:000000000003", "Three", created_at=MIDDLE, author="bob", links=(touched,)),
    )
    found = owners(brain, "src/parse.py", scope=Scope(), now=NOW)
    assert [(one.who, one.changes, one.ref) for one in found.workers] == [
        ("ada", 2, "commit:000000000002"), ("bob", 1, "commit:000000000003"),
    ]  # fmt: skip


def test_a_topic_is_owned_by_whom_the_facts_name(demo: Brain) -> None:
    found = owners(demo, "eval harness", scope=Scope(), now=NOW)
    assert "pravnkilde" in found.facts[0].statement


def test_what_mended_something_on_a_topic_is_listed_last(brain: Brain) -> None:
    merged = {"state": "merged", "created_at": NOW, "merged_at": NOW}
    index_records(
        brain,
        record("pull:9", "Fix the crash of the lease clock", **merged),
        record("pull:8", "Use another clock for the leases of the gateway", **merged),
    )
    found = decisions(brain, "lease clock", (), state="all", limit=9, scope=Scope(), at=NOW).decisions
    assert [one.ref for one in found] == ["pull:8", "pull:9"]
    assert decisions(brain, "", (), state="all", limit=9, scope=Scope(), at=NOW).decisions == ()


def test_whoever_owns_everything_owns_it_in_their_own_repository(demo: Brain) -> None:
    found = owners(demo, "packages/orchestrator/src/x.ts", scope=Scope(), now=NOW)
    assert {one.source for one in found.owners} == {"o8-labs/o8"}
    assert found.among == 2
    other = owners(demo, "docs/of/nobody.md", scope=Scope(sources=("o8-labs/o8-runner",)), now=NOW)
    assert {one.source for one in other.owners} == {"o8-labs/o8-runner"}


def test_what_a_document_said_of_a_decision_was_true_until_another_replaced_it(brain: Brain) -> None:
    told = "## Decision\n\nEvery ferry must blow its horn twice."
    given = {"path": "docs/adr/0001.md", "created_at": EARLY}

    def older(state: str) -> tuple[Record, ...]:
        return (
            record("doc:docs/adr/0001.md", "# 1. Horns", title="1. Horns", state=state, **given),
            record("doc:docs/adr/0001.md#decision", told, title="1. Horns › Decision", state=state, **given),
        )

    newer = record(
        "doc:docs/adr/0002.md", "# 2. Lights", title="2. Lights", state="accepted", path="docs/adr/0002.md",
        created_at=MIDDLE, links=(Link(relation="supersedes", to_ref="doc:docs/adr/0001.md"),),
    )  # fmt: skip
    ends = (
        "select valid_until from facts f join records r on r.id = f.record_id where r.ref glob 'doc:docs/adr/0001.md#*'"
    )
    for records, until in (
        (older("accepted"), None),
        ((*older("superseded"), newer), "2025-06-01T00:00:00Z"),
        (older("accepted"), None),
    ):
        index_records(brain, *records)
        assert brain.db.execute(ends).fetchall() == [(until,)]


def test_that_a_thread_is_another_one_is_no_decision(brain: Brain) -> None:
    said = {"author": "ada", "association": "MEMBER", "thread": "issue:8", "created_at": MIDDLE}
    index_records(
        brain,
        record("issue:7", "The brass valve sticks", state="open", created_at=EARLY),
        record("issue:8", "The valve sticks again", state="closed", created_at=MIDDLE, closed_at=MIDDLE),
        record("comment:8#81", "Duplicate of #7.", **said),
    )
    assert all(one.type != "comment" for one in decided(brain))


def test_a_commit_is_told_by_the_pull_request_of_its_title(brain: Brain) -> None:
    undone = 'Revert "Store facts in SQLite"'
    came = Link(relation="came_with", to_ref="commit:0a1b2c3d4e5f")
    index_records(
        brain,
        record("commit:9a2b3c4d5e6f", "Store facts in SQLite", created_at=EARLY),
        record("commit:1a2b3c4d5e6f", f"{undone}\n\nThis reverts commit 9a2b3c4d5e6f.", created_at=LATE, links=(came,)),
        pull(7, undone, LATE),
    )
    told = [one.ref for one in decided(brain, "store facts in SQLite", state="all")]
    assert "pull:7" in told
    assert "commit:1a2b3c4d5e6f" not in told


def test_a_topic_of_which_no_work_says_enough_has_no_decision(storage: Brain) -> None:
    assert [one.ref for one in decided(storage, "a command that lists facts", state="all")] == ["pull:4"]
    assert decided(storage, "a quarterly sales forecast that lists the northern regions by revenue", state="all") == ()


def test_a_commit_that_alone_says_why_stands_for_its_pull_request(brain: Brain) -> None:
    title = "Store facts in SQLite"
    index_records(brain, pull(7, title, LATE), record("commit:9a2b3c4d5e6f", f"{title}\n\n{WHY}", created_at=LATE))
    (told,) = decided(brain, title, state="all")
    assert (told.ref, told.excerpt) == ("commit:9a2b3c4d5e6f", WHY)
    (work,) = works(brain, brain.db.execute("select id from records where type = 'pull'").fetchone()).values()
    assert work.why == ""  # no link says that it is of this work
    index_records(brain, pull(7, title, LATE, Link(relation="merges", to_ref="commit:9a2b3c4d5e6f")))
    (work,) = works(brain, brain.db.execute("select id from records where type = 'pull'").fetchone()).values()
    assert work.why == WHY
