"""A quote is the record's own characters: whole sentences, at most 400 characters, around the one that answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.composer.cuts import shortened
from cortex.composer.question import Question, stands_in
from cortex.composer.quote import EXCERPT_CHARACTERS, quote
from cortex.composer.understanding import understand
from cortex.language.markdown import Span, blocks, passages
from cortex.language.sentences import sentences, sentences_of
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain

BODY = """# Limits

The queue is in memory. A packet without output is stalled after 15 minutes. It was 5 minutes before.

Unrelated words follow here. """ + " ".join(f"Filler sentence number {number} says little." for number in range(40))


@pytest.fixture(scope="module")
def question(demo: Brain, stemmer: Stemmer) -> Question:
    return understand(demo, "After how many minutes without output is a packet stalled?", stemmer)


def test_the_sentence_that_answers_is_quoted_with_what_stands_around_it(question: Question, stemmer: Stemmer) -> None:
    found = quote(question, BODY, "doc", Span(0, 300), stemmer)
    assert BODY[slice(*found.best)] == "A packet without output is stalled after 15 minutes."
    assert "It was 5 minutes before." in BODY[slice(*found.window)]
    assert found.covered > 0.8


@pytest.mark.parametrize(
    "head", ["Limits\n======\n\n", "Limits\n---\n\n", "## Limits\n\n", "Status: Accepted\nDate: 2024-01-01\n\n"]
)
def test_neither_a_heading_nor_the_lines_at_a_record_s_head_are_quoted(
    question: Question, stemmer: Stemmer, head: str
) -> None:
    body = f"{head}A packet without output is stalled after 15 minutes."
    found = quote(question, body, "doc", Span(0, len(body)), stemmer)
    assert body[slice(*found.window)] == "A packet without output is stalled after 15 minutes."


def test_a_comment_of_nothing_but_others_words_is_quoted_all_the_same(question: Question, stemmer: Stemmer) -> None:
    assert quote(question, "> tldr: please close\r\n\r\n", "comment", Span(0, 0), stemmer).window == Span(0, 20)


def test_an_excerpt_holds_the_code_that_its_sentence_leads_to_and_no_others_words(
    question: Question, stemmer: Stemmer
) -> None:
    told = "A packet is stalled after 15 minutes without output:"
    body = f"- Two things\n{told}\n\n```\nstall = 15\n```\n\n> Is it stalled?\n\nYes."
    found = quote(question, body, "doc", Span(0, len(body)), stemmer)._replace(window=Span(13, 13 + len(told)))
    assert body[slice(*found.excerpt(body))] == f"- Two things\n{told}\n\n```\nstall = 15\n```"


def test_what_a_cut_window_leaves_out_it_does_not_hold(question: Question, stemmer: Stemmer) -> None:
    body = f"A packet {'word ' * 120} is stalled."
    found = quote(question, body, "comment", Span(0, len(body)), stemmer)
    assert found.holds == stands_in(question, body[slice(*found.window)], stemmer)
    assert found.holds < stands_in(question, body, stemmer)


KEYS = """To report a weakness, write to us. These keys may be used:

| Name | Key |
|---|---|
| Ada Byron | 133E AC17 9436 F14A 5CF1 |
| Bo Ek | 09E0 3F87 1092 E40E 106E |
| Cy Lund | 6A8F 9C26 6528 E25A EB1D |

You import a key with `gpg --recv-keys`, the mark of its owner in quotes, and look at what it prints."""


@pytest.mark.parametrize("found", ["Ada", "You import"])
def test_a_short_part_is_read_whole_and_a_table_that_fits_is_not_cut(demo: Brain, stemmer: Stemmer, found: str) -> None:
    asked = understand(demo, "Whose keys may I use to report a weakness?", stemmer)
    window = quote(asked, KEYS, "doc", Span(KEYS.index(found), len(KEYS)), stemmer).window
    assert all(name in KEYS[slice(*window)] for name in ("Ada Byron", "Bo Ek", "Cy Lund"))


def test_a_heading_does_not_lead_a_quote(question: Question, stemmer: Stemmer) -> None:
    assert not BODY[slice(*quote(question, BODY, "doc", Span(0, 300), stemmer).window)].startswith(("#", "Limits"))


@pytest.mark.parametrize(
    "body",
    ["```\nonly code\n```", "> only quoted words", "| a | b |", "x" * 3000, "word " * 600, "a", "…", "- \n- \n"],
    ids=["code", "quoted", "table", "one word", "no end", "a letter", "a mark", "empty items"],
)
def test_a_body_without_a_sentence_is_quoted_from_its_start(question: Question, stemmer: Stemmer, body: str) -> None:
    found = quote(question, body, "comment", Span(0, min(700, len(body))), stemmer)
    assert 0 < found.window.end - found.window.start <= EXCERPT_CHARACTERS


SENTENCE = st.sampled_from(
    ["A packet is stalled.", "It has no output at all, as far as anybody knows.", "Minutes pass!", "# Stalled",
     "- item", "> quoted", "```", "word " * 120, "Why? Because.", "", "ünïcødé 🙂.", "\t"]
)  # fmt: skip


def lines_of_code(body: str) -> Iterator[Span]:
    for block in blocks(body):
        lines = body[block.start : block.end].splitlines(keepends=True) if block.is_code else []
        for line, after in zip(lines, accumulate(map(len, lines)), strict=True):
            yield Span(block.start + after - len(line), block.start + after - len(line) + len(line.rstrip()))


@settings(max_examples=200)
@given(st.lists(SENTENCE, min_size=1, max_size=14), st.sampled_from([" ", "\n", "\n\n"]), st.data())
def test_a_window_is_verbatim_short_and_made_of_whole_sentences(
    question: Question, stemmer: Stemmer, pieces: list[str], between: str, data: st.DataObject
) -> None:
    body = between.join(pieces) + "."
    found_in = [span for span, _ in passages(body)] or [Span(0, len(body))]
    within = data.draw(st.sampled_from(found_in))
    found = quote(question, body, data.draw(st.sampled_from(["doc", "issue", "comment"])), within, stemmer)
    first, last = found.window
    assert 0 <= first < last <= len(body)
    assert last - first <= EXCERPT_CHARACTERS
    start, end = found.excerpt(body)
    assert 0 <= start <= first < last <= end <= len(body)
    assert end - start <= EXCERPT_CHARACTERS
    assert "\n>" not in body[start:first] + body[last:end]
    assert 0 <= found.covered <= 1.000001
    prose, code = [*sentences(body)], [*lines_of_code(body)]
    if any(span.start < within.end and within.start < span.end for span in prose):
        assert first in {span.start for span in [*prose, *code]}
        assert last in {span.end for span in [*prose, *code]} or last - first > EXCERPT_CHARACTERS - 41
    elif prose or code:
        assert first in {within.start, *(span.start for span in [*prose, *code])}
    assert first <= found.best.start < last


@given(st.text(alphabet="ab .!?,\n…", max_size=300), st.integers(10, 200))
def test_what_is_shortened_begins_as_it_did_and_fits_or_ends_its_sentence(text: str, longest: int) -> None:
    short = shortened(text, longest)
    ends = {len(text), *(span.end for span in sentences_of(text, Span(0, len(text))))}
    assert len(short) <= longest + 2 or len(short) in ends
    assert text.startswith(short.removesuffix(" …"))
    assert short == text or len(text) > longest
