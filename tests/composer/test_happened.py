"""Whether what a question takes to have happened is told: the event, of that thing, in that direction."""

from __future__ import annotations

import pytest

from cortex.composer.ask import ask
from cortex.composer.events import event_of
from cortex.composer.happened import MAYBE, TOLD, how_told
from cortex.composer.rows import Row
from cortex.composer.understanding import understand
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record


def row(title: str, text: str = "", *, type_: str = "pull", state: str = "merged") -> Row:
    return Row(1, 1, 1, f"{type_}:1", type_, title, 0.9, "", state, "ada", "", 0, "2024-02-01", 0, 0, text)


def told(brain: Brain, question: str, *rows: Row) -> int:
    stemmer = Stemmer()
    asked = understand(brain, question, stemmer)
    event = event_of(asked, stemmer)
    assert event is not None
    return how_told(asked, event, rows, stemmer)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Why was the ferry planner removed?", "removal"),
        ("Why did we get rid of the ferry planner?", "removal"),
        ("Why did the harbour team stop using the ferry planner?", "removal"),
        ("Which PR dropped the ferry planner?", "removal"),
        ("Who decided to drop the ferry planner?", "removal"),
        ("In which release was the ferry planner taken out?", "removal"),
        ("What replaced the ferry planner?", "replacement"),
        ("What was the ferry planner renamed to?", "renaming"),
        ("When was the ferry planner rolled back?", "reversal"),
        ("Why did we switch from the ferry planner to tides?", "leaving"),
        ("Why was the ferry planner turned down?", "rejection"),
        ("Which pull request added the ferry planner?", "addition"),
        ("Who approved the ferry planner?", "approval"),
        ("How does the ferry planner drop packets?", None),
        ("When is a berth dropped?", None),
        ("Was the ferry planner removed?", None),
        ("Did we drop the ferry planner?", None),
        ("Why was the ferry planner not removed?", None),
        ("Why was #12 reverted?", None),
        ("Which field is removed by the ferry planner?", None),
        ("Why does berth_dropped wait?", None),
    ],
)
def test_what_a_question_takes_for_granted(brain: Brain, question: str, kind: str | None) -> None:
    stemmer = Stemmer()
    event = event_of(understand(brain, question, stemmer), stemmer)
    assert (event.kind.name if event else None) == kind


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why was the tide cache removed?", "Remove the tide cache"),
        ("Why was the tide cache removed?", "The tide cache was finally dropped."),
        ("Why was the tide cache removed?", "Drop support for the old tide cache"),
        ("Why was the tide cache removed?", "The tide cache is gone."),
        ("Why was the tide cache removed?", "We no longer need the tide cache."),
        ("When was Node 18.2 dropped?", "Drops Node 18.2: it has no fetch."),
        ("Who removed the tide cache?", "Faster start, tide cache removed (#31)"),
        ("What replaced the tide cache?", "Replace the tide cache with a table"),
        ("What replaced the tide cache?", "Use a table instead of the tide cache"),
        ("What replaced the tide cache?", "Move forecasts from the tide cache to a table"),
        ("Why did we switch from Redis to Postgres?", "Replace Redis by Postgres"),
        ("What was berth_slot renamed to?", "Rename berth_slot to mooring_slot"),
        ("Why was berth_slot renamed?", "Fix a typo of the rename from berth_slot to mooring_slot"),
        ("Who removed the tide cache?", 'Remove the "tide cache"'),
    ],
)
def test_a_sentence_that_says_it_of_the_thing_tells_it(brain: Brain, question: str, said: str) -> None:
    assert told(brain, question, row(said)) == TOLD


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why was the tide cache removed?", "Remove the tide cache tests"),
        ("Why was the tide cache removed?", "We could remove the tide cache."),
        ("Why was the tide cache removed?", "Work without the tide cache"),
        ("Why was the tide cache removed?", "Tables instead of a tide cache › Decision"),
        ("Why was the tide cache reverted?", 'Revert "Ask tables by way of a tide cache"'),
        ("Why was the tide cache removed?", "Remove mentions of the tide cache"),
        ("Why was the tide cache removed?", "Dropping of the tide cache is next."),
    ],
)
def test_what_is_done_to_a_part_or_wished_tells_it_perhaps(brain: Brain, question: str, said: str) -> None:
    assert told(brain, question, row(said)) == MAYBE


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why was the tide cache removed?", "Add a tide cache"),
        ("Why was the tide cache removed?", "Do not remove the tide cache"),
        ("Why was the tide cache removed?", "Should we remove the tide cache?"),
        ("Why was the tide cache removed?", "The tide cache removed the need for a second call."),
        ("Why was the tide cache removed?", "Remove old berths from the tide cache"),
        ("What replaced the tide cache?", "Replace Redis with the tide cache"),
        ("What replaced the tide cache?", "Use the tide cache instead of Redis"),
        ("Why did we switch from Postgres to Redis?", "Switch from Redis to Postgres"),
        ("Why was the berth_dropped event removed?", "The berth_dropped event says that a berth was dropped."),
        ("Why was berth_slot_size removed?", "Remove berth_slot_name"),
        ("Who reverted the harbour build?", 'Revert "harbour: install the charts"'),
        ("Why was Node 18.2 dropped?", "Require Node 18.2. Drops 18.1."),
    ],
)
def test_another_thing_another_direction_or_a_denial_does_not(brain: Brain, question: str, said: str) -> None:
    assert told(brain, question, row(said)) == 0


def test_a_change_that_was_not_merged_and_a_heading_count_for_what_they_are(brain: Brain) -> None:
    why = "Why was the tide cache removed?"
    assert told(brain, why, row("Tide cache", state="closed")) == MAYBE
    assert told(brain, why, row("Remove the tide cache", state="open")) == MAYBE
    assert told(brain, why, row("Changelog › 2.1 › Removed", "- Tide cache", type_="doc", state="")) == TOLD
    assert told(brain, why, row("Changelog › 2.1 › Fixed", "- Tide cache", type_="doc", state="")) == 0
    assert told(brain, why, row("2. Use a tide cache", "It is fast.", type_="doc", state="superseded")) == TOLD
    assert told(brain, why, row("2. Use a tide cache", "It is fast.", type_="doc", state="accepted")) == 0
    assert told(brain, "Which PR added the tide cache?", row("Tide cache for forecasts")) == TOLD
    assert told(brain, "Which PR added the tide cache?", row("Tide cache?", type_="issue", state="open")) == 0


@pytest.fixture
def harbour(brain: Brain) -> Brain:
    pulls = {
        1: "Add the tide cache\n\nThe tide cache keeps the forecasts of a week, for the service is slow.",
        2: "Replace the paper log with the berth ledger\n\nThe berth ledger can be searched, paper cannot.",
        3: "Remove the lantern driver\n\nThe lantern driver is removed because nobody has such lanterns any more.",
    }
    others = {number: f"Topic {number}\n\nNothing of the kind is told here." for number in range(4, 30)}
    index_records(brain, *(record(f"pull:{n}", body, state="merged") for n, body in (pulls | others).items()))
    return brain


@pytest.mark.parametrize(
    ("question", "refused"),
    [
        ("Why was the lantern driver removed?", False),
        ("Why was the tide cache removed?", True),
        ("Which PR dropped the tide cache?", True),
        ("What replaced the paper log?", False),
        ("What replaced the berth ledger?", True),
        ("Why was the berth ledger reverted?", True),
    ],
)
def test_what_never_happened_is_refused(harbour: Brain, question: str, refused: bool) -> None:  # noqa: FBT001
    assert ask(harbour, question, scope=Scope()).refused == refused


def test_what_the_first_row_does_not_tell_is_not_told_for_sure(brain: Brain) -> None:
    """A later row tells it, of something."""
    index_records(
        brain,
        record(
            "pull:1", "Remove doubled resets of clocks in the ferry planner\n\nThe ferry planner resets once, because"
            " doubled resets in the ferry planner were removed: the ferry planner is slow.",
            author="ada", state="merged",
        ),
        record(
            "doc:CHANGELOG.md#3/removed", "### Removed\n\n- Ferry planner: removed `ferry_go`, which nobody calls.",
            path="CHANGELOG.md", title="Changelog › 3.0 › Removed",
        ),
        *(record(f"issue:{number}", f"Lamp {number}\n\nIt is dark.", state="open") for number in range(20, 80)),
    )  # fmt: skip
    assert ask(brain, "Why was the ferry planner removed?", scope=Scope()).evidence != "strong"
