"""What was merged, or told in a dated section, since the first row told how a thing is: 'Raise the limit to 50 MB'."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from cortex.composer.amounts import bare, values
from cortex.composer.changed import new_words
from cortex.composer.compose.framing import ACCEPTED
from cortex.composer.dates import LATEST
from cortex.composer.limited import is_limited
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question, stands_in
from cortex.composer.retrieve.aside import ASIDE
from cortex.composer.retrieve.changelogs import tells_what_was
from cortex.composer.retrieve.removal_titles import ANY_CHANGE, TAKING
from cortex.composer.rows import STANDING, Row, is_opinion
from cortex.composer.saying import statements_in
from cortex.composer.settings import settings
from cortex.composer.told_then import Then, day_of, numbers_in, sentence_of, since, told_then
from cortex.composer.updated import LATER, asks_how_it_is, section_day
from cortex.language.stems import Stemmer, split
from cortex.substrate.brain import Brain

SAME: Final = 0.5
"""What a later title has of what is asked but the value, of its weight, for it to be of the same thing."""

AS_MUCH: Final = 0.75
"""What it has of a question that gives no value, beside what the first row has."""

ADDED: Final = 3
"""Words at most that a title has beside the question's, where it tells but what a thing was made."""

DOUBTED: Final = "perhaps changed"
"""Why a row is right after the first: it may tell what changed since, or the first what changed of it."""

PERHAPS_BACK: Final = "perhaps takes that back"
"""Why a comment is right after one of its thread: it may take back that, or something else."""

MOST: Final = 4
"""How often what overtook one row is itself looked at for what overtook it."""

_NO_MORE: Final = re.compile(
    r"\b(?:not|no longer|from|was|were|instead of|rather than|previously|formerly|until now)\s+(?:\w+\s+)?"
    r"(\d+(?:\.\d+)*)",
    re.I,
)
"""What a value was: '5 minutes, not 8', 'from 8 to 5'."""

_TAKING: Final = frozenset(TAKING.split())
_VERB: Final = re.compile(r"^\W*(?P<area>[\w.-]{1,30}(?:\([^)]{0,30}\))?:\s*)?(?:\w+\s)?")
"""A title's area and its first word: 'build: Bump'."""


def overtaken_first(
    brain: Brain, question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> list[Ordered]:
    """*ordered* after what changed since then what its first row tells; right after that where it is in doubt.

    A directive in force stays first; a decision is one of its day, and makes room for what says that it is so no more.

    Args:
        records: by id, the columns of `cited_records.sql`.
    """
    rows = _general_first(question, ordered, records) if ordered and asks_how_it_is(question) else list(ordered)
    for again in range(MOST if rows and asks_how_it_is(question) else 0):
        then = told_then(brain, question, rows, records)
        later, is_sure = _last(brain, question, then, rows[1:], records) if then else (None, False)
        if then is None or later is None or (again and not is_sure):
            break
        fused = later.fused._replace(relation=LATER)
        rest = [one for one in rows[1:] if one is not later]
        if not is_sure or _holds_yet(then, sentence_of(later, records)):
            return [rows[0], later._replace(moved=DOUBTED, fused=fused), *rest]
        was = rows[0]._replace(moved=DOUBTED) if later.fused.row.record_id in then.fixed_by else rows[0]
        rows = [later._replace(moved=LATER, fused=fused), was, *rest]
    return rows


def has_changed(ordered: Sequence[Ordered]) -> bool:
    """Whether the second row may tell another value than the first, of a later day, or one may take that back."""
    moved = [one.moved for one in ordered[:3]]
    if PERHAPS_BACK in moved:
        return True
    moved = moved[:2]
    return moved[1:] == [DOUBTED] or (moved[1:] == [LATER] and moved[0] != LATER)


def _holds_yet(then: Then, sentence: str) -> bool:
    """Whether a directive stays first: it is no decision, or a later *sentence* does not say what its value was."""
    if then.row.type != "directive":
        return False
    return then.row.state != ACCEPTED or numbers_in(then.sentence).isdisjoint(_NO_MORE.findall(sentence))


def _general_first(
    question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> list[Ordered]:
    """*ordered* with what tells such a value of all before a first change that is but of some: 'Only in the demo'."""
    first = ordered[0]
    row, told = first.fused.row, values(sentence_of(first, records))
    if not told or not _is_limited(question, row, records[row.record_id]):
        return list(ordered)
    of_all = (
        one
        for one in ordered[1:]
        if one.read
        and one.fused.row.source_id == row.source_id
        and (one.fused.row.type in STANDING or _is_done(one.fused.row, records[one.fused.row.record_id]))
        and not _is_limited(question, one.fused.row, records[one.fused.row.record_id])
        and _are_of_a_kind(told, values(sentence_of(one, records)))
        and _weight(question, one.holds) >= AS_MUCH * _weight(question, first.holds)
    )
    general = next(of_all, None)
    return [general, first, *(one for one in ordered[1:] if one is not general)] if general else list(ordered)


def _is_limited(question: Question, row: Row, record: Mapping[str, Any]) -> bool:
    """Whether a change says that it holds but for some, of which the question does not ask."""
    return row.type == "pull" and is_limited(record["body"], record["title"], question.text)


def _last(
    brain: Brain, question: Question, then: Then, rows: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> tuple[Ordered | None, bool]:
    """The last of *rows* that tells another value than the first did *then*, and whether that is sure."""
    found = []
    for one in rows:
        row, record = one.fused.row, records[one.fused.row.record_id]
        if row.source_id != then.row.source_id or row.record_id == then.row.record_id or row.nested:
            continue
        sentence = sentence_of(one, records)
        if _is_kept(row) and _sets_anew(then, sentence, sentence):
            day = since(brain, question, row, records)
            if not "" < day < then.since:
                found.append((True, day, True, one))
        elif _may_be_later(question, then, row) and _is_done(row, record):
            is_later = day_of(row) > then.since > ""
            is_same = is_later and (
                _sets_anew(then, record["body"], sentence) or _mends(question, then, one, records, brain.stemmer)
            )
            is_sure = is_same or _tells_another(question, then, one, sentence, brain.stemmer)
            if is_sure is not None:
                is_sure = is_sure and not _is_limited(question, row, record)
                found.append((is_sure and is_later, day_of(row), is_same, one))
    if not found:
        return None, False
    is_sure, _, is_same, last = max(found, key=lambda one: one[:2])
    told = values(sentence_of(last, records))
    was_back = not is_same and bool(then.values and told) and told <= then.values
    return (None, False) if was_back else (last, is_sure)


def _is_kept(row: Row) -> bool:
    """Whether a row is of a file that says how things are."""
    return row.type in STANDING and row.state in ("", "active") and not tells_what_was(row.ref, row.title)


def _may_be_later(question: Question, then: Then, row: Row) -> bool:
    """Whether a row is later than *then*; a file that was changed since may still say what it always did."""
    if day_of(row) > then.since:
        return True
    is_file = then.row.type in STANDING and not section_day(then.row)
    return is_file and question.latest and question.type == "yes/no" and row.type == "pull"


def _sets_anew(then: Then, text: str, sentence: str) -> bool:
    """Whether a text gives a setting another number than was told *then*, which its *sentence* tells."""
    given = settings(text) if then.sets and then.since else {}
    anew = {given[name] for name, number in then.sets.items() if given.get(name, number) != number}
    return bool(anew) and anew <= numbers_in(sentence)


def _mends(
    question: Question, then: Then, later: Ordered, records: Mapping[int, Mapping[str, Any]], stemmer: Stemmer
) -> bool:
    """Whether a change fixed the issue which told a value *then*, and tells another of the same kind, in its title.

    Or in what is quoted of it, where its title has none, in a sentence that says something of what is asked.
    """
    row = later.fused.row
    if row.record_id not in then.fixed_by or not stands_in(question, row.title, stemmer):
        return False
    said = statements_in(str(records[row.record_id]["body"][slice(*later.quote.window)]))
    told = values(row.title).union(*(values(one) for one in said if stands_in(question, one, stemmer)))
    same = {kind for kind, _ in told} & {kind for kind, _ in then.values}
    return any(kind in same and (kind, value) not in then.values for kind, value in told)


def _is_aside(question: Question, then: Then, row: Row) -> bool:
    """Whether a change is of what stands beside the product, as its tests do, which nobody asks after."""
    area = ASIDE.match(row.title)
    return area is not None and bool(new_words(area[0], f"{question.text} {then.row.title} {then.sentence}"))


def _tells_another(question: Question, then: Then, later: Ordered, sentence: str, stemmer: Stemmer) -> bool | None:
    """Whether it is sure that a row tells another value of what is asked; None where it does not."""
    row, titled = later.fused.row, stands_in(question, sentence, stemmer)
    if _is_aside(question, then, row):
        return None
    if then.values and _are_of_a_kind(then.values, values(sentence)):
        if not _is_of_it(question, then.holds, later.holds, titled, stemmer):
            return None
        return not _added(row, sentence, f"{question.text} {then.row.title} {then.sentence}")
    if question.type != "yes/no" or values(question.text):
        return None
    added = _added(row, sentence, f"{question.text} {' '.join(_TAKING)}")
    if not _TAKING.isdisjoint(split(sentence)) and _takes_out(question, later, sentence, titled, stemmer):
        is_sure = question.content <= titled and len(added) < ADDED
        return is_sure or (False if question.latest or is_opinion(then.row) else None)
    says_more = question.latest and bool(values(sentence) or added)
    return False if says_more and len(added) <= ADDED and _names_another(question, then, titled, stemmer) else None


def _added(row: Row, title: str, known: str) -> set[str]:
    """The words of *title*, but its verb and its value, that say something which is not *known*."""
    return new_words(
        bare(_VERB.sub(r"\g<area>" if row.type == "pull" else "", title)), f"{known} {' '.join(ANY_CHANGE)}"
    )


def _is_done(row: Row, record: Mapping[str, Any]) -> bool:
    """Whether a row tells what was done, and was not taken back."""
    is_done = (row.type == "pull" and row.state == "merged") or bool(section_day(row))
    return is_done and not record["reverted_by"]


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


def _takes_out(question: Question, later: Ordered, sentence: str, titled: AbstractSet[str], stemmer: Stemmer) -> bool:
    """Whether a change is of what is asked, and puts no other such in its place: 'Replace Lua 5.1 with Lua 5.4'."""
    about, stems = question.content, stemmer.sequence(sentence)
    said = later.holds if later.fused.row.type == "pull" else titled
    again = bool(about) and all(stems.count(stem) > 1 for stem in about)
    return not again and not titled.isdisjoint(about) and len(said & about) > SAME * len(about)


def _names_another(question: Question, then: Then, titled: AbstractSet[str], stemmer: Stemmer) -> bool:
    """Whether a title is of all that is asked, but for the last word of that, which the first row has."""
    asked = [stem for stem in stemmer.sequence(question.text) if stem in question.stems]
    last = asked[-1] if asked else ""
    rest = {*asked} - {last}
    if not last or last in titled or last not in stands_in(question, then.sentence, stemmer):
        return False
    now = LATEST.search(question.text)
    subject = question.text[: now.start()] if now and question.text[now.end() :].strip(" ?!.") else ""
    about = rest & question.content.union(stemmer.sequence(subject))
    return bool(about) and about <= titled


def _weight(question: Question, stems: AbstractSet[str]) -> float:
    return sum(question.weights.get(stem, 0.0) for stem in stems)
