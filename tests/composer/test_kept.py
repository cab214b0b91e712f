"""Decisions in a state, incidents, comments and links of a thread, and what somebody did or decided, are looked up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record


def day(month: int) -> datetime:
    return datetime(2024, month, 1, tzinfo=UTC)


def decision(number: int, title: str, state: str) -> Record:
    path = f"docs/decisions/{number:04}.md"
    return record(
        f"doc:{path}", f"# {title}\n\nStatus: {state}", title=title, path=path, state=state, created_at=day(number)
    )


def said(thread: int, number: int, author: str, text: str, month: int) -> Record:
    ref = f"comment:{thread}#{number}"
    return record(ref, text, author=author, thread=f"issue:{thread}", created_at=day(month))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("kept") / "brain.db") as brain:
        index_records(
            brain,
            decision(1, "1. Postgres", "accepted"),
            decision(2, "2. Memcached", "rejected"),
            decision(3, "3. A second region", "proposed"),
            record("doc:docs/incidents/README.md", "# Incidents\n\nOne file each.", path="docs/incidents/README.md"),
            record("doc:docs/incidents/1.md", "# Mails sent twice\n\nSeverity: 2", path="docs/incidents/1.md"),
            record("doc:docs/incidents/2.md", "# Checkout down\n\nSeverity: 1", path="docs/incidents/2.md"),
            record("issue:6", "Pick a mail provider", author="rosa-m", state="closed", labels=("mail",),
                   created_at=day(1), closed_at=day(5), closed_by="rosa-m"),
            said(6, 60, "amir-d", "The cheapest has poor reports.", 2),
            said(6, 61, "rosa-m", "We go with Postmark, it delivered best.", 3),
            said(6, 62, "amir-d", "Fine with me, I switch it over.", 4),
            record("issue:7", "Search shows old sailings", author="amir-d", state="open", assignees=("lin-y",),
                   created_at=day(2)),
            record("issue:8", "Old bug", author="amir-d", state="closed", assignees=("lin-y",), created_at=day(2),
                   closed_at=day(3)),
            record("pull:9", "Switch mail to Postmark\n\nCloses #6", author="amir-d", state="merged", labels=("mail",),
                   created_at=day(4), merged_at=day(5), closed_at=day(5), merged_by="lin-y",
                   links=(Link(relation="fixes", to_ref="issue:6"),)),
            record("pull:10", "Expire the search cache\n\nRefs #7.", author="goran-t", state="open", created_at=day(6)),
            record("pull:11", "Cache in Memcached", author="goran-t", state="closed", created_at=day(6),
                   closed_at=day(7), closed_by="rosa-m"),
        )  # fmt: skip
        yield brain


def asked(brain: Brain, text: str) -> Answer:
    return ask(brain, text, scope=Scope())


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Which decisions were rejected?", ["doc:docs/decisions/0002.md"]),
        ("Which decisions are proposed?", ["doc:docs/decisions/0003.md"]),
        ("What decisions have we made?", [f"doc:docs/decisions/000{number}.md" for number in (3, 2, 1)]),
        ("Which decisions are in force?", ["doc:docs/decisions/0001.md"]),
        ("Which decisions still stand?", ["doc:docs/decisions/0001.md"]),
        ("What are the active decisions?", ["doc:docs/decisions/0001.md"]),
        ("Which decisions did we make in 2024?", [f"doc:docs/decisions/000{number}.md" for number in (3, 2, 1)]),
        ("Which decisions were made in February 2024?", ["doc:docs/decisions/0002.md"]),
        ("Which incidents did we have?", ["doc:docs/incidents/2.md", "doc:docs/incidents/1.md"]),
        ("Who commented on #6?", ["comment:6#60", "comment:6#61"]),
        ("What was the last comment on #6?", ["comment:6#62"]),
        ("Who commented most on #6?", ["comment:6#60", "comment:6#62"]),
        ("Who commented first on #6?", ["comment:6#60"]),
        ("Who was the last who commented on #6?", ["comment:6#62"]),
        ("Who commented most recently on #6?", ["comment:6#62"]),
        ("What is linked to #7?", ["pull:10"]),
        ("What mentions #6?", ["pull:9"]),
        ("Which PRs are about mail?", ["pull:9"]),
        ("Which issues are about mails?", ["issue:6"]),
        ("What did rosa-m decide?", ["comment:6#61"]),
        ("What is open for lin-y?", ["issue:7"]),
        ("What is lin-y working on?", ["issue:7"]),
        ("What is assigned to lin-y?", ["issue:8", "issue:7"]),
    ],
)
def test_what_is_asked_by_what_is_known_is_that_list(kept: Brain, text: str, refs: list[str]) -> None:
    answer = asked(kept, text)
    assert sorted(one.record.ref for one in answer.citations) == sorted(refs)
    assert answer.evidence == "strong"


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("How many decisions were rejected?", "1 in all: "),
        ("How many incidents did we have?", "2 in all, by their documents: "),
        ("How many comments does #6 have?", "3 in all: "),
        ("How many people commented on #6?", "2 in all: "),
        ("Who commented most often on #6?", "amir-d, 2 in all: "),
        ("Who left the most comments on #6?", "amir-d, 2 in all: "),
        ("Did lin-y merge #9?", "PR #9 (merged 2024-05-01 by lin-y, written by amir-d, "),
        ("Was #9 merged by rosa-m?", "PR #9 (merged 2024-05-01 by lin-y, written by amir-d, "),
        ("Is #7 assigned to lin-y?", "Issue #7 is assigned to lin-y: “Search shows old sailings”"),
        ("Was #11 rejected?", "PR #11 (closed unmerged 2024-07-01 by rosa-m, "),
        ("What is the title of #7?", "Issue #7 (open since 2024-02-01, reported by amir-d"),
        ("Who switched mail to Postmark?", "PR #9 (merged 2024-05-01 by lin-y, written by amir-d, "),
        ("When was the mail switched to Postmark?", "PR #9 (merged 2024-05-01 by lin-y, written by amir-d, "),
        ("When was Postmark chosen?", "rosa-m on #6 (2024-03-01): “We go with Postmark"),
        ("Who decided on Postmark?", "rosa-m on #6 (2024-03-01): “We go with Postmark"),
    ],
)
def test_what_is_asked_of_one_thing_is_what_is_known_of_it(kept: Brain, text: str, beginning: str) -> None:
    assert asked(kept, text).answer.startswith(beginning)


@pytest.mark.parametrize(
    "text",
    [
        "Which decisions are deprecated?",
        "Did rosa-m merge #7?",
        "Who commented on #8?",
        "Who commented most on #8?",
        "Who commented least on #6?",
        "What is linked to #8?",
        "What did amir-d decide?",
        "What is open for goran-t?",
    ],
)
def test_a_list_of_none_is_refused(kept: Brain, text: str) -> None:
    assert asked(kept, text).refused


@pytest.mark.parametrize(
    "text", ["Which decisions about regions were rejected?", "Who wrote the search?", "When was caching removed?"]
)
def test_what_no_title_or_state_tells_is_no_such_list(kept: Brain, text: str) -> None:
    assert asked(kept, text).evidence != "strong"


def test_a_decision_stands_no_more_once_another_replaced_it(brain: Brain) -> None:
    newer = decision(2, "2. Maria", "accepted")
    replaces = Link(relation="supersedes", to_ref="doc:docs/decisions/0001.md")
    index_records(brain, decision(1, "1. Postgres", "accepted"), newer.model_copy(update={"links": (replaces,)}))
    answer = asked(brain, "Which decisions still stand?")
    assert [one.record.ref for one in answer.citations] == ["doc:docs/decisions/0002.md"]


def test_whether_something_still_holds_is_what_replaced_some_of_it(brain: Brain) -> None:
    index_records(
        brain,
        record("pull:4", "Hold seats for 15 minutes", state="merged", created_at=day(1), merged_at=day(1)),
        record("pull:5", "Log the holds\n\nLike #4.", state="merged", created_at=day(2), merged_at=day(2)),
        record("pull:6", "Hold seats for 20 minutes\n\nReplaces the 15 minutes of #4.", author="ada", state="merged",
               created_at=day(3), merged_at=day(3)),
    )  # fmt: skip
    answer = asked(brain, "Is #4 still valid?")
    assert {one.record.ref for one in answer.citations} == {"pull:6", "pull:4"}


@pytest.mark.parametrize(
    ("title", "stands"),
    [
        ("Add the LoRa driver", True),
        ("LoRa driver for the new board", True),
        ("ci: build the LoRa driver", False),
        ("Add tests of the LoRa driver", False),
        ("Name what the driver of a board has of LoRa", False),
    ],
)
def test_a_change_is_what_a_question_calls_it_where_its_title_does(brain: Brain, title: str, *, stands: bool) -> None:
    index_records(
        brain,
        record("pull:6", title, author="tara-q", state="merged", created_at=day(1), merged_at=day(1), merged_by="nele"),
        record("issue:7", "The driver of LoRa fails", author="dan", state="open"),
    )
    first = asked(brain, "Who wrote the LoRa driver?").answer
    assert first.startswith("PR #6 (merged 2024-01-01 by nele, written by tara-q): ") == stands


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Escalate to Rosa Mele after 15 minutes.", False),
        ("Our engineer on call is Rosa Mele.", True),
    ],
)
def test_who_somebody_is_is_not_told_by_their_mention(brain: Brain, text: str, *, told: bool) -> None:
    index_records(brain, record("doc:docs/team.md", text, title="Team", path="docs/team.md"))
    assert asked(brain, "Who is Rosa Mele?").refused != told


def dated(path: str, title: str, text: str = "", **fields: object) -> Record:
    return record(f"doc:{path}", f"# {title}\n\n{text}", title=title, path=path, **fields)


OUTAGES: tuple[Record, ...] = (
    dated("docs/outages/2023-05-04-locks.md", "Locks stuck", "Fixed by #31."),
    dated("docs/outages/silt.md", "Silt in the pumps", "Date: 2024-03-09"),
    record("pull:31", "Free the locks\n\nFixes #30", state="merged", merged_at=day(1),
           links=(Link(relation="fixes", to_ref="issue:30"),)),
    record("issue:30", "The locks are stuck", labels=("outage",), state="open",
           created_at=datetime(2023, 5, 5, tzinfo=UTC)),
    record("issue:32", "Pumps stand still", labels=("outage",), state="open",
           created_at=datetime(2024, 3, 9, 8, tzinfo=UTC)),
    record("issue:33", "Gate open all night", labels=("outage",), state="open", created_at=day(6)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Which outages were there?", ["issue:33", "doc:docs/outages/silt.md", "doc:docs/outages/2023-05-04-locks.md"]),
        ("Which outages were there in 2024?", ["issue:33", "doc:docs/outages/silt.md"]),
        ("Which outages did we have before 2024?", ["doc:docs/outages/2023-05-04-locks.md"]),
        ("Which outages were there since April 2024?", ["issue:33"]),
        ("Which outages were there in 2022?", []),
    ],
)
def test_what_a_folder_tells_of_is_listed_by_its_days_beside_what_only_an_issue_tells(
    brain: Brain, text: str, refs: list[str]
) -> None:
    index_records(brain, *OUTAGES)
    assert [one.record.ref for one in asked(brain, text).citations] == refs


@pytest.mark.parametrize(
    "text",
    ["Which long outages were there in 2024?", "How many outages hit the pumps?", "Which pump has the most silt?"],
)
def test_a_list_with_a_condition_that_was_not_read_is_not_sure(brain: Brain, text: str) -> None:
    index_records(brain, *OUTAGES)
    assert asked(brain, text).evidence != "strong"


def test_of_documents_without_a_day_those_of_a_time_are_not_known(brain: Brain) -> None:
    index_records(brain, *OUTAGES, dated("docs/outages/fire.md", "Fire"))
    assert asked(brain, "Which outages were there in 2024?").evidence != "strong"
    assert asked(brain, "How many outages were there?").answer.startswith("3 in all, by their documents: ")


BY_BOTH = "by their documents and issues labelled or titled so"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("How many outages were there in 2024?", f"3 in all, {BY_BOTH}: "),
        ("How many outages were there in 2023?", "1 in all, by their documents: "),
        ("How many outages were there since May 2024?", "1 in all, by issues labelled or titled so: "),
        ("How many postmortems were there in 2024?", "2 in all, by their documents: "),
    ],
)
def test_what_a_document_and_issues_tell_of_is_counted_once_and_by_what_is_said(
    brain: Brain, text: str, told: str
) -> None:
    told_again = record(
        "issue:34", "Silt clogs both pumps again", labels=("outage",), state="open",
        created_at=datetime(2024, 3, 11, tzinfo=UTC),
    )  # fmt: skip
    apart = (
        dated("docs/notes/2024-02-02-postmortem-sluice.md", "Sluice stuck"),
        dated("docs/notes/outage-drill.md", "How we drill an outage", "Date: 2024-02-05"),
        dated("docs/incident-reports/2022-01-01.md", "Flood"),
    )
    index_records(brain, *OUTAGES, told_again, *apart)
    assert asked(brain, text).answer.startswith(told)


@pytest.mark.parametrize(
    ("title", "question", "stands"),
    [
        ("Remove the tide gauge", "Who removed the tide gauge?", True),
        ("Remove the tide gauge", "When was the tide gauge dropped?", True),
        ("Remove the tide gauge", "Who added the tide gauge?", False),
        ("Add the tide gauge", "When was the tide gauge removed?", False),
    ],
)
def test_what_took_a_thing_out_did_not_bring_it(brain: Brain, title: str, question: str, *, stands: bool) -> None:
    index_records(brain, record("pull:6", title, author="tara-q", state="merged", created_at=day(1), merged_at=day(1)))
    assert asked(brain, question).answer.startswith("PR #6 (merged 2024-01-01, written by tara-q): ") == stands
