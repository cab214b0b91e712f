"""Resolve: put what superseded, reverted or amended a row before it, by the lineage stored at index time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cortex.composer.query.presupposition import ENDS, asked_change
from cortex.composer.values import AnswerType, Candidate, Query, Reason, Scored
from cortex.indexers.distill.tells import decides, overturns
from cortex.language.changes import parse
from cortex.language.verbs import Op
from cortex.language.words import content_words, stems
from cortex.substrate.changes import Lineage
from cortex.substrate.reading import STANDING, Reader, Row

LOOKED_AT: Final = 10  # rows whose lineage is followed: those that may be cited
TRUSTED: Final = 0.5  # certainty from which what took a row's place comes before it


WHOSE: Final = (AnswerType.PERSON, AnswerType.DATE)
"""Answer types that whoever says the same again later is no answer to."""

FIELDS: Final = (AnswerType.PERSON, AnswerType.LIST)
"""Answer types that an issue itself may give: who reported it, when."""

STATED: Final = ("directive", "ownership")  # types of records that state a rule or a decision
TRUST: Final = 0.5
"""Likeness to the question, beside an unverified first row's, from which a verified row comes before it."""

PRESUPPOSES: Final[Mapping[Op | None, frozenset[str]]] = {
    None: frozenset(),
    Op.RELANDS: frozenset(),
    **dict.fromkeys(ENDS, frozenset(("reinstated",))),
}
"""States that came after what a question says was done; by default whatever took a record back."""


def resolve(
    reader: Reader, query: Query, ranked: Sequence[Scored], score: Callable[[Sequence[Candidate]], Sequence[Scored]]
) -> list[Scored]:
    """*ranked* with the successor of each row before it; an amendment that covers less of the question follows it.

    Args:
        score: ranks candidates that no retriever found.
    """
    return _later_first(query, _trusted_first(reader, query, _by_lineage(reader, query, ranked, score)))


def _by_lineage(
    reader: Reader, query: Query, ranked: Sequence[Scored], score: Callable[[Sequence[Candidate]], Sequence[Scored]]
) -> list[Scored]:
    first = ranked[:LOOKED_AT]
    lineage = reader.lineage([one.row.record_id for one in first])
    if not lineage:
        return [*ranked]
    later = PRESUPPOSES.get(asked_change(query), frozenset(("reverted", "removed", "reinstated")))
    undone = _undone(reader, first, lineage)
    successors = _successors(reader, ranked, lineage, score)
    ordered: dict[tuple[int, int], Scored] = {}
    for one in ranked:
        own = replace(one, lineage=tuple(lineage.get(one.row.record_id, ())))
        after: list[Scored] = []
        for by in (*own.lineage, *undone.get(one.row.record_id, ())):
            parts = successors.get(by.by_record_id)
            if not parts or by.certainty < TRUSTED or by.state in later:
                continue
            amends = by.state == "amended"
            other = max(parts, key=lambda part: len(_stated(one) & _stated(part))) if amends else parts[0]
            other = replace(other, lineage=other.lineage or (by,))
            if amends and not _amends(query, other, one):
                after.append(other)
            else:
                _add(ordered, other)
        for other in (own, *after):
            _add(ordered, other)
    return [*ordered.values()]


def _amends(query: Query, one: Scored, amended: Scored) -> bool:
    """Whether an amendment changes the sentence that answers, without a limit that the question does not name.

    A word of it that stands for none of the amended sentence limits it: 'at Skarv', 'for orchestras'.
    """
    new, old = _stated(one), _stated(amended)
    lost, added = old - new, new - old - content_stems(f"{amended.row.title} {amended.record['body']}")
    if len(added) > len(lost):
        return not added.isdisjoint(query.stems)
    return 2 * len(new & old) >= min(len(new), len(old)) and len(lost & query.stems) <= len(added)


def _stated(one: Scored) -> frozenset[str]:
    start, end = one.window.best
    return frozenset(stem for stem in content_stems(one.record["body"][start:end]) if stem.isalpha())


def _trusted_first(reader: Reader, query: Query, ranked: Sequence[Scored]) -> list[Scored]:
    """Put a verified row first that covers as much as an unverified first row of the same thread or target.

    What 'is it lime?' asks about says nothing for a row: only what verified rows hold counts there.
    """
    if not ranked or query.kind or query.type is AnswerType.PERSON or _is_trusted(ranked[0]):
        return [*ranked]
    first = ranked[0]
    trusted = [one for one in ranked[1:LOOKED_AT] if _is_trusted(one)]
    told = frozenset().union(*(one.window.holds for one in trusted))
    changes = {change.target_id for change in reader.changes_of([first.row.record_id]).get(first.row.record_id, ())}
    about = (first.row.source_id, first.row.about)
    known = [
        one
        for one in trusted
        if one.row.type in STATED or (one.row.source_id, one.row.about) == about or one.row.record_id in changes
    ]
    best = max(known, key=lambda one: _says(query, one, told), default=first)
    if _says(query, best, told) < TRUST * _says(query, first, told):
        return [*ranked]
    return [best, *(one for one in ranked if one is not best)]


def _says(query: Query, one: Scored, told: frozenset[str]) -> float:
    if query.type is not AnswerType.YES_NO:
        return one.features["titled"]
    return sum(query.weights.get(stem, 0.0) for stem in one.window.holds & told)


def _is_trusted(one: Scored) -> bool:
    unverified = one.row.unverified and one.row.state != "merged"  # whose title stands with who merged it
    held = one.features.get("asks") or (one.row.type == "pull" and one.row.state != "merged")
    return one.candidate.reason is Reason.NAMED or not (held or unverified)


def _later_first(query: Query, ranked: Sequence[Scored]) -> list[Scored]:
    """Put the last verified comment of the thread first that covers as much or overturns the first row.

    Of equal authority the later holds.
    """
    if not ranked or ranked[0].row.type not in ("comment", "issue"):
        return [*ranked]
    first = ranked[0]
    if first.row.type == "issue" and (query.type in FIELDS or first.candidate.reason is Reason.NAMED):
        return [*ranked]
    later = [
        one
        for one in ranked[:LOOKED_AT]
        if (one.row.source_id, one.row.about, one.row.type) == (first.row.source_id, first.row.about, "comment")
        and one.row.day > first.row.day
        and not (one.row.unverified or one.features.get("asks"))
        and _settles(query, one, first)
    ]
    if not later:
        return [*ranked]
    last = max(later, key=lambda one: one.row.day)
    return [last, *(one for one in ranked if one is not last)]


def _settles(query: Query, one: Scored, first: Scored) -> bool:
    text = one.record["body"]
    if overturns(text) or (first.row.type == "issue" and decides(text)):
        return True
    if first.row.type == "issue" or query.type in WHOSE:
        return False
    known = content_stems(f"{first.row.title} {first.record['body']}")
    changed = [change for change in parse(text) if change.op in (Op.AMENDS, Op.REPLACES)]
    again = any(content_stems(f"{change.subject} {change.new}") & known for change in changed) and all(
        {stem for stem in content_stems(change.subject) if not stem.isdecimal()} <= known for change in changed
    )
    return again or one.window.best_holds >= first.window.best_holds


def _undone(
    reader: Reader, ranked: Sequence[Scored], lineage: Mapping[int, Sequence[Lineage]]
) -> dict[int, list[Lineage]]:
    """By reverting record: what reinstated its target since."""
    changes = reader.changes_of([one.row.record_id for one in ranked])
    return {
        record: [by for change in made for by in lineage.get(change.target_id or 0, ()) if by.state == "reinstated"]
        for record, made in changes.items()
    }


def _successors(
    reader: Reader,
    ranked: Sequence[Scored],
    lineage: Mapping[int, Sequence[Lineage]],
    score: Callable[[Sequence[Candidate]], Sequence[Scored]],
) -> dict[int, list[Scored]]:
    """Successors by record id: the passages found, best first, else the first passage."""
    wanted = {by.by_record_id for every in lineage.values() for by in every}
    rows = reader.first_rows([*wanted])
    found = score([Candidate(row, Reason.LINEAGE) for row in rows.values() if not _of(ranked, row)])
    return {id_: _of(ranked, row) or _of(found, row) for id_, row in rows.items()}


def _of(ranked: Sequence[Scored], row: Row) -> list[Scored]:
    path = row.ref.partition(":")[2].partition("#")[0] if row.type in STANDING else ""
    return [
        one
        for one in ranked
        if one.row.record_id == row.record_id
        or (path and one.row.source_id == row.source_id and one.record["path"] == path)
    ]


def _add(ordered: dict[tuple[int, int], Scored], one: Scored) -> None:
    ordered.setdefault((one.row.record_id, one.row.start), one)


def content_stems(text: str) -> frozenset[str]:
    """The stems of *text* without stop words."""
    return frozenset(stems(" ".join(content_words(text))))
