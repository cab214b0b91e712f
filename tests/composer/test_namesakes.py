"""A thing of the same kind with another name, 'query timeout', is not what is asked for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Answer, Record, Scope
from tests.brains import index_records, record


def merged(number: int, title: str) -> Record:
    at = datetime(2023, 3, 1, tzinfo=UTC)
    return record(
        f"pull:{number}", f"{title}\n\nAsked for.", author="ines", state="merged", created_at=at, merged_at=at
    )


def part(name: str, text: str) -> Record:
    return record(f"doc:CONF.md#{name}", f"## {name}\n\n{text}", title=f"Conf › {name}", path="CONF.md")


FILLER = [
    merged(100 + at, f"Refactor the {name}")
    for at, name in enumerate("parser router widget chart sidebar footer lexer invoice login".split())
]
QUERY, COOKIE = (
    part("Database", "The query timeout is 15 seconds."),
    part("Web", "`session.cookie_timeout` is 90 days."),
)
SESSIONS = part("Sessions", "The cookie timeout is 90 days. A session is one row.")


def asked(brain: Brain, question: str, *records: Record) -> Answer:
    index_records(brain, *FILLER, *records)
    return ask(brain, question, scope=Scope())


def test_a_namesake_is_no_strong_answer(brain: Brain) -> None:
    records = (QUERY, COOKIE, merged(5, "Sessions end after 30 minutes"))
    assert asked(brain, "What is the session timeout?", *records).evidence != "strong"


def test_what_shares_but_the_kind_is_no_answer(brain: Brain) -> None:
    gates = (
        "Gate photos are stored|Fix typo in the gate manual|Open the gate by card|Paint the gate|Move the gate camera"
    )
    records = [merged(60 + at, title) for at, title in enumerate(gates.split("|"))]
    own = part("Sessions", "The session timeout is 2 hours.")
    answer = asked(
        brain, "What is the gate timeout?", *records, own, QUERY, merged(5, "Raise the login timeout to 45 s")
    )
    assert answer.refused


@pytest.mark.parametrize(
    "own",
    [
        part("Sign-in", "The session timeout is 30 minutes."),
        part(
            "Settings",
            "| setting | default |\n|---|---|\n| `session_timeout` | 30 minutes |\n| `db.query_timeout` | 15 s |",
        ),
        merged(6, "Set the session timeout to 30 minutes"),
    ],
    ids=["a sentence", "a table", "a pull request"],
)
def test_the_thing_itself_is_told_before_its_namesakes(brain: Brain, own: Record) -> None:
    records = (COOKIE, SESSIONS, merged(5, "Raise the query timeout to 45 seconds for long sessions"))
    assert "30 minutes" in asked(brain, "What is the session timeout?", own, *records).answer.splitlines()[0]


@pytest.mark.parametrize("text", ["The maximum timeout is 8 s.", "Sessions have a timeout of 8 s."])
def test_a_word_that_names_no_other_thing_takes_nothing_from_an_answer(brain: Brain, text: str) -> None:
    assert not asked(brain, "What is the session timeout?", part("Sessions", text)).refused
