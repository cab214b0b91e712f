"""What records change, and what stands in the place of each: the rows that indexing wrote, as values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeVar

from cortex.substrate.brain import Brain
from cortex.substrate.statements import column, run

Op = Literal["adds", "removes", "replaces", "reverts", "relands", "amends", "supersedes", "releases"]
State = Literal["superseded", "reverted", "removed", "amended", "reinstated"]

_PUT_READ: Final = (
    "insert into changes_read values (?, ?) on conflict (record_id) do update set content_hash = excluded.content_hash"
)
_COLUMNS: Final = "source_id, record_id, op, subject, old, new, scope, certainty, day, target_ref, stems"
_PUT: Final = f"insert or ignore into changes ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  names of columns


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a record changes.

    Attributes:
        ref: of the record that makes it; of 'superseded by #7', written in #3, that is #7.
        subject: what is changed, as written; for a change of a record its title.
        old: the value, the name or the thing before; '' where it is not told, as is `new`.
        certainty: below .5 where a stranger says so, or a pull request that is not merged.
        day: ISO 8601 time at which it took effect; '' unknown.
        target_ref: of the record that is changed; '' where none is known.
    """

    source_id: int
    record_id: int
    ref: str
    op: Op
    subject: str
    old: str
    new: str
    scope: str
    certainty: float
    day: str
    target_ref: str
    target_id: int | None


@dataclass(frozen=True, slots=True)
class Lineage:
    """What became of a record, as it holds at the time asked about.

    Attributes:
        by_record_id: what stands in its place, at the end of the chain, or what took it back, amended or reinstated it.
        certainty: the least of its chain, .5 to 1.
        since: ISO 8601 time at which the record's own state began; '' from the beginning.
    """

    record_id: int
    state: State
    by_record_id: int
    by_ref: str
    certainty: float
    since: str

    @property
    def stands(self) -> bool:
        """Whether what the record itself says still holds."""
        return self.state in ("amended", "reinstated")


def changes_of(brain: Brain, record_ids: Collection[int]) -> dict[int, tuple[Change, ...]]:
    """What these records change, the latest first; a record that changes nothing is left out."""
    return _by_record(_changes(brain, records=record_ids))


def changes_about(
    brain: Brain, source_ids: Collection[int], subject_stems: Collection[str], *, as_of: str = ""
) -> list[Change]:
    """The changes of what all of *subject_stems* name, the latest first, 50 at most.

    Args:
        subject_stems: as `brain.stemmer.sequence` makes them, of the subject, the old or new value, or the scope.
        as_of: 'YYYY-MM-DD', which covers that day, or a time; '' is now.
    """
    return _changes(brain, sources=source_ids, stems=subject_stems, as_of=as_of, limit=50)


def lineage_of(brain: Brain, record_ids: Collection[int], *, as_of: str = "") -> dict[int, tuple[Lineage, ...]]:
    """What stands in the place of these records at *as_of*; one of which nothing is known is left out.

    Args:
        as_of: 'YYYY-MM-DD', which covers that day, or a time; '' is now.

    Returns:
        At most one row, the first, that is not 'amended', then those, the latest first. What became of the document
        became of each of its parts.
    """
    return _by_record(Lineage(*row) for row in run(brain, "changes.lineage_of", records=record_ids, as_of=as_of))


_Told = TypeVar("_Told", bound=Change | Lineage)


def _by_record(told: Iterable[_Told]) -> dict[int, tuple[_Told, ...]]:
    found: dict[int, tuple[_Told, ...]] = {}
    for one in told:
        found[one.record_id] = (*found.get(one.record_id, ()), one)
    return found


class Stated(NamedTuple):
    """A link that tells of a change of the record *of* by the record *by*, with what is known of both."""

    relation: str
    by: str
    by_type: str
    by_title: str
    by_created: str
    by_merged: str
    of: str
    of_type: str
    of_title: str
    of_merged: str
    of_closed: str
    teller_type: str
    told: str
    own: int
    unverified: int
    follows: int


def stated_changes(brain: Brain, *, source_id: int) -> list[Stated]:
    """What the links of a source tell of changes."""
    return [Stated(*row) for row in run(brain, "changes.stated_links", source_id=source_id)]


def due_for_changes(brain: Brain, *, source_id: int) -> Iterator[tuple[int, str, str, str, str, str, str]]:
    """Records not read for what they change since they say it: id, type, path, title, body, day and content hash."""
    return run(brain, "changes.changes_due", source_id=source_id)


def forget_stale_changes(brain: Brain, *, source_id: int) -> None:
    """Forget what was read and is gone, is said otherwise now, or is told by another. Call it inside a transaction."""
    forget_worded(brain, column(brain, "changes.changes_stale", source_id=source_id))


def put_stated(brain: Brain, source_id: int, rows: Iterable[tuple[Any, ...]]) -> None:
    """Let *rows* be all that records of a source change of others; each as the columns of `changes`.

    Call it inside a transaction. What is there already is left alone.
    """
    kept = f"select {_COLUMNS} from changes where source_id = ? and target_ref <> ''"  # noqa: S608
    had, has = set(brain.db.execute(kept, (source_id,))), set(rows)
    brain.db.executemany(
        "delete from changes where record_id = ? and op = ? and subject = ? and old = ? and new = ? and target_ref = ?",
        [(*row[1:6], row[9]) for row in sorted(had - has)],
    )
    brain.db.executemany(_PUT, sorted(has - had))


def put_lineage(brain: Brain, source_id: int, rows: Iterable[tuple[Any, ...]]) -> None:
    """Let *rows* be the lineage of a source; each as the columns of `lineage`. Call it inside a transaction.

    Records of which it changes are promoted anew.
    """
    had = set(brain.db.execute("select * from lineage where source_id = ?", (source_id,)))
    has = set(rows)
    brain.db.executemany(
        "delete from lineage where record_id = ? and since = ? and state = ? and by_record_id = ?",
        [(row[1], row[5], row[2], row[3]) for row in sorted(had - has)],
    )
    brain.db.executemany("insert into lineage values (?, ?, ?, ?, ?, ?, ?)", sorted(has - had))
    anew = {(id_,) for row in had ^ has for id_ in (row[1], row[3])}
    standing = "select id from records where id = ? and gone_at is null"
    brain.db.executemany(f"delete from promotions where record_id in ({standing})", sorted(anew))  # noqa: S608


def put_worded(brain: Brain, read: Collection[tuple[int, str]], rows: Iterable[tuple[Any, ...]]) -> None:
    """Let *rows* be all that the records just *read* change in their own words. Call it inside a transaction.

    Args:
        read: id and content hash of each.
    """
    forget_worded(brain, [id_ for id_, _ in read])
    brain.db.executemany(_PUT, rows)
    brain.db.executemany(_PUT_READ, read)


def forget_worded(brain: Brain, record_ids: Iterable[int]) -> None:
    """Forget what these records change in their own words, and that they were read. Call it inside a transaction."""
    ids = [(id_,) for id_ in record_ids]
    brain.db.executemany("delete from changes where record_id = ? and target_ref = ''", ids)
    brain.db.executemany("delete from changes_read where record_id = ?", ids)


def _changes(brain: Brain, **given: object) -> list[Change]:
    asked: dict[str, object] = {"records": None, "sources": None, "stems": (), "as_of": "", "limit": -1}
    return [Change(*row) for row in run(brain, "changes.changes_of", **(asked | given))]
