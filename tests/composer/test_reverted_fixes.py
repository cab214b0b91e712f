"""A fix that was taken back comes after one that was not; why something is so is told first by what took it back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record


def day(month: int) -> datetime:
    return datetime(2024, month, 3, tzinfo=UTC)


def pull(number: int, title: str, text: str, month: int, *links: Link) -> Record:
    made = {"created_at": day(month), "merged_at": day(month), "updated_at": day(month)}
    return record(f"pull:{number}", f"{title}\n\n{text}", title=title, state="merged", links=links, **made)


def asked(brain: Brain, text: str) -> Answer:
    return ask(brain, text, scope=Scope())


def refs(answer: Answer) -> list[str]:
    return [one.record.ref for one in answer.citations]


def baked(brain: Brain, *more: Record) -> Brain:
    """A bakery whose crust was mended twice: by steam, which was taken back, and by a lower shelf."""
    issue = record(
        "issue:4", "Crusts crack on rye loaves\n\nEvery rye loaf of the morning batch has a cracked crust.",
        title="Crusts crack on rye loaves", state="closed", created_at=day(1), closed_at=day(6),
    )  # fmt: skip
    merging = record(
        "commit:0a1b2c3d4e5f", "Bake rye on the lower shelf (#9)\n\nFixes #4", title="Bake rye on the lower shelf (#9)",
        created_at=day(6), links=(Link(relation="merges", to_ref="pull:9"),),
    )  # fmt: skip
    index_records(
        brain,
        issue,
        pull(5, "Steam the oven for 8 minutes", "Two minutes are too short for rye. Fixes #4.", 2),
        pull(7, 'Revert "Steam the oven for 8 minutes"', "Reverts #5. The crusts go soft and still crack.", 4),
        pull(9, "Bake rye on the lower shelf", "The upper shelf dries the dough before it has risen. Fixes #4.", 6),
        merging,
        pull(11, "Knead the dough for 20 minutes", "The gluten of 12 minutes is too weak.", 3),
        pull(12, "Knead the dough for 16 minutes", "20 minutes warm the dough too much. Partly takes back #11.", 5),
        *(record(f"issue:{n}", f"Order {n} sacks of flour\n\nThe mill is slow.") for n in range(20, 32)),
        *more,
    )
    return brain


@pytest.fixture
def bakery(brain: Brain) -> Brain:
    return baked(brain)


def test_the_fix_that_stands_comes_before_the_one_that_was_taken_back(bakery: Brain) -> None:
    answer = asked(bakery, "Which PR fixed issue #4?")
    assert refs(answer)[:2] == ["pull:9", "pull:5"]
    assert "reverted by PR #7" in answer.answer.splitlines()[1]


def test_a_pull_request_is_told_and_not_also_the_commit_that_merged_it(bakery: Brain) -> None:
    found = refs(asked(bakery, "What fixed the cracked crusts of rye loaves?"))
    assert "pull:9" in found
    assert found.index("pull:9") < found.index("pull:5")
    assert "commit:0a1b2c3d4e5f" not in found


def test_a_fix_that_was_brought_back_keeps_its_place(brain: Brain) -> None:
    again = pull(14, 'Reapply "Steam the oven for 8 minutes"', "Reapplies #5, with the vent open.", 8)
    answer = asked(baked(brain, again), "Which PR fixed issue #4?")
    assert refs(answer)[:2] == ["pull:5", "pull:9"]
    assert "reverted by" not in answer.answer
    assert refs(asked(brain, "Why is the oven steamed for 8 minutes?"))[0] != "pull:7"


@pytest.mark.parametrize("text", ["Why is the oven steamed for 8 minutes?", "Why do we steam the oven for 8 minutes?"])
def test_why_it_is_so_is_told_first_by_what_took_it_back(bakery: Brain, text: str) -> None:
    answer = asked(bakery, text)
    assert refs(answer)[:2] == ["pull:7", "pull:5"]
    assert answer.evidence == "moderate"


def test_how_it_is_is_told_first_by_what_took_it_back_and_not_for_sure(bakery: Brain) -> None:
    answer = asked(bakery, "What is the steam of the oven?")
    assert refs(answer)[:2] == ["pull:7", "pull:5"]
    assert answer.evidence == "moderate"


def test_why_it_was_so_is_told_by_what_made_it_so(bakery: Brain) -> None:
    assert refs(asked(bakery, "Why was the oven steamed for 8 minutes?"))[0] == "pull:5"


def test_what_took_back_a_part_is_told_first(bakery: Brain) -> None:
    answer = asked(bakery, "Why is the dough kneaded for 20 minutes?")
    assert refs(answer)[:2] == ["pull:12", "pull:11"]
    assert answer.evidence == "moderate"


def test_a_number_no_year_can_be_asks_how_things_are(brain: Brain) -> None:
    index_records(
        brain,
        pull(3, "Cut the tape at 2048 frames", "512 frames are too short for a scene.", 2),
        pull(6, "Cut the tape at 1024 frames", "2048 frames jam the reel. Partly takes back #3.", 5),
        *(record(f"issue:{n}", f"Order {n} reels of film\n\nThe shop is slow.") for n in range(20, 32)),
    )
    assert refs(asked(brain, "Is the tape cut at 2048 frames?"))[0] == "pull:6"


def decision(number: int, title: str, text: str, state: str, *links: Link) -> Record:
    path = f"docs/decisions/000{number}.md"
    return record(
        f"doc:{path}#decision", text, title=f"{title} › Decision", path=path, state=state, created_at=day(number),
        links=links,
    )  # fmt: skip


@pytest.mark.parametrize(("text", "evidence"), [("yeast", "moderate"), ("sourdough", "strong")])
def test_why_of_what_was_superseded_is_not_told_for_sure(brain: Brain, text: str, evidence: str) -> None:
    index_records(
        brain,
        decision(2, "Raise the rye loaves with yeast", "Rye loaves are raised with yeast: it is quick.", "superseded"),
        decision(
            5, "Raise the rye loaves with sourdough",
            "Rye loaves are raised with sourdough, because yeast makes them crumble. No yeast is kept.", "accepted",
            Link(relation="supersedes", to_ref="doc:docs/decisions/0002.md"),
        ),
        *(record(f"issue:{n}", f"Order {n} sacks of flour\n\nThe mill is slow.") for n in range(20, 32)),
    )  # fmt: skip
    answer = asked(brain, f"Why are rye loaves raised with {text}?")
    assert refs(answer)[0] == "doc:docs/decisions/0005.md#decision"
    assert answer.evidence == evidence


def test_why_something_is_allowed_is_told_first_by_what_forbids_it(brain: Brain) -> None:
    said = {"thread": "pull:8", "title": "Glaze the plums", "author": "moss", "association": "CONTRIBUTOR"}
    index_records(
        brain,
        pull(8, "Glaze the plums", "They shine.", 2),
        record("comment:8#1", "Sure, honey is fine in glazes, everybody does it.", created_at=day(3), **said),
        record(
            "directive:AGENTS.md#1",
            "No sweeteners: honey and syrup are forbidden anywhere in the kitchen.",
            path="AGENTS.md",
            state="active",
        ),
        *(record(f"issue:{n}", f"Order {n} sacks of flour\n\nThe mill is slow.") for n in range(20, 32)),
    )
    assert refs(asked(brain, "Why is honey allowed in glazes?"))[0] == "directive:AGENTS.md#1"
