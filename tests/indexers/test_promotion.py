"""Structured records become facts by SQL: what they state, where it stands, and how it changes with its record."""

from __future__ import annotations

from datetime import datetime

import pytest

from cortex.indexers.connectors.commits import subject
from cortex.indexers.promotion import listed, pending_promotion, promote
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record
from tests.brains import WHY, index_demo, index_records, record, statements
from tests.tables import walk


def day(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}T12:00:00+00:00")


MERGED = record(
    "pull:9", "Read in WAL mode\n\nFixes #5", author="bob", state="merged", merged_by="ada", merged_at=day("2025-03-02")
)
LOCKED = record("issue:5", "Locked on start", author="eve", state="open", created_at=day("2025-02-01"))

STATED = {
    "merged by another": (MERGED, "PR #9 (merged 2025-03-02 by ada, written by bob): Read in WAL mode"),
    "merged by its author": (
        record("pull:9", "Read", author="ada", state="merged", merged_by="ada", merged_at=day("2025-03-02")),
        "PR #9 (written and merged 2025-03-02 by ada): Read",
    ),
    "merged, nobody knows by whom": (
        record("pull:9", "Read", author="ada", state="merged", merged_at=day("2025-03-02")),
        "PR #9 (merged 2025-03-02, written by ada): Read",
    ),
    "merged, nobody knows when": (record("pull:9", "Read", state="merged"), "PR #9 (merged): Read"),
    "open pull": (
        record("pull:9", "Read", author="b", state="open", created_at=day("2025-03-01"), labels=("a", "milestone: 1")),
        "PR #9 (open since 2025-03-01, written by b, labelled a, in milestone 1): Read",
    ),
    "closed pull": (
        record("pull:9", "Read", author="bob", state="closed", closed_at=day("2025-03-01"), closed_by="ada"),
        "PR #9 (closed unmerged 2025-03-01 by ada, written by bob): Read",
    ),
    "open issue": (LOCKED, "Issue #5 (open since 2025-02-01, reported by eve): Locked on start"),
    "closed issue": (
        record("issue:5", "Locked", state="closed", closed_at=day("2025-03-01"), closed_by="ada", labels=("bug", "ui")),
        "Issue #5 (closed 2025-03-01 by ada, labelled bug, ui): Locked",
    ),
    "issue nobody will do": (
        record("issue:5", "Locked", author="eve", state="closed as not planned", closed_at=day("2025-03-01")),
        "Issue #5 (closed as not planned on 2025-03-01, reported by eve): Locked",
    ),
    "issue without anything": (record("issue:5", " Locked "), "Issue #5 (state unknown): Locked"),
    "outcome": (
        record(
            "outcome:empty-state",
            "Empty state\n\nThe copy is unclear.",
            state="flagged",
            author="ada",
            created_at=day("2025-04-01"),
            links=(Link(relation="mentions", to_ref="pull:9"),),
        ),
        'Outcome empty-state: "Empty state" was flagged on 2025-04-01 (PR #9), noted by ada: The copy is unclear.',
    ),
    "outcome without a note": (record("outcome:x", "X", state="shipped"), 'Outcome x: "X" was shipped'),
    "owner": (
        record(
            "ownership:CODEOWNERS#3",
            "/src/ @ada @bob",
            title="/src/",
            path="CODEOWNERS",
            lines=(3, 3),
            assignees=("ada", "bob"),
        ),
        "/src/ is owned by ada and bob (CODEOWNERS line 3)",
    ),
    "owner of nothing": (
        record("ownership:CODEOWNERS#4", "/nobody/", title="CODEOWNERS › UI › /nobody/", path=".github/CODEOWNERS"),
        "CODEOWNERS: UI: /nobody/ has no owner (.github/CODEOWNERS)",
    ),
    "reviewers": (
        record(
            "ownership:sub/OWNERS#4", "reviewers: [bob, cy]", title="OWNERS › sub/ › *.go › reviewers",
            path="sub/OWNERS", lines=(4, 4), assignees=("bob", "cy"),
        ),
        "sub/: *.go: bob and cy are reviewers (sub/OWNERS line 4)",
    ),
    "maintainer": (
        record(
            "ownership:MAINTAINERS.md#6", "| Bea | @bea | parser |", title="MAINTAINERS › parser",
            path="MAINTAINERS.md", lines=(6, 6), assignees=("bea",),
        ),
        "parser is maintained by bea (MAINTAINERS.md line 6)",
    ),
    "emeritus": (
        record(
            "ownership:MAINTAINERS.md#9", "- Old Guy (@old)", title="MAINTAINERS › Emeritus", path="MAINTAINERS.md",
            state="emeritus",
        ),
        "MAINTAINERS › Emeritus: Old Guy (@old) (MAINTAINERS.md)",
    ),
    "owner without a name": (
        record("ownership:MAINTAINERS#1", "Ask the list.", title="Mail", path="MAINTAINERS"),
        "Mail: Ask the list. (MAINTAINERS)",
    ),
    "directive": (
        record("directive:AGENTS.md#1", "- **Never** force-push.", title="Git › Rules"),
        "Git › Rules: Never force-push.",
    ),
    "directive without a heading": (
        record("directive:AGENTS.md#1", "Never force-push.", title=""),
        "Never force-push.",
    ),
    "commit": (
        record("commit:0a1b2c3d4e5f", "Read in WAL mode\n\nIt is faster.", author="Ada", created_at=day("2025-03-02")),
        "Commit 0a1b2c3d4e5f (2025-03-02 by Ada): Read in WAL mode",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("one", "statement"), STATED.values(), ids=STATED.keys())
def test_a_record_states_what_it_is_and_where_it_stands(brain: Brain, one: Record, statement: str) -> None:
    index_records(brain, one)
    assert statements(brain) == [statement]


def test_what_somebody_is_assigned_is_a_fact_of_its_own(brain: Brain) -> None:
    index_records(
        brain,
        LOCKED.model_copy(update={"assignees": ("ada", "bob", "eve")}),
        MERGED.model_copy(update={"assignees": ("bob",), "body": MERGED.title}),
    )
    assert 'Issue #5 "Locked on start" is assigned to ada, bob and eve' in statements(brain)
    assert 'PR #9 "Read in WAL mode" was assigned to bob' in statements(brain)


def pull(number: int, text: str, state: str = "merged") -> Record:
    merged_at = day("2025-03-02") if state == "merged" else None
    return record(f"pull:{number}", f"Pull {number}\n\n{text}", author="bob", state=state, merged_at=merged_at)


def issue(number: int, text: str) -> Record:
    return record(
        f"issue:{number}", f"Leak {number}\n\n{text}", author="eve", state="closed", created_at=day("2025-01-01")
    )


TARGETS = (issue(1, ""), pull(2, ""), record("commit:0a1b2c3d4e5f", "A commit"))
BY_BOB = "(by bob, merged 2025-03-02)"

RELATED = {
    "fixed": (pull(9, "Fixes #1"), f'PR #9 "Pull 9" {BY_BOB} fixed issue #1 "Leak 1"', "Fixes #1"),
    "would fix": (pull(9, "Fixes #1", "open"), 'PR #9 "Pull 9" (by bob, open) would fix issue #1 "Leak 1"', "Fixes #1"),
    "was meant to fix": (
        pull(9, "It closes #1.", "closed"),
        'PR #9 "Pull 9" (by bob, closed unmerged) was meant to fix issue #1 "Leak 1"',
        "It closes #1.",
    ),
    "reverted": (pull(9, "Reverts #2"), f'PR #9 "Pull 9" {BY_BOB} reverted PR #2 "Pull 2"', "Reverts #2"),
    "replaced": (pull(9, "Supersedes #2"), f'PR #9 "Pull 9" {BY_BOB} replaced PR #2 "Pull 2"', "Supersedes #2"),
    "was replaced": (
        pull(9, "Superseded by #2", "closed"),
        'PR #9 "Pull 9" (by bob, closed unmerged) was replaced by PR #2 "Pull 2"',
        "Superseded by #2",
    ),
    "duplicate": (
        issue(9, "> Fixes #2\n\nThis is a duplicate of #1."),
        'Issue #9 "Leak 9" (2025-01-01 by eve) is a duplicate of issue #1 "Leak 1"',
        "This is a duplicate of #1.",
    ),
    "was fixed by": (
        issue(9, "Edit: fixed by #2"),
        'Issue #9 "Leak 9" (2025-01-01 by eve) was fixed by PR #2 "Pull 2"',
        "Edit: fixed by #2",
    ),
    "commit fixed": (
        record("commit:ffff2c3d4e5f", "Subject\n\nCloses #1", author="Ada", created_at=day("2025-03-03")),
        'Commit ffff2c3d4e5f "Subject" (by Ada, 2025-03-03) fixed issue #1 "Leak 1"',
        "Closes #1",
    ),
    "other repository": (
        pull(9, "Needs ada/engine#3 and ada/engine#4,\nand eve/gear@0a1b2c3d4e5f."),
        f'PR #9 "Pull 9" {BY_BOB} refers to ada/engine#3, ada/engine#4 and eve/gear@0a1b2c3d4e5f',
        "Needs ada/engine#3 and ada/engine#4,",
    ),
}


@pytest.mark.parametrize(("one", "statement", "excerpt"), RELATED.values(), ids=RELATED.keys())
def test_what_rows_are_to_each_other_is_a_fact_quoting_where_it_says_so(
    brain: Brain, one: Record, statement: str, excerpt: str
) -> None:
    index_records(brain, *TARGETS, one)
    found = dict(brain.db.execute("select statement, excerpt from facts"))
    assert statement in found
    assert excerpt in found[statement]
    assert all(len(text) <= 400 for text in found.values())


@pytest.mark.parametrize(
    "one",
    [
        issue(9, "This fixes #1"),
        issue(9, "Fixed by #1"),
        pull(9, "Does not fix #1"),
        pull(9, "Fixes #404"),
        pull(9, "Fixes #9"),
        pull(9, "```\nFixes #1\n```"),
        record("commit:ffff2c3d4e5f", "Subject\n\nFixes #2", created_at=day("2025-03-03")),
        record("commit:ffff2c3d4e5f", "Subject\n\nFixes #3", created_at=day("2025-03-03")),
    ],
    ids=[
        "an issue fixes nothing",
        "nor is one fixed by another",
        "denied",
        "unknown",
        "itself",
        "code",
        "a commit that names a pull request",
        "a commit that names what was closed long before",
    ],
)
def test_what_is_not_said_is_no_fact(brain: Brain, one: Record) -> None:
    closed = issue(3, "").model_copy(update={"closed_at": day("2025-02-01")})
    index_records(brain, *TARGETS, closed, one)
    related = [said for said in statements(brain, ref=one.ref) if said.endswith('"')]  # with another's title
    assert [said for said in related if one.title in said.split('"')] == []


def review(state: str, body: str) -> Record:
    links = (Link(relation="reviews", to_ref="pull:9"),)
    when = day("2025-03-01")
    return record(
        "comment:9#7",
        body,
        title=MERGED.title,
        author="eve",
        state=state,
        thread="pull:9",
        links=links,
        created_at=when,
    )


@pytest.mark.parametrize("state", ["approved", "changes_requested"])
def test_a_verdict_is_a_record_and_no_fact(brain: Brain, state: str) -> None:
    one = review(state, "ACK, read it twice.")
    index_records(brain, MERGED, one)
    assert statements(brain, ref=one.ref) == []


def test_a_verdict_alone_is_no_work_for_a_distiller(brain: Brain) -> None:
    index_records(brain, MERGED, review("approved", "APPROVED"))
    assert brain.db.execute("select count(*) from facts_queue").fetchone() == (0,)


def test_a_commit_is_told_by_its_pull_request_either_way_they_are_linked(brain: Brain) -> None:
    by_commit = Link(relation="merges", to_ref="pull:2")
    by_pull = Link(relation="merges", to_ref="commit:bbbb2c3d4e5f")
    index_records(
        brain,
        record("commit:aaaa2c3d4e5f", "Merge #2", links=(by_commit,)),
        record("commit:bbbb2c3d4e5f", "Squashed"),
        record("commit:cccc2c3d4e5f", "Alone"),
        pull(2, ""),
        pull(3, "").model_copy(update={"links": (by_pull,)}),
    )
    assert [s for s in statements(brain) if s.startswith("Commit")] == ["Commit cccc2c3d4e5f (undated): Alone"]


def test_every_fact_of_the_demo_is_verbatim_and_says_something(brain: Brain) -> None:
    index_demo(brain)
    rows = brain.db.execute(
        "select f.statement, f.excerpt, r.body, f.start, f.end_ from facts f join records r on r.id = record_id"
    )
    for statement, excerpt, body, start, end in rows:
        assert excerpt == body[start:end] != ""
        assert len(statement.split()) >= 3
        assert "  " not in statement
        assert "()" not in statement
        assert "None" not in statement
        assert "\n" not in statement


def test_names_are_listed_as_people_list_them() -> None:
    assert listed(",".join(str(number) for number in range(12))) == "0, 1, 2, 3, 4, 5, 6, 7 and 4 more"
    assert listed("0,1,2,3,4,5,6,7,8") == "0, 1, 2, 3, 4, 5, 6, 7 and 8"


def test_a_rule_that_was_read_otherwise_is_promoted_again_and_its_neighbour_is_not(brain: Brain) -> None:
    rules = (
        record("directive:AGENTS.md#1", "Nonces stay above 2**64.", title="Git"),
        record("directive:AGENTS.md#2", "**Never** push.", title="Git"),
    )
    index_records(brain, *rules)
    before = statements(brain)
    old = ("Git: Nonces stay above 264.", "fact-0a1b2c3d4e5f")
    brain.db.execute("update facts set (statement, handle) = (?, ?) where statement like '%2**64%'", old)
    report = index_records(brain, *rules)
    assert statements(brain) == before == ["Git: Nonces stay above 2**64.", "Git: Never push."]
    assert (report.facts[0].added, report.facts[0].replaced, report.facts[0].unchanged) == (1, 1, 0)
    assert not index_records(brain, *rules).changed


BUG = record("issue:1", "Crash when the lease ends", labels=("bug",), state="closed", created_at=day("2025-01-01"))

KINDS = {
    "what was done": (record("commit:0a1b2c3d4e5f", "Read in WAL mode"), "change"),
    "what failed and was mended": (
        record("commit:0a1b2c3d4e5f", "Fix a crash of `read_lease()` when the file is empty"),
        "incident",
    ),
    "mended, and nobody uses it": (record("commit:0a1b2c3d4e5f", "Fix a crash in the tests"), "change"),
    "reported": (BUG, "incident"),
    "asked for": (record("issue:1", "Support leases of an hour", state="open"), "change"),
    "decided": (record("issue:1", "Leases of an hour", labels=("decision",), state="closed"), "decision"),
    "chosen, by the title alone": (record("commit:0a1b2c3d4e5f", "Drop Tcl because nobody builds it"), "change"),
    "never merged": (record("pull:1", f"Drop Tcl\n\n{WHY}", state="closed"), "change"),
    "what rejects": (record("outcome:x", "Leases\n\nToo slow.", state="rejected"), "decision"),
    "what was flagged": (record("outcome:x", "Leases\n\nToo slow.", state="flagged"), "incident"),
    "is to fail from now on": (
        record("commit:0a1b2c3d4e5f", "fix: throw a LeaseError when the lease is negative"),
        "change",
    ),
    "fails, and nobody says what": (record("commit:0a1b2c3d4e5f", "Fix a bug of the lease"), "change"),
    "fails, and nobody says what, but its label": (
        record("pull:1", "Fix a crash of the lease cache", labels=("bug",), state="merged"),
        "incident",
    ),
    "fails, and not to whom or when": (record("commit:0a1b2c3d4e5f", "Don't crash the lease plugin"), "change"),
    "told no more": (record("commit:0a1b2c3d4e5f", "Don't print the traceback of a broken lease"), "change"),
    "what shipped": (record("outcome:x", "Leases", state="shipped"), "change"),
}


@pytest.mark.parametrize(("one", "kind"), KINDS.values(), ids=KINDS.keys())
def test_a_fact_is_of_the_kind_that_its_record_states(brain: Brain, one: Record, kind: str) -> None:
    index_records(brain, one)
    assert brain.db.execute("select kind from facts").fetchall() == [(kind,)]


def test_what_fixes_a_bug_tells_of_an_incident(brain: Brain) -> None:
    index_records(brain, BUG, pull(9, "Fixes #1"))
    said = 'PR #9 "Pull 9" (by bob, merged 2025-03-02) fixed issue #1 "Crash when the lease ends"'
    assert dict(brain.db.execute("select statement, kind from facts"))[said] == "incident"


def test_what_mends_documents_alone_is_no_incident(brain: Brain) -> None:
    fixes = [
        record(
            f"commit:{number:012x}", "Fix a crash of `read_lease()` when the file is empty",
            links=(Link(relation="touches", to_ref=f"file:{file}"),),
        )
        for number, file in enumerate(("docs/usage.md", "src/usage.c"))
    ]  # fmt: skip
    index_records(brain, *fixes)
    assert [kind for (kind,) in brain.db.execute("select kind from facts order by id")] == ["change", "incident"]


def test_what_was_chosen_for_tests_alone_is_no_decision(brain: Brain) -> None:
    body = f"Replace the lock by a lease\n\n{WHY}"
    for number, file in enumerate(("tests/test_lease.py", "src/lease.py")):
        made = record(f"commit:{number}a1b2c3d4e5f", body, links=(Link(relation="touches", to_ref=f"file:{file}"),))
        index_records(brain, made)
        assert ("decision" in {kind for (kind,) in brain.db.execute("select kind from facts")}) == (number == 1)


def test_what_repeats_its_title_or_is_git_s_own_is_no_reason(brain: Brain) -> None:
    takes_back = 'Revert "Add leases to packets"\n\n{}'
    said_beside = ("Conflicts:\n\tsrc/lease.py\n\tsrc/packet.py", "Add leases to packets, to prevent 9f7d11e.")
    for number, said in enumerate(said_beside):
        index_records(brain, record(f"commit:{number}a1b2c3d4e5f", takes_back.format(said)))
    assert {kind for (kind,) in brain.db.execute("select kind from facts")} == {"change"}
    assert "Conflicts" not in "".join(statements(brain))


def test_a_subject_that_goes_on_in_the_next_line_is_stated_whole(brain: Brain) -> None:
    body = "Fix a bug where the markers of git would not be shown if the directory\nwas not the working one\n\nMore."
    index_records(brain, record("commit:0a1b2c3d4e5f", body, title=subject(body)))
    ((said, excerpt),) = brain.db.execute("select statement, excerpt from facts where kind = 'incident'").fetchall()
    assert said.endswith("if the directory was not the working one")
    assert excerpt == body.partition("\n\n")[0]


def test_why_something_was_taken_back_is_told(brain: Brain) -> None:
    body = 'Revert "Add leases"\n\nThis reverts commit 0a1b2c3d4e5f.\n\nPackets got lost on slow disks.'
    index_records(brain, record("commit:1a1b2c3d4e5f", body), record("commit:0a1b2c3d4e5f", "Add leases"))
    assert 'Commit 1a1b2c3d4e5f (undated): Revert "Add leases". Packets got lost on slow disks.' in statements(brain)


def test_the_reason_that_a_change_gives_makes_a_decision(brain: Brain) -> None:
    body = f"Replace the lock by a lease\n\n{WHY}\n\nTests follow."
    index_records(brain, record("commit:0a1b2c3d4e5f", body))
    found = {
        kind: (said, excerpt) for kind, said, excerpt in brain.db.execute("select kind, statement, excerpt from facts")
    }
    told = "Commit 0a1b2c3d4e5f (undated): Replace the lock by a lease"
    assert found == {"change": (told, "Replace the lock by a lease"), "decision": (f"{told}. {WHY}", WHY)}


TOLD = {
    "a number that was chosen, under a title like that of a bump": (
        "Pin the pool to 10 connections\n\nWe decided on 10 instead of 50 since the proxy caps us at 100 for ten pods.",
        "change",
    ),
    "an outage in words of its own": (
        (
            "Fix the pool when it is empty\n\nCustomers got a 500 on checkout for two hours, because `Pool.get()`"
            " raised an IndexError when no connection was left."
        ),
        "incident",
    ),
    "a revert that says why in words of its own": (
        'Revert "Add a loop"\n\nThis reverts commit 0a1b2c3d4e5f.\n\nThe loop hammered the gateway all night.',
        "change",
    ),
}


@walk(("body", "kind"), TOLD.values(), ids=TOLD.keys())
def test_why_it_was_done_is_read_in_the_body(brain: Brain, body: str, kind: str) -> None:
    index_records(brain, record("commit:1a2b3c4d5e6f", body))
    found = brain.db.execute("select excerpt from facts where kind = ? and start > 0", (kind,)).fetchall()
    assert found == [(body.rpartition("\n\n")[2],)]


MADE = "commit:0a1b2c3d4e5f"


@pytest.mark.parametrize(("called", "links"), [("", ()), (" (#9)", (Link(relation="merges", to_ref=MADE),))])
def test_why_is_read_in_the_commit_where_its_pull_request_is_silent(
    brain: Brain, called: str, links: tuple[Link, ...]
) -> None:
    title = "Replace the lock by a lease"
    commit = record(MADE, f"{title}{called}\n\n{WHY}")
    merged = record("pull:9", title, state="merged", merged_at=day("2025-03-02"), links=links)
    told = f"Commit 0a1b2c3d4e5f (undated): {commit.title}"
    index_records(brain, commit)
    assert statements(brain, ref=commit.ref) == [told, f"{told}. {WHY}"]
    index_records(brain, commit, merged)
    assert statements(brain, ref=commit.ref) == [f"{told}. {WHY}"]
    index_records(brain, commit, merged.model_copy(update={"body": f"{title}\n\n{WHY}"}))
    assert statements(brain, ref=commit.ref) == []


@pytest.mark.parametrize("by_pull", ["commit:bbbb2c3d4e5f", ""], ids=["as GitHub says", "as git says"])
def test_a_commit_that_came_with_a_pull_request_repeats_no_more_than_a_word_of_it(brain: Brain, by_pull: str) -> None:
    came = Link(relation="came_with", to_ref="commit:bbbb2c3d4e5f")
    by_git = () if by_pull else (Link(relation="merges", to_ref="pull:9"),)
    merge = record("commit:bbbb2c3d4e5f", "Merge pull request #9 from ada/pager", links=by_git)
    again = record("commit:cccc2c3d4e5f", "fix crash of pager if its thread fails", links=(came,))
    other = record("commit:dddd2c3d4e5f", "Keep the pager's last line", links=(came,))
    made = (Link(relation="merges", to_ref=by_pull),) if by_pull else ()
    merged = record("pull:9", "Fix a crash in the pager when a thread fails", state="merged", links=made)
    index_records(brain, merge, again, other)
    assert [s.rpartition(": ")[2] for s in statements(brain)] == [again.title, other.title]
    index_records(brain, merge, again, other, merged)
    assert [s.rpartition(": ")[2] for s in statements(brain)] == [other.title, merged.title]


def test_of_a_pull_request_that_changed_only_its_own_commits_are_due(brain: Brain) -> None:
    came = Link(relation="came_with", to_ref="commit:bbbb2c3d4e5f")
    merge = record("commit:bbbb2c3d4e5f", "Merge pull request #9 from ada/pager")
    again = record("commit:cccc2c3d4e5f", "fix crash of pager if its thread fails", links=(came,))
    made = Link(relation="merges", to_ref=merge.ref)
    merged = record("pull:9", "Fix a crash in the pager when a thread fails", state="merged", links=(made,))
    other = pull(2, "Oil the gears")
    index_records(brain, merge, again, merged, other)

    def due(changed: Record) -> set[str]:
        with brain.transaction() as db:
            db.execute(
                "delete from promotions where record_id = (select id from records where ref = ?)", (changed.ref,)
            )
        assert pending_promotion(brain, source_id=1)
        every = brain.db.execute("select ref from records where id in (select id from temp.due)").fetchall()
        promote(brain, source_id=1, run_id=1, now=day("2026-01-01"))
        return {ref for (ref,) in every}

    assert due(other) == {other.ref}
    assert due(merged) == {merged.ref, merge.ref, again.ref}


def test_what_a_commit_tells_in_full_its_pull_request_tells_as_a_change(brain: Brain) -> None:
    title = "Fix deadlock in Pool.get() when the last connection is closed"
    body = f"{title}\n\n{TOLD['an outage in words of its own'][0].rpartition(chr(10))[2]}"
    merged = record("pull:9", title, state="merged", merged_at=day("2025-03-02"))
    kinds = "select r.type, f.kind from facts f join records r on r.id = f.record_id"
    index_records(brain, merged)
    assert brain.db.execute(kinds).fetchall() == [("pull", "incident")]
    index_records(brain, merged, record("commit:0a1b2c3d4e5f", body))
    assert sorted(brain.db.execute(kinds).fetchall()) == [("commit", "incident"), ("pull", "change")]


def test_why_a_thread_was_closed_is_a_decision_whoever_told_first(brain: Brain) -> None:
    thread = record("issue:1", "Support Tcl", state="open", created_at=day("2025-01-01"))
    said = record(
        "comment:1#7", "Tcl is out of scope for this project, so I'm closing this issue with no action.",
        title=thread.title, thread="issue:1",
        author="ada", association="MEMBER", created_at=day("2025-02-01"),
    )  # fmt: skip
    index_records(brain, thread, said)
    assert statements(brain, ref=said.ref) == []
    index_records(brain, thread.model_copy(update={"state": "closed", "closed_at": day("2025-02-01")}), said)
    assert brain.db.execute("select kind from facts where path = 'comments'").fetchall() == [("decision",)]
    index_records(brain, thread, said)
    assert statements(brain, ref=said.ref) == []
