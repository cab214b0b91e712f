"""What was merged, or told in a dated section, since the first row told how a thing is: 'Raise the limit to 50 MB'."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, Final, NamedTuple

from cortex.composer.amounts import bare, values
from cortex.composer.changed import new_words
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question, stands_in
from cortex.composer.retrieve.removal_titles import TAKING
from cortex.composer.rows import STANDING, Row, is_opinion
from cortex.composer.updated import LATER, asks_how_it_is, section_day
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql
from cortex.substrate.stems import Stemmer, split

SAME: Final = 0.5
"""What a later title has of what is asked but the value, of its weight, for it to be of the same thing."""

AS_MUCH: Final = 0.75
"""What it has of a question that gives no value, beside what the first row has."""

ADDED: Final = 3
"""Words at most that a title has beside the question's, where it tells but what a thing was made."""

_TAKING: Final = frozenset(TAKING.split())
_LEAD: Final = re.compile(r"^\W*(?:[\w.-]{1,30}(?:\([^)]{0,30}\))?:\s*)?(?:\w+\s)?")
"""A title's area and its first word: 'build: Bump'."""


class _Then(NamedTuple):
    """What the first row tells, by its best sentence, and the day since which it does; '' where that is not known."""

    row: Row
    sentence: str
    values: AbstractSet[tuple[str, str]]
    since: str
    holds: AbstractSet[str]


def without_value(question: Question, stemmer: Stemmer) -> Question | None:
    """A question without the number that it gives itself: 'Is the limit still 20 MB?'; None where it gives none."""
    if question.type != "yes/no" or not asks_how_it_is(question) or not values(question.text):
        return None
    text = bare(question.text)
    rest = {*stemmer.sequence(text)} & question.stems
    if not rest & question.content:
        return None
    return replace(
        question,
        text=text,
        terms=tuple(split(text)),
        weights={stem: question.weights[stem] for stem in rest},
        content=question.content & rest,
        named=question.named & rest,
        names=tuple(name for name in question.names if not values(name)),
        versions=(),
        variant=(),
    )


def overtaken_first(
    brain: Brain,
    question: Question,
    ordered: Sequence[Ordered],
    others: Sequence[Ordered],
    records: Mapping[int, Mapping[str, Any]],
) -> list[Ordered]:
    """*ordered* after what changed since then what its first row tells; right after that where it is in doubt.

    Args:
        others: more rows in which that is looked for.
        records: by id, the columns of `cited_records.sql`.
    """
    first = ordered[0] if ordered else None
    if first is None or not asks_how_it_is(question) or first.fused.relation not in ("", LATER):
        return list(ordered)
    row, sentence = first.fused.row, _sentence(first, records)
    if records[row.record_id]["replaces"]:  # a link tells what is in force
        return list(ordered)
    told = values(sentence) or (values(row.text) if is_opinion(row) else frozenset())
    if not (values(question.text) or question.type == "number" or _tells_but_a_value(question, row, sentence)):
        told = frozenset()
    then = _Then(row, sentence, told, _since(brain, question, row, records), first.holds)
    later, is_sure = _last(question, then, [*others, *ordered], records, brain.stemmer)
    if later is None:
        return list(ordered)
    fused = later.fused._replace(relation=later.fused.relation or LATER)
    moved = later._replace(moved=LATER, fused=fused)
    rest = [one for one in ordered[1:] if one.fused.row.id != fused.row.id]
    return [moved, first, *rest] if is_sure else [first, moved, *rest]


def _tells_but_a_value(question: Question, row: Row, sentence: str) -> bool:
    return not new_words(bare(sentence), f"{question.text} {row.title}")


def has_changed(ordered: Sequence[Ordered]) -> bool:
    """Whether the second row may tell another value than the first, of a later day."""
    return len(ordered) > 1 and ordered[1].moved == LATER != ordered[0].moved


def _since(brain: Brain, question: Question, row: Row, records: Mapping[int, Mapping[str, Any]]) -> str:
    """The day since which a row says what it does: of a file that of its last change."""
    if row.type not in STANDING or section_day(row):
        return _day(row)
    asked = {"source_id": row.source_id, "path": records[row.record_id]["path"], "as_of": question.as_of}
    return str(brain.db.execute(sql("last_touched"), asked).fetchone()[0] or "")


def _last(
    question: Question,
    then: _Then,
    rows: Sequence[Ordered],
    records: Mapping[int, Mapping[str, Any]],
    stemmer: Stemmer,
) -> tuple[Ordered | None, bool]:
    """The last of *rows* that tells another value than the first did *then*, and whether that is sure."""
    found = []
    for one in rows:
        if _may_be_later(question, then, one.fused.row) and _is_done(one.fused.row, records):
            is_sure = _tells_another(question, then, one, _sentence(one, records), stemmer)
            if is_sure is not None:
                found.append((is_sure and _day(one.fused.row) > then.since > "", _day(one.fused.row), one))
    if not found:
        return None, False
    is_sure, _, last = max(found, key=lambda one: one[:2])
    told = values(_sentence(last, records))
    was_back = bool(then.values and told) and told <= then.values
    return (None, False) if was_back else (last, is_sure)


def _may_be_later(question: Question, then: _Then, row: Row) -> bool:
    """Whether a row is later than *then*; a file that was changed since may still say what it always did."""
    if row.source_id != then.row.source_id or row.record_id == then.row.record_id or row.nested:
        return False
    if _day(row) > then.since:
        return True
    is_file = then.row.type in STANDING and not section_day(then.row)
    return is_file and question.latest and question.type == "yes/no" and row.type == "pull"


def _tells_another(question: Question, then: _Then, later: Ordered, sentence: str, stemmer: Stemmer) -> bool | None:
    """Whether it is sure that a row tells another value of what is asked; None where it does not."""
    titled = stands_in(question, sentence, stemmer)
    added = new_words(bare(_LEAD.sub("", sentence)), f"{question.text} {' '.join(_TAKING)}")
    if then.values and _are_of_a_kind(then.values, values(sentence)):
        if not _is_of_it(question, then.holds, later.holds, titled, stemmer):
            return None
        return not new_words(bare(_LEAD.sub("", sentence)), f"{question.text} {then.row.title} {then.sentence}")
    if question.type != "yes/no" or values(question.text):
        return None
    takes_out = not _TAKING.isdisjoint(split(sentence))
    if _is_of_all(question, then, later, titled, takes_out=takes_out):
        return takes_out and question.content <= titled and len(added) < ADDED
    says_more = bool(values(sentence) or added)
    return False if says_more and len(added) <= ADDED and _names_another(question, then, titled, stemmer) else None


def _is_done(row: Row, records: Mapping[int, Mapping[str, Any]]) -> bool:
    """Whether a row tells what was done, and was not taken back."""
    is_done = (row.type == "pull" and row.state == "merged") or bool(section_day(row))
    return is_done and not records[row.record_id]["reverted_by"]


def _day(row: Row) -> str:
    return section_day(row) or row.day


def _sentence(one: Ordered, records: Mapping[int, Mapping[str, Any]]) -> str:
    """What a row says of it: a pull request its title."""
    row = one.fused.row
    return row.title if row.type == "pull" else str(records[row.record_id]["body"][slice(*one.quote.best)])


def _are_of_a_kind(these: AbstractSet[tuple[str, str]], those: AbstractSet[tuple[str, str]]) -> bool:
    """Whether both may have a value of one thing."""
    return any(not kind or not other or kind == other for kind, _ in these for other, _ in those)


def _is_of_it(
    question: Question,
    then: AbstractSet[str],
    later: AbstractSet[str],
    titled: AbstractSet[str],
    stemmer: Stemmer,
) -> bool:
    """Whether a row is of what is asked, but the value that is given; where none is, as much as the first is."""
    if not values(question.text):
        return _weight(question, later) >= AS_MUCH * _weight(question, then) > 0
    rest = {*stemmer.sequence(bare(question.text))} & question.stems
    return bool(titled) and _weight(question, later & rest) >= SAME * _weight(question, rest)


def _is_of_all(question: Question, then: _Then, later: Ordered, titled: AbstractSet[str], *, takes_out: bool) -> bool:
    """Whether a row is of what is asked: that was taken out, or what somebody said of it before it was done."""
    if takes_out:
        about = question.content
        said = later.holds if later.fused.row.type == "pull" else titled
        return not titled.isdisjoint(about) and len(said & about) > SAME * len(about)
    return is_opinion(then.row) and _weight(question, titled) >= AS_MUCH * _weight(question, then.holds) > 0


def _names_another(question: Question, then: _Then, titled: AbstractSet[str], stemmer: Stemmer) -> bool:
    """Whether a title is of what is asked, but for the last word of that, which the first row has."""
    asked = [stem for stem in stemmer.sequence(question.text) if stem in question.stems]
    last = asked[-1] if asked else ""
    rest = {*asked} - {last}
    if not last or last in titled or last not in stands_in(question, then.sentence, stemmer) or not titled & rest:
        return False
    about = rest & question.content
    if about and len(titled & about) >= SAME * len(about):
        return True
    return _weight(question, titled & rest) >= SAME * _weight(question, rest)


def _weight(question: Question, stems: AbstractSet[str]) -> float:
    return sum(question.weights.get(stem, 0.0) for stem in stems)
