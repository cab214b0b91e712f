"""The order in which rows are cited: a linear model over what one window of a row says under its title.

Its coefficients are data, fitted by `bench/fitting.py` on the questions of several projects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from cortex.composer.candidates import Looked, asked_relation
from cortex.composer.defining import defines
from cortex.composer.fuse import Fused
from cortex.composer.question import HEADINGS, Question, asks, gives, likeness
from cortex.composer.quote import EXCERPT_CHARACTERS, Quote, beginning, is_head, opening, quote
from cortex.composer.rows import STANDING, Row
from cortex.composer.steps import INTRODUCED, asks_steps, at_steps, beside_steps, holds_steps, with_code
from cortex.composer.updated import LATER, Told, gives_such, tells_amount, updated
from cortex.indexers.distill.deciding import decides
from cortex.substrate.search import STOP_WORDS
from cortex.substrate.sentences import Span, sentences_of
from cortex.substrate.stems import Stemmer, split

KNOWN_BY_FORM: Final = ("person", "date", "number", "reason")
"""Types of answers whose form tells whether a text holds one."""

FEATURES: Final = ("found", "titled", "said", "given", "dated", "commit", "authority")


RULE: Final = 1.5
"""What a directive is worth beside its words, as far as they are the question's: it is what the project wants.

And as much as the best heading is: no part of a document outranks a rule for its name.
"""

RULED: Final = 0.7
"""Share of what a question is about that a directive says which is worth all of `RULE`."""

HEADED: Final = 4.0
"""What a heading is worth that is what is asked; of this, the square of what they have of each other."""

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

RULES_AMONG: Final = 6
RULE_WORTH: Final = 0.55
"""What a directive is worth, of what the best opinion is, for it to outrank that."""

LATER_WORTH: Final = 0.35
"""What a later comment of its thread is worth, of what the first row is, for it to be the latest on the matter."""

TELLING: Final = 5
"""Words a comment has that tells how things are."""

TELLING_PART: Final = 1.5
"""What the part of a document is worth that is headed by what is asked of the rest: 'Why', below what happened."""

NOW: Final = 1.0
"""What the newest row is worth beside its words, where a question asks how things are now."""

READ: Final = (10, 0.6)
"""How many of them are read sentence by sentence, and how like the question, beside the likest, others are read too.

Whole rows hardly ever lose an answer by it, and reading is a third of the time of one: bench/retrieval.py.
"""

CITED: Final = 6
"""Rows that are judged: as many as an answer cites."""

READ_ON: Final = 2
"""Rows of which a second window is quoted; bench/retrieval.py measures it."""


class Ordered(NamedTuple):
    """A row with the window of it that answers best.

    Attributes:
        values: by `FEATURES`, what the model weighs, each 0 to 1.
        holds: stems of the question, and of what says the same, in its title, its passage and the window.
        rule: what it is worth for being a directive.
        headed: what it is worth for a heading that is what is asked, or loses for being but a document's head.
        read: sentence by sentence; else the window is where its passage begins.
        moved: why it stands before what is worth more: 'rules', 'steps', 'told again', 'told later', 'supersedes', ….
        more: a second window, of the first rows where their records go on.
    """

    fused: Fused
    quote: Quote
    worth: float
    values: Mapping[str, float]
    holds: AbstractSet[str]
    rule: float = 0.0
    headed: float = 0.0
    read: bool = True
    moved: str = ""
    more: Quote | None = None


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
    newness = _newness([one.fused.row for one in looked])
    always, from_ = READ
    count = sum(place < always or one.like >= from_ * looked[0].like for place, one in enumerate(looked))
    headed = [HEADED * _headed(question, one, stemmer) for one in looked[:count]] + [0.0] * (len(looked) - count)
    if asks_steps(question):
        held = (HEADED * holds_steps(question, one.fused.row, stemmer) for one in looked)
        headed = [*map(max, headed, held)]
    ruling = RULE + max(headed, default=0.0)
    ordered = []
    for place, (_, one, found, titled, read) in enumerate(looked):
        body, passage = records[one.row.record_id]["body"], Span(one.row.start, one.row.end)
        reads = place < count
        window = quote(question, body, one.row.type, passage, stemmer) if reads else beginning(passage, read)
        if headed[place] >= OPENED:
            window = _from_heading(question, one.row, window, body, stemmer)
        elif reads and one.row.type == "doc" and asks_steps(question):
            window = beside_steps(question, body, one.row.title, window, stemmer, EXCERPT_CHARACTERS)
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
        worth += NOW * newness[one.row.record_id] if question.latest else 0.0
        ordered.append(Ordered(one, window, worth, values, titled | seen | read, rule, head, reads))
    ordered.sort(key=lambda row: (_place(question, row), not row.read, -row.worth))
    ordered[:CITED] = sorted(ordered[:CITED], key=lambda row: (_place(question, row), is_beside(question, row)))
    ordered = _told_again(question, _rule_first(question, _steps_first(question, _given_first(question, ordered))))
    ordered = _updated_first(question, _told_later(question, ordered, records), records, since)
    ordered = _newest_first(ordered, records)
    return [_read_on(question, row, records, stemmer) for row in ordered[:READ_ON]] + ordered[READ_ON:]


def _from_heading(question: Question, row: Row, window: Quote, body: str, stemmer: Stemmer) -> Quote:
    """The window of a part whose heading is what is asked, with what stands right below that, and the code of steps."""
    if question.type in KNOWN_BY_FORM or defines(question.term, body[slice(*window.best)]):
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
    if row.fused.relation in ("owns", "done"):
        return 0.0
    return 0.0 if question.told and row.fused.relation == asked_relation(question) else 1.0


def is_beside(question: Question, row: Ordered) -> bool:
    """Whether a row has no word of what the question is about, and came in by its everyday words alone."""
    return bool(question.about) and not row.fused.relation and question.about.isdisjoint(row.holds)


def _rule_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """What rules before the opinions of its matter, where a question asks what is to be done, or used.

    A directive does, and in a thread what somebody decided there.
    """
    opinions = ordered and is_opinion(ordered[0].fused.row)
    if not opinions or question.told or question.type not in ("yes/no", "name", "procedure", "list"):
        return list(ordered)
    enough = RULE_WORTH * ordered[0].worth
    near = [one for one in ordered[:RULES_AMONG] if one.worth >= enough and not question.content.isdisjoint(one.holds)]
    rules = [one for one in near if one.fused.row.type == "directive"]
    rules += [one for one in near if _settles(one.fused.row, ordered[0].fused.row)]
    if not rules:
        return list(ordered)
    return [rules[0]._replace(moved="rules"), *(one for one in ordered if one is not rules[0])]


def _steps_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """The part of a document that holds the steps which are asked for, before what is told of them in threads."""
    if not ordered or ordered[0].fused.row.type in STANDING or question.told or not asks_steps(question):
        return list(ordered)
    parts = [one for one in ordered if one.headed >= INTRODUCED * HEADED and one.fused.row.type == "doc"]
    if not parts:
        return list(ordered)
    holding = max(parts, key=lambda one: min(one.headed, HEADED))
    return [holding._replace(moved="steps"), *(one for one in ordered if one is not holding)]


def _given_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """What gives the number that is asked for beside all that it is about, before a first row that gives none."""
    best = ordered[0] if ordered else None
    if best is None or question.type != "number" or best.fused.relation or best.values["given"] or not best.read:
        return list(ordered)
    about = question.content
    giving = (one for one in ordered if one.read and one.values["given"] and about and about <= {*one.quote.holds})
    first = next(giving, best)
    return [first._replace(moved="gives" if first is not best else ""), *(one for one in ordered if one is not first)]


def _told_again(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """What a later record says of the first, where a question asks how things are: 'Until now it was three (#870)'."""
    first = ordered[0].fused.row if ordered else None
    if first is None or first.type not in ("pull", "issue") or not (question.latest or question.type == "number"):
        return list(ordered)
    if ordered[0].fused.relation == "done":  # it tells by itself what came of the thing
        return list(ordered)
    refers = re.compile(rf"#{first.about.partition(':')[2]}(?!\d)")
    later = [
        one
        for one in ordered[1:RULES_AMONG]
        if one.worth >= RULE_WORTH * ordered[0].worth
        and (one.fused.row.type == first.type or _mends(question, one))
        and one.fused.row.source_id == first.source_id
        and one.fused.row.day > first.day
        and refers.search(one.fused.row.text)
    ]
    return (
        [later[0]._replace(moved="told again"), *(one for one in ordered if one is not later[0])]
        if later
        else list(ordered)
    )


def _mends(question: Question, row: Ordered) -> bool:
    """Whether it was merged to fix what the issue says, and gives the number that is asked for."""
    merged = row.fused.relation == "fixed by" and row.fused.row.state == "merged"
    return merged and question.type == "number" and row.values["given"] > 0


def _told_later(
    question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> list[Ordered]:
    """What was said last in the thread of the first, where that is what somebody said and a question asks for now.

    'The bank has signed' comes before 'blocked until the bank signs', no other word before the amount asked for.
    """
    best = next((one for one in ordered if not asks(one.fused.row.text)), None)
    if best is None or not question.latest or not is_opinion(best.fused.row) or _asks_for_state(question):
        return list(ordered)
    told = _told(best, records)
    is_amount = tells_amount(question, told)
    later = [
        one
        for one in ordered[:RULES_AMONG]
        if one.worth >= LATER_WORTH * best.worth
        and one.fused.row.type == "comment"
        and _is_later(one.fused.row, ordered[0].fused.row if one is best else best.fused.row)
        and len(split(one.fused.row.text)) >= TELLING
        and not asks(one.fused.row.text)
        and not (is_amount and not gives_such(told.sentence, one.fused.row.text))
    ]
    if not later:
        return list(ordered)
    last = max(later, key=lambda one: one.fused.row.day)
    return [last._replace(moved=LATER), *(one for one in ordered if one is not last)]


def _is_later(row: Row, other: Row) -> bool:
    """Whether *row* is of a later day than *other*, in its thread."""
    return (row.source_id, row.about) == (other.source_id, other.about) and row.day > other.day


def _updated_first(
    question: Question,
    ordered: Sequence[Ordered],
    records: Mapping[int, Mapping[str, Any]],
    since: Callable[[Row], Sequence[str]],
) -> list[Ordered]:
    """*ordered* after what says later how the thing of the first row is now; right after that where it is in doubt."""
    at, is_sure = updated(question, [_told(one, records) for one in ordered], since)
    if not at:
        return list(ordered)
    fused = ordered[at].fused
    later = ordered[at]._replace(moved=LATER, fused=fused._replace(relation=fused.relation or LATER))
    first = [later, ordered[0]] if is_sure else [ordered[0], later]
    return [*first, *(one for place, one in enumerate(ordered) if place not in (0, at))]


def _told(one: Ordered, records: Mapping[int, Mapping[str, Any]]) -> Told:
    """*one* with the sentence that answers best, or below a title that does, the first."""
    row, best = one.fused.row, one.quote.best
    body, title = records[row.record_id]["body"], records[row.record_id]["title"]
    if best.end <= len(title) and body.startswith(title):
        best = next(sentences_of(body, Span(len(title), max(one.quote.window.end, best.end))), best)
    return Told(row, body[slice(*best)], one.values["said"])


def _asks_for_state(question: Question) -> bool:
    """Whether what is known of a thread tells it, and no comment need."""
    return question.told or not {"open", "opened", "closed", "merged"}.isdisjoint(split(question.text))


def is_opinion(row: Row) -> bool:
    """Whether *row* is what somebody says or wants, and decides nothing by itself."""
    return row.type in ("comment", "issue", "event") or (row.type == "pull" and row.state != "merged")


def _settles(row: Row, opinion: Row) -> bool:
    return (row.source_id, row.about) == (opinion.source_id, opinion.about) and decides(row.text)


def _newness(rows: Sequence[Row]) -> dict[int, float]:
    """How new each row is among *rows*, 0 to 1, by its record; a document says how things are now."""
    days = sorted({row.day for row in rows if row.day})
    place = {day: (at + 1) / len(days) for at, day in enumerate(days)}
    return {row.record_id: 1.0 if row.type in STANDING else place.get(row.day, 0.0) for row in rows}


def _newest_first(ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]) -> list[Ordered]:
    """The rows with the best of what superseded one right before it, where it was found at all."""
    placed = list(ordered)
    for old in ordered:
        newer, source = records[old.fused.row.record_id]["superseded_by"], old.fused.row.source_id
        if not newer:
            continue
        at = next(place for place, one in enumerate(placed) if one.fused is old.fused)  # it may have moved itself
        found = (
            place
            for place, one in enumerate(placed)
            if one.fused.row.source_id == source and newer in names_of(one, records)
        )
        if at < (its := next(found, 0)):
            placed.insert(at, placed.pop(its)._replace(moved="supersedes"))
    return placed


def names_of(row: Ordered, records: Mapping[int, Mapping[str, Any]]) -> tuple[str, str]:
    """By which a link may call a row: its ref, and that of the document it is a part of."""
    return row.fused.row.ref, f"doc:{records[row.fused.row.record_id]['path']}"


def _read_on(question: Question, row: Ordered, records: Mapping[int, Mapping[str, Any]], stemmer: Stemmer) -> Ordered:
    """*row* with a second window: an answer seldom ends where the words of its question do."""
    one, body = row.fused.row, records[row.fused.row.record_id]["body"]
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
