"""Why is answered with the reason that stands beside the decision, or was given in the thread, in whatever words."""

from __future__ import annotations

import time
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


def member(of: str, number: int, body: str, *, author: str = "bob", as_: str = "MEMBER", on: int = 2) -> Record:
    ref = f"comment:{of.partition(':')[2]}#{number}"
    return record(ref, body, author=author, association=as_, thread=of, created_at=MADE.replace(day=on))


GATES = "Gates are shut at noon\n\nGates are shut at noon."


@pytest.mark.parametrize(
    ("said", "since"),
    [
        ("I need them open, because my van is late.", "The tide is highest then."),
        ("Nice to have them open though, because my boat is late.", "The tide is highest then."),
        ("Not because of the cost.", "The tide is highest then."),
        ("We could keep them open because the pumps are new.", "They are shut because of the tide."),
        ("A side door would do.", "They are shut because of the tide."),
        ("I think it is because of the wind.", "No, the wind is harmless. The tide is highest then."),
    ],
    ids=["a wish", "a hope", "denied", "an idea", "a bare would", "contradicted"],
)
@pytest.mark.parametrize("is_turned", [False, True], ids=["first", "last"])
def test_what_is_wished_denied_or_guessed_is_told_after_what_a_member_says_plainly(
    brain: Brain, said: str, since: str, *, is_turned: bool
) -> None:
    is_turned = is_turned and not since.startswith("No")
    days = (5, 4) if is_turned else (4, 5)
    index_records(
        brain, thread("issue:30", GATES), member("issue:30", 1, said, on=days[0]),
        member("issue:30", 2, since, author="eva", on=days[1]),
    )  # fmt: skip
    assert since in asked(brain, "Why are gates shut at noon?").answer.split("\n")[1]


def test_who_did_what_is_asked_about_gives_its_reason(brain: Brain) -> None:
    index_records(
        brain, thread("issue:30", GATES), member("issue:30", 1, "I shut the gates at noon because of the tide.", on=4),
        member("issue:30", 2, "The new timetable hangs in the hall.", on=5),
    )  # fmt: skip
    assert "because of the tide" in asked(brain, "Why are gates shut at noon?").answer.split("\n")[0]


def test_of_a_short_thread_both_reasons_are_told(brain: Brain) -> None:
    index_records(
        brain, thread("issue:30", GATES), member("issue:30", 1, "Because of the tide at the old quay.", on=4),
        member("issue:30", 2, "That reason is gone: the quay was raised.", on=5),
    )  # fmt: skip
    told = asked(brain, "Why are gates shut at noon?").answer
    assert "Because of the tide" in told
    assert "That reason is gone" in told


def test_a_members_plain_word_comes_before_a_strangers_reason(brain: Brain) -> None:
    index_records(
        brain, thread("issue:30", GATES), member("issue:30", 1, "The tide is highest then.", on=4),
        member("issue:30", 2, "Because the wardens are lazy people.", author="kai", as_="NONE", on=5),
    )  # fmt: skip
    assert "The tide is highest then." in asked(brain, "Why are gates shut at noon?").answer.split("\n")[1]


@pytest.mark.parametrize(("as_", "is_strong"), [("NONE", False), ("MEMBER", True)])
def test_a_strangers_reason_alone_is_no_strong_evidence(brain: Brain, as_: str, *, is_strong: bool) -> None:
    reason = member("issue:30", 1, "Gates are shut at noon because the tide is highest then.", author="kai", as_=as_)
    index_records(brain, thread("issue:30", GATES), reason)
    answer = asked(brain, "Why are gates shut at noon?")
    assert "because the tide" in answer.answer
    assert (answer.evidence == "strong") == is_strong


def test_of_two_amounts_the_one_of_what_is_asked_about_comes_first(brain: Brain) -> None:
    index_records(
        brain, thread("issue:31", "Temperature of the kiln\n\nThe kiln burns hot."),
        member("issue:31", 1, "It burns at 910 °C.", on=4), member("issue:31", 2, "The siren is set to 990 °C.", on=5),
    )  # fmt: skip
    _, second, third = asked(brain, "How hot does the kiln burn?").answer.split("\n")
    assert "910 °C" in second
    assert "990 °C" in third
    assert "910 °C" in asked(brain, "What is the temperature of the kiln?").answer


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Why do we use crates?", "Sacks rot."),
        ("Why don't we use barrels?", "They roll."),
        ("What was the motivation for crates?", "Sacks rot."),
    ],
)
def test_a_part_headed_by_the_question_why_answers_it_in_other_words(brain: Brain, text: str, said: str) -> None:
    index_records(
        brain,
        part("README.md", "Quay › Storage", "Goods are stored in crates."),
        part("README.md", "Quay › Storage › Why crates?", "Sacks rot."),
        part("README.md", "Quay › Storage › Why not barrels?", "They roll."),
    )
    assert said in asked(brain, text).answer.split("\n")[0]


def test_rejected_reasons_are_none(brain: Brain) -> None:
    index_records(
        brain,
        part("adr/7.md", "7. Ropes of hemp › Context", "Steel cut two gloves."),
        decided("adr/7.md", "7. Ropes of hemp", "We use ropes of hemp."),
        part("adr/7.md", "7. Ropes of hemp › Rejected reasons", "That hemp looks nice is none."),
    )
    assert "Steel cut two gloves." in asked(brain, "Why do we use ropes of hemp?").answer.split("\n")[1]


def test_a_reason_after_many_blanks_is_read_soon(brain: Brain) -> None:
    blanks = "—" + "\n" * 60_000 + "it is shut because of the tide, and the wind."
    index_records(brain, thread("issue:30", GATES), member("issue:30", 1, blanks))
    began = time.process_time()
    asked(brain, "Why are gates shut at noon?")
    assert time.process_time() - began < 2


def fixing(number: int, title: str, *, fixes: int) -> Record:
    merged = {"state": "merged", "merged_at": MADE.replace(day=9), "closed_at": MADE.replace(day=9)}
    return record(f"pull:{number}", f"{title}\n\nFixes #{fixes}.", author="ada", created_at=MADE, **merged)


def test_why_of_a_change_is_what_was_wrong_and_what_a_member_said_there(brain: Brain) -> None:
    index_records(
        brain, fixing(41, "Let the ferry bell ring at 05:20", fixes=40),
        thread("issue:40", "Passengers miss the early train\n\nTheir crossing ends too late twice a week."),
        member("issue:40", 1, "The tower clock is six minutes slow.", on=3),
        thread("issue:42", "The bell of the ferry ticket hall is loud at 05:20\n\nGuests complained."),
    )  # fmt: skip
    deed, wrong, said, *_ = asked(brain, "Why was the ferry bell moved to 05:20?").answer.split("\n")
    assert "Let the ferry bell ring" in deed
    assert "Passengers miss the early train" in wrong
    assert "six minutes slow" in said


def test_what_became_of_a_thread_need_not_be_said_in_it(brain: Brain) -> None:
    index_records(
        brain, record("pull:50", "Varnish the deck with resin\n\nFrom oil.", state="open", created_at=MADE),
        member("pull:50", 1, "Not before the yard has dried.", on=3),
        thread("issue:51", "Deck chairs\n\nWe need twelve."),
    )  # fmt: skip
    assert "the yard has dried" in asked(brain, "Why is the resin deck varnish not merged?").answer.split("\n")[1]


def test_a_comment_that_answers_brings_the_reason_of_its_thread(brain: Brain) -> None:
    index_records(
        brain, thread("issue:60", "Which rope for the swing bridge?\n\nHemp, steel or nylon."),
        member("issue:60", 1, "We drop hemp ropes from the swing bridge.", on=3),
        member("issue:60", 2, "It rots in two winters because of the spray.", author="eva", on=4),
    )  # fmt: skip
    first, second, *_ = asked(brain, "Why did we drop hemp ropes?").answer.split("\n")
    assert "We drop hemp ropes" in first
    assert "because of the spray" in second


@pytest.mark.parametrize(("as_", "is_told"), [("MEMBER", True), ("NONE", False)])
def test_why_there_is_a_rule_is_told_by_what_members_said_of_it(brain: Brain, as_: str, *, is_told: bool) -> None:
    index_records(
        brain, decided("adr/9.md", "9. Lanterns", "Lanterns burn oil. We do not use gas lanterns."),
        thread("issue:70", "Light on the pier\n\nIt is dark."),
        member("issue:70", 1, "Gas lanterns explode in the salt wind.", as_=as_, on=3),
    )  # fmt: skip
    assert ("explode in the salt wind" in asked(brain, "Why don't we use gas lanterns?").answer) == is_told


def test_why_a_thread_was_closed_that_is_called_by_its_title_is_what_was_said_then(brain: Brain) -> None:
    index_records(
        brain,
        thread("issue:80", "Two anchors for the raft\n\nOne slips.", state="closed", closed_at=MADE.replace(day=9)),
        member("issue:80", 1, "Fixed by the heavier one that eva bought.", on=9),
        *(member("issue:80", number, f"Buoy {number} is green, because we paint it.", on=3) for number in range(2, 8)),
    )
    assert "Fixed by the heavier one" in asked(brain, "Why was two anchors for the raft closed?").answer.split("\n")[1]
