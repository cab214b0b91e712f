"""Looking one thing up by its name: a fact, a record, or a passage of one."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final, Literal
from urllib.parse import unquote

from pydantic import Field

from cortex.errors import AmbiguousSource, UnknownHandle, UsageError
from cortex.regex import regex
from cortex.substrate.brain import Brain
from cortex.substrate.identity import handle as handle_of
from cortex.substrate.model import CitedRecord, Fact, Kind, Relation, Scope, Share, Value
from cortex.substrate.sources import readable
from cortex.substrate.spoken import meant
from cortex.substrate.statements import rows, run

_HANDLE: Final = regex(r"fact-[0-9a-f]{12}")
_PASSAGE: Final = regex(r"(?P<ref>.+)@(?P<start>\d{1,9})-(?P<end>\d{1,9})", re.S)
_COMMIT: Final = regex(r"(?:commit[: ])?(?P<digits>[0-9a-f]{7,64})", re.I)
_FIRST_LINE: Final = regex(r"\S.*")
_OPENING: Final = 200  # characters of a comment's first line


class LinkedRow(Value):
    """A row at the other end of a link."""

    relation: Relation
    ref: str
    source: str = Field(description="'' is the record's own source")
    title: str = Field(description="'' where the brain does not hold the row")
    unverified: bool = Field(default=False, description="nobody of the project wrote it or took it up")


class Remark(Value):
    """A comment under an issue or a pull request, by its first line."""

    ref: str
    author: str
    created_at: datetime | None
    opening: str
    unverified: bool = Field(default=False, description="nobody of the project wrote it or took it up")


class ShownFact(Value):
    """A fact as it stands."""

    what: Literal["fact"] = "fact"
    fact: Fact
    record: CitedRecord
    source: str
    valid_from: datetime | None = Field(description="when it became true, as its record says")
    valid_until: datetime | None


class ArchivedFact(Value):
    """A fact that was taken out: it still resolves, and says what stands for it now."""

    what: Literal["archived"] = "archived"
    handle: str
    source: str
    record: str = Field(description="ref of the record it was taken from")
    kind: Kind
    statement: str
    excerpt: str
    authority: Share
    confidence: Share
    job: str = Field(description="what took it out: replaced, gone, or a job of the compactor")
    reason: str
    merged_into: str | None
    archived_at: datetime


class ShownRecord(Value):
    """A record with all that hangs on it."""

    what: Literal["record"] = "record"
    record: CitedRecord
    source: str
    body: str
    authority: Share
    recorded_by: str = Field(description="who told the brain of it, such as 'agent codex'; '' where it was read")
    gone_at: datetime | None = Field(description="when its origin no longer had it")
    thread: str
    facts: tuple[Fact, ...]
    links: tuple[LinkedRow, ...] = Field(description="what it points at")
    linked_from: tuple[LinkedRow, ...] = Field(description="what points at it")
    comments: tuple[Remark, ...] = Field(description="of its thread, in order")
    start: int = Field(0, description="the character of the body that `body` begins with")
    length: int = Field(description="characters of the whole body")
    next: int | None = Field(None, description="the `start` of what follows; none at the end")
    left_out: dict[str, int] = Field(default={}, description="rows of its lists that are not given here, by list")


class ShownPassage(Value):
    """Characters of a record, with its body around them."""

    what: Literal["passage"] = "passage"
    handle: str
    record: CitedRecord
    source: str
    start: int = Field(description="the character of the record that `excerpt` begins with")
    end: int
    length: int = Field(description="characters of the whole passage")
    excerpt: str
    body: str = Field(description="the passage and what stands around it")
    body_start: int = Field(0, description="the character of the record that `body` begins with")
    next: int | None = Field(None, description="the `start` of what follows of the passage; none at its end")


class Said(Value):
    """A comment of a thread in full."""

    ref: str
    author: str
    created_at: datetime | None
    body: str
    unverified: bool = Field(default=False, description="nobody of the project wrote it or took it up")


class ShownThread(Value):
    """An issue or a pull request, and all that was said under it, in order."""

    what: Literal["thread"] = "thread"
    record: CitedRecord
    source: str
    body: str
    comments: tuple[Said, ...]
    length: int = Field(description="characters of all that was said")
    next: int | None = Field(None, description="the `start` of what follows; none at the end")


Shown = ShownFact | ArchivedFact | ShownRecord | ShownPassage | ShownThread


def show(brain: Brain, name: str, *, scope: Scope) -> Shown:
    """What *name* stands for: 'fact-0a1b2c3d4e5f', 'issue:496', 'issue:496@120-310', or 7 digits or more of a commit.

    The name of its source may stand before it: 'acme/app/issue:496'. What is called nothing like that may be spoken of
    as people do: 'PR #116', '#116', or its address on GitHub.

    Raises:
        UsageError: several commits begin so.
        UnknownHandle: nothing the scope may read is called that.
        AmbiguousSource: several sources have such a record.
        UnknownSource: the scope names a source this brain does not hold.
    """
    sources = readable(brain, scope)
    if _HANDLE.fullmatch(name):
        return _fact(brain, name, sources)
    sources, name_there = _within(name, sources)
    row = _record(brain, name_there, sources)
    if row is not None:
        return _shown_record(brain, row)
    passage = _PASSAGE.fullmatch(name_there)
    row = _record(brain, passage["ref"], sources) if passage else None
    if passage is None or row is None:
        raise UnknownHandle(name)
    start, end = int(passage["start"]), int(passage["end"])
    if not start < end <= len(row["body"]):
        raise UnknownHandle(name)
    return ShownPassage(
        handle=name, record=cited(row), source=row["source"], start=start, end=end, excerpt=row["body"][start:end],
        body=row["body"], length=end - start,
    )  # fmt: skip


def _within(name: str, sources: dict[int, str]) -> tuple[dict[int, str], str]:
    for id_, source in sources.items():
        if name.startswith(f"{source}/") and ":" in name:
            return {id_: source}, name.removeprefix(f"{source}/")
    return sources, name


def show_thread(brain: Brain, name: str, *, scope: Scope) -> ShownThread:
    """The thread of the record, the passage or the fact called *name*, in full; a record of no thread stands alone.

    Raises:
        As `show`.
    """
    shown = show(brain, name, scope=scope)
    ref = shown.record if isinstance(shown, ArchivedFact) else shown.record.ref
    sources = readable(brain, Scope(sources=(shown.source,)))
    row = _record(brain, ref, sources)
    if row is not None and row["thread"]:
        row = _record(brain, row["thread"], sources) or row
    if row is None:
        raise UnknownHandle(name)
    said = rows(brain, "records.comments_of_thread", source_id=row["source_id"], ref=row["ref"])
    comments = tuple(Said(**one) for one in said)
    return ShownThread(
        record=cited(row), source=row["source"], body=row["body"], comments=comments,
        length=len(row["body"]) + sum(len(one.body) for one in comments),
    )  # fmt: skip


def cited(row: Mapping[str, Any]) -> CitedRecord:
    """What a citation shows of the record in *row*."""
    kept = {name: row[name] for name in CitedRecord.model_fields if name in row}
    kept |= {name: json.loads(row[name]) for name in ("labels", "assignees")}
    lines = None if row["line_start"] is None else (row["line_start"], row["line_end"])
    return CitedRecord.model_validate(kept | {"lines": lines})


def _fact(brain: Brain, handle: str, sources: Mapping[int, str]) -> ShownFact | ArchivedFact:
    values = {"handle": handle, "sources": sources}
    stands = rows(brain, "facts.fact_by_handle", **values)
    put_away = [] if stands else rows(brain, "facts.archived_by_handle", **values)
    found = _moved_facts(brain, stands or put_away, sources) or stands or _renumbered(brain, values)
    for row in found:
        record = _record(brain, row["record"], [row["source_id"]])
        assert record is not None  # noqa: S101  a fact's record is a foreign key
        return ShownFact(
            fact=_made(row), record=cited(record), source=row["source"], valid_from=row["valid_from"],
            valid_until=row["valid_until"],
        )  # fmt: skip
    for row in put_away:
        return ArchivedFact.model_validate(row)
    raise UnknownHandle(handle)


def _moved_facts(brain: Brain, found: list[dict[str, Any]], sources: Mapping[int, str]) -> list[dict[str, Any]]:
    """The same facts where their records have moved to; none where they have not."""
    for row in found:
        for source_id in (id_ for id_, name in sources.items() if name == row["source"]):
            if now_at := _moved_to(brain, source_id, row["record"]):
                named = handle_of(row["source"], now_at, row["statement"])
                return rows(brain, "facts.fact_by_handle", handle=named, sources=[source_id])
    return []


def _renumbered(brain: Brain, values: Mapping[str, object]) -> list[dict[str, Any]]:
    """The fact of the rule or the line that stands elsewhere in its file now; none where it does not."""
    for row in rows(brain, "records.renumbered", **values):
        return rows(brain, "facts.fact_by_handle", handle=row["handle"], sources=[row["source_id"]])
    return []


def _record(brain: Brain, ref: str, sources: Collection[int]) -> dict[str, Any] | None:
    """The record of *ref*; the one it was moved to where it is gone from there."""
    ref = _commit(brain, ref, sources) or ref
    found = records_named(brain, ref, sources) or records_named(brain, unquote(ref), sources)
    found = found or _spoken_of(brain, ref, sources)
    if len(found) > 1:
        raise AmbiguousSource(ref, [row["source"] for row in found])
    if found and found[0]["gone_at"] and (now_at := _moved_to(brain, found[0]["source_id"], ref)):
        return _record(brain, now_at, [found[0]["source_id"]])
    return found[0] if found else None


def records_named(brain: Brain, ref: str, sources: Collection[int]) -> list[dict[str, Any]]:
    """The records of this ref in each of *sources*, by column."""
    return rows(brain, "records.records_by_ref", ref=ref, sources=sources)


def _spoken_of(brain: Brain, name: str, sources: Collection[int]) -> list[dict[str, Any]]:
    """The records that somebody means who writes *name*: 'PR #116', or an address."""
    named = meant(name)
    for refs in named.refs:
        found = [row for ref in refs for row in records_named(brain, _commit(brain, ref, sources) or ref, sources)]
        if found := [row for row in found if _is_of(row, named.source)]:
            return found
    return []


def _is_of(row: Mapping[str, Any], source: str) -> bool:
    """Whether the record in *row* is of *source*, by name or by its address; of '' every one is."""
    asked = source.casefold()
    return not asked or row["source"].casefold() == asked or f"/{asked}/" in row["url"].casefold()


def _commit(brain: Brain, name: str, sources: Collection[int]) -> str | None:
    asked = _COMMIT.fullmatch(name)
    if asked is None:
        return None
    start = f"commit:{asked['digits'].lower()[:12]}"
    found = rows(brain, "records.commits_between", first=start, last=f"{start}g", sources=sources)
    if len(found) > 1:
        raise UsageError(f"{len(found)} commits begin with {asked['digits']}", hint="give more of its digits")
    return found[0]["ref"] if found else None


def _moved_to(brain: Brain, source_id: int, ref: str) -> str | None:
    row = run(brain, "records.moved_to", source_id=source_id, ref=ref).fetchone()
    return row[0] if row else None


def _made(row: Mapping[str, Any]) -> Fact:
    return Fact.model_validate({name: row[name] for name in Fact.model_fields})


def _shown_record(brain: Brain, row: Mapping[str, Any]) -> ShownRecord:
    values = {name: row[name] for name in ("record_id", "source_id", "ref")}
    linked = [(link.pop("outward"), LinkedRow(**link)) for link in rows(brain, "links.links_of_record", **values)]
    return ShownRecord(
        **{name: row[name] for name in ("source", "body", "authority", "recorded_by", "gone_at", "thread")},
        record=cited(row),
        length=len(row["body"]),
        facts=tuple(map(_made, rows(brain, "facts.facts_of_record", **values))),
        links=tuple(link for outward, link in linked if outward),
        linked_from=tuple(link for outward, link in linked if not outward),
        comments=tuple(map(_remark, rows(brain, "records.comments_of_thread", **values))),
    )


def _remark(row: dict[str, Any]) -> Remark:
    opening = _FIRST_LINE.search(row.pop("body"))
    return Remark(**row, opening=opening[0][:_OPENING] if opening else "")
