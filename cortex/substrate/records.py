"""Storing records: what changed is written with its passages and links, what did not is left alone.

A title stands beside each passage and in each fact of its record, so titles, names, lists and references are bounded:
a brain would grow with the product of both.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from cortex.language import project
from cortex.language.identifiers import parts
from cortex.language.markdown import Span, passages, unpacked
from cortex.substrate.brain import Brain, write
from cortex.substrate.model import Link, Record, called
from cortex.substrate.owners import is_bare_list
from cortex.substrate.secrets import without_secrets
from cortex.substrate.sources import timestamp
from cortex.substrate.statements import run, sql

PATHS: Final[Mapping[str, str]] = {"doc": "docs", "comment": "comments", "event": "comments"}
ORIGINS: Final = ("agents", "export docs", "git", "tags", "tree", "outcomes", "remembered", "github")
"""Where records come from, weakest first: a stronger origin's row is not overwritten by a weaker one's."""

UNTRUSTED: Final = ORIGINS[0]  # the origin of what agents and clients elsewhere record
REMEMBERED: Final = "remembered"  # and of what trusted writers do


Refer = Callable[[str], Iterable[Link]]
"""What a body refers to: told of a body without its secrets, so that no link can name a piece of one."""

_Passage = tuple[int, int, str, str]


class Incoming:
    """A record on its way into the brain: what is stored of it, computed once, by any process, without a secret.

    Attributes:
        row: the columns of `records`, by name.
        links: what its origin states and what its text refers to: relation, source and ref each.
        redacted: secrets that were taken out, by kind.
        cut: what of it was too long or too much, and is stored in part.
    """

    __slots__ = ("_passages", "cut", "links", "redacted", "row")

    def __init__(self, record: Record, refer: Refer = lambda _: (), *, authority: float, origin: str) -> None:
        own, (record, self.redacted) = record.body, without_secrets(record)
        if record.body != own:
            record = record.model_copy(update={"blocks": ""})  # they stand elsewhere now
        record, self.cut = bounded(record)
        links, left_out = bounded_links(record.links, refer(record.body))
        self.cut += left_out
        self.row = _columns(record) | {"authority": authority, "origin": origin}
        self.links = [(link.relation, link.to_source, link.to_ref) for link in links]
        self._passages: list[_Passage] | None = None
        stated = json.dumps([*self.row.values(), [link.model_dump() for link in links]], ensure_ascii=False)
        self.row["content_hash"] = blake2b(stated.encode(), digest_size=16).hexdigest()

    @property
    def ref(self) -> str:
        """The record's name in its source."""
        return str(self.row["ref"])

    def passages(self) -> list[_Passage]:
        """Start, end, text and identifiers of each passage; one that is empty where there is no text."""
        if self._passages is None:
            title, body = self.row["title"], self.row["body"]
            cut = [*passages(body, found=unpacked(self.row["blocks"], body))] or [(Span(0, 0), "")]
            self._passages = [(start, end, text, parts(f"{title}\n{text}")) for (start, end), text in cut]
        return self._passages


def _columns(record: Record) -> dict[str, Any]:
    """The record's fields as they are stored, in their order: its content hash is made of it."""
    columns: dict[str, Any] = {}
    for name, value in record:
        if name == "lines":
            columns["line_start"], columns["line_end"] = value or (None, None)
        elif name in _LISTS:
            columns[name] = json.dumps(value, ensure_ascii=False)
        elif name not in ("source", "links"):
            columns[name] = timestamp(value) if isinstance(value, datetime) else value
    return columns


def begin_listing(brain: Brain) -> None:
    """Forget which refs were seen; `note_gone` compares with those seen since."""
    brain.db.execute("create table if not exists temp.seen (ref text primary key) without rowid")
    brain.db.execute("delete from temp.seen")


def put_records(brain: Brain, incoming: Sequence[Incoming], *, source_id: int, now: datetime) -> dict[str, int]:
    """Write those of *incoming* that are new or changed, in one transaction; none are, nothing is written.

    What a weaker origin says of a row that a stronger one brought is left out, such as a pull request derived from git.

    Returns:
        How many were `added`, `replaced` and `unchanged`.
    """
    latest = {one.ref: one for one in incoming}
    refs = json.dumps([*latest], ensure_ascii=False)
    brain.db.execute("insert or ignore into temp.seen select value from json_each(?)", (refs,))
    known = _known(brain, refs, source_id)
    fresh = [one for ref, one in latest.items() if _is_news(one, known.get(ref))]
    if fresh:
        with brain.transaction():
            known = _known(brain, refs, source_id)  # by now: another process may be storing the same
            fresh = [one for ref, one in latest.items() if _is_news(one, known.get(ref))]
            _put(brain, fresh, known, source_id=source_id, now=now)
    added = sum(one.ref not in known for one in fresh)
    return {"added": added, "replaced": len(fresh) - added, "unchanged": len(latest) - len(fresh)}


def _known(brain: Brain, refs: str, source_id: int) -> dict[str, list[Any]]:
    asked = (
        "select ref, content_hash, origin, gone_at from records"
        " where source_id = ? and ref in (select value from json_each(?))"
    )
    return {ref: known for ref, *known in brain.db.execute(asked, (source_id, refs))}


def _is_news(one: Incoming, known: Sequence[Any] | None) -> bool:
    if known is None:
        return True
    content_hash, origin, gone = known
    if not gone and ORIGINS.index(one.row["origin"]) < ORIGINS.index(origin):
        return False
    return bool(gone) or content_hash != one.row["content_hash"]


def _put(brain: Brain, fresh: Iterable[Incoming], known: Container[str], *, source_id: int, now: datetime) -> None:
    db = brain.db
    cut: list[tuple[object, ...]] = []
    links: list[tuple[object, ...]] = []
    jobs: list[dict[str, object]] = []
    source = {"source_id": source_id}
    for one in fresh:
        (record_id,) = run(brain, "records.put_record", **source, **one.row).fetchone()
        if one.ref in known:
            run(brain, "records.forget_promotions", **source, ref=one.ref)
            db.execute("delete from passages where record_id = ?", (record_id,))
            db.execute("delete from links where source_id = ? and from_ref = ?", (source_id, one.ref))
        title = _searched_by(one.row)
        cut += [(source_id, record_id, start, end, title, text, inside) for start, end, text, inside in one.passages()]
        links += [(source_id, one.ref, *link) for link in one.links]
        path = PATHS.get(one.row["type"])
        if path and not _is_promoted(one.row):
            job = {"record_id": record_id, "content_hash": one.row["content_hash"], "path": path, "now": timestamp(now)}
            jobs.append(source | job)
    _put_passages(db, cut)
    db.executemany(
        "insert or ignore into links (source_id, from_ref, relation, to_source, to_ref) values (?, ?, ?, ?, ?)", links
    )
    db.executemany(sql("queue.enqueue"), jobs)


def _is_promoted(row: Mapping[str, Any]) -> bool:
    """Whether facts of what a document or a comment says come without a distiller: a verdict, and who owns what."""
    return row["body"] == row["state"].upper() or (row["type"] == "doc" and is_bare_list(row["path"]))


def _searched_by(row: Mapping[str, Any]) -> str:
    """What a row is called, and other names of the property that it is the first of its file to state of a project."""
    first = row["type"] == "project" and "~" not in row["ref"] and " of " not in row["title"].partition(": ")[0]
    return " ".join([called(row["type"], row["title"]), *map(project.called, json.loads(row["labels"])[:first])])


_CUT: Final = (
    "create temp table if not exists cut (id integer primary key, source_id integer, record_id integer, start integer,"
    " end_ integer, context text, body text, parts text)"
)


def _put_passages(db: sqlite3.Connection, cut: Iterable[tuple[object, ...]]) -> None:
    """By one statement: FTS5 writes out what it has gathered before each that fires a trigger, a row at a time."""
    columns = "source_id, record_id, start, end_, context, body, parts"
    db.execute(_CUT)
    db.executemany(f"insert into temp.cut ({columns}) values (?, ?, ?, ?, ?, ?, ?)", cut)  # noqa: S608  names of columns
    db.execute(f"insert into passages ({columns}) select {columns} from temp.cut order by id")  # noqa: S608
    db.execute("delete from temp.cut")


def newest_record(brain: Brain) -> int:
    """The number of the record that was stored last; 0 where there is none."""
    return int(brain.db.execute("select coalesce(max(id), 0) from records").fetchone()[0])


def note_gone(
    brain: Brain, *, source_id: int, origin: str, newest: int, kept: Iterable[str] = (), now: datetime
) -> int:
    """Mark what *origin* no longer lists as gone: it answers nothing from now on, and the compactor takes its facts.

    A document most of whose text stands elsewhere was moved there: whoever looks it up finds it.

    Args:
        newest: the newest record when the listing began; what is newer another process has seen since.
        kept: types of record of which nothing is to be marked.

    Returns:
        How many records went.
    """
    listed = {"source_id": source_id, "origin": origin, "newest": newest, "kept": [*kept], "now": timestamp(now)}
    with brain.transaction():
        gone = run(brain, "records.records_now_gone", **listed).rowcount
        if gone:
            run(brain, "records.note_moved", **listed)
    return gone


def count_unseen(brain: Brain, *, source_id: int, origin: str, type_: str) -> int:
    """How many records of a type that *origin* brought it did not list this time."""
    (count,) = run(brain, "records.count_unseen", source_id=source_id, origin=origin, type=type_).fetchone()
    return int(count)


def note_gone_refs(brain: Brain, refs: Iterable[str], *, source_id: int, now: datetime) -> int:
    """Mark *refs* as gone, which their origin has no longer; how many were there."""
    gone = "update records set gone_at = ? where source_id = ? and ref = ? and gone_at is null"
    with brain.transaction() as db:
        return sum(db.execute(gone, (timestamp(now), source_id, ref)).rowcount for ref in refs)


def resolve_links(brain: Brain, *, source_id: int) -> int:
    """Turn '#12' and the first digits of a commit into the record they name, where it is known; how many were."""
    return sum(write(brain, f"links.{name}", source_id=source_id) for name in ("resolve_links", "resolve_commits"))


def promote_anew(brain: Brain, source_id: int, refs: Iterable[str]) -> None:
    """Have these records promoted by the next promotion, which sees by their mark that others are gone."""
    standing = "select id from records where source_id = ? and ref = ? and gone_at is null"
    anew = f"delete from promotions where record_id in ({standing})"  # noqa: S608
    brain.db.executemany(anew, [(source_id, ref) for ref in refs])


TITLE: Final = 1_000
NAME: Final = 200
PATH: Final = 1_000
LISTED: Final = 100
REFERENCES: Final = 1_000

LONG_TITLE: Final = f"title longer than {TITLE:,} characters, and cut"
LONG_NAME: Final = f"a name or label longer than {NAME} characters, and cut"
LONG_PATH: Final = f"path longer than {PATH:,} characters, and cut"
NO_ADDRESS: Final = "an address that is none of the web, left out"
LONG_LIST: Final = f"more than {LISTED} labels or assignees, the rest left out"

_TEXTS: Final = {"title": TITLE, "path": PATH} | dict.fromkeys(
    ("author", "association", "state", "merged_by", "closed_by"), NAME
)
_ADDRESS: Final = re.compile(r"https?://[!#-;=?-~]{1,2000}")
_LISTS: Final = ("labels", "assignees")


def bounded(record: Record) -> tuple[Record, tuple[str, ...]]:
    """*record* with nothing of it too long to be repeated, and what was cut; a comment's title is its thread's.

    What is left of a title is its beginning, so that a body which starts with the title starts with that too.
    """
    cut: dict[str, Any] = {
        name: value[:limit].rstrip() for name, limit in _TEXTS.items() if len(value := getattr(record, name)) > limit
    }
    if record.url and not _ADDRESS.fullmatch(record.url):
        cut["url"] = ""
    reasons = {"title": LONG_TITLE if record.type != "comment" else "", "path": LONG_PATH, "url": NO_ADDRESS}
    told = [reasons.get(name, LONG_NAME) for name in cut]
    for name in _LISTS:
        values = getattr(record, name)
        if len(values) > LISTED or any(len(value) > NAME for value in values):
            cut[name] = tuple(value[:NAME] for value in values[:LISTED])
            told.append(LONG_LIST if len(values) > LISTED else LONG_NAME)
    return (record.model_copy(update=cut) if cut else record), tuple(dict.fromkeys(filter(None, told)))


def bounded_links(stated: Iterable[Link], referred: Iterable[Link]) -> tuple[list[Link], tuple[str, ...]]:
    """Each link once: all that a record's origin states, and the first that its text makes; and what was left out."""
    kept, left = dict.fromkeys(stated), 0
    most = len(kept) + REFERENCES
    for link in referred:
        if link not in kept and len(kept) == most:
            left += 1
        else:
            kept[link] = None
    return [*kept], (f"more than {REFERENCES:,} references, {left:,} left out",) if left else ()
