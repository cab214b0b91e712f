"""Answers to questions that ask for stored fields: who merged #12, the open issues with a label, the latest release."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from cortex.answering.query.intents import Kind, Lookup, Named, match
from cortex.answering.query.periods import Period
from cortex.answering.retrieve.filters import Unknown, all_of, filter_of, repository_path
from cortex.answering.retrieve.releases import Release, place_of, releases
from cortex.answering.retrieve.wording import day, named, on, sentence
from cortex.answering.values import Listed
from cortex.substrate.lookups import Filter, count_by, has_issues, linking_to, list_records, records_called, verdicts_on
from cortex.substrate.owners import owner_lines, owners_of
from cortex.substrate.reading import Reader

MOST: Final = 6
"""Items of a list."""
_PARTS: Final = 200
"""Parts of documents that are looked at for a topic."""

Items = tuple[tuple[int, str], ...]

_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"author": ("author", "created_at"), "merger": ("merged_by", "merged_at"), "closer": ("closed_by", "closed_at")}
)
"""Of what was done to a record, who did it and when."""

_VERDICTS: Final = MappingProxyType({"approver": "approved", "requester": "changes_requested", "reviewer": ""})
_SAID: Final = MappingProxyType({"approved": "approved", "changes_requested": "sent back with changes requested"})
_RELATIONS: Final = MappingProxyType(
    {
        "fixed by": ("fixed by", "addressed by"),
        "fixes": ("fixes",),
        "reverted by": ("reverted by", "reverted in part by"),
    }
)


def look_up(reader: Reader, text: str, *, today: date | None) -> Listed | None:
    """What stored fields answer to *text*; None where it asks for something else, or they do not tell.

    Returns:
        Without items and complete where what it names is not there: nothing else can answer it.
    """
    asked = match(text, today=today)
    if asked is None:
        return None
    try:
        return _RUNS[asked.run](reader, asked)
    except Unknown as unknown:
        return Listed(asked.intent, ()) if unknown.certain else None


def _records(reader: Reader, asked: Lookup) -> Listed | None:
    slots, counted = asked.slots, asked.intent == "count"
    wanted, exact = filter_of(reader, slots, changes="changes" in slots)
    order = "order" in slots
    if not counted and not order and wanted == Filter(types=wanted.types):
        return None
    kind = slots.get("kind")
    one = order and not (isinstance(kind, Kind) and kind.plural)
    limit = min(MOST, int(slots.get("few", 1 if one else MOST)))
    ids, total = list_records(reader, wanted, limit=limit)
    if not ids and "changes" in slots and not kind:
        wanted = wanted._replace(types=("commit",), states=(), dated="")
        ids, total = list_records(reader, wanted, limit=limit)
    lead = f"{total} in all: " if counted or (total > len(ids) and not order) else ""
    return Listed(asked.intent, _sentences(reader, ids), total, lead if ids else "", exact)


def _sentences(reader: Reader, ids: Sequence[int]) -> Items:
    """The records *ids* that were there then, each with its sentence."""
    records = reader.records(ids)
    return tuple((id_, sentence(records[id_], source=_source(reader, records[id_]))) for id_ in ids if id_ in records)


def _source(reader: Reader, record: Mapping[str, Any]) -> str:
    return str(record["source"]) if len(reader.sources) > 1 else ""


def _called(reader: Reader, thread: Named) -> list[Mapping[str, Any]]:
    """The records that *thread* names: of each source the likeliest, those not made yet left out."""
    found: dict[int, Mapping[str, Any]] = {}
    for ref in thread.refs:
        for record in reader.records(records_called(reader, [ref])).values():
            made = record["created_at"] or record["merged_at"] or ""
            if not reader.as_of or made <= reader.as_of:
                found.setdefault(record["source_id"], record)
    if not found:
        raise Unknown(certain=has_issues(reader))
    return [*found.values()]


def _thread(reader: Reader, asked: Lookup) -> Listed:
    slots = asked.slots
    role = slots.get("deed") or slots.get("verb") or slots.get("role") or ""
    items: list[tuple[int, str]] = []
    complete = True
    for record in _called(reader, slots["thread"]):
        told = sentence(record, source=_source(reader, record))
        if role in _VERDICTS:
            items += _verdicts(reader, record, role, slots.get("person", "")) or [(record["id"], told + _without(role))]
        elif role == "assignee":
            items.append((record["id"], f"{told}, assigned to {', '.join(record['assignees']) or 'nobody'}"))
        else:
            items.append((record["id"], told + (", not reverted" if _stands(slots, record) else "")))
            if slots.get("state") == "reverted" and record["reverted_by"]:
                items += _sentences(reader, records_called(reader, [record["reverted_by"]]))
            complete = complete and _tells(asked.intent, role, record)
    return Listed(asked.intent, tuple(items[:MOST]), len(items), complete=complete)


def _stands(slots: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    return slots.get("state") == "reverted" and not record["reverted_by"]


def _tells(intent: str, role: str, record: Mapping[str, Any]) -> bool:
    """Whether *record* has the field that is asked for, or has none since that never happened."""
    if intent == "state" or role not in _FIELDS:
        return True
    who, when = _FIELDS[role]
    happened = role == "author" or record["merged_at" if role == "merger" else "closed_at"]
    return not happened or bool(record[when if intent == "date" else who])


def _verdicts(reader: Reader, record: Mapping[str, Any], role: str, who: str) -> list[tuple[int, str]]:
    """What reviewers said of the pull request, *who* alone where that is given."""
    found = verdicts_on(reader, record["source_id"], record["ref"], verdict=_VERDICTS[role])
    name = f"{named(record, source=_source(reader, record))} “{record['title']}”"
    return [
        (one.record_id, f"{name} was {_SAID.get(one.state, 'reviewed')} by {one.author}{on(one.day)}")
        for one in found
        if not who or one.author.lower() == who.lower()
    ]


def _without(role: str) -> str:
    return {"approver": ", not approved", "requester": ", no changes requested"}.get(role, ", not reviewed")


def _linked(reader: Reader, asked: Lookup) -> Listed | None:
    """What the links of a thread lead to; where the brain has no such thread, what links to its number."""
    thread, kind = asked.slots["thread"], asked.slots.get("kind")
    try:
        heads = _called(reader, thread)
    except Unknown:
        heads = []
    found: list[tuple[int, str]] = []
    for head in heads:
        links = reader.linked([(head["source_id"], head["ref"])])
        found += [(link.record_id, link.relation) for link in links if link.relation in _RELATIONS[asked.intent]]
    if asked.intent != "fixes" and not heads:
        relation = "fixes" if asked.intent == "fixed by" else "reverts"
        number = thread.refs[0].partition(":")[2]
        refs = [*thread.refs, f"#{number}"]
        found = [
            (id_, asked.intent)
            for one in reader.sources
            for ref in refs
            for id_ in linking_to(reader, one, ref, relation)
        ]
    items = _linked_items(reader, found, heads, thread, kind)
    if items:
        return Listed(asked.intent, tuple(items[:MOST]), len(items))
    if not heads:
        raise Unknown(certain=has_issues(reader))
    told = {"fixed by": "no fix is linked", "fixes": "no issue is linked as fixed by it"}.get(
        asked.intent, "not reverted"
    )
    stated = tuple((head["id"], f"{sentence(head, source=_source(reader, head))}, {told}") for head in heads)
    return Listed(asked.intent, stated, len(stated), complete=asked.intent == "reverted by")


def _linked_items(
    reader: Reader, found: Iterable[tuple[int, str]], heads: Sequence[Mapping[str, Any]], thread: Named, kind: object
) -> list[tuple[int, str]]:
    """A sentence for each of *found*, pull requests before commits; of *kind* alone where there are any."""
    relations = dict(reversed([*found]))
    records = [one for one in reader.records([*relations]).values() if _was_there(reader, one)]
    relations |= {
        one["id"]: "addressed by" for one in records if _is_proposed(one) and relations[one["id"]] == "fixed by"
    }
    whole = [one for one in records if isinstance(kind, Kind) and one["type"] in _types_of(kind)] or records
    pulls = [one for one in whole if one["type"] != "commit"] or whole
    name = named(heads[0], source=_source(reader, heads[0])) if heads else thread.text
    pulls.sort(key=lambda one: (relations[one["id"]] == "addressed by", one["merged_at"] or one["created_at"] or ""))
    return [
        (one["id"], f"{name} {_verb(relations[one['id']])} {sentence(one, source=_source(reader, one))}")
        for one in pulls
    ]


def _is_proposed(record: Mapping[str, Any]) -> bool:
    return record["type"] == "pull" and not record["merged_at"] and record["state"] != "merged"


def _verb(relation: str) -> str:
    return {"fixes": "fixes"}.get(relation, f"is {relation}")


def _types_of(kind: Kind) -> tuple[str, ...]:
    return ("pull", "issue") if kind.name == "thread" else (kind.name,)


def _was_there(reader: Reader, record: Mapping[str, Any]) -> bool:
    made = record["merged_at"] or record["created_at"] or ""
    return not reader.as_of or made <= reader.as_of


def _most(reader: Reader, asked: Lookup) -> Listed:
    slots = asked.slots
    deed, kind = slots.get("deed", "author"), slots.get("kind")
    wanted, _ = filter_of(reader, {**slots, "kind": kind or Kind("commit", plural=True)}, changes=False)
    role = {"merger": "merged_by", "closer": "closed_by"}.get(deed, "author")
    found = count_by(reader, wanted, role)
    if not found:
        raise Unknown(certain=True)
    noun = {"pull": "pull requests", "issue": "issues"}.get(kind.name if isinstance(kind, Kind) else "", "commits")
    done = {"merged_by": " merged", "closed_by": " closed"}.get(role, "")
    items = [(id_, f"{who}: {often} {noun if often > 1 else noun[:-1]}{done}") for who, often, id_ in found[:MOST]]
    return Listed(asked.intent, tuple(items), len(found))


def _owner(reader: Reader, asked: Lookup) -> Listed | None:
    written = asked.slots["path"]
    paths = repository_path(reader, written)
    lines = [
        one for path in paths or [written.strip("/")] for one in owners_of(reader.brain, path, sources=reader.sources)
    ]
    if not paths and "/" not in written and not any(written.strip("/") in one.of.split("/") for one in lines):
        return None
    return _owner_lines(reader, asked, lines[:1] if len(reader.sources) == 1 else lines, of=written) if lines else None


def _owned(reader: Reader, asked: Lookup) -> Listed | None:
    who = asked.slots["owner"].lower()
    lines = [one for one in owner_lines(reader.brain, sources=reader.sources) if who in map(str.lower, one.who)]
    return _owner_lines(reader, asked, lines) if lines else None


def _owner_lines(reader: Reader, asked: Lookup, lines: Sequence[Any], of: str = "") -> Listed:
    items: list[tuple[int, str]] = []
    for one in lines:
        ids = [
            id_
            for id_, record in reader.records(records_called(reader, [one.ref])).items()
            if record["source"] == one.source
        ]
        who = ", ".join(f"@{name}" if "@" not in name else name for name in one.who) or "nobody"
        pattern = one.of.rsplit(" › ", 1)[-1]
        what = f"{of}, as {pattern}," if of and of.strip("/") != pattern.strip("/") else pattern
        line = f" line {one.line}" if one.line else ""
        items += [(id_, f"{what} is owned by {who} ({one.path}{line})") for id_ in ids]
    return Listed(asked.intent, tuple(items[:MOST]), len(items))


def _release(reader: Reader, asked: Lookup) -> Listed | None:
    slots, every = asked.slots, releases(reader)
    made = [one for one in every if not one.pending]
    final = [one for one in made if one.final] or made
    if not made:
        return None
    pick = slots["pick"]
    if pick == "every":
        period = slots.get("period") or Period("", "")
        inside = [one for one in final if not (period.since or period.until) or (one.day and _within(one.day, period))]
        return Listed(asked.intent, _tell(inside[:MOST]), len(inside), f"{len(inside)} in all: " if inside else "")
    if since := slots.get("since"):
        return Listed(asked.intent, _parts([one for one in final if one.place > place_of(since)]), complete=False)
    if "version" in slots:
        place = place_of(slots["version"])
        chosen = [one for one in every if one.version and one.place == place][:1]
    else:
        chosen = final[-1:] if pick == "first" else final[:1]
    if not chosen:
        return None
    if pick == "changes":
        return Listed(asked.intent, _parts(chosen), complete=False)
    told = bool(chosen[0].day or chosen[0].pending) or pick != "version"
    note = {"latest": ", the newest release", "first": ", the first release"}.get(pick, "")
    return Listed(asked.intent, _tell(chosen, note), 1, complete=told)


def _within(day_: str, period: Period) -> bool:
    return (not period.since or day_ >= period.since) and (not period.until or day_ < period.until)


def _tell(found: Iterable[Release], note: str = "") -> Items:
    return tuple((one.notes[0].id, _released(one) + note) for one in found)


def _released(one: Release) -> str:
    when = (
        "not released yet"
        if one.pending
        else f"released{on(one.day)}"
        if one.day
        else "released on a day that is not told"
    )
    where = one.notes[0].path or f"“{one.notes[0].title}”"
    return f"{one.version or 'next release'}, {when} ({where})"


def _parts(found: Iterable[Release]) -> Items:
    """The parts of the notes of each release, the first releases' whole where they are many."""
    items = [
        (note.id, f"{_released(one)}{_under(note, one)}") for one in found for note in one.notes
    ]  # fmt: skip
    return tuple(items[:MOST])


def _under(note: Any, one: Release) -> str:  # noqa: ANN401
    heading = note.title.rsplit(" › ", 1)[-1]
    return "" if one.version in heading else f", “{heading}”"


def _since_release(reader: Reader, asked: Lookup) -> Listed | None:
    every = releases(reader)
    if pending := [one for one in every if one.pending]:
        return Listed(asked.intent, _parts(pending), complete=False)
    newest = next((one for one in every if one.final and one.day), None)
    if newest is None:
        return None
    slots = {"period": Period(newest.day + "~", ""), "state": "merged", "changes": True}
    found = _records(reader, Lookup(asked.intent, "records", slots))
    if not found or not found.items:
        return found
    return found._replace(lead=f"{found.total} since {newest.version}, released{on(newest.day)}: ")


def _released_in(reader: Reader, asked: Lookup) -> Listed | None:
    """The release whose notes name the thread; else the first that was made after it was merged."""
    record = _called(reader, asked.slots["thread"])[0]
    every = [one for one in releases(reader) if not one.pending]
    number = record["ref"].partition(":")[2]
    texts = reader.records([note.id for one in every for note in one.notes if note.type == "doc"])
    naming = re.compile(rf"(?:#|/pull/|/issues/|GH-){re.escape(number)}\b")
    told = sentence(record, source=_source(reader, record))
    for one in every[::-1]:
        for note in one.notes:
            if note.id in texts and naming.search(texts[note.id]["body"]):
                return Listed(asked.intent, ((note.id, f"{named(record)} is in the notes of {_released(one)}"),), 1)
    merged = day(record["merged_at"] or (record["created_at"] if record["type"] == "commit" else ""))
    if not merged:
        if record["type"] == "pull":
            return Listed(asked.intent, ((record["id"], told),), 1)
        return None
    later = sorted((one for one in every if one.final and one.day >= merged), key=lambda one: one.day)
    if not later:
        return Listed(
            asked.intent, ((record["id"], f"{told}, no release is dated after that"),), 1, complete=bool(every)
        )
    stated = f"{told}; the first release dated after that is {_released(later[0])}"
    return Listed(
        asked.intent, ((record["id"], stated), (later[0].notes[0].id, _released(later[0]))), 2, complete=False
    )


def _release_with(reader: Reader, asked: Lookup) -> Listed | None:
    """The releases whose notes hold all the words of a topic, the first before the later."""
    every = [one for one in releases(reader) if not one.pending]
    words = all_of(asked.slots["topic"])
    holding = {*list_records(reader, Filter(types=("doc",), words=words), limit=_PARTS)[0]} if words else set()
    found = [
        (note.id, f"{_released(one)}{_under(note, one)}")
        for one in every[::-1]
        for note in one.notes
        if note.id in holding
    ]
    return Listed(asked.intent, tuple(found[:MOST]), len(found), complete=False) if found else None


_RUNS: Final[Mapping[str, Callable[[Reader, Lookup], Listed | None]]] = MappingProxyType(
    {
        "records": _records,
        "thread": _thread,
        "linked": _linked,
        "most": _most,
        "owner": _owner,
        "owned": _owned,
        "release": _release,
        "since_release": _since_release,
        "released_in": _released_in,
        "release_with": _release_with,
    }
)
