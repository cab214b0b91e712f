"""What records change, and what stands in their place, kept up to date with the records and their links.

What stands in the place of a record is worked out of what changed which: undone changes count for nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cortex.language.changelogs import entries, is_changelog, section, version_in_title
from cortex.language.changes import Certainty, parse
from cortex.language.words import content_words
from cortex.substrate import changes
from cortex.substrate.brain import Brain
from cortex.substrate.changes import Op, State, Stated, put_lineage, put_stated, put_worded
from cortex.substrate.holdings import ids_by_ref

_OPS: Final[dict[str, Op]] = {
    "reverts": "reverts",
    "reapplies": "relands",
    "supersedes": "supersedes",
    "revalues": "replaces",
    "reverts_part": "amends",
    "amends": "amends",
}
_WORDED: Final[dict[str, Op]] = {"adds": "adds", "removes": "removes", "replaces": "replaces", "renames": "replaces",
    "amends": "replaces", "reverts": "reverts", "relands": "relands"}  # fmt: skip
_SECTIONS: Final[dict[str, Op]] = {"added": "adds", "new features": "adds", "removed": "removes"}
_CLAUSE: Final = re.compile(r";|:\s|\s\(|\s[-–—]\s|\.(?:\s|$)")

LONGEST: Final = 200  # characters of a changelog's item that are read: its first sentence, not its reasons
PENDING: Final = 0.4  # certainty of a release that is yet to come
LEAST: Final = 0.5  # certainty of a change that says what stands in a record's place


class Worded(NamedTuple):
    """One change that a text states; '' is what it does not tell."""

    op: Op
    subject: str = ""
    old: str = ""
    new: str = ""
    scope: str = ""
    certainty: float = 1.0


def index_changes(brain: Brain, *, source_id: int) -> None:
    """Write what the records of a source change, and what stands in their place; what is known is left alone.

    Records are read once for what they say in their own words, and again when they say something else. What links tell
    is compared with what is there: it may change with any other record.
    """
    stated = changes.stated_changes(brain, source_id=source_id)
    named = {row.of for row in stated if row.by != row.of and row.relation == "supersedes"}
    stated = [row for row in stated if row.by != row.of or row.of not in named]
    with brain.transaction():
        changes.forget_stale_changes(brain, source_id=source_id)
        due = [*changes.due_for_changes(brain, source_id=source_id)]
        brain.stemmer.sequence(" ".join(title for _, _, _, title, *_ in due))  # which learns all words in one go
        rows = (row for id_, *said, _ in due for row in _worded(brain, source_id, id_, *said))
        put_worded(brain, [(id_, content_hash) for id_, *_, content_hash in due], rows)
        ids = ids_by_ref(brain, source_id=source_id)
        rows = (_row(brain, source_id, ids[row.by], _change(row), _day(row), row.of) for row in stated)
        put_stated(brain, source_id, _sure(rows))
        edges = [Edge(_day(row), row.follows, row.of, row.by, _change(row).op, certainty(row)) for row in stated]
        became = lineage(edge for edge in edges if edge.certainty >= LEAST and edge.of in ids)
        put_lineage(brain, source_id, ((source_id, ids[one.of], one.state, ids[one.by], *one[3:]) for one in became))


def certainty(stated: Stated) -> float:
    """How sure it is that a link's change holds, 0 to 1; what nobody of the project stands behind is below `LEAST`.

    A proposal takes the place of proposals only, a remark replaces nothing that was merged, and what came before a
    merge took nothing back of it.
    """
    between = stated.relation == "supersedes" and stated.of_type in ("issue", "pull") and not stated.of_merged
    remark = stated.teller_type == "comment"
    proposed = stated.by_type == "pull" and not stated.by_merged
    taken_up = stated.teller_type == "pull" and stated.by_merged  # `vouch_links` left what nobody stands behind out
    if (
        (stated.unverified and not taken_up and not (stated.own and between))
        or (proposed and not between)
        or (stated.by_type == "issue" and not (between and stated.of_type == "issue"))
    ):
        return 0.3
    early = stated.relation in ("reverts", "reverts_part", "amends") and _day(stated) < stated.of_merged
    if early or (remark and not between):
        return 0.4
    if remark:
        return 0.9 if stated.of_closed else 0.7
    return {"revalues": 0.8, "reverts_part": 0.8, "supersedes": 0.95}.get(stated.relation, 1.0)


def _change(stated: Stated) -> Worded:
    """What a link tells was done; of what gave another value, or removed something, as its title says it."""
    said = [*worded(stated.by_title)] if stated.relation == "revalues" else []
    change = next((one for one in said if one.op in ("removes", "replaces")), None)
    change = change or Worded(_OPS[stated.relation], stated.of_title)
    return change._replace(certainty=certainty(stated))


def _day(stated: Stated) -> str:
    """When the change took effect: with the merge, or when a proposal made way; '' of what a file says of itself."""
    if stated.of_type in ("issue", "pull") and not stated.of_merged and stated.relation == "supersedes":
        return max(stated.by_created, stated.of_closed, stated.told if stated.teller_type == "comment" else "")
    return "" if stated.by == stated.of else stated.by_merged or stated.by_created


_Row = tuple[Any, ...]


def _sure(rows: Iterator[_Row]) -> list[_Row]:
    best: dict[_Row, _Row] = {}
    for row in rows:
        key = (*row[1:6], row[9])
        best[key] = max(row, best.get(key, row), key=lambda one: (one[7], one[8]))
    return [*best.values()]


def _worded(
    brain: Brain, source_id: int, id_: int, type_: str, path: str, title: str, body: str, day: str
) -> Iterator[_Row]:
    if type_ != "doc":
        told: Iterator[tuple[str, Worded]] = (("", one) for one in worded(title))
    else:
        told = worded_section(title, body) if is_changelog(path) else iter(())
    return (_row(brain, source_id, id_, one, at or day) for at, one in told)


def _row(brain: Brain, source_id: int, by: int, one: Worded, day: str, of: str = "") -> _Row:
    stems = f" {' '.join(dict.fromkeys(brain.stemmer.sequence(f'{one.subject} {one.old} {one.new} {one.scope}')))} "
    return (source_id, by, one.op, one.subject, one.old, one.new, one.scope, one.certainty, day, of, stems)


def worded(title: str) -> Iterator[Worded]:
    """The changes that a title states as done; of a revert of a revert the outer alone.

    >>> [(one.op, one.old, one.new) for one in worded("mail: replace Fax with Post (#12)")]
    [('replaces', 'Fax', 'Post')]
    """
    if version := version_in_title(title):
        yield Worded("releases", new=version)
        return
    for one in parse(title):
        op = _WORDED.get(one.op)
        subject, old, new = (text.replace("`", "").strip(" '\"“”*,") for text in (one.subject, one.old, one.new))
        subject, told = subject or old, one.certainty is Certainty.DONE and (op != "replaces" or one.new)
        if op and told and content_words(subject):
            yield Worded(op, subject, old, new, one.scope, 0.8 if one.partial else 1.0)
        if one.op in ("reverts", "relands"):
            return


def worded_section(heading: str, body: str) -> Iterator[tuple[str, Worded]]:
    """The day, '' where it is not told, and the changes that a section of a changelog states, its release the first.

    Args:
        heading: its headings, the outermost first, joined by ' › '.
    """
    told = section(heading, body)
    if not told:
        return
    yield told.day, Worded("releases", new=told.version, certainty=PENDING if told.pending else 1.0)
    if told.pending:
        return
    op = _SECTIONS.get(heading.rpartition("›")[2].strip().lower())
    for (start, end), _ in entries(body):
        text = " ".join(body[start:end].replace("`", "").split()).partition(". ")[0][:LONGEST]
        stated = [one for one in worded(text) if one.op != "releases"]
        if not stated and op and content_words(subject := _CLAUSE.split(text)[0].strip()):
            stated = [Worded(op, subject[:120], certainty=0.8)]
        yield from ((told.day, one) for one in stated)


STATES: Final[Mapping[Op, State]] = {
    "supersedes": "superseded",
    "replaces": "superseded",
    "reverts": "reverted",
    "removes": "removed",
    "amends": "amended",
    "relands": "reinstated",
}


class Edge(NamedTuple):
    """A change of one record by another; edges sort in the order in which they took effect.

    Attributes:
        at: ISO 8601 time; '' from the beginning.
        rank: of those of one time, how many others it is known to follow.
    """

    at: str
    rank: int
    of: str
    by: str
    op: Op
    certainty: float


class Became(NamedTuple):
    """What became of the record *of*, from *since* until *until*, '' where it holds."""

    of: str
    state: str
    by: str
    certainty: float
    since: str
    until: str


def lineage(edges: Iterable[Edge]) -> set[Became]:
    """What became of every record that an edge is of, at every time.

    A reverted change is none: what it reverted, superseded or removed is reinstated. What was superseded has in its
    place what did so itself, not the head of the chain. Of edges that make a circle the earliest does not count.

    >>> [*lineage([Edge("2024", 0, "a", "b", "supersedes", 1.0)])]
    [Became(of='a', state='superseded', by='b', certainty=1.0, since='2024', until='')]
    """
    changed = _without_circles(edges)
    known: _Known = {}
    return {row for of in changed for row in _periods(of, changed, known)}


_Changed = Mapping[str, Sequence[Edge]]
_Known = dict[tuple[str, str], "Edge | None"]
_REVERTS: Final = ("reverts", "relands")


def _without_circles(edges: Iterable[Edge]) -> dict[str, list[Edge]]:
    kept: defaultdict[str, list[Edge]] = defaultdict(list)
    for edge in sorted(set(edges), reverse=True):
        if edge.of == edge.by or edge.of not in _above(edge.by, kept):
            kept[edge.of].insert(0, edge)
    return kept


def _above(ref: str, changed: _Changed, ops: Collection[Op] = tuple(STATES)) -> set[str]:
    found, open_ = {ref}, [ref]
    while open_:
        more = {edge.by for edge in changed.get(open_.pop(), ()) if edge.op in ops} - found
        found |= more
        open_ += more
    return found


class _Now(NamedTuple):
    state: str
    by: str
    certainty: float


def _periods(of: str, changed: _Changed, known: _Known) -> Iterator[Became]:
    undoing = {ref for edge in changed[of] for ref in _above(edge.by, changed, _REVERTS)}
    days = {edge.at for edge in changed[of]}
    days |= {edge.at for ref in undoing for edge in changed.get(ref, ()) if edge.op in _REVERTS}
    begun: dict[_Now, str] = {}
    for day in sorted(days):
        now = {*_became(of, day, changed, known)}
        yield from (Became(of, *one, since=begun.pop(one), until=day) for one in {*begun} - now)
        for one in now:
            begun.setdefault(one, day)
    yield from (Became(of, *one, since=since, until="") for one, since in begun.items())


def _became(of: str, day: str, changed: _Changed, known: _Known) -> Iterator[_Now]:
    """What had become of a record on a day; of what amended it everything, and of the rest the last."""
    last: _Now | None = None
    for edge in changed[of]:
        if edge.at > day:
            break
        undone = None if edge.by == of else _undone(edge.by, day, changed, known)
        now = _Now(STATES[edge.op], edge.by, edge.certainty)
        if undone:
            if edge.op not in ("relands", "amends") and (not last or last.state == "reinstated"):
                last = _Now("reinstated", undone.by, undone.certainty)
        elif edge.op == "amends":
            yield now
        elif edge.op != "relands" or (last and last.state in ("reverted", "removed")):
            last = now
    if last:
        yield last


def _undone(ref: str, day: str, changed: _Changed, known: _Known) -> Edge | None:
    if (ref, day) not in known:
        standing: Edge | None = None
        for edge in changed.get(ref, ()):
            if edge.op in _REVERTS and edge.by != ref and edge.at <= day and not _undone(edge.by, day, changed, known):
                standing = edge if edge.op == "reverts" else None
        known[ref, day] = standing
    return known[ref, day]
