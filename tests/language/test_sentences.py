"""Sentences, blocks and passages are spans of the text they were cut from."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from cortex.language.markdown import PASSAGE_CHARACTERS, blocks, passages
from cortex.language.sentences import sentences
from tests.tables import walk

CUT = [
    ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
    ("It ends… And begins.", ["It ends…", "And begins."]),
    ("See e.g. The manual, i.e. Chapter 2. Then stop.", ["See e.g. The manual, i.e. Chapter 2.", "Then stop."]),
    ("Ask Dr. Who. J. Smith knows, cf. Fig. 3.", ["Ask Dr. Who.", "J. Smith knows, cf. Fig. 3."]),
    ("Version 1.2.3 is out. It needs 3.11.", ["Version 1.2.3 is out.", "It needs 3.11."]),
    ("It is gone since Oct. 22 of 2022. Write it anew.", ["It is gone since Oct. 22 of 2022.", "Write it anew."]),
    ("It said “no.” Then it left.", ["It said “no.”", "Then it left."]),
    ("Use `a.b`. `C` follows.", ["Use `a.b`.", "`C` follows."]),
    ("no capital. follows here", ["no capital. follows here"]),
    ("Zażółć gęślą. Ünlü söz. Ещё одно.", ["Zażółć gęślą.", "Ünlü söz.", "Ещё одно."]),
    ("一つ。二つ。", ["一つ。", "二つ。"]),
    ("A line\nthat goes on. Next\nline.", ["A line\nthat goes on.", "Next\nline."]),
    ("First.\r\nSecond.\r\n\r\nThird.", ["First.", "Second.", "Third."]),
    ("# A heading\nIts text.", ["A heading", "Its text."]),
    ("- one\n- two. Three.\n* four\n1. five\n2) six", ["one", "two.", "Three.", "four", "five", "six"]),
    ("- [ ] to do\n- [x] done", ["[ ] to do", "[x] done"]),
    ("- an item\n  that goes on", ["an item\n  that goes on"]),
    ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]),
    ("Before.\n\n---\n\nAfter.", ["Before.", "After."]),
    ("> They said so.\n\nI do not.", ["I do not."]),
    ("I quote:\n> They said so.\nI do not.", ["I quote:", "I do not."]),
    ("Run:\n```sh\nmake. Test.\n```\nDone.", ["Run:", "Done."]),
    ("Run:\n~~~\nmake\n~~~\nDone.", ["Run:", "Done."]),
    ("````\n```\nstill code\n```\n````\nDone.", ["Done."]),
    ("Text.\n```\nnever closed", ["Text."]),
    (
        "Superseded by [9. Use kilns](0009-use-kilns.md). Done.",
        ["Superseded by [9. Use kilns](0009-use-kilns.md).", "Done."],
    ),
    ("* Amends [ADR 3. Glaze][three]", ["Amends [ADR 3. Glaze][three]"]),
    ("It cost [10]. Then it fell [more. Or](less).", ["It cost [10].", "Then it fell [more. Or](less)."]),
    ("[Two said so. One did not.] It held.", ["[Two said so.", "One did not.]", "It held."]),
    ("# 9. Use kilns", ["9. Use kilns"]),
    ("## 4.2. Kilns of clay. Hot.", ["4.2. Kilns of clay.", "Hot."]),
    (
        "See kiln no. 5, p. 12 and fig. 4. It is v1. 2 of it.",
        ["See kiln no. 5, p. 12 and fig. 4.", "It is v1. 2 of it."],
    ),
    ("They said no. Five kilns fell. In 2019. 3 more.", ["They said no.", "Five kilns fell.", "In 2019.", "3 more."]),
    ("", []),
    (" \n\t\n", []),
    ("...", ["..."]),
]


@walk(("text", "expected"), CUT, ids=[text[:24] for text, _ in CUT])
def test_text_is_cut_where_a_reader_would(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


LINE = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="aA.!? \t`*[]()#-|>~1", max_size=40),
    st.sampled_from(["```", "~~~~", "> quoted. Words", "- item", "# Heading", "| a |", "---", "", "One. Two. Three."]),
)
TEXT = st.lists(LINE, max_size=15).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n"]).map(lambda end: end.join(lines))
)


@given(TEXT)
def test_sentences_are_ordered_and_apart_and_trimmed(text: str) -> None:
    found = [*sentences(text)]
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert all(text[start:end] == text[start:end].strip() for start, end in found)


@given(TEXT)
def test_sentences_keep_out_of_code_and_quotes(text: str) -> None:
    code = [block.span for block in blocks(text) if block.is_code]
    for start, end in sentences(text):
        assert not [span for span in code if span.start < end and start < span.end]
        assert not [line for line in text[start:end].splitlines()[1:] if line.startswith(">")]


@given(TEXT)
def test_every_line_that_is_not_blank_or_quoted_is_in_one_block(text: str) -> None:
    found = [block.span for block in blocks(text)]
    assert all(before.end <= after.start for before, after in pairwise(found))
    position = 0
    for line in text.splitlines(keepends=True):
        holders = [span for span in found if span.start < position + len(line) and position < span.end]
        quoted = line.lstrip(" ").startswith(">")
        ruled = not any(character.isalnum() for character in line)
        assert len(holders) == 1 or not line.strip() or quoted or ruled
        position += len(line)


@given(TEXT, st.integers(20, 900))
def test_passages_are_about_as_long_as_asked(text: str, size: int) -> None:
    for (start, end), searched in passages(text, size):
        assert start < end
        assert len(searched) <= 2 * size
        assert searched == searched.strip()


def test_a_dump_is_cut_at_its_line_ends() -> None:
    log = "```\n" + "".join(f"line {number} of the log\n" for number in range(400)) + "```\n"
    found = [*passages(log)]
    assert all(end - start <= 2 * PASSAGE_CHARACTERS for (start, end), _ in found)
    assert all(log[end - 1] == "\n" for (_, end), _ in found)
    assert found[0][0].start == 0
    assert [b.start - a.end for (a, _), (b, _) in pairwise(found)] == [0] * (len(found) - 1)


HOSTILE = {
    "no spaces": "a" * 50_000,
    "no ends": "word " * 50_000,
    "list marks": "- " * 25_000,
    "list items": "- a\n" * 25_000,
    "numbered": "1. " * 25_000,
    "quotes": ">" * 50_000,
    "headings": "# " * 25_000,
    "ends": ". " * 25_000,
    "dots": "." * 50_000,
    "closing": '."' + "'" * 50_000,
    "closing marks": ".)" * 25_000 + "x",
    "backticks": "`" * 50_000,
    "fences": "```\n" * 12_500,
    "rules": "- - " * 12_500 + "x",
    "dashes": "-" * 50_000 + "x",
    "table rule": "|-" * 25_000 + "x",
    "spaces": " " * 50_000 + "x",
    "blank lines": "\n" * 50_000,
    "spaces before a mark": (" " * 1000 + "x\n") * 100,
    "boxes": "- [ ] " * 10_000,
    "initials": "A. " * 25_000,
    "separators": "\u2028" * 25_000,
    "one huge line": "Sentence one is here. " * 5_000,
}


@walk("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_text_takes_long(text: str) -> None:
    started = process_time()
    assert sum(1 for _ in sentences(text)) <= len(text)
    assert sum(1 for _ in passages(text)) <= len(text)
    assert process_time() - started < 1.5


def test_a_day_before_its_month_is_neither_an_item_nor_a_sentence() -> None:
    text = "10. May is the deadline. In 2019. March came.\n10. Mayors ask."
    assert [text[span.start : span.end] for span in sentences(text)] == [
        "10. May is the deadline.", "In 2019.", "March came.", "Mayors ask.",
    ]  # fmt: skip
