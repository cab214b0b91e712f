"""The order in which rows are cited: a linear model over what one window of a row says under its title.

Its coefficients are data, fitted by `bench/fitting.py` on the questions of several projects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import accumulate
from math import inf
from typing import Any, Final

from cortex.composer.answer_types import HEADINGS, KNOWN_BY_FORM, gives
from cortex.composer.candidates import STANDING_KEPT, Looked, asked_relation
from cortex.composer.defining import defines
from cortex.composer.newness import newness_of, worth_now
from cortex.composer.ordered import CITED, HEADED, Ordered, is_beside
from cortex.composer.precedence import by_precedence
from cortex.composer.question import Question, likeness
from cortex.composer.quote import EXCERPT_CHARACTERS, Quote, beginning, entire, is_head, opening, quote
from cortex.composer.retrieve.owner_files import is_list
from cortex.composer.retrieve.takers import TOOK
from cortex.composer.rows import STANDING, Row
from cortex.composer.steps import asks_steps, at_steps, beside_steps, holds_steps, with_code
from cortex.language.markdown import Span
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.packaged import files

FEATURES: Final = ("found", "titled", "said", "given", "dated", "commit", "authority")

RULE: Final = 1.5
"""What a directive is worth beside its words, as far as they are the question's: it is what the project wants.

And as much as the best heading is: no part of a document outranks a rule for its name.
"""

RULED: Final = 0.7
"""Share of what a question is about that a directive says which is worth all of `RULE`."""

OPENED: Final = 2.0
"""From what a heading is worth on the first sentence below it is quoted."""

HEADER: Final = 4.0
"""What a part of a document loses that is but its head, 'Status: rejected', where a question asks for no such thing."""

_OF_HEADS: Final = re.compile(
    r"\b(?:status|state|severity|when|date|who|authors?|labels?|tags?|decisions?|accepted|rejected|proposed|superseded"
    r"|deprecated|supersedes?)\b",
    re.I,
)

_TELLS: Final = re.compile(
    r"^\W*(?:what(?:'s|’s| is| are| was| were) (?:an? )?[\w`./-]+(?: [\w`./-]+)?\W*$|what (?:has |have )?happened\b"
    r"|(?:which|what) (?:pulls?|prs?|issues?|commits?|incidents?)\b)",
    re.I,
)
"""What a thing is, what happened and where it was done: no rule tells."""
_CHECKED: Final = re.compile(r"\.\.\.\s+(?:yes|no|none|not found|ok)\b", re.I)

TELLING_PART: Final = 1.5
"""What the part of a document is worth that is headed by what is asked of the rest: 'Why', below what happened."""

OF_KIND: Final = 2.0
"""What a record of the type that is asked for is worth beside its words: 'which PR …?'."""

READ: Final = (8, 0.75)
"""How many of them are read sentence by sentence, and how like the question, beside the likest, others are read too.

Whole rows hardly ever lose an answer by it, and reading is a third of the time of one: bench/retrieval.py.
"""

READ_ON: Final = 2
"""Rows of which a second window is quoted; bench/retrieval.py measures it."""


def order(
    question: Question,
    looked: Sequence[Looked],
    records: Mapping[int, Mapping[str, Any]],
    stemmer: Stemmer,
    *,
    since: Callable[[Row], Sequence[str]] = lambda _: (),
) -> list[Ordered]:
    """*looked* ordered again, best first.

    Args:
        looked: as `look` gives them, each with a body among *records*.
        records: by id, the columns of `cited_records.sql`.
        since: what was said in the thread of a comment after that.
    """
    newness = newness_of([one.fused.row for one in looked])
    are_read = _are_read(looked)
    headed = [
        HEADED * _headed(question, one, stemmer) if is_read else 0.0
        for one, is_read in zip(looked, are_read, strict=True)
    ]
    if asks_steps(question):
        held = (HEADED * holds_steps(question, one.fused.row, stemmer) for one in looked)
        headed = [*map(max, headed, held)]
    ruling = RULE + max(headed, default=0.0)
    ordered = []
    for place, (_, one, found, titled, read) in enumerate(looked):
        body, reads = records[one.row.record_id]["body"], are_read[place]
        passage = Span(one.row.start, one.row.end)
        window = quote(question, body, one.row.type, passage, stemmer) if reads else beginning(passage, read)
        window = _fitting(question, one.row, window, body, stemmer, headed=headed[place], reads=reads)
        text = body[window.window.start : window.window.end]
        dated = _dated(question, one.row.day)
        seen = window.holds | (question.dates if dated == 1 else set())
        seen |= question.of_thread if one.relation == "named" else set()
        values = {
            "found": found,
            "titled": likeness(question, titled | seen),
            "said": likeness(question, seen),
            "given": float(reads and gives(question.type, text) and not _is_output(text)),
            "dated": dated,
            "commit": float(one.row.type == "commit"),
            "authority": one.row.authority,
        }
        worth = sum(weight * values[name] for name, weight in weights().items())
        rule = ruling * _rule(question, one.row, values["given"], titled | seen)
        head = -HEADER if _is_header(question, one.row) else headed[place]
        worth += rule + head
        kind = OF_KIND * (one.row.type == question.kind)
        worth += kind
        holds = titled | seen | read
        now = newness[one.row.record_id] * worth_now(question, holds)
        ordered.append(Ordered(one, window, worth + now, values, holds, rule, head, reads, now, titled, kind=kind))
    ordered.sort(key=lambda row: (_place(question, row), not row.read, -row.worth))
    ordered[:CITED] = _to_the_point(question, ordered[:CITED])
    ordered = by_precedence(question, _noted(question, ordered), records, since)
    return [_read_on(question, row, records, stemmer) for row in ordered[:READ_ON]] + ordered[READ_ON:]


def _fitting(
    question: Question, row: Row, window: Quote, body: str, stemmer: Stemmer, *, headed: float, reads: bool
) -> Quote:
    """The window of *row*: all of a list, from its heading on where that is what is asked, beside steps."""
    if is_list(row):
        return entire(question, body, Span(row.start, row.end), stemmer)
    if headed >= OPENED:
        return _from_heading(question, row, window, body, stemmer)
    if reads and row.type == "doc" and asks_steps(question):
        return beside_steps(question, body, row.title, window, stemmer, EXCERPT_CHARACTERS)
    return window


def _are_read(looked: Sequence[Looked]) -> list[bool]:
    """Which rows are read sentence by sentence: the first, those as like, and the first that say how things are."""
    always, from_ = READ
    standing = [place for place, one in enumerate(looked) if one.fused.row.type in STANDING][:STANDING_KEPT]
    return [
        place < always or one.like >= from_ * looked[0].like or place in standing for place, one in enumerate(looked)
    ]


def _from_heading(question: Question, row: Row, window: Quote, body: str, stemmer: Stemmer) -> Quote:
    """The window of a part whose heading is what is asked, with what stands right below that, and the code of steps."""
    if question.type in KNOWN_BY_FORM or defines(question.term, body[slice(*window.best)], is_sentence=True):
        return window
    window = opening(question, body, window, stemmer)
    if row.type == "doc" and asks_steps(question):
        return at_steps(question, body, row.title, window, stemmer, EXCERPT_CHARACTERS)
    return window._replace(window=with_code(body, window.window, EXCERPT_CHARACTERS))


def _rule(question: Question, row: Row, given: float, held: AbstractSet[str]) -> float:
    """How far *row* rules what is asked, 0 to 1: a directive, as far as it says of it, where a rule can tell that."""
    if row.type != "directive" or question.type in ("date", "link", "person") or _TELLS.search(question.text):
        return 0.0
    if question.type == "number" and not given:
        return 0.0
    of = sum(question.weights.get(stem, 0.0) for stem in question.content)
    said = sum(question.weights.get(stem, 0.0) for stem in question.content if stem in held)
    return min(1.0, said / of / RULED) if of else 1.0


def _is_output(text: str) -> bool:
    """Whether *text* is what a program told of its checks: 'checking for gmp.h... yes' is no yes."""
    return "..." in text and len(_CHECKED.findall(text)) > 1


def _is_header(question: Question, row: Row) -> bool:
    """Whether a part of a document is but its head, and the question asks for nothing that stands there."""
    if row.type not in STANDING or not is_head(row.text):
        return False
    return question.type == "reason" or not _OF_HEADS.search(question.text)


def _headed(question: Question, looked: Looked, stemmer: Stemmer) -> float:
    """How far the heading of a part of a document is the question, 0 to 1: it names all that is asked, and no more.

    So does what a document says that a thing is. Up to `TELLING_PART` where it is headed by what is asked of the rest.
    """
    row = looked.fused.row
    heading = split(row.title.rpartition(" › ")[2])
    if heading == question.words or (row.type in STANDING and defines(question.term, row.text)):
        return 1.0
    if row.type != "doc" or not looked.titled or question.as_of:  # what stands there now may not have stood there then
        return 0.0
    if heading and HEADINGS.get(question.type, frozenset()).issuperset({*heading} - {"the"}):
        return TELLING_PART * likeness(question, looked.titled) ** 2
    stems = {*stemmer.stem(word for word in heading if word not in STOP_WORDS).values()}
    shared = stems & question.stems
    if not shared:
        return 0.0
    return (len(shared) / len(stems) * likeness(question, looked.titled)) ** 2


def _place(question: Question, row: Ordered) -> float:
    """Where a row stands whatever it is worth: a list as it was made, the record a question is about before others."""
    if row.fused.relation == "listed":
        return -row.values["found"]
    if row.fused.relation in ("owns", "done", "titled"):
        return 0.0
    if row.fused.relation == TOOK:
        return 0.5
    return 0.0 if question.told and row.fused.relation == asked_relation(question) else 1.0


def _to_the_point(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """*ordered* with what is beside the point last.

    Where none has a word of what the question is about, and some but say the same, a title with any word of it is not.
    """
    has_own = any(not question.content.isdisjoint(row.holds) for row in ordered)
    beside = {
        row.fused.row.record_id: is_beside(question, row) and (has_own or question.stems.isdisjoint(row.titled))
        for row in ordered
    }
    return sorted(ordered, key=lambda row: (_place(question, row), beside[row.fused.row.record_id]))


def _noted(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """*ordered* with why a row stands before what is worth more, or after what is worth less."""
    noted, least = [], inf
    most = [*accumulate((row.worth for row in reversed(ordered)), max)][::-1]
    for row, best in zip(ordered, most, strict=True):
        moved = row.fused.relation if row.worth < best and _place(question, row) < 1.0 else ""
        if row.worth > least and not moved:
            moved = "beside the point" if row.read else "unread"
        least = min(least, row.worth)
        noted.append(row._replace(moved=moved))
    return noted


def _read_on(question: Question, row: Ordered, records: Mapping[int, Mapping[str, Any]], stemmer: Stemmer) -> Ordered:
    """*row* with a second window: an answer seldom ends where the words of its question do."""
    one, body = row.fused.row, records[row.fused.row.record_id]["body"]
    if is_list(one):
        return row
    more = quote(question, body, one.type, Span(one.start, one.end), stemmer, beside=row.quote.window)
    again = more.window.start < row.quote.window.end and row.quote.window.start < more.window.end
    return row if again else row._replace(more=more)


def _dated(question: Question, day: str) -> float:
    """Whether the row is of a date that the question names: 1 of its month, or its year where it names no month."""
    if not question.days:
        return 0.0
    return max(1.0 if day.startswith(date) else 0.4 * day.startswith(date[:4]) for date in question.days)


@cache
def weights() -> dict[str, float]:
    """What each of `FEATURES` weighs."""
    model: dict[str, float] = json.loads((files("cortex.composer") / "order.json").read_text("utf-8"))
    return model
