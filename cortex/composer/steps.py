"""How something is done: the parts of documents that hold the commands for it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.question import Question, stands_in, stands_in_each
from cortex.composer.rows import Row, load_passages
from cortex.substrate.brain import Brain
from cortex.substrate.search_plan import quoted
from cortex.substrate.sentences import Span
from cortex.substrate.statements import sql
from cortex.substrate.stems import Stemmer

MOST: Final = 3
"""Parts that are brought in though their words did not find them."""

LOOKED_AT: Final = 200
LONGEST: Final = 4
"""Words of a question by which such parts are looked for."""

_ASKED: Final = re.compile(
    r"\bhow (?:do|can|could|should|must|would) (?:i|we|you|one)\b|\bhow to\b|\b(?:which|what) commands?\b", re.I
)
_COMMAND: Final = re.compile(
    r"^[ \t]*[$>%] ?[a-z./~]\S*[^\n]*$|^(?: {4}|\t)[ \t]*(?:[a-z]|[./~]\w)[\w./~+-]*(?:[ \t][^\n]*)?(?<![.:,;])$", re.M
)
_FENCED: Final = re.compile(r"^[ \t]*(?:```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]*(?:```+|~~~+)[ \t]*$|\Z)", re.M | re.S)
_CODE: Final = re.compile(rf"{_FENCED.pattern}|(?:(?:{_COMMAND.pattern})\n?)+", re.M | re.S)


def asks_steps(question: Question) -> bool:
    """Whether it asks how the reader does something."""
    return _ASKED.search(question.text) is not None


def find_steps(brain: Brain, question: Question, stemmer: Stemmer, *, sources: Sequence[int]) -> list[Row]:
    """Passages of documents that hold the commands which are asked for."""
    if not asks_steps(question):
        return []
    stem_of = stemmer.stem(question.terms)
    words = [term for term in question.terms if stem_of[term] in question.weights]
    if not 0 < len(words) <= LONGEST:
        return []
    heaviest = max(words, key=lambda term: question.weights[stem_of[term]])
    match = f"({' AND '.join(map(quoted, words))}) OR context : {quoted(heaviest)}"
    asked = {"match": match, "sources": json.dumps([*sources]), "limit": LOOKED_AT}
    ids = [id_ for (id_,) in brain.db.execute(sql("passages_of_documents"), asked)]
    rows = load_passages(brain, ids, as_of=question.as_of)
    holding = (rows[id_] for id_ in ids if id_ in rows and holds_steps(question, rows[id_], stemmer))
    told: dict[int, Row] = {}
    for row in holding:
        told.setdefault(row.record_id, row)
        if len(told) == MOST:
            break
    return [*told.values()]


def holds_steps(question: Question, row: Row, stemmer: Stemmer) -> float:
    """1 where a part of a document holds the commands that are asked for, of a question that asks for some, else 0.

    Its headings say all that is asked, or a line of code does with its comment.
    """
    if row.type != "doc" or not question.stems:
        return 0.0
    commands = [match[0] for match in _COMMAND.finditer(row.text)]
    commands += [line for match in _FENCED.finditer(row.text) for line in match[1].splitlines()]
    if not commands:
        return 0.0
    titled = stands_in(question, row.title, stemmer)
    heading = {*stemmer.sequence(row.title.rpartition(" › ")[2])}
    if question.stems <= titled or question.content <= heading <= question.stems:
        return 1.0
    return float(any(question.stems <= stems for stems in stands_in_each(question, commands, stemmer)))


def with_code(body: str, window: Span, longest: int) -> Span:
    """*window* with the code that follows it, as far as it fits."""
    found = _CODE.search(body, window.end, window.start + longest + 1)
    if found is None or body[window.end : found.start()].strip() or found.end() - window.start > longest:
        return window
    return Span(window.start, len(body[: found.end()].rstrip()))
