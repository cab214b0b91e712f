"""Whether a thing is there still is told by what took it out, however it is asked and wherever it was named before."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record

YEARS_AGO = datetime(2021, 1, 1, tzinfo=UTC)


def merged(number: int, title: str, body: str = "") -> Record:
    at = datetime(2023, 1, number, tzinfo=UTC)
    text = f"{title}\n\n{body}".strip()
    return record(f"pull:{number}", text, author="ada", state="merged", created_at=at, closed_at=at, merged_at=at)


def part(title: str, text: str) -> Record:
    path = f"docs/{title.partition(' › ')[0].lower()}.md"
    return record(f"doc:{path}#{title.lower()}", text, title=title, path=path)


def told(brain: Brain, question: str) -> list[str]:
    return ask(brain, question, scope=Scope()).answer.splitlines()


@pytest.fixture
def weir(brain: Brain) -> Brain:
    index_records(
        brain,
        part("Weir › What runs where", "The gates are opened by Brann. The depth is read with Sonde."),
        part("Weir › People", "We meet on the bridge."),
        merged(4, "Replace Brann with Skade"),
        merged(5, "Stop using Sonde"),
        *(merged(n, f"Grease gate {n}") for n in range(6, 20)),
    )
    return brain


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("Are we still using Brann?", 4), ("Are they still using Brann?", 4), ("Is the weir still using Brann?", 4),
        ("Are you still on Brann?", 4), ("Are we still relying on Sonde?", 5), ("Is the project still using Sonde?", 5),
    ],
)  # fmt: skip
def test_what_somebody_still_uses_is_asked_of_what_stands_behind_the_verb(
    weir: Brain, question: str, number: int
) -> None:
    assert any(line.startswith(f"PR #{number} (merged 2023") for line in told(weir, question)[:2])


@pytest.mark.parametrize(
    "title",
    [
        "Changelog › 1.2.0", "Story › 2021", "Weir › Change log › Since 1.1", "Weir › History",
        "News › [2.0] - 2021-04-01", "Story › March 2021 – the first gate",
    ],
)  # fmt: skip
def test_a_part_that_tells_what_was_done_then_is_no_state_that_stands(brain: Brain, title: str) -> None:
    others = (merged(n, f"Grease gate {n}") for n in range(6, 20))
    index_records(brain, part(title, "The depth is read with Sonde."), merged(5, "Remove Sonde"), *others)
    assert told(brain, "Is Sonde still used?")[0].startswith("PR #5 ")


def section(version: str, heading: str, *items: str) -> Record:
    text = "\n".join((f"### {heading}", *(f"- {one}" for one in items)))
    title = f"Changelog › [{version}] - 2024-0{version[0]}-01 › {heading}"
    return record(f"doc:CHANGELOG.md#{version}/{heading}", text, title=title, path="CHANGELOG.md")


@pytest.mark.parametrize("question", ["Are Lua hooks still supported?", "Is Brann 7 still supported?"])
def test_the_same_item_below_removed_is_told_and_first(brain: Brain, question: str) -> None:
    items = ("Support for Brann 7.", "Lua hooks.")
    sections = section("3.0.0", "Removed", *items), section("1.0.0", "Added", "Support for Skade.", *items)
    index_records(brain, *sections, *(merged(n, f"Grease gate {n}") for n in range(6, 20)))
    assert "› Removed: " in told(brain, question)[0]


def test_the_same_item_below_another_heading_is_told_too(brain: Brain) -> None:
    weir = part("Weir › Planned", "- Lua hooks."), part("Weir › Rejected", "- Lua hooks.")
    index_records(brain, *weir, *(merged(n, f"Grease gate {n}") for n in range(6, 20)))
    assert {line.split(":")[0] for line in told(brain, "Lua hooks")} == {"Weir › Planned", "Weir › Rejected"}


@pytest.mark.parametrize(
    "body",
    [
        "Switched off at the lower weir only.", "Only on the lower weir.", "Everywhere except the upper weir.",
        "## What\n\nIt was removed in the demo.", "Nobody reads it, but keeps the old tables.",
    ],
)  # fmt: skip
def test_what_took_a_thing_out_of_one_place_stands_after_what_says_that_it_is_there(brain: Brain, body: str) -> None:
    others = (merged(n, f"Grease gate {n}") for n in range(6, 20))
    sonde = part("Weir › Sensors", "The depth is read with Sonde.").model_copy(update={"created_at": YEARS_AGO})
    index_records(brain, sonde, merged(5, "Disable Sonde", body), *others)
    answer = ask(brain, "Is Sonde still used?", scope=Scope())
    assert [line.split(" ")[0] for line in answer.answer.splitlines()[:2]] == ["Weir", "PR"]
    assert answer.evidence == "moderate"
    assert body.rpartition("\n")[2] in answer.answer


@pytest.mark.parametrize(
    "body", ["It was used only in tests.", "Nothing in the tree reads it.", "Removed in 2.0 anyway."]
)
def test_why_a_thing_was_taken_out_is_no_part_of_it(brain: Brain, body: str) -> None:
    others = (merged(n, f"Grease gate {n}") for n in range(6, 20))
    sonde = part("Weir › Sensors", "The depth is read with Sonde.").model_copy(update={"created_at": YEARS_AGO})
    index_records(brain, sonde, merged(5, "Disable Sonde", body), *others)
    assert told(brain, "Is Sonde still used?")[0].startswith("PR #5 (merged")


@pytest.mark.parametrize("title", ["Brass oars, Sonde removed", "Sonde is gone (#3)", "Sonde has been removed"])
def test_a_title_may_say_that_a_thing_was_removed_after_it(brain: Brain, title: str) -> None:
    index_records(brain, merged(5, title), *(merged(n, f"Grease gate {n}") for n in range(6, 20)))
    assert told(brain, "Is Sonde still used?")[0].startswith("PR #5 (merged")


MOVES = [
    "Move the readings from Sonde to Lot",
    "Switch all of it over from Sonde to Lot",
    "Port gates from Sonde onto Lot",
]


@pytest.mark.parametrize("title", MOVES)
@pytest.mark.parametrize("question", ["Is Sonde still used?", "Do we still use Sonde?", "Are we still on Sonde?"])
def test_what_moved_something_away_from_a_thing_is_told_though_not_surely(
    brain: Brain, question: str, title: str
) -> None:
    comment = record("comment:3#1", "We use Sonde for the depth.", title="Depth", author="rosa", thread="issue:3")
    index_records(brain, comment, merged(5, title), *(merged(n, f"Grease gate {n}") for n in range(6, 20)))
    answer = ask(brain, question, scope=Scope())
    assert answer.answer.startswith("PR #5 ")
    assert answer.evidence == "moderate"


@pytest.mark.parametrize("since", [merged(7, "Sonde: log the depth"), part("Weir › Depth", "Sonde reads the depth.")])
def test_what_moved_something_away_is_not_told_first_of_what_is_there_since(brain: Brain, since: Record) -> None:
    index_records(brain, since, merged(5, MOVES[0]), *(merged(n, f"Grease gate {n}") for n in range(8, 20)))
    assert not told(brain, "Is Sonde still used?")[0].startswith("PR #5 ")


def test_a_document_is_not_how_a_thing_is_now_that_it_does_not_name(brain: Brain) -> None:
    oars = part("Weir › Supported oars", "Ash is supported since 2020. Pine is supported.")
    sonde = merged(5, "Upgrade the Sonde", "The factory supports Sonde no more."), merged(6, "Sonde: log the depth")
    index_records(brain, oars, *sonde, *(merged(n, f"Grease gate {n}") for n in range(8, 20)))
    first = [line.split(" by ")[0][:5] for line in told(brain, "Do we still support Sonde?")]
    assert first[:2] == ["PR #5", "PR #6"]
