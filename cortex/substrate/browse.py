"""Looking through a brain: facts by what they are, what became of one, and the compactions there were."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from cortex.substrate.brain import Brain
from cortex.substrate.identity import handle as handle_of
from cortex.substrate.lookup import show
from cortex.substrate.model import Kind, Scope, Share, Value
from cortex.substrate.sources import readable, readable_or_all, timestamp
from cortex.substrate.standing import standing
from cortex.substrate.statements import column, rows
from cortex.substrate.states import State


class Listed(Value):
    """A fact as a list shows it."""

    handle: str
    kind: Kind
    statement: str
    authority: Share
    confidence: Share
    source: str
    ref: str = Field(description="of the record it was taken from")
    title: str
    url: str
    since: datetime | None = Field(description="when it became true, as its record says")
    touched_at: datetime | None = Field(description="when its record was last touched")
    state: State | Literal["archived"]
    replaced_by: str = Field(description="what superseded it, where its record was moved, or what it was merged into")
    archived_at: datetime | None = Field(description="when it was taken out, or its record went")
    reason: str = Field(description="why it was taken out")
    unverified: bool = Field(description="nobody of the project wrote its record or took it up")


class FactList(Value):
    """Facts, the latest first."""

    facts: tuple[Listed, ...]
    total: int = Field(description="of them, however many were asked for")
    offset: int


class Event(Value):
    """Something that happened to a fact."""

    at: datetime
    what: Literal["stated", "merged in", "taken out", "superseded", "moved"]
    handle: str = Field(description="of the fact it happened to, or that was merged in")
    statement: str
    ref: str = Field(description="of its record, of what superseded it, or of where it was moved")
    job: str = ""
    reason: str = ""
    merged_into: str = ""
    run: int | None = Field(None, description="the run that did it")


class History(Value):
    """What became of a fact, the earliest first."""

    handle: str
    events: tuple[Event, ...]


class Compaction(Value):
    """A compaction and its report."""

    run: int
    source: str | None = Field(description="none where it was of several")
    started_at: datetime
    finished_at: datetime | None
    status: Literal["running", "done", "failed"]
    undone_by: int | None = Field(description="the run that undid it")
    report: Mapping[str, Any]
    in_part: bool = Field(
        default=False, description="it cleaned other sources too, which the report does not tell of here"
    )


def facts(  # noqa: PLR0913  one argument for each filter
    brain: Brain, *, scope: Scope, kinds: Collection[Kind] = (), authority: float = 0, words: str = "",
    since: datetime | None = None, until: datetime | None = None, archived: bool = False, limit: int = 50,
    offset: int = 0, at: datetime,
) -> FactList:  # fmt: skip
    """Facts that stand, or with *archived* those that were taken out or whose record is gone.

    Args:
        words: the statement has each of them in it; or the whole handle, or the ref of the record.
        since, until: when its record was last touched, or when the fact was taken out.
    """
    sources = readable(brain, scope)
    found = rows(
        brain, "facts.browse_facts", sources=sources, kinds=kinds or None, named=words,
        words=words.split(), authority=authority, since=since and timestamp(since), until=until and timestamp(until),
        archived=archived, limit=limit, offset=offset,
    )  # fmt: skip
    ids = [] if archived else [row["id"] for row in found]
    stood = {one.handle: one for _, one in standing(brain, ids, sources=[*sources], at=at)}
    listed = []
    for row in found:
        instead, total, *_ = (row.pop(name) for name in ("instead", "total", "id", "latest"))
        one = stood.get(row["handle"])
        state, replaced_by = (one.state, one.replaced_by) if one else ("archived", instead)
        listed.append((Listed(**row, state=state, replaced_by=replaced_by), total))
    return FactList(facts=tuple(one for one, _ in listed), total=listed[0][1] if listed else 0, offset=offset)


def history(brain: Brain, handle: str, *, scope: Scope, at: datetime) -> History:
    """What became of the fact called *handle*; nothing of one that stands and whose record has no date.

    A fact whose document was moved has a handle at each place; what became of it at any is told under all of them.

    Raises:
        UnknownHandle: the scope may read no such fact.
    """
    sources = readable(brain, scope)
    places, events = _moves(brain, handle, sources)
    for name in (handle, *places):
        events += [Event(**row) for row in rows(brain, "history.history_of_fact", handle=name, sources=sources)]
    every = "select facts.id from facts join json_each(:handles) on handle = value order by key"
    ids = column(brain, every, handles=[handle, *places])
    stood = [one for _, one in standing(brain, ids, sources=[*sources], at=at)]
    for place, one in enumerate(stood):
        told = {"handle": one.handle, "statement": one.statement}
        if one.since and one.since not in [other.since for other in stood[:place]]:
            events.insert(0, Event(at=one.since, what="stated", ref=one.ref, **told))
        if one.until and one.state == "superseded":
            events.append(Event(at=one.until, what="superseded", ref=one.replaced_by, reason="superseded by", **told))
    if not events:
        show(brain, handle, scope=scope)
    return History(handle=handle, events=tuple(sorted(events, key=lambda event: event.at)))


def _moves(brain: Brain, handle: str, sources: Mapping[int, str]) -> tuple[list[str], list[Event]]:
    values = {"handle": handle, "sources": sources}
    handles, events = dict[str, None](), list[Event]()
    for fact in rows(brain, "facts.fact_by_handle", **values) or rows(brain, "facts.archived_by_handle", **values):
        source_id = next(id_ for id_, name in sources.items() if name == fact["source"])
        for move in rows(brain, "history.moves_of_record", source_id=source_id, ref=fact["record"]):
            old, new = (handle_of(fact["source"], move[end], fact["statement"]) for end in ("old", "new"))
            handles |= {old: None, new: None}
            if move["at"]:
                told = {"statement": fact["statement"], "ref": move["new"]}
                events.append(Event(at=move["at"], what="moved", handle=old, **told))
    handles.pop(handle, None)
    return [*handles], events


def compactions(brain: Brain, *, scope: Scope, limit: int) -> list[Compaction]:
    """The compactions there were; where *scope* names sources, what each did to those."""
    sources = readable_or_all(brain, scope)
    found, (ids, names) = [], (None, None) if sources is None else ([*sources], [*sources.values()])
    with brain.unrestricted():  # a run of every source belongs to none
        ran = rows(brain, "history.compactions", sources=ids, names=names, limit=limit)
    for row in ran:
        report = json.loads(row.pop("report"))
        undone_by, in_part = report.pop("undone_by", None), False
        if sources is not None and row["source"] is None:
            in_part = any(name not in sources.values() for job in report["jobs"] for name in job["by_source"])
            report = _part_of(brain, report, sources) if in_part else report
        found.append(Compaction(**row, undone_by=undone_by, report=report, in_part=in_part))
    return found


def _part_of(brain: Brain, report: Mapping[str, Any], sources: Mapping[int, str]) -> dict[str, Any]:
    names, told = {*sources.values()}, [one["handle"] for job in report["jobs"] for one in job["examples"]]
    ours = {row["handle"] for row in rows(brain, "history.handles_within", handles=told, sources=sources)}
    disagree = [one for one in report.get("contradictions") or () if one["source"] in names]
    jobs = []
    for job in report["jobs"]:
        by_source = {name: number for name, number in job["by_source"].items() if name in names}
        examples = [one for one in job["examples"] if one["handle"] in ours]
        found = len(disagree) if job["found"] else 0
        shown = {"changed": sum(by_source.values()), "found": found, "examples": examples, "by_source": by_source}
        jobs.append({"job": job["job"]} | shown)
    return {"jobs": jobs, "contradictions": disagree or None}
