"""What holds now is the answer, and says what it replaced; what was taken back says by what."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Link, Record, Scope
from tests.brains import index_records, record

SHELL = "doc:docs/decisions/0002-electron-shell.md"


def asked(brain: Brain, text: str) -> Answer:
    return ask(brain, text, scope=Scope())


@pytest.mark.parametrize("text", ["What is the desktop shell?", "Is Electron still the desktop shell?"])
def test_the_newer_decision_is_the_answer_and_says_what_it_superseded(demo: Brain, text: str) -> None:
    answer = asked(demo, text)
    first = answer.answer.splitlines()[0]
    assert first.startswith("Decision in docs/decisions/0006-tauri-shell.md (2025-10-07), superseding docs/")
    assert "from Electron to Tauri 2" in first
    assert answer.citations[0].record.replaces == SHELL


def test_a_superseded_decision_never_stands_first_and_says_that_it_is_one(demo: Brain) -> None:
    answer = asked(demo, "Is Electron still the desktop shell?")
    place = [one.record.path for one in answer.citations].index(SHELL.removeprefix("doc:"))
    assert place > 0
    assert "superseded by docs/decisions/0006-tauri-shell.md" in answer.answer.splitlines()[place]


@pytest.mark.parametrize("text", ["Do packets stream partial results into the board?", "Is #1012 still merged?"])
def test_a_reverted_pull_says_so_beside_what_reverted_it(demo: Brain, text: str) -> None:
    answer = asked(demo, text)
    assert "reverted by PR #1027" in answer.answer
    refs = [one.record.ref for one in answer.citations]
    assert {"pull:1012", "pull:1027"} <= {*refs}
    assert answer.citations[refs.index("pull:1012")].record.reverted_by == "pull:1027"


def test_of_two_pulls_the_one_that_replaced_the_other_comes_first(brain: Brain) -> None:
    day = datetime(2024, 6, 1, tzinfo=UTC)
    text = "Facts are kept in {}\n\nAll facts of the brain are kept in {} on the disk."
    index_records(
        brain,
        record("pull:1", text.format("flat files", "flat files"), state="merged", created_at=day, merged_at=day),
        record(
            "pull:2",
            text.format("SQLite", "SQLite"),
            state="merged",
            created_at=day.replace(year=2025),
            merged_at=day.replace(year=2025),
            links=(Link(relation="supersedes", to_ref="pull:1"),),
        ),
        *(
            record(f"issue:{number}", f"Topic {number}\n\nOther words entirely.", state="open")
            for number in range(3, 9)
        ),
    )
    for question in ("Where are all facts of the brain kept?", "Are facts still kept in flat files?"):
        first, second = asked(brain, question).answer.splitlines()[:2]
        assert "SQLite" in first
        assert "superseding PR #1" in first
        assert "superseded by PR #2" in second


@pytest.mark.parametrize("replaced", [{2: 1, 3: 2}, {1: 2, 2: 1}])
def test_of_several_that_replaced_each_other_the_last_comes_first(brain: Brain, replaced: dict[int, int]) -> None:
    formats = {1: "gzip", 2: "lz4", 3: "zstd"}
    pulls = []
    for number, name in formats.items():
        day = datetime(2024, number, 1, tzinfo=UTC)
        text = f"Backups are compressed with {name}\n\nAll backups of the brain are compressed with {name}."
        links = (Link(relation="supersedes", to_ref=f"pull:{replaced[number]}"),) if number in replaced else ()
        pulls.append(record(f"pull:{number}", text, state="merged", created_at=day, merged_at=day, links=links))
    index_records(brain, *pulls)
    lines = asked(brain, "How are all backups of the brain compressed?").answer.splitlines()
    assert len(lines) == len(formats)
    if 3 in replaced:
        assert [next(name for name in formats.values() if name in line) for line in lines] == ["zstd", "lz4", "gzip"]


def test_a_comment_that_names_another_thread_supersedes_nothing(brain: Brain) -> None:
    index_records(
        brain,
        record("issue:1", "The lock\n\nThe frobnicator holds the lock for 30 seconds.", state="open"),
        record(
            "comment:1#5",
            "The frobnicator holds the lock for 60 seconds.",
            thread="issue:1",
            author="zoe",
            links=(Link(relation="supersedes", to_ref="issue:9"),),
        ),
    )
    answer = asked(brain, "How long does the frobnicator hold the lock?")
    assert not answer.refused
    assert "supersed" not in answer.answer


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("What did decision 6 decide?", "directive"),
        ("What does ADR 0006 say?", "directive"),
        ("What is the status of decision record 6?", "doc"),
    ],
)
def test_a_decision_is_found_by_its_number(demo: Brain, text: str, type_: str) -> None:
    answer = asked(demo, text)
    assert answer.citations[0].record.path == "docs/decisions/0006-tauri-shell.md"
    assert answer.citations[0].record.type == type_


def test_a_decision_nobody_made_is_refused(demo: Brain) -> None:
    assert asked(demo, "What did decision 999 decide?").refused


AGREED = "We go with 12 knots for every ferry."


@pytest.fixture
def speeds(brain: Brain) -> Brain:
    def day(month: int) -> datetime:
        return datetime(2024, month, 1, tzinfo=UTC)

    def pull(number: int, text: str, month: int, *links: Link) -> Record:
        return record(
            f"pull:{number}",
            text,
            author="ada",
            state="merged",
            created_at=day(month),
            merged_at=day(month),
            links=links,
        )

    index_records(
        brain,
        record("issue:1", "Which cruising speed?\n\n12 knots? 16?", author="eve", state="closed", created_at=day(1)),
        record("comment:1#7", AGREED, title="Which cruising speed?", author="bo", thread="issue:1", created_at=day(2)),
        pull(2, "Sail all ferries at 12 knots\n\nAs agreed in #1.", 3, Link(relation="mentions", to_ref="issue:1")),
        pull(3, "Sail at 14 knots\n\nSupersedes #2.", 5, Link(relation="supersedes", to_ref="pull:2")),
        pull(4, "Go up to 16\n\nSupersedes #3.", 7, Link(relation="supersedes", to_ref="pull:3")),
        pull(5, "Paint the signs\n\nSee #1.", 3, Link(relation="mentions", to_ref="issue:1")),
        pull(6, "Paint them blue\n\nSupersedes #5.", 9, Link(relation="supersedes", to_ref="pull:5")),
        *(record(f"issue:{number}", f"Topic {number}\n\nOther words.", created_at=day(1)) for number in range(20, 40)),
    )
    return brain


@pytest.mark.parametrize("text", ["What is the current cruising speed?", "Is 12 knots still the cruising speed?"])
def test_what_replaced_the_work_that_did_what_was_agreed_comes_before_it(speeds: Brain, text: str) -> None:
    lines = asked(speeds, text).answer.splitlines()
    assert "“Go up to 16" in lines[0]
    assert any(AGREED in line and "superseded by PR #4" in line for line in lines[1:])


def test_of_a_thread_that_is_named_what_was_agreed_there_is_told(speeds: Brain) -> None:
    assert "Go up to 16" not in asked(speeds, "What was decided in #1?").answer.splitlines()[0]


def test_before_the_work_was_replaced_what_was_agreed_held(speeds: Brain) -> None:
    then = ask(speeds, "What is the cruising speed?", scope=Scope(), as_of=datetime(2024, 4, 1, tzinfo=UTC)).answer
    assert AGREED in then
    assert "superseded" not in then


@pytest.mark.parametrize("word", ["at the moment", "presently", "nowadays", "at present", "these days", "to date"])
def test_whoever_asks_for_now_is_understood(brain: Brain, word: str) -> None:
    assert understand(brain, f"Where are tickets sold {word}?", brain.stemmer).latest


def of_ovens(number: int, fuel: str, year: int, *, over: bool) -> list[Record]:
    path = f"docs/adr/000{number}.md"
    title = f"{number}. {fuel} for the ovens"
    given = {
        "path": path,
        "state": "superseded" if over else "accepted",
        "created_at": datetime(year, 1, 1, tzinfo=UTC),
    }
    links = (Link(relation="supersedes", to_ref=f"doc:docs/adr/000{number - 1}.md"),) if number > 1 else ()
    decided = record(
        f"doc:{path}#decision", f"## Decision\n\nThe ovens burn {fuel}.", title=f"{title} › Decision", **given
    )
    return [record(f"doc:{path}", f"# {title}", title=title, links=links, **given), decided]


@pytest.mark.parametrize(
    "text", ["Do we still use briquettes?", "Do we use briquettes?", "Are briquettes still in use?"]
)
def test_what_somebody_said_of_a_decision_comes_after_the_last_that_replaced_it(brain: Brain, text: str) -> None:
    at = datetime(2021, 2, 1, tzinfo=UTC)
    said = "We will use briquettes, the mill delivers them. See ADR 1."
    index_records(
        brain,
        record(
            "issue:8", "Which fuel?\n\nBriquettes or logs?", author="rosa", state="closed", created_at=at, closed_at=at
        ),
        record(
            "comment:8#1", said, title="Which fuel?", author="ada", association="OWNER", thread="issue:8", created_at=at
        ),
        *of_ovens(1, "briquettes", 2021, over=True),
        *of_ovens(2, "gas", 2022, over=True),
        *of_ovens(3, "logs", 2023, over=False),
    )
    first, second = asked(brain, text).answer.splitlines()[:2]
    assert "logs" in first
    assert "superseded by docs/adr/0002.md" in second
