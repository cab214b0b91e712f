"""Text that repeats one piece over and over, as nobody but an attacker writes it, makes nobody wait."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from cortex.composer.afterthoughts import belongs
from cortex.composer.ask import ask
from cortex.composer.changed import told_anew
from cortex.composer.claims import begins_orders, words
from cortex.composer.cuts import shortened
from cortex.composer.leads import labelled, led
from cortex.composer.retrieve.owners import find_owners, names_no_owner
from cortex.composer.search import search
from cortex.composer.understanding import understand
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.facts import plain
from cortex.substrate.model import Scope
from tests.brains import index_records, record

CHARACTERS = 150_000

PIECES = [
    "<!-- ", "<!--x-->", "[", "](", "[x](", "![", "|", "|x|y|\n", "\n", "\n\n- ", "- [ ] ", "1. ", "> ", "> > ",
    "#", "# ", "*", "**x", "_", "`", "```\n", "~~~", "@", "@a ", "a.", "e.g. ", ". ", "!", "?", "(", "(see ", "=-",
    "\\", "<", "</", "&#x", "http://a:", "https://", "0x", "1,", "x\t", "must ", "must not ", "we decided ",
    "port ", "Port 7. ", "\xe9", "\u0301", '"', "token=", "password: ", "a_", "aB", "../", "#1 ", "fixes #1, ",
    "0a1b2c3 ", ", ", "\u2014", "\r\n",
]  # fmt: skip


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """A brain of which each row begins with a word and goes on with one piece."""
    with open_brain(tmp_path_factory.mktemp("hostile") / "brain.db") as brain:
        texts = [f"Port {n} is taken. {piece * (CHARACTERS // len(piece))}" for n, piece in enumerate(PIECES)]
        index_records(brain, *(record(f"issue:{n}", text, title=f"Port {n}") for n, text in enumerate(texts, 1)))
        yield brain


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_markdown_is_made_plain_soon(piece: str) -> None:
    started = time.process_time()
    plain(piece * (CHARACTERS // len(piece)))
    assert time.process_time() - started < 2


@pytest.mark.parametrize("question", ["port", "port 12"])
def test_a_question_is_answered_soon(question: str, hostile: Brain) -> None:
    """In seconds; where each place of a text was looked at from all others it took one or two minutes."""
    started = time.process_time()
    ask(hostile, question, scope=Scope())
    search(hostile, question, scope=Scope(), limit=30)
    assert time.process_time() - started < 25


@pytest.mark.parametrize(
    "words",
    [
        "who has ",
        "who\n",
        "owned ",
        "who owned ",
        "FooBar who, ",
        "how much does ",
        "how many commits has ",
        "since 1.2 ",
        "x-",
        "1.",
    ],
    ids=ascii,
)
def test_a_question_that_repeats_its_words_is_read_soon(words: str, hostile: Brain) -> None:
    """In a second; where what follows was looked for from each 'who' it took a minute."""
    started = time.process_time()
    question = understand(hostile, words * (100_000 // len(words)), hostile.stemmer)
    names_no_owner(question, [])
    find_owners(hostile, question, sources=[1])
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "piece",
    ["? ", "-", "_", "\n", " \n", "<summary>", "This page is wrong. ", "Until ", "oh, ", "- a\n+ b\n"],
    ids=ascii,
)
def test_what_turns_a_text_is_looked_for_soon(piece: str) -> None:
    text = piece * (CHARACTERS // len(piece))
    started = time.process_time()
    words(text)
    belongs(text)
    belongs(f"Update {text}")
    labelled(text)
    begins_orders(f"We ignore it. {text}")
    led(f"This page is outdated. {text}", "", "doc")
    assert time.process_time() - started < 4


@pytest.mark.parametrize("piece", ["(a", "[a](", "1,", "1 h, "], ids=ascii)
def test_a_long_sentence_is_shortened_and_an_amount_found_in_it_soon(piece: str) -> None:
    text = f"Update: {piece * (20_000 // len(piece))}"
    started = time.process_time()
    shortened(text, 320)
    told_anew(text, "The wait")
    assert time.process_time() - started < 2
