"""Whether something is still so is told by what was said or decided of it last."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record, Scope
from tests.brains import index_records, record


def month(number: int) -> datetime:
    return datetime(2024, number, 1, tzinfo=UTC)


def said(identity: int, at: int, author: str, text: str) -> Record:
    title = "Add Pear Pay"
    return record(f"comment:12#{identity}", text, title=title, author=author, thread="issue:12", created_at=month(at))


OTHERS = ("Timetables", "Signs at the pier", "Receipts by mail", "Tickets on paper")


def lines(brain: Brain, question: str, *, as_of: datetime | None = None) -> list[str]:
    return ask(brain, question, scope=Scope(), as_of=as_of).answer.splitlines()


@pytest.fixture
def paying(brain: Brain) -> Brain:
    index_records(
        brain,
        record("issue:12", "Add Pear Pay\n\nMany ask for it.", author="amir", state="open", created_at=month(1)),
        said(1, 2, "rosa", "Blocked until the bank signs the Pear contract."),
        said(2, 5, "lin", "The bank signed it yesterday, I start on this next week."),
        said(3, 6, "eve", "Should the bank sign another one next week?"),
        said(4, 7, "dan", "Pear Pay: nice."),
        *(
            record(f"issue:{n}", f"{OTHERS[n % 4]} of gear {n}", state="open", created_at=month(1))
            for n in range(20, 60)
        ),
    )
    return brain


@pytest.mark.parametrize("question", ["Is Pear Pay still blocked?", "Is Pear Pay currently blocked by the bank?"])
def test_what_was_said_last_of_it_comes_before_what_was_said_first(paying: Brain, question: str) -> None:
    answer = lines(paying, question)
    assert "The bank signed it" in answer[0]
    assert any("Blocked until" in line for line in answer[1:])


def test_as_of_a_day_before_it_was_as_it_was_said_then(paying: Brain) -> None:
    assert "Blocked until" in lines(paying, "Is Pear Pay still blocked?", as_of=month(3))[0]


def test_a_question_of_the_past_is_answered_by_what_was_said_then(paying: Brain) -> None:
    assert "Blocked until" in lines(paying, "What blocked Pear Pay until the bank signed the contract?")[0]


@pytest.fixture
def decided(brain: Brain) -> Brain:
    old, new = "docs/adr/0002-cloud.md", "docs/adr/0003-cloud.md"
    index_records(
        brain,
        record(
            f"doc:{old}",
            "The gateway sends readings over MQTT.",
            title="2. MQTT to the cloud",
            path=old,
            state="superseded",
            created_at=month(1),
        ),
        record(
            f"doc:{new}",
            "The gateway posts readings over HTTPS.",
            title="3. HTTPS to the cloud",
            path=new,
            state="accepted",
            created_at=month(5),
            links=(Link(relation="supersedes", to_ref=f"doc:{old}"),),
        ),
        record("doc:README.md", "The gateway has a lid of steel.", title="The gateway", created_at=month(1)),
    )
    return brain


@pytest.mark.parametrize("question", ["Is MQTT still used?", "Do we still use MQTT?"])
def test_what_was_superseded_is_told_by_what_superseded_it(decided: Brain, question: str) -> None:
    answer = lines(decided, question)
    assert answer[0].startswith("3. HTTPS to the cloud")
    assert "superseding docs/adr/0002-cloud.md" in answer[0]
    assert "superseded by" in answer[1]


def test_whether_something_is_still_used_that_nobody_decided_is_not_known(decided: Brain) -> None:
    assert ask(decided, "Is Kafka still used?", scope=Scope()).refused


def test_how_much_it_is_is_told_by_what_fixed_it(brain: Brain) -> None:
    index_records(
        brain,
        record(
            "issue:2", "The battery lasts only nine days\n\nThe radio never sleeps.", author="hugo", state="closed",
            created_at=month(1), closed_at=month(3),
        ),
        record(
            "pull:3", "Sleep between samples\n\nBattery: 71 days on the bench. Fixes #2", author="tara", state="merged",
            created_at=month(2), merged_at=month(3),
        ),
    )  # fmt: skip
    assert "71 days" in lines(brain, "How many days does the battery last?")[0]


def changed(number: int, title: str, *, merged: bool = True, body: str = "") -> Record:
    at = datetime(2023, 1, number, tzinfo=UTC)
    text, state, end = f"{title}\n\n{body}".strip(), "merged" if merged else "open", at if merged else None
    return record(f"pull:{number}", text, author="ada", state=state, created_at=at, closed_at=end, merged_at=end)


@pytest.fixture
def ferry(brain: Brain) -> Brain:
    things = ("Zonk", "GRX", "Kelpd", "the Tarn cache", "Vrill", "Ovo", "fanlight", "PSK", "Mux", "Jib")
    said = "We use {0} for tickets, {0} is required, and {0} is supported on the pier."
    index_records(
        brain,
        *(
            record(f"comment:{n}#1", said.format(one), author="rosa", thread=f"issue:{n}", created_at=month(1))
            for n, one in enumerate(things, 50)
        ),
        changed(1, "Faster boarding, drop paper slips, remove libgrx"),
        changed(2, "ci: Remove support for Zonk CI"),
        changed(3, "Replace kelpd with our own daemon"),
        changed(4, "tests: remove Tarn cache"),
        changed(5, "Remove Vrill from the timetable page"),
        changed(6, "Get rid of Ovo"),
        changed(7, 'Revert "Get rid of Ovo"'),
        changed(8, "Remove fanlight"),
        changed(9, "Fanlight: show two lamps"),
        changed(10, "Remove Pier Sign Kiosk", body="The pier sign kiosk (PSK) has no users."),
        changed(11, "Remove Mux", merged=False),
        changed(12, "Stop treating Jib as experimental"),
        changed(13, "Jib: one more rope"),
    )  # fmt: skip
    return brain


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Is GRX still required?", 1), ("Do we still need GRX?", 1), ("Is GRX needed now?", 1),
        ("Is Zonk still used for CI?", 2), ("Do you use Zonk these days?", 2), ("Does kelpd still run on the pier?", 3),
        ("Can I still use kelpd?", 3), ("Is there still a PSK?", 10), ("Are PSK bindings still supported?", 10),
        ("Is Jib still experimental?", 12),
    ],
)  # fmt: skip
def test_the_change_that_took_a_thing_out_tells_that_it_is_not_there(ferry: Brain, question: str, number: int) -> None:
    assert lines(ferry, question)[0].startswith(f"PR #{number} (")
    assert f"2023-01-{number:02}" in lines(ferry, question)[0]


@pytest.mark.parametrize(
    "question",
    [
        "Is the Tarn cache still used?", "Is Vrill still used?", "Is the fanlight still used?", "Is Mux still used?",
        "Is Jib still used?",
    ],
)  # fmt: skip
def test_a_thing_taken_from_elsewhere_or_told_of_since_may_be_there(ferry: Brain, question: str) -> None:
    assert not lines(ferry, question)[0].startswith("PR #")


def test_what_was_brought_back_is_told_before_what_took_it_out(ferry: Brain) -> None:
    assert [line[:6] for line in lines(ferry, "Is Ovo still supported?")[:2]] == ["PR #7 ", "PR #6 "]


def test_before_it_was_taken_out_it_was_there(ferry: Brain) -> None:
    then = lines(ferry, "Is Zonk still used for CI?", as_of=datetime(2023, 1, 1, tzinfo=UTC))
    assert not then[0].startswith("PR #2")


def test_what_somebody_said_once_is_no_sure_answer_for_now(ferry: Brain) -> None:
    assert ask(ferry, "Is Mux still required?", scope=Scope()).evidence != "strong"


@pytest.mark.parametrize(
    "title",
    [
        "Remove Zonk flag", "Remove legacy Zonk API", "Remove unused Zonk files", "Replace zonk package with zonk2",
        "Merge Zonk modules into one", "Rename Zonk service to bells", "Retire Zonk experiment", "Revert Zonk plugin",
        "Remove old Zonk", "Drop deprecated Zonk functions",
    ],
)  # fmt: skip
def test_what_takes_out_a_part_or_a_switch_of_a_thing_does_not_tell_that_it_is_gone(brain: Brain, title: str) -> None:
    bells = record("doc:README.md#bells", "We use Zonk for the bells of the pier.", title="Pier", path="README.md")
    index_records(brain, bells, changed(1, title), changed(2, "Paint the boats"))
    assert "We use Zonk" in lines(brain, "Do we still use Zonk?")[0]


def touching(number: int, path: str) -> Record:
    link = Link(relation="touches", to_ref=f"file:{path}")
    text = "Describe the pier"
    return record(
        f"commit:{number}", text, author="ada", created_at=datetime(2023, 1, number, tzinfo=UTC), links=(link,)
    )


@pytest.mark.parametrize(
    ("kind", "text", "touched", "first"),
    [
        ("directive", "Always use Zonk for bells.", 1, "Always use Zonk"),
        ("doc", "The bells ring by Zonk.", 9, "The bells ring by Zonk"),
        ("doc", "The bells ring by Zonk.", None, "The bells ring by Zonk"),
        ("doc", "The bells ring by Zonk.", 1, "PR #5"),
        ("doc", "The bells do not ring by Zonk.", 9, "PR #5"),
        ("doc", "The bells were rung by Zonk.", 9, "PR #5"),
    ],
    ids=["directive", "document since", "document of no day", "older document", "denied", "past"],
)
def test_a_directive_or_a_document_no_older_that_has_a_thing_comes_before_what_took_it_out(
    brain: Brain, kind: str, text: str, touched: int | None, first: str
) -> None:
    path = "AGENTS.md" if kind == "directive" else "docs/bells.md"
    stated = record(f"{kind}:{path}#1", text, title="Bells", path=path, state="active" if kind == "directive" else "")
    commits = [] if touched is None else [touching(touched, path)]
    index_records(brain, stated, changed(5, "Remove Zonk"), changed(6, "Paint the boats"), *commits)
    answer = ask(brain, "Is Zonk still used?", scope=Scope())
    told = answer.answer.splitlines()
    assert first in told[0]
    assert any("PR #5" in line for line in told)
    assert answer.evidence == "moderate"


@pytest.mark.parametrize("title", ["Remove Zonk flag", "Replace Zonk package with zonk2", "Retire the Zonk experiment"])
def test_a_document_that_has_a_thing_comes_before_what_took_out_a_part_of_it(brain: Brain, title: str) -> None:
    bells = record("doc:README.md#bells", "The bells ring by Zonk.", title="Pier", path="README.md")
    index_records(brain, bells, changed(1, title), changed(2, "Paint the boats"))
    assert "The bells ring by Zonk." in lines(brain, "Is Zonk still used?")[0]
