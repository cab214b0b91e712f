"""What nobody trusted wrote stands after what others did, takes nobody's place, and has a small share of it all.

Which facts those are, says `substrate.vouched` alone. A row that a question weighs is marked for an agent's word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from cortex.composer.rows import Row, load_facts
from cortex.indexers.distill.machines import is_machine
from cortex.substrate.brain import Brain
from cortex.substrate.search import Match
from cortex.substrate.vouched import unverified_facts

SHARE: Final = 3
"""Rows of an answer, a search or a list that nobody trusted wrote."""

MOST: Final = 5_000
"""Rows that are looked at to find past those that nobody trusted wrote."""

PASSING: Final = ("NONE", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN")
"""What GitHub calls those who have done nothing in a project yet."""

OF_PROJECT: Final = ("", "OWNER", "MEMBER", "COLLABORATOR")
"""What it calls whose project it is; nothing, where that is not told."""

LOADED: Final = 60

_MORE: Final = 4


class Told(Protocol):
    """Something that says whether nobody trusted wrote it."""

    @property
    def unverified(self) -> int:
        """Whether nobody trusted wrote it."""
        ...


T = TypeVar("T")
S = TypeVar("S", bound=Told)


def found(
    search: Callable[[int], Sequence[Match]],
    load: Callable[[Sequence[int]], Mapping[int, Row]],
    limit: int,
    *,
    worth: float = 0.0,
) -> tuple[list[Match], Mapping[int, Row]]:
    """The best matches and their rows, as if there were but a few that nobody trusted wrote, however many there are.

    Args:
        search: gives as many matches as it is told, best first.
        worth: of what the best is worth, for a match after the first `LOADED` to have a row.
    """
    asked = limit
    while True:
        matches = search(asked)
        rows = _near(matches, load, worth)
        unverified = [match.rowid for match in matches if match.rowid in rows and rows[match.rowid].unverified]
        left_out = {*unverified[SHARE:]}
        kept = [match for match in matches if match.rowid not in left_out]
        if not left_out or len(kept) >= limit or len(matches) < asked or asked >= MOST:
            return kept[:limit], rows
        asked *= _MORE


def _near(
    matches: Sequence[Match], load: Callable[[Sequence[int]], Mapping[int, Row]], worth: float
) -> Mapping[int, Row]:
    """The rows of the first *matches*, and those worth as much of the best that is known and somebody trusted wrote."""
    rows: dict[int, Row] = {}
    best = matches[0].score if matches else 0.0
    while True:
        near = [one.rowid for place, one in enumerate(matches) if place < LOADED or one.score >= worth * best]
        rows |= load([one for one in near if one not in rows])
        trusted = (one.score for one in matches if one.rowid in rows and not rows[one.rowid].unverified)
        known = next(trusted, 0.0)
        if known >= best:
            return rows
        best = known


def is_passing(row: Row) -> bool:
    """Whether *row* is what somebody says who is nobody in its project yet, and of which nothing was merged."""
    return row.association in PASSING and row.type in ("comment", "issue", "pull") and row.state != "merged"


def by_passers_by(rows: Iterable[Row]) -> set[tuple[int, str]]:
    """The source and the ref of each comment among *rows* by somebody who is nobody in its project, or a program."""
    said = (row for row in rows if row.type == "comment")
    return {(row.source_id, row.ref) for row in said if row.association in PASSING or is_machine(row.author)}


def marked_facts(brain: Brain, ids: Collection[int]) -> dict[int, Row]:
    """The facts called *ids*, by id, each marked where nobody of the project stands behind its record.

    A question weighs what passers-by wrote as evidence, by who says it; what nobody asked for must not be theirs.
    """
    unverified = unverified_facts(brain, ids)
    rows = load_facts(brain, [*ids])
    return {id_: row._replace(unverified=int(id_ in unverified)) for id_, row in rows.items()}


def few(ranked: Iterable[T], row: Callable[[T], Told]) -> list[T]:
    """*ranked* in its order with no more than a few that nobody trusted wrote, the first."""
    kept, unverified = [], 0
    for one in ranked:
        is_unverified = bool(row(one).unverified)
        unverified += is_unverified
        if not is_unverified or unverified <= SHARE:
            kept.append(one)
    return kept


def last(ranked: Iterable[T], row: Callable[[T], Told]) -> list[T]:
    """*ranked* in its order, what nobody trusted wrote after the rest."""
    return sorted(ranked, key=lambda one: bool(row(one).unverified))


def listed(ranked: Sequence[S], limit: int) -> list[S]:
    """Of *ranked* the first *limit* that somebody trusted wrote, then a few others where there is room for them."""
    trusted = [one for one in ranked if not one.unverified][:limit]
    room = min(limit - len(trusted), max(SHARE, limit // 5))
    return [*trusted, *[one for one in ranked if one.unverified][:room]]
