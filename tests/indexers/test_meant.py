"""That one takes back or replaces another is a link only where a text says that it does."""

from __future__ import annotations

from cortex.indexers.references import references
from cortex.substrate.model import Relation
from tests.tables import walk


def relation(text: str) -> Relation:
    (link,) = references(text)
    return link.relation


DONE = [
    "Reverts #12.",
    "This reverts #12.",
    "Revert #12",
    "Revert pull request #12",
    "fix(net): revert #12 as it leaks",
    "Drop the cache and revert #12",
    "Back out #12.",
    "Backs out #12",
    "This backs out #12.",
    "Backed out #12",
    "Undo #12",
    "Undoes #12.",
    "Rolls back #12",
    "Roll back #12",
    "Rollback of #12",
    "Revert of #12",
    "Reverting #12 because it broke production",
    "Title\n\n- reverts #12",
    "Title\n\nWhat changes:\n\n- Revert #12",
    "## Summary\n\nRevert #12.",
    "This PR will revert #12",
    "This temporarily reverts #12",
    "Fixes the crash by reverting #12",
    "Reverts #12, which crashed when it was empty",
    'Undo "Oil gears (#12)"',
    "Take back #12",
    "Takes back #12.",
    "This undoes the change made in #12.",
    "Reverts the changes of #12",
    "This reverts commit of #12: it leaked.",
    "Title\n\n#12 is reverted by this, gears got lost.",
    "Do not crash\n\nReverts #12",
    "Reverts #12 on request of ada",
    "Reverts #12 in its entirety",
    "Reverts #12 for performance reasons",
    "This reverts pull request #12 from ada/gears.",
    "Reverts #12 - it broke the build",
]


DONE += [
    "Reverts #12 manually",
    "Reverts #12 modulo conflicts",
    "Reverts #12 (flaky)",
    "Reverts #12 (broke the nightly build)",
    "Reverts #12. The bug remains open.",
    "Reverts #12. Keep an eye on the pumps.",
    "Reverts #12 from the pumps branch",
    "Undo\n\nReverts #12",
]


WHOLE = [
    "Reverts #12 (perf)",
    "Reverts #12 (deadlock)",
    "Reverts #12 (memory leak)",
    "Reverts #12 [pump]",
    "Reverts #12 (broke the tests)",
    "Reverts #12. Only 2 users saw it.",
    "Reverts #12. Only two tests failed, but badly.",
    "Reverts #12; only Safari was hit",
    "Reverts #12. Memory stays low again.",
    "Reverts #12. Latency remains at 80 ms now.",
    "Reverts #12. We keep the old API.",
    "Reverts #12/ fixes the build",
    "Reverts #12 for the release",
    "Reverts #12, under load it deadlocks",
    "Reverts #12 on main",
    "Reverts #12, only for now",
    "Reverts #12, just to be safe",
    "Reverts #12, at least for 2.0",
    "Reverts #12 because it is used by us only",
    "Reverts #12\n\nKeep an eye on the pumps",
]


@walk("text", WHOLE)
def test_why_or_for_how_long_it_is_taken_back_leaves_nothing_of_it(text: str) -> None:
    assert relation(text) == "reverts"


@walk("text", DONE)
def test_what_takes_another_back_does_in_any_words(text: str) -> None:
    assert relation(text) == "reverts"


NOT_DONE = [
    "Rollback plan: revert #12",
    "Rollback plan:\n\n- revert #12",
    "## Rollback plan\n\nRevert #12.",
    "## How to roll back\n\nRevert #12 and deploy.",
    "**If it breaks**\n\n1. Revert #12",
    "Rollback: revert #12 and redeploy.",
    "To roll back, revert #12.",
    "If anything breaks, revert #12 first.",
    "If anything breaks,\nrevert #12 first.",
    "When it breaks: revert #12.",
    "In case of trouble, revert #12",
    "Please revert #12",
    "Please fix it and revert #12",
    "Alice wants to revert #12",
    'Bob said "revert #12"',
    "TODO: revert #12",
    "Tomorrow we revert #12",
    "Someone else reverts #12",
    "We will revert #12 on Monday",
    "We revert #12 tomorrow",
    "Let's revert #12",
    "I suggest reverting #12",
    "Instead of reverting #12, fix it.",
    "After reverting #12 it works",
    "Reverting #12 fixes the build",
    "The rollback of #12 took an hour",
    "We may have to revert #12 later",
    "If this fails, revert #12",
    "Nobody reverts #12",
    "We rolled out what undoes #12 next week",
    "Partial revert of #12: only the docs are removed.",
    "This is a partial revert of #12",
    "Reverts #12 partially",
    "Reverts #12's change of the docs",
    "Reverts the changes made in #12 to the docs",
    "Removes all that #12 added in the docs",
    "Please take back #12",
    "Taking back #12 helps",
    "We should remove what #12 added.",
    "It was wrong to remove what #12 added.",
    "Do not merge before #12 is reverted.",
    "Unless #12 is reverted, this waits.",
    "#12 is reverted because it crashed in staging; production keeps it.",
    "#12 is reverted, which we noticed late.",
    "Documentation of the job: it removes everything #12 added.",
    "The script removes all #12.",
    "The CLI takes back #12 screens.",
    "#12 is reverted, so we need another way.",
    "#12 is reverted. Here it comes again.",
    "Second try\n\n#12 is reverted.",
    "#12 was reverted.",
    "#12 is reverted?",
    "Undo #12 by clicking.",
    "CI reverts #12 automatically when red.",
    "Users revert #12 with git.",
    "Confirmed, reverts #12 behaviour.",
    "Reverts #12 on Windows.",
    "Reverts #12, on Windows",
    "Reverts #12 in 1.x.",
    "Reverts #12 (docs only).",
    "Reverts #12 – docs only",
    "Half of this reverts #12.",
    "Rolled back #12 in production at 3 am.",
    "We had to revert #12, this is another try.",
    "We could pull #12 back out.",
    "#12 is reverted in the release branch only.",
]


NOT_DONE += [
    "Half-reverts #12",
    "Soft revert of #12",
    "Revert of #12, half of it",
    "Reverts #12 (pump.c)",
    "Reverts #12: src/pump.c",
    "Reverts #12 / pump",
    "Reverts #12, keeping the migration",
    "Reverts #12 (docs)",
    "Reverts #12 (only the pump)",
    "Reverts #12 in src/pump.c",
    "Reverts #12 with the exception of the docs",
    "Reverts #12. The valves stay.",
    "Reverts #12; we keep the valves.",
    "Reverts #12. The valves are kept.",
    "Reverts #12\n\nOnly the pump.",
    "[2.x] Reverts #12",
    "Backport: reverts #12",
    "release-2.1: reverts #12",
    "I reverted #12 and it pumps again.",
    "I reverted #12 locally.",
]


@walk("text", NOT_DONE)
def test_what_should_or_may_be_taken_back_or_but_in_part_is_not(text: str) -> None:
    assert relation(text) in ("mentions", "reverts_part")


def test_what_is_taken_back_in_part_is_a_relation_of_its_own_but_not_what_was_tried_or_is_on_a_branch() -> None:
    for text in ("Reverts #12, but keeps the pump.", "Reverts #12 on Windows only.", "Reverts #12 (docs)"):
        assert relation(text) == "reverts_part"
    for text in ("[2.x] Reverts #12", "I reverted #12 and it pumps again.", "Should this revert #12 on Windows?"):
        assert relation(text) == "mentions"


@walk(
    "text",
    [
        "Supersedes #12.",
        "Replaces #12",
        "(rebase of #12)",
        "Note that this obsoletes #12",
        "#12 is superseded by this.",
        "#12 is replaced by this PR because it is slow",
        "Takes over #12",
        "Supersedes #12 with a simpler approach.",
        "Continuation of #12 where ada began",
    ],
)
def test_what_replaces_another_supersedes_it(text: str) -> None:
    assert relation(text) == "supersedes"


@walk(
    "text",
    [
        "Nothing replaces #12.",
        "Once tested, this replaces #12",
        "Plan: this supersedes #12 when 3.0 ships",
        "This supersedes #12 when 3.0 ships",
        "This supersedes #12 on Monday",
        "Maybe this makes #12 obsolete.",
        "If this makes #12 obsolete, close it.",
        "If #12 is superseded by this, close it.",
        "Is #12 superseded by this?",
        "#12 is superseded by this?",
        "Instead of #12, oil the gears.",
        "Do it like this instead of #12.",
    ],
)
def test_what_will_replace_another_does_not_yet(text: str) -> None:
    assert relation(text) == "mentions"


def test_what_is_said_of_a_third_is_said_of_no_text() -> None:
    for said in ("#13 reverts #12", "#13 makes #12 obsolete."):
        assert [link.relation for link in references(said)] == ["mentions", "mentions"]


@walk(
    "text",
    [
        "Supersedes #12 for new installs.",
        "Supersedes #12 on Windows.",
        "Replaces #12 in the docs.",
        "Replaces #12 (only the parser)",
        "Will be superseded by #12.",
        "#12 is obsolete on Windows.",
        "#12 is obsolete once this lands.",
        "I think #12 is obsolete now.",
    ],
)
def test_what_replaces_another_in_part_or_some_day_only_mentions_it(text: str) -> None:
    assert relation(text) == "mentions"


@walk("text", ["Un-reverts #12.", "Unrevert #12", "Reverts the revert of #12.", "Undo the revert of #12"])
def test_what_takes_back_a_revert_brings_back_what_that_took(text: str) -> None:
    assert relation(text) == "reapplies"


def test_what_supersedes_and_closes_another_supersedes_it() -> None:
    assert relation("Supersedes and closes #12") == "supersedes"
