"""Stems are those of the full-text index, whatever the word, and learning leaves nothing behind."""

from __future__ import annotations

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from cortex.language.stems import Stemmer
from tests.tables import walk

INDEX = "create virtual table texts using fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')"
WORDS = ["Blocking", "CAFÉ", "naïve", "retries", "x25519", "ß", "数据库", "a_b", "①"]
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS)).map(" ".join))


@given(TEXTS, TEXTS)
def test_a_text_has_the_stems_the_index_has_of_it(first: str, second: str) -> None:
    stemmer = Stemmer()
    index = sqlite3.connect(":memory:")
    index.execute(INDEX)
    index.execute("create virtual table terms using fts5vocab (texts, 'instance')")
    for rowid, text in enumerate((first, second)):  # what it learned of the first serves the second
        index.execute("insert into texts (rowid, text) values (?, ?)", (rowid, text))
        held = index.execute("select term from terms where doc = ? order by offset", (rowid,))
        assert stemmer.sequence(text) == [term for (term,) in held]
    index.close()


@given(TEXTS, TEXTS)
def test_the_stems_of_one_text_are_found_in_another_as_if_all_its_words_were_stemmed(asked: str, text: str) -> None:
    stemmer = Stemmer()
    wanted = {*stemmer.sequence(asked)}
    assert stemmer.among_each(wanted, [text])[0] == {stem for stem in stemmer.sequence(text) if stem in wanted}


ENDINGS = """s es ies sses ed eed ied ing ating bling izing y ational tional enci anci izer bli alli entli eli ousli
    ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical
    ful ness al ance ence er ic able ible ant ement ment ent ion sion ism ate iti ous ive ize e le ll
    ability ality fully edly""".split()


@given(st.lists(st.text("aeioubcdlmnrstyz", min_size=1, max_size=6), min_size=1), st.lists(st.sampled_from(ENDINGS)))
def test_a_stem_differs_from_its_word_in_its_last_letter_at_most(beginnings: list[str], endings: list[str]) -> None:
    words = [beginning + "".join(endings) for beginning in beginnings]
    assert all(word.startswith(stem[:-1]) for word, stem in Stemmer().stem(words).items())


def test_what_was_learned_is_remembered_and_not_kept_in_the_index() -> None:
    stemmer = Stemmer()
    assert stemmer.stem(["blocking", "retries"]) == {"blocking": "block", "retries": "retri"}
    assert stemmer._db.execute("select count(*) from stems").fetchone() == (0,)
    assert not stemmer._db.in_transaction
    asked: list[str] = []
    stemmer._db.set_trace_callback(asked.append)
    assert stemmer.sequence("Retries, blocking") == ["retri", "block"]
    assert asked == []


@walk("text", ["中" * 20_000, "x" + "é" * 20_000, "a" * 70_000])
def test_what_is_too_long_for_a_word_is_none_and_hurts_no_other(text: str) -> None:
    stemmer = Stemmer()
    assert [stem for stem in stemmer.sequence(f"{text} tests") if len(stem) < 1000] == ["test"]
    assert stemmer.among_each(["test"], [f"{text} tests"])[0] == {"test"}
    assert stemmer.sequence("中文，中文 ran") == ["中文", "中文", "ran"]
