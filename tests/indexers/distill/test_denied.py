"""What nobody states is no decision, incident or measurement: what is denied, doubted, supposed, or said by others."""

from __future__ import annotations

from cortex.indexers.distill.rules import distill
from cortex.indexers.distill.text import Text
from cortex.substrate.facts import Candidate
from tests.tables import walk


def facts(body: str) -> list[Candidate]:
    made = "2026-05-01T00:00:00Z"
    return list(distill(Text(1, "comment", "comment:7#1", "Index corrupts under load", body, "ada", "", made)))


STATED = {
    "Release 3.1 is blocked on the audit of the parser.": "spec",
    "closing because there was no reply for a year": "change",
    "Closing because of #12.": "change",
    "I NACK because of the license.": "change",
    "In the call we decided: no GPL code.": "change",
    "We've decided not to support Solaris.": "decision",
    "Since nobody objected, we decided to merge the parser.": "decision",
    "Closing this issue as nobody objected during the consensus call on the list.": "change",
    "The root cause was that nothing freed the buffer.": "incident",
    "The problem is that it never frees the lock, which crashed the server in March.": "incident",
    "Key rotation will be handled by the platform group.": "ownership",
    "Assigned to @lin, who owns the parser.": "ownership",
    "Errors will be handled by the caller.": "spec",
}


@walk(("body", "kind"), STATED.items(), ids=STATED.keys())
def test_what_somebody_states_is_kept_as_what_it_is(body: str, kind: str) -> None:
    assert [(fact.statement.endswith(body), fact.kind) for fact in facts(body)] == [(True, kind)]


@walk(
    "body",
    [
        "It's not true that we decided to drop Windows.",
        "Nobody told me we decided to drop Windows.",
        "The blog says we decided to drop Windows, which is false.",
        "We decided to drop Windows. That is false.",
        "In case we decided to keep it, ping me.",
        "I thought we agreed that the parser must never be slower than the old one.",
        "I am not closing this because the fix is incomplete.",
        "I withdraw my NACK because the ABI is stable now.",
        "We decided nothing.",
        "I thought the root cause was the cache, but that is wrong.",
        "The root cause is not the parser, which was rewritten in March.",
        "I measured nothing here.",
        "I measured this incorrectly; the numbers above are wrong.",
        "This was blocked on #451, but is not any more.",
        "If we had decided to use Redis, the outage would not have happened.",
        "I hope this will be handled by the team.",
        "It is not true that the 3.0 release crashed on startup because the cache was corrupted by the importer.",
        "Nobody said that we decided to reject the proposal because it breaks the interface of the parser.",
    ],
)
def test_what_nobody_states_is_no_decision_incident_or_measurement(body: str) -> None:
    assert facts(body) == []


def test_one_statement_beside_a_denial_is_enough() -> None:
    said = "It was not decided by us, so I'm closing this because the parser moved to the plugin repository."
    assert [fact.kind for fact in facts(said)] == ["change"]


def test_a_box_that_nobody_ticked_says_nothing() -> None:
    body = "- [x] We decided to keep the parser.\n- [ ] We decided on a name for the release.\n"
    assert [fact.statement.endswith("keep the parser.") for fact in facts(body)] == [True]


@walk("end", ["I am a bot.", "I'm an automated bot.", "Beep boop!", "This is an automated message."])
def test_a_comment_that_says_nobody_wrote_it_is_no_fact(end: str) -> None:
    body = "Thanks for your contribution! We decided to close stale issues automatically."
    assert facts(body)
    assert facts(f"{body} {end}") == []
