"""Why a thread was opened, merged or closed is answered from what was said then, or from what did it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Record, Scope
from tests.brains import index_records, record

ENDED = datetime(2024, 5, 20, 10, tzinfo=UTC)
BEGAN = datetime(2024, 5, 1, tzinfo=UTC)


def issue(number: int, title: str, *, state: str = "closed") -> Record:
    return record(
        f"issue:{number}", f"{title}\n\nIt came up in May.", author="ada", state=state, created_at=BEGAN,
        closed_at=None if state == "open" else ENDED, closed_by="" if state == "open" else "carol",
    )  # fmt: skip


def pull(number: int, body: str, *, state: str = "merged") -> Record:
    merged = state == "merged"
    return record(
        f"pull:{number}", body, author="ada", state=state, created_at=BEGAN, closed_at=ENDED,
        merged_at=ENDED if merged else None, merged_by="carol" if merged else "",
    )  # fmt: skip


def comment(thread: str, number: int, body: str, *, days: float = 0.0, author: str = "bob") -> Record:
    at = ENDED + timedelta(days=days)
    ref = f"comment:{thread.partition(':')[2]}#{number}"
    return record(ref, body, author=author, thread=thread, created_at=at)


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("reasons") / "brain.db") as brain:
        index_records(
            brain,
            issue(1, "Offer discounts"),
            comment("issue:1", 10, "Discounts would please the agencies a lot.", days=-9),
            comment("issue:1", 11, "Closing: the engine cannot express it.", days=0.02, author="carol"),
            comment("issue:1", 12, "A year later I still want the discounts.", days=300),
            issue(2, "Rounding differs"),
            pull(3, "Round half to even\n\nBanks do it so. Fixes #2"),
            comment("pull:3", 13, "ok", days=-0.1, author="carol"),
            issue(4, "Quiet thread"),
            issue(5, "Waiting for the bank", state="open"),
            comment("issue:5", 14, "Blocked until they sign.", days=-3),
            comment("issue:5", 15, "They signed, it starts next week.", days=3),
            pull(6, "Cache in memory\n\nTwo nodes.", state="closed"),
            comment("pull:6", 16, "One cache is enough for us.", days=-0.01, author="carol"),
            pull(7, "Revert the rounding\n\nReverts #3. Receipts were wrong."),
        )
        yield brain


def asked(brain: Brain, text: str) -> Answer:
    return ask(brain, text, scope=Scope())


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("Why was #1 closed?", ["comment:1#11"]),
        ("Why was #2 closed?", ["pull:3"]),
        ("Why was #3 merged?", ["pull:3", "issue:2"]),
        ("Why was issue #1 opened?", ["issue:1"]),
        ("Why was PR #6 closed?", ["comment:6#16"]),
        ("Why was #6 not merged?", ["comment:6#16"]),
        ("Why is #5 still open?", ["comment:5#15", "comment:5#14"]),
        ("Why was #3 reverted?", ["pull:7"]),
    ],
)
def test_why_a_thread_ended_is_what_was_said_then_or_what_did_it(threads: Brain, text: str, refs: list[str]) -> None:
    assert [one.record.ref for one in asked(threads, text).citations] == refs


def test_of_a_thread_that_ended_without_a_word_it_is_told_when_and_by_whom(threads: Brain) -> None:
    answer = asked(threads, "Why was #4 closed?")
    assert answer.answer.startswith("Issue #4 (closed 2024-05-20 by carol, reported by ada): Quiet thread")
    assert answer.evidence == "moderate"


@pytest.mark.parametrize("text", ["Why was #5 closed?", "Why was #6 merged?", "Why was #4 merged?"])
def test_why_it_was_what_it_was_not_is_refused_with_the_thread_as_nearest(threads: Brain, text: str) -> None:
    answer = asked(threads, text)
    assert answer.refused
    assert answer.considered[0].record.ref.partition(":")[2] == text.partition("#")[2].partition(" ")[0]


def test_what_was_said_later_is_no_reason_then(threads: Brain) -> None:
    then = ask(threads, "Why was #1 closed?", scope=Scope(), as_of=ENDED - timedelta(days=1))
    assert then.refused


@pytest.mark.parametrize("heading", ["Why", "Root cause", "The cause", "Reasons"])
@pytest.mark.parametrize("question", ["What caused the ferry to miss the pier?", "Why did the ferry miss the pier?"])
def test_the_part_that_is_headed_by_what_is_asked_tells_it(brain: Brain, heading: str, question: str) -> None:
    title, parts = (
        "The ferry missed the pier",
        {"": "Status: closed", heading: "A clock ran late.", "After": "We sleep."},
    )
    told = [
        record(
            f"doc:docs/incidents/1.md#{name.lower().replace(' ', '-')}",
            body,
            title=" › ".join(filter(None, (title, name))),
            path="docs/incidents/1.md",
        )
        for name, body in parts.items()
    ]
    index_records(brain, *told, record("issue:7", "The ferry may miss the pier\n\nIt would, in wind.", state="open"))
    answer = ask(brain, question, scope=Scope())
    assert answer.answer.startswith(f"{title} › {heading}: “A clock ran late.”"), answer.answer


@pytest.mark.parametrize(
    ("question", "told"), [("What caused the pier crash?", True), ("What caused the pier fire?", False)]
)
def test_a_cause_is_told_by_the_part_of_the_file_that_is_called_so(brain: Brain, question: str, told: bool) -> None:  # noqa: FBT001
    path = "docs/incidents/2024-05-01-pier-crash.md"
    parts = {"Root cause": "A clock ran late.", "Actions": "Wind it."}
    index_records(
        brain,
        *(
            record(f"doc:{path}#{name.lower().replace(' ', '-')}", body, title=f"A late ferry › {name}", path=path)
            for name, body in parts.items()
        ),
    )
    assert ask(brain, question, scope=Scope()).refused != told


def test_why_an_open_thread_was_closed_is_told_for_sure_by_nothing(brain: Brain) -> None:
    others = (record(f"issue:{number}", f"Lamp {number}\n\nIt is dark.", state="open") for number in range(20, 80))
    title = "Investigate a faster printer for tills of the northern harbour"
    body = f"{title}\n\nA faster printer for tills of the northern harbour is needed, because the harbour is far."
    index_records(brain, record("issue:8", body, author="ada", state="open"), *others)
    assert ask(brain, f"Why was “{title}” closed?", scope=Scope()).evidence == "moderate"


def test_who_reported_a_matter_is_who_opened_it_though_its_title_asks(brain: Brain) -> None:
    index_records(
        brain,
        record("issue:8", "Why do tills open at night?\n\nWhy do they?", author="ada", state="open"),
        comment("issue:8", 17, "Tills open at night because the clock is wrong.", author="bob"),
    )
    answer = ask(brain, "Who reported “Why do tills open at night?”", scope=Scope())
    assert answer.citations[0].record.author == "ada"
