"""What is quoted of a record: the sentence that answers, with what it cannot be understood without, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.composer.pipeline import CLOSEST, ask
from cortex.composer.query.following import asked_of, is_courtesy, next_topic
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, CitedRecord, Scope
from tests.brains import NOW, index_records, open_new, record
from tests.tables import walk

LOCKS = """Locks wait. That is what they are for. A lock gives up after ten seconds unless you say otherwise.

To wait longer, run:

```sh
lock --wait 30
```

Or ask [the forum](https://forum.example/locks)."""
SHELLS = "Completion works in these shells:\n\n- bash\n- zsh\n- fish\n\nOthers may follow."
ENTRIES = """- Add a `DateTime` type for timestamps of every zone there is, wherever on the globe a clock stands.
- Warn of colours that no terminal has."""
OPTIONS = "| Option | Default |\n|---|---|\n| retries | 3 |\n| timeout | 10 s |\n"
GEARBOX = "Drop the gearbox\n\nIt broke in the cold, and nobody had spare parts.\n\nCloses #3"


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_new(tmp_path_factory.mktemp("quote") / "brain.db") as brain:
        index_records(
            brain,
            record("doc:docs/locks.md#timeouts", LOCKS, title="Locks › Timeouts", path="docs/locks.md"),
            record("doc:docs/shells.md#completion", SHELLS, title="Shells › Completion", path="docs/shells.md"),
            record("doc:CHANGELOG.md#21", ENTRIES, title="Changelog › Version 2.1", path="CHANGELOG.md"),
            record("doc:docs/options.md#all", OPTIONS, title="Options › All", path="docs/options.md"),
            record("pull:7", GEARBOX, title="Drop the gearbox", state="merged", author="ada", merged_at=NOW),
        )
        yield brain


def answer(brain: Brain, question: str) -> Answer:
    return ask(brain, question, scope=Scope(), now=NOW)


def first(brain: Brain, question: str) -> str:
    return answer(brain, question).statements[0].quote


def test_the_sentence_that_answers_comes_first_and_not_the_head_of_its_paragraph(brain: Brain) -> None:
    assert first(brain, "After how long does a lock give up?").startswith("A lock gives up after ten seconds")


def test_below_a_heading_that_asks_the_first_sentence_answers(tmp_path: Path) -> None:
    filler = "Colours are drawn by the painter, who mixes them each morning from what the mill has left over. " * 3
    body = f"Nobody may while it is taken. {filler}Locks that one can hold are rare."
    asked = record("doc:docs/faq.md#a", body, title="Questions › Can two runners hold a lock?", path="docs/faq.md")
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, asked)
        assert first(brain, "Can a second runner hold a lock?").startswith("Nobody may while it is taken.")


def test_code_comes_whole_and_fenced_with_what_introduces_it(brain: Brain) -> None:
    said = first(brain, "How do I make a lock wait longer?")
    assert said.startswith("To wait longer, run:\n    ```\n    lock --wait 30\n    ```")


def test_a_list_is_quoted_with_its_introduction_an_item_a_line(brain: Brain) -> None:
    said = first(brain, "Which shells does completion work in?")
    assert said.startswith("Completion works in these shells:\n    - bash\n    - zsh\n    - fish")


def test_an_entry_of_a_changelog_stands_alone_under_its_version(brain: Brain) -> None:
    (statement, *_) = answer(brain, "What was added for timestamps of every zone?").statements
    assert "terminal" not in statement.quote
    assert statement.attribution == "CHANGELOG.md › ‘Version 2.1’"


def test_rows_of_a_table_are_quoted_as_rows(brain: Brain) -> None:
    assert "\n    | retries | 3 |" in first(brain, "Which options are there and what is the default of retries?")


def test_what_a_change_only_notes_is_left_off(brain: Brain) -> None:
    assert first(brain, "Why did we drop the gearbox?").endswith("nobody had spare parts.")


def test_where_something_is_asked_for_links_are_quoted_with_their_addresses(brain: Brain) -> None:
    assert "the forum (https://forum.example/locks)" in first(brain, "Where is the forum about locks?")


def test_every_quote_stands_in_what_is_cited(brain: Brain) -> None:
    for question in ("After how long does a lock give up?", "Which shells does completion work in?"):
        found = answer(brain, question)
        opening = found.statements[0].quote.split("\n")[0].split(" ")
        assert all(word in found.citations[0].excerpt for word in opening)


def test_a_greeting_is_no_question_and_nothing_comes_near_it(brain: Brain) -> None:
    found = answer(brain, "Hello there!")
    assert found.refused
    assert found.considered == ()


def test_a_refusal_names_three_rows_at_most(brain: Brain) -> None:
    found = answer(brain, "How many lighthouses does the harbour of Bergen have?")
    assert found.refused
    assert len(found.considered) <= CLOSEST


@walk(
    ("text", "courtesy"),
    [
        ("hi", True),
        ("Thank you so much!", True),
        ("ok, got it", True),
        ("Is it good?", False),
        ("thanks, and who wrote it?", False),
    ],
)
def test_greetings_and_thanks_are_told_from_questions(text: str, courtesy: bool) -> None:  # noqa: FBT001
    assert is_courtesy(text) is courtesy


@walk(
    ("ref", "asked"),
    [
        ("pull:7", "and who wrote PR #7?"),
        ("commit:0a1b2c3d4e5f", "and who wrote commit 0a1b2c3d4e5f?"),
        ("comment:7#12", "and who wrote issue #7?"),
        ("doc:docs/locks.md", "and who wrote it: Locks?"),
    ],
)
def test_a_thread_or_a_commit_takes_the_place_of_the_pronoun(ref: str, asked: str) -> None:
    assert asked_of("and who wrote it?", CitedRecord(type=ref.partition(":")[0], ref=ref, title="Locks")) == asked


def test_a_follow_up_keeps_the_topic_and_a_question_of_its_own_begins_another() -> None:
    assert next_topic("pull:7@0-9", "and why?", "and why: Locks, PR #7?", ["commit:1@0-9"]) == "pull:7@0-9"
    assert next_topic("pull:7@0-9", "Who owns it all?", "Who owns it all?", ["issue:2@0-9"]) == "issue:2@0-9"
    assert next_topic("pull:7@0-9", "Where?", "Where?", []) == "pull:7@0-9"


def test_nothing_is_said_twice_but_what_was_taken_back(tmp_path: Path) -> None:
    saying = "Sort the bobbins by colour, not by weight"
    with open_new(tmp_path / "brain.db") as brain:
        index_records(
            brain,
            record("pull:4", saying, title=saying, state="merged", merged_at=NOW),
            record("commit:aaaaaaaaaaaa", f"{saying} (#4)", title=f"{saying} (#4)"),
            record("commit:bbbbbbbbbbbb", f'Revert "{saying}"', title=f'Revert "{saying}"'),
            record("issue:9", f"{saying} as the looms do, please, for the evening shift.", title="Bobbins at night"),
        )
        said = [one.quote for one in answer(brain, "Are bobbins sorted by colour?").statements]
    assert sum(quote.startswith(saying) for quote in said) == 2
    assert any(quote.startswith("Revert") for quote in said)
