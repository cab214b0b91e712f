"""Words, identifiers, quantities and modality are read the same everywhere."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from cortex.language.modality import modalities
from cortex.language.quantities import quantity
from cortex.language.stems import TOKENIZER
from cortex.language.words import content_words, stems
from tests.tables import walk

ROOT = Path(__file__).parents[2]


@walk("path", ["README.md", "CHANGELOG.md", "docs"])
def test_real_texts_have_the_stems_the_index_keeps(path: str) -> None:
    found = ROOT / path
    texts = [one.read_text("utf-8") for one in ([found] if found.is_file() else [*found.rglob("*.md")][:20])]
    index = sqlite3.connect(":memory:")
    index.execute(f"create virtual table texts using fts5 (text, tokenize = '{TOKENIZER}')")
    index.execute("create virtual table terms using fts5vocab (texts, 'instance')")
    index.executemany("insert into texts (text) values (?)", [(text,) for text in texts])
    for rowid, text in enumerate(texts, 1):
        kept = index.execute("select term from terms where doc = ? order by offset", (rowid,))
        assert stems(text) == [term for (term,) in kept]
    index.close()


def test_content_words_are_without_stop_words() -> None:
    assert content_words("Why did they drop the cache?") == ["drop", "cache"]


def test_quantities_are_normalised() -> None:
    texts = ["It took 1.5 hours.", "It holds 1,000 peers of 9.", "20% of 4 GB", "from 3.10 to 4 GB"]
    assert [quantity(text) for text in texts] == ["5400 duration", "1000 peer", "20 %", "3.10 "]


@walk(
    ("sentence", "expected"),
    [
        ("The cache holds 5 rows.", "asserted"),
        ("Does the cache hold 5 rows?", "asked"),
        ("We should drop it.", "proposed rule"),
        ("If it leaks, it is dropped.", "conditional"),
        ("The cache is not used.", "negated"),
        ("Perhaps it leaks.", "hedged"),
        ("Jobs must have an owner.", "asserted rule"),
        ("Ada said it leaks.", "reported"),
        ("- [ ] drop it", "proposed"),
    ],
)
def test_a_sentence_is_meant_in_these_ways(sentence: str, expected: str) -> None:
    assert " ".join(sorted(modalities(sentence))) == expected
