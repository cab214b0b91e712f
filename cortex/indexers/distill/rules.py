"""The rule distiller: sentences that decide, require, define, measure, warn or assign; no model.

Each sentence is scored by the cues it holds; one that says something for itself becomes a fact under its record's
title. Greetings, approvals, questions and quoted text do not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from cortex.indexers.distill.text import Text
from cortex.indexers.kinds import kind_of_words
from cortex.substrate.facts import Candidate, plain
from cortex.substrate.sentences import sentences

KEEP: Final = 0.5


_CUES: Final[tuple[tuple[float, re.Pattern[str]], ...]] = tuple(
    (cue["worth"], re.compile(cue["pattern"]))
    for cue in tomllib.loads((files("cortex.indexers.distill") / "cues.toml").read_text("utf-8"))["cue"]
    if "worth" in cue
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_TYPES: Final = {"doc": 0.30, "comment": 0.10, "event": 0.05}


def distill(text: Text) -> Iterator[Candidate]:
    """The facts in *text*, in order; each excerpt is one sentence of its body."""
    said: set[str] = set()
    for span in sentences(text.body):
        sentence = plain(text.body[span.start : span.end])
        confidence = worth(sentence, text.type)
        if confidence >= KEEP and sentence not in said:
            said.add(sentence)
            yield Candidate(
                text.record_id, kind_of_words(sentence), f"{_context(text)}: {sentence}",
                span.start, span.end, round(confidence, 2), text.created_at,
            )  # fmt: skip


def worth(sentence: str, type_: str) -> float:
    """How much *sentence* says for itself in a record of this type, 0 to 0.9; below KEEP it makes no fact."""
    words = len(_WORD.findall(sentence))
    if not 5 <= words <= 70:
        return 0.0
    said = sentence.lower()  # once, which is far cheaper than twenty patterns that match in any case
    return min(0.9, _TYPES.get(type_, 0.0) + sum(weight for weight, cue in _CUES if cue.search(said)))


def _context(text: Text) -> str:
    if text.type == "doc":
        return text.title or text.ref.partition(":")[2]
    thread = text.ref.partition(":")[2].partition("#")[0]
    day = f" on {text.created_at[:10]}" if text.created_at else ""
    return f"{text.author or 'someone'}{day} in #{thread} “{text.title}”"
