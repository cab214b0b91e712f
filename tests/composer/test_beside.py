"""Why is answered with the reason that stands beside the decision, or was given in the thread, in whatever words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.explain import explain
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Record, Scope
from tests.brains import index_records, record

MADE = datetime(2024, 5, 1, tzinfo=UTC)


def part(path: str, headings: str, body: str) -> Record:
    slug = "/".join(heading.lower().replace(" ", "-") for heading in headings.split(" › ")[1:])
    heading = headings.rpartition(" › ")[2]
    return record(f"doc:{path}#{slug}", f"## {heading}\n\n{body}", title=headings, path=path, created_at=MADE)


def decided(path: str, title: str, body: str) -> Record:
    return record(
        f"directive:{path}#1", body, title=f"{title} › Decision", path=path, state="accepted", created_at=MADE
    )


def thread(ref: str, body: str, **fields: object) -> Record:
    return record(ref, body, author="ada", created_at=MADE, **({"state": "open"} | fields))


def comment(of: str, number: int, body: str) -> Record:
    ref = f"comment:{of.partition(':')[2]}#{number}"
    return record(ref, body, author="bob", thread=of, created_at=MADE.replace(day=2))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("beside") / "brain.db") as brain:
        index_records(
            brain,
            part("adr/1.md", "1. Baskets live in memory › Context", "The disk died twice in March."),
            part("adr/1.md", "1. Baskets live in memory › Consequences", "A restart empties baskets."),
            decided("adr/1.md", "1. Baskets live in memory", "Baskets are kept in memory."),
            part("adr/2.md", "2. Ship on Mondays › Motivation", "Nobody is on call on Sundays."),
            part("adr/2.md", "2. Ship on Mondays › Context", "There was no rule."),
            decided("adr/2.md", "2. Ship on Mondays", "Releases ship on Mondays."),
            part("guide.md", "Guide › Couriers › Bicycles", "Couriers ride bicycles in the old town."),
            part("guide.md", "Guide › Couriers › Why", "Lorries get stuck there."),
            part("guide.md", "Guide › Parcels › Why", "Bags tear."),
            part("guide.md", "Guide › Clocks", "Clocks show UTC."),
            part("guide.md", "Guide › Why UTC", "Summer time lost two lorries."),
            part("adr/3.md", "3. Store crates in Oslo › Why not Bergen", "Bergen was too wet."),
            part("adr/3.md", "3. Store crates in Oslo › Why", "Oslo is where the customers are."),
            decided("adr/3.md", "3. Store crates in Oslo", "Crates are stored in Oslo."),
            part("adr/4.md", "4. Steel hooks › Reason", "The brass version snapped in two storms."),
            decided("adr/4.md", "4. Steel hooks", "Hooks are of steel."),
            thread("issue:9", "Scanner is slow on the quay\n\nThe scanner takes 3 minutes there."),
            comment("issue:9", 90, "The reason is the radio: each frame is sent twice."),
            comment("issue:9", 91, "It is slow because I mounted my own aerial wrong, ignore me."),
            comment("issue:9", 92, "Because I hate it."),
            thread("issue:10", "Drop paper labels\n\nWe should drop them."),
            record(
                "comment:10#100",
                "Because the printers need too much ink.",
                author="eve",
                association="MEMBER",
                thread="issue:10",
                created_at=MADE.replace(day=2),
            ),
            comment("issue:10", 101, "Because the ink smells too bad in the hall."),
            thread("issue:7", "The freezer of depot nine thawed\n\nEverything was soft in the morning."),
            comment("issue:7", 70, "A mouse bit the cable, so that the breaker fell."),
            comment("issue:7", 71, "Loss: 400 l, about 3400 EUR."),
            comment("issue:7", 72, "How sad!"),
            thread(
                "pull:8", "Drones draft\n\nUntested.", state="closed", closed_at=MADE.replace(day=2), closed_by="bob"
            ),
            comment("pull:8", 80, "Not over the airport. Closing"),
        )
        yield brain


def asked(brain: Brain, text: str) -> Answer:
    return ask(brain, text, scope=Scope())


@pytest.mark.parametrize(
    ("text", "first", "place", "reason"),
    [
        ("Why are baskets kept in memory?", "adr/1.md", 1, "The disk died twice in March."),
        ("Why does a restart empty baskets?", "adr/1.md", 2, "The disk died twice in March."),
        ("Why do releases ship on Mondays?", "adr/2.md", 1, "Nobody is on call on Sundays."),
    ],
)
def test_why_of_a_decision_is_the_decision_and_the_reason_of_its_file(
    told: Brain, text: str, first: str, place: int, reason: str
) -> None:
    answer = asked(told, text)
    assert (answer.citations[0].record.type, answer.citations[0].record.path) == ("directive", first)
    assert reason in answer.answer.split("\n")[place]


def test_a_reason_stands_before_what_was_so_when_it_was_decided(told: Brain) -> None:
    answer = asked(told, "Why do releases ship on Mondays?").answer
    assert answer.index("Motivation") < answer.index("Context")


def test_of_other_documents_only_the_part_beside_the_first_tells_why(told: Brain) -> None:
    answer = asked(told, "Why do couriers ride bicycles?").answer
    assert "Lorries get stuck there." in answer
    assert "Bags tear" not in answer


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What caused the thawed freezer of depot nine?", "A mouse bit the cable"),
        ("How much did the thawed freezer of depot nine cost us?", "3400 EUR"),
        ("Why are there no drones?", "Not over the airport."),
    ],
)
def test_a_reason_or_an_amount_that_was_given_in_the_thread_need_not_share_a_word(
    told: Brain, text: str, said: str
) -> None:
    first, second, *_ = asked(told, text).answer.split("\n")
    assert said not in first
    assert said in second


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        ("Why is the scanner slow on the quay?", "The reason is the radio", "ignore me"),
        ("Why were paper labels dropped?", "the printers need too much ink", ""),
    ],
    ids=["what was taken back is none", "members come first"],
)
def test_of_several_reasons_one_that_stands_is_told(told: Brain, text: str, said: str, unsaid: str) -> None:
    line = asked(told, text).answer.split("\n")[1]
    assert said in line
    assert not unsaid or unsaid not in line


def test_a_part_that_tells_why_of_the_thing_by_name_is_beside_it(told: Brain) -> None:
    assert "Summer time lost two lorries." in asked(told, "Why do clocks show UTC?").answer


def test_why_comes_before_why_not_another(told: Brain) -> None:
    answer = asked(told, "Why are crates stored in Oslo?").answer
    assert answer.index("Oslo is where") < answer.index("Bergen was too wet.")


def test_a_reason_that_is_itself_what_is_asked_stays_first(told: Brain) -> None:
    assert "snapped in two storms" in asked(told, "Why did the brass version snap in storms?").answer.split("\n")[0]


def test_what_was_brought_for_another_row_is_no_row(told: Brain) -> None:
    rows = explain(told, "Why did the freezer thaw?", scope=Scope()).rows
    assert "comment:7#72" not in [row.ref for row in rows if row.moved]


def test_why_without_a_reason_in_what_is_cited_is_no_strong_evidence(brain: Brain) -> None:
    index_records(
        brain,
        part("adr/1.md", "1. Lamps are green › Decision", "Lamps are green in every room."),
        part("rooms.md", "Rooms › Lamps", "Lamps are green in every room of the house."),
    )
    assert asked(brain, "Why are lamps green in every room?").evidence != "strong"
    assert asked(brain, "Are lamps green in every room?").evidence == "strong"
