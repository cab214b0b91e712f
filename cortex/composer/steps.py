"""How something is done: the parts of documents that hold the commands for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cortex.composer.leads import leads_at
from cortex.composer.question import Question, coverage, stands_in, stands_in_each
from cortex.composer.quote import Quote
from cortex.composer.rows import Row, load_passages
from cortex.language.markdown import Span
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.search_plan import quoted
from cortex.substrate.statements import sql

MOST: Final = 3
"""Parts that are brought in though their words did not find them."""

LOOKED_AT: Final = 200
LONGEST: Final = 4
"""Words of a question by which such parts are looked for."""

INTRODUCED: Final = 0.9
"""What a line above some commands is worth that says all that is asked, beside headings that do."""

LINE: Final = 240
"""Characters before code in which the line that introduces it is looked for."""

_ASKED: Final = re.compile(
    r"\bhow (?:do|can|could|should|must|would) (?:i|we|you|one)\b|\bhow to\b|\b(?:which|what) commands?\b", re.I
)
_COMMAND: Final = re.compile(
    r"^[ \t]*[$>%] ?[a-z./~]\S*[^\n]*$|^(?: {4}|\t)[ \t]*(?:[a-z]|[./~]\w)[\w./~+-]*(?:[ \t][^\n]*)?(?<![.:,;])$", re.M
)
_FENCED: Final = re.compile(r"^[ \t]*(?:```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]*(?:```+|~~~+)[ \t]*$|\Z)", re.M | re.S)
_CODE: Final = re.compile(rf"{_FENCED.pattern}|(?:(?:{_COMMAND.pattern})\n?)+", re.M | re.S)

_FORBIDS: Final = re.compile(
    r"(?!\W*(?:if|when|where|unless|until|to|in case)\b)"
    r"(?:\W*(?:wrong|bad|incorrect)\b|.*\b(?:(?:do|must|should|may|can) ?not|never|(?:do|must|should|ca)n['’]t)\b)",
    re.I | re.S,
)
_IS_GONE: Final = re.compile(
    r"\b(?:old (?:way|method|style|approach)|removed(?= (?:in|since)\b|\W*$)|deprecated|obsolete|outdated|no longer)\b",
    re.I,
)
_ENDS: Final = (".", "!", "?", "…", "```", "~~~")
_SAYS: Final = re.compile(r"(?![ ]{0,3}(?:#|>|\||<))[^\n]*[^\W\d_]")
"""A line that may introduce the code below it, be it in the middle of a sentence: no heading, quote, row or tag."""

_HEADED: Final = re.compile(r"\s*(?:#{1,6}[^\n]*\n|[^\n]+\n[ ]{0,3}(?:=+|-+)[^\S\n]*\n)?\n*")
_GOES_ON: Final = re.compile(r"\n{1,2}[ ]{0,3}[a-z][^\n]*(?:\n(?![ ]{0,3}(?:```|~~~))[^\n]+)*")
_REMARK: Final = re.compile(r"\s#\s")


class Steps(NamedTuple):
    """Code of a part, with the line right *above* it that says what it does.

    Attributes:
        begun: where that line begins; where the code does, without one.
        lines: of the code, without those that a remark forbids.
        is_given: no heading or line above forbids it, or says that it was so once.
    """

    begun: int
    above: str
    code: Span
    lines: tuple[str, ...]
    is_given: bool


def asks_steps(question: Question) -> bool:
    """Whether it asks how the reader does something."""
    return _ASKED.search(question.text) is not None


def shows_steps(question: Question, row: Row, body: str, window: Span) -> bool:
    """Whether a *window* of a document holds whole code, and the question asks how the reader does something."""
    if row.type != "doc" or not asks_steps(question) or body[window.end : window.end + 1].strip():
        return False
    return _CODE.search(body, *window) is not None


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

    Its headings say all that is asked, or a line of code does with its comment; `INTRODUCED` where the line above does.
    """
    if row.type != "doc" or not question.stems:
        return 0.0
    told = [one for one in steps_of(question, row.title, row.text) if one.is_given]
    if not told:
        return 0.0
    titled = stands_in(question, row.title, stemmer)
    heading = {*stemmer.sequence(row.title.rpartition(" › ")[2])}
    if question.stems <= titled or question.content <= heading <= question.stems:
        return 1.0
    lines = [line for one in told for line in one.lines]
    if any(question.stems <= stems for stems in stands_in_each(question, lines, stemmer)):
        return 1.0
    above = stands_in_each(question, [one.above for one in told], stemmer)
    return INTRODUCED if any(question.stems <= stems for stems in above) else 0.0


def steps_of(question: Question, title: str, text: str) -> Iterator[Steps]:
    """The code in a part of a document under the headings *title*."""
    is_gone = _is_passed(question, title)
    for found in _CODE.finditer(text):
        start = found.start() + len(found[0]) - len(found[0].lstrip("\n"))
        before = text[max(0, start - LINE) : start].rstrip()
        above = "" if before.endswith(_ENDS) else before.rpartition("\n")[2]
        above = above if _SAYS.match(above) else ""
        lines = [line for line in found[0].splitlines() if line.strip(" \t`~") and not _opens(line)]
        given = [line for line in lines if not _is_passed(question, *_REMARK.split(line, maxsplit=1)[1:])]
        leads = leads_at(text, title, "doc", start) if given and not is_gone else ()
        is_given = bool(given) and not is_gone and not _is_passed(question, above, *leads)
        begun = text.rindex(above, 0, start) if above else start
        yield Steps(begun, above, Span(start, found.end()), tuple(given), is_given)


def _opens(line: str) -> bool:
    return line.lstrip().startswith(("```", "~~~"))


def _is_passed(question: Question, *above: str) -> bool:
    """Whether a line *above* forbids what is below, or says that it was so once; not where the question says so too."""
    asked = question.text.casefold()
    gone = (found[0].casefold() for one in above for found in _IS_GONE.finditer(one))
    forbidden = any(_FORBIDS.match(part) for one in above for part in one.split(" › "))
    return forbidden or any(one not in asked for one in gone)


def at_steps(question: Question, body: str, title: str, found: Quote, stemmer: Stemmer, longest: int) -> Quote:
    """*found*, a window of a part under the headings *title*, with the commands that are to be given.

    Where it ends before them, holds what is forbidden, or a line above some says all that is asked, the likeliest of
    them with that line. What stands beside them is told too, as far as it fits: it may be another way, the right one.
    """
    window = with_code(body, found.window, longest)
    every = [*steps_of(question, title, body)]
    held = [one for one in every if one.code.start < window.end and one.code.end > window.start]
    given = [one for one in every if one.is_given and one.code.end - one.begun <= longest]
    if not given:
        return found._replace(window=window)
    above = stands_in_each(question, [one.above for one in given], stemmer)
    introduced = [one for one, stems in zip(given, above, strict=True) if question.stems <= stems]
    if not introduced and held and all(one.is_given for one in held):
        return found._replace(window=_with_beside(body, window, every, 0, longest))
    told = stands_in_each(question, [" ".join((one.above, *one.lines)) for one in given], stemmer)
    worth = [coverage(question.weights, stems) for stems in told]
    best = introduced[0] if introduced else given[worth.index(max(worth))]
    end = len(body[: best.code.end].rstrip())
    first = Span(best.begun, best.code.start if best.begun < best.code.start else end)
    own = best.begun if introduced else 0
    return found._replace(window=_with_beside(body, Span(best.begun, end), every, own, longest), best=first)


def beside_steps(question: Question, body: str, title: str, found: Quote, stemmer: Stemmer, longest: int) -> Quote:
    """`at_steps` of a window that shows code, or ends right before some."""
    window = with_code(body, found.window, longest)
    if window == found.window and not _CODE.search(body, *window):
        return found
    return at_steps(question, body, title, found, stemmer, longest)


def _with_beside(body: str, window: Span, every: Sequence[Steps], own: int, longest: int) -> Span:
    """*window* with what stands below it in its part, then above it, as far as that fits.

    Args:
        own: before which nothing is told but what stands between the code before and the window.
    """
    ends = [_end_of(body, one.code.end) for one in every]
    end = max((end for end in (*ends, len(body.rstrip())) if end - window.start <= longest), default=0)
    end = max(end, window.end)
    above = [(one, at) for one, at in zip(every, ends, strict=True) if one.code.end <= window.start]
    floor = max((at for one, at in above if not one.is_given or own), default=_below_heading(body))
    starts = (_begun(body, at) for at in (floor, *(at for _, at in above if at > floor)))
    start = min((at for at in starts if end - at <= longest), default=window.start)
    return Span(min(start, window.start), end)


def _below_heading(body: str) -> int:
    found = _HEADED.match(body)
    return found.end() if found else 0


def _begun(body: str, at: int) -> int:
    """Where what follows *at* begins."""
    return len(body) - len(body[at:].lstrip("\n"))


def _end_of(body: str, at: int) -> int:
    """Where what ends with code at *at* ends: a line after it that begins small goes on with the sentence."""
    end = len(body[:at].rstrip())
    found = _GOES_ON.match(body, end)
    return found.end() if found else end


def with_code(body: str, window: Span, longest: int) -> Span:
    """*window* with the code that follows it, as far as it fits."""
    found = _CODE.search(body, window.end, window.start + longest + 1)
    if found is None or body[window.end : found.start()].strip() or found.end() - window.start > longest:
        return window
    end = _end_of(body, found.end())
    return Span(window.start, end if end - window.start <= longest else len(body[: found.end()].rstrip()))
