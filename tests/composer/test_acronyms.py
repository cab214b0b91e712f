"""Acronyms are learned from rows that explain them, both ways, and from none that may not be read."""

from __future__ import annotations

import pytest

from cortex.composer.acronyms import explained, with_acronyms
from cortex.composer.ask import ask
from cortex.composer.explain import explain
from cortex.composer.question import Question
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record

EXPLAINED = record(
    "doc:terms.md#1", "Terms\n\nAfter a leak, post-compromise security (PCS) heals a group.", path="terms.md"
)
SHORT = record("issue:2", "Healing\n\nPCS needs two updates of every member.", state="open")
LONG = record("issue:3", "Epochs\n\nPost-compromise security is lost when an epoch is kept.", state="open")
OTHERS = [record(f"issue:{number}", f"Topic {number}\n\nOther words here.", state="open") for number in range(4, 60)]


@pytest.fixture
def known(brain: Brain) -> Brain:
    index_records(brain, EXPLAINED, SHORT, LONG, *OTHERS)
    return brain


def learned(brain: Brain, text: str, sources: list[int]) -> Question:
    return with_acronyms(brain, understand(brain, text, brain.stemmer), brain.stemmer, sources=sources)


def test_what_an_acronym_stands_for_is_searched_for_too(known: Brain) -> None:
    assert {"post", "compromise", "security"} <= {*learned(known, "When is PCS lost?", [1]).variant}
    found = explain(known, "When is PCS lost?", scope=Scope())
    assert "issue:3" in [row.ref for row in found.rows[:3]]


def test_a_phrase_is_searched_for_by_its_acronym_too(known: Brain) -> None:
    text = "What does post-compromise security need of every member?"
    assert "pcs" in learned(known, text, [1]).variant
    assert "issue:2" in [one.record.ref for one in ask(known, text, scope=Scope()).citations]


def test_what_another_source_explains_is_not_learned(known: Brain) -> None:
    assert "security" not in learned(known, "When is PCS lost?", [2]).variant
    assert (
        learned(known, "When is PCS lost?", []).variant == understand(known, "When is PCS lost?", known.stemmer).variant
    )


@pytest.mark.parametrize(
    ("acronym", "text", "words"),
    [
        ("PCS", "the post-compromise security (PCS) of groups", "post compromise security"),
        ("PCS", "PCS (post-compromise security) of groups", "post compromise security"),
        ("PSK", "several pre-shared keys (PSKs) of groups", "pre shared keys"),
        ("AEAD", "Authenticated Encryption with Associated Data (AEAD)", "authenticated encryption associated data"),
        ("PCS", "PCS (see the security section)", ""),
        ("PCS", "a group (PCS) of security", ""),
        ("PCS", "", ""),
    ],
)
def test_an_acronym_is_spelled_by_the_initials_of_what_stands_beside_it(acronym: str, text: str, words: str) -> None:
    assert " ".join(explained(acronym, text)) == words
