"""What puts a row before others that are worth more: a rule, steps, the number asked for, what was said later."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from cortex.composer.amounts import by_kind, given
from cortex.composer.answer_types import asks, gives
from cortex.composer.assured import forbidding_later
from cortex.composer.ordered import HEADED, Ordered, names_of
from cortex.composer.proposals import asks_for_state, in_force_first
from cortex.composer.question import Question
from cortex.composer.replacing import told_so_first
from cortex.composer.rows import STANDING, Row, are_of_one_thread, is_opinion, thread_named
from cortex.composer.rulings import asks_leave, binds, lets
from cortex.composer.steps import INTRODUCED, asks_steps
from cortex.composer.telling import asks_why_not
from cortex.composer.trust import OF_PROJECT
from cortex.composer.updated import LATER, Told, gives_such, tells_amount, updated
from cortex.indexers.distill.deciding import decides
from cortex.language.markdown import Span
from cortex.language.sentences import sentences_of
from cortex.language.stems import split

RULES_AMONG: Final = 6
"""Rows of which one may come before the first for being a rule, or for telling of that later."""

RULE_WORTH: Final = 0.55
"""What a directive is worth, of what the best opinion is, for it to outrank that."""

LATER_WORTH: Final = 0.35
"""What a later comment of its thread is worth, of what the first row is, for it to be the latest on the matter."""

AS_MUCH: Final = 0.75
"""What a sentence of a later record says of the question, of what the first does, to be of the same thing."""

TELLING: Final = 5
"""Words a comment has that tells how things are."""


def by_precedence(
    question: Question,
    ordered: Sequence[Ordered],
    records: Mapping[int, Mapping[str, Any]],
    since: Callable[[Row], Sequence[str]],
) -> list[Ordered]:
    """*ordered*, the worthiest first, with what comes before what is worth more; its `moved` tells why.

    Args:
        records: by id, the columns of `cited_records.sql`.
        since: what was said in the thread of a comment after that.
    """
    if asks_why_not(question):  # which nothing tells that argues for it
        ordered = sorted(ordered, key=lambda one: is_opinion(one.fused.row) and lets(one.fused.row.text))
    ordered = forbidding_later(question, ordered)
    ordered = in_force_first(question, _given_first(question, ordered, records))
    ordered = _rule_first(question, _steps_first(question, ordered))
    ordered = _told_later(question, _told_again(question, ordered, records), records)
    ordered = _standing_fix_first(ordered, records)
    ordered = _newest_first(_updated_first(question, ordered, records, since), records)
    return told_so_first(question, _whole_first(question, ordered))


def _standing_fix_first(ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]) -> list[Ordered]:
    """*ordered* with what fixed an issue and was taken back after what fixed one and was not, in the places of both."""
    places = [place for place, one in enumerate(ordered) if one.fused.relation == "fixed by"]
    if len(places) < 2:
        return list(ordered)
    fixes = sorted((ordered[place] for place in places), key=lambda one: bool(_reverted(one, records)))
    moved = dict(zip(places, fixes, strict=True))
    return [moved.get(place, one) for place, one in enumerate(ordered)]


def _reverted(one: Ordered, records: Mapping[int, Mapping[str, Any]]) -> str:
    return str(records[one.fused.row.record_id]["reverted_by"])


def _whole_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """What the project's own documents say of all that a question is about, before a project's inside it."""
    if not ordered or not ordered[0].fused.row.nested or not question.content:
        return list(ordered)
    whole = (one for one in ordered if one.fused.row.type in STANDING and not one.fused.row.nested)
    first = next((one for one in whole if question.content <= one.holds), None)
    return [first._replace(moved="whole"), *(one for one in ordered if one is not first)] if first else list(ordered)


def _given_first(
    question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> list[Ordered]:
    """What gives the number that is asked for beside all that it is about, before a first row that gives none.

    Where things are counted, what counts them in the sentence that says so before what has any other number.
    """
    best = ordered[0] if ordered else None
    if best is None or question.type != "number" or best.fused.relation or not best.read:
        return list(ordered)
    if best.values["given"] and (not question.counted or gives("number", _told(best, records).sentence)):
        return list(ordered)
    about, dates = question.content - question.dates, question.content & question.dates
    giving = [one for one in ordered if one.read and one.values["given"] and about and about <= {*one.quote.holds}]
    giving = [one for one in giving if dates <= one.holds]
    bodies = ((one, records[one.fused.row.record_id]["body"]) for one in giving if question.counted)
    counting = (one for one, body in bodies if _counts(question, body[slice(*one.quote.best)]))
    first = next(counting, best if best.values["given"] else next(iter(giving), best))
    return [first._replace(moved="gives" if first is not best else ""), *(one for one in ordered if one is not first)]


def _steps_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """The part of a document that holds the steps which are asked for, before what is told of them in threads."""
    if not ordered or ordered[0].fused.row.type in STANDING or question.told or not asks_steps(question):
        return list(ordered)
    own = (one for one in ordered if one.fused.row.type == "doc" and not one.fused.row.nested)
    parts = [one for one in own if one.headed >= INTRODUCED * HEADED]
    if not parts:
        return list(ordered)
    holding = max(parts, key=lambda one: min(one.headed, HEADED))
    return [holding._replace(moved="steps"), *(one for one in ordered if one is not holding)]


def _rule_first(question: Question, ordered: Sequence[Ordered]) -> list[Ordered]:
    """What rules before the opinions of its matter, where a question asks what is to be done, or used.

    A directive does, and in a thread what somebody decided there; over what allows something also what forbids it,
    and where leave is asked for a document that binds. Why something is allowed is told first by what forbids it.
    """
    opinions = ordered and is_opinion(ordered[0].fused.row) and ordered[0].fused.relation != "done"
    if not opinions or question.told or question.type not in ("yes/no", "name", "procedure", "list", "reason"):
        return list(ordered)
    first, enough = ordered[0].fused.row, RULE_WORTH * ordered[0].worth
    near = [one for one in ordered[:RULES_AMONG] if not question.content.isdisjoint(one.holds)]
    against = [one for one in near if binds(one.fused.row.text)] if lets(first.text) else []
    near = [one for one in near if one.worth >= enough or one in against]
    rules = [one for one in near if one.fused.row.type == "directive"]
    if question.type == "reason":
        return _before([one for one in rules if one in against], ordered)
    if asks_leave(question.text):
        whole = [one for one in ordered if one.read and question.content <= one.holds]
        whole = [one for one in whole if one.fused.row.type in STANDING and binds(one.fused.row.text)]
        rules += sorted(whole, key=lambda one: one.fused.row.type != "directive")
    rules += [one for one in near if _settles(one.fused.row, first)]
    rules += [one for one in against if _is_later(one.fused.row, first) and one.fused.row.association in OF_PROJECT]
    return _before(rules, ordered)


def _before(rules: Sequence[Ordered], ordered: Sequence[Ordered]) -> list[Ordered]:
    if not rules:
        return list(ordered)
    return [rules[0]._replace(moved="rules"), *(one for one in ordered if one is not rules[0])]


def _settles(row: Row, opinion: Row) -> bool:
    return are_of_one_thread(row, opinion) and decides(row.text)


def _counts(question: Question, sentence: str) -> bool:
    """Whether *sentence* says how many there are of what the question counts: '412 crates'."""
    nouns = (word for word in question.words if word[:2] == question.counted[:2])
    return any(not by_kind(f"2 {noun}").keys().isdisjoint(by_kind(sentence)) for noun in nouns)


def _told_again(
    question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> list[Ordered]:
    """What a later record says of the first, where a question asks how things are: 'Until now it was three (#870)'.

    A sentence of it says as much of the question, and gives such a number: who but names a thread tells not of that.
    """
    first = ordered[0].fused.row if ordered else None
    if first is None or first.type not in ("pull", "issue") or not (question.latest or question.type == "number"):
        return list(ordered)
    if ordered[0].fused.relation == "done":  # it tells by itself what came of the thing
        return list(ordered)
    refers = thread_named(first)
    later = [
        one
        for one in ordered[1:RULES_AMONG]
        if one.worth >= RULE_WORTH * ordered[0].worth
        and (one.fused.row.type == first.type or _mends(question, one))
        and one.fused.row.source_id == first.source_id
        and one.fused.row.day > first.day
        and refers.search(one.fused.row.text)
        and _is_of_same(question, ordered[0], one, records)
    ]
    return (
        [later[0]._replace(moved="told again"), *(one for one in ordered if one is not later[0])]
        if later
        else list(ordered)
    )


def _is_of_same(question: Question, first: Ordered, later: Ordered, records: Mapping[int, Mapping[str, Any]]) -> bool:
    """Whether a sentence of *later* says as much of the question as the *first* does, and gives such a number.

    What mends the first is of the same thing whatever its words are.
    """
    if later.quote.covered < AS_MUCH * first.quote.covered and not _mends(question, later):
        return False
    if question.type != "number":
        return True
    told, anew = _told(first, records), _told(later, records)
    if question.counted:
        return _counts(question, anew.sentence)
    return not given(told.sentence) or gives_such(told.sentence, anew.sentence)


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
    if best is None or not question.latest or not is_opinion(best.fused.row) or asks_for_state(question):
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
    return are_of_one_thread(row, other) and row.day > other.day


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
