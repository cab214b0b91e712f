"""No text keeps a pattern, or the reader of titles and sentences, busy for more than a moment."""

from __future__ import annotations

import subprocess
import sys
from time import process_time

import pytest

from cortex.composer.query.likely import measures
from cortex.indexers.references import references
from cortex.language.changes import LONGEST, parse
from cortex.language.sentences import LONGEST as LONGEST_SENTENCE
from cortex.language.sentences import sentences
from tests.sources import ROOT

FEWEST = 3_000
WORDS = (
    "used", "we finally", "was had", "from", "to", "instead of", "revert", 'Revert "', "#1", "(f #77)", "[#1]", ",",
    "and", "only just", "   ", "`", "not",
)  # fmt: skip


def test_no_pattern_takes_long_over_what_it_repeats() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.attacks.pumps", "1"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    *slow, pumps = done.stdout.splitlines()
    assert slow == []
    assert int(pumps) > FEWEST


def test_no_title_takes_long_to_read() -> None:
    began = process_time()
    for word in WORDS:
        parse(f"Use oil {word} " * LONGEST)
    parse('Revert "' * LONGEST)
    assert process_time() - began < 20


@pytest.mark.parametrize("text", ['Revert "' * 100_000, 'Reapply "Revert "' * 50_000])
def test_reverts_of_reverts_take_no_longer_however_many_there_are(text: str) -> None:
    began = process_time()
    assert [link.to_ref for link in references(text + "Oil the gears (#12)")] == ["#12"]
    assert process_time() - began < 2.5


def test_a_question_of_one_long_word_is_measured_at_once() -> None:
    began = process_time()
    assert len(measures("x" * 60_000, b"")) == len(measures("why?", b""))
    assert process_time() - began < 5


@pytest.mark.parametrize("text", ["1," * 5_000, "word " * 2_000, "x" * 10_000])
def test_a_sentence_without_end_comes_in_pieces_and_is_all_there(text: str) -> None:
    spans = [*sentences(text)]
    assert max(span.end - span.start for span in spans) <= LONGEST_SENTENCE
    assert "".join(text[slice(*span)] for span in spans).replace(" ", "") == text.replace(" ", "")
