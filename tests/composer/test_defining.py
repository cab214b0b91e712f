"""What a thing is: asked for, and said."""

from __future__ import annotations

import pytest

from cortex.composer.ask import ask
from cortex.composer.defining import defines, term
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What is a PNR?", "pnr"),
        ("What's the rate limit?", "rate limit"),
        ("what are leases", "leases"),
        ("What does `SLA` mean?", "sla"),
        ("What does a leg stand for?", "leg"),
        ("Who is on call?", "on call"),
        ("What is left to do before we ship?", ""),
        ("Why is a PNR short?", ""),
    ],
)
def test_what_the_meaning_is_asked_of(text: str, asked: str) -> None:
    assert term(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "- **Sailing**: one departure.\n- **PNR**: six characters",
        "A PNR is six characters.",
        "PNR (Passenger Name Record) means the number of a booking.",
        "We print it. The PNR refers to a booking.",
        "`PNR` — a number",
        "PNRs are signed numbers of a booking.",
    ],
)
def test_a_sentence_that_begins_with_it_says_what_it_is(text: str) -> None:
    assert defines("pnr", text)


@pytest.mark.parametrize(
    "text",
    [
        "We lost the PNR.",
        "Your PNR is lost",
        "PNRX: another",
        "The PNR was lost",
        "See PNR",
        "",
        "Without a PNR: stop.",
    ],
)
def test_a_sentence_that_only_names_it_does_not(text: str) -> None:
    assert not defines("pnr", text)


def test_the_glossary_answers_before_who_spoke_of_it(brain: Brain) -> None:
    glossary = record(
        "doc:docs/glossary.md", "# Glossary\n\n- **Leg**: part of a sailing.\n- **Manifest**: the list of passengers.",
        path="docs/glossary.md", title="Glossary",
    )  # fmt: skip
    spoken = [
        record(f"pull:{number}", f"Keep manifests for {number} days\n\nThe manifest is printed.", state="merged")
        for number in range(50, 60)
    ]
    index_records(brain, glossary, *spoken)
    answer = ask(brain, "What is a manifest?", scope=Scope())
    assert answer.citations[0].record.ref == "doc:docs/glossary.md"
    assert "the list of passengers" in answer.answer.splitlines()[0]


def test_what_nobody_says_is_refused(brain: Brain) -> None:
    index_records(brain, record("issue:1", "The PNR was lost\n\nNobody knows the PNR.", state="open"))
    assert ask(brain, "What is a ferry?", scope=Scope()).refused


@pytest.mark.parametrize(
    "text",
    [
        "PNRs are intended to be used once.",
        "A PNR is automatically assigned.",
        "A PNR is always printed with the day.",
        "PNRs are counted daily and kept.",
        "The PNR is checked every time.",
    ],
)
def test_what_is_done_with_it_is_not_what_it_is(text: str) -> None:
    assert defines("pnr", text)
    assert not defines("pnr", text, is_sentence=True)
    assert defines("pnr", "PNRs are signed numbers of a booking.", is_sentence=True)
