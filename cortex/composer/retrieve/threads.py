"""Lookups of one issue, pull request or commit: people, dates, state and links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from cortex.composer.answer.attribution import named as named_ref
from cortex.composer.query.intents import Lookup
from cortex.composer.query.tags import Kind, Named
from cortex.composer.retrieve.filters import Unknown
from cortex.composer.retrieve.stated import MOST, THREADS, called, named, on, sentence, sentences, source_of, was_there
from cortex.composer.values import Listed
from cortex.substrate.changes import Lineage
from cortex.substrate.lookups import has_issues, linking_to, records_called, verdicts_on
from cortex.substrate.quoting import label, quoted
from cortex.substrate.reading import Reader

_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "author": ("author", "created_at"),
        "merger": ("merged_by", "merged_at"),
        "closer": ("closed_by", "closed_at"),
        "declined": ("closed_by", "closed_at"),
    }
)
"""Of what was done to a record, who did it and when."""

_DONE_TO: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "merger": ("pull",), "reviewer": ("pull",), "approver": ("pull",), "requester": ("pull",),
        "closer": ("issue", "pull"), "declined": ("pull", "issue"), "assignee": ("issue", "pull"),
    }
)  # fmt: skip
"""Types of records that something can be done to."""

_VERDICTS: Final = MappingProxyType({"approver": "approved", "requester": "changes_requested", "reviewer": ""})
_SAID: Final = MappingProxyType({"approved": "approved", "changes_requested": "sent back with changes requested"})
_RELATIONS: Final = MappingProxyType(
    {
        "fixed by": ("fixed by", "addressed by"),
        "fixes": ("fixes",),
        "reverted by": ("reverted by", "reverted in part by"),
        "brought back by": ("brought back by",),
    }
)


_STANDS: Final = {"amended": "reverted or changed in part", "reinstated": "reverted, and brought back"}


def tell_thread(reader: Reader, asked: Lookup) -> Listed:
    """The people, dates and state of a thread."""
    slots = asked.slots
    role = slots.get("deed") or slots.get("verb") or slots.get("role") or ""
    items: list[tuple[int, str]] = []
    complete = sure = True
    thread = slots["thread"]._replace(done=slots.get("done", ""))
    if isinstance(kind := slots.get("kind"), Kind):
        thread = thread._replace(kind=kind.name)
    for record in called(reader, thread, _DONE_TO.get(role, THREADS[::2] if thread.done else THREADS)):
        told = sentence(record, source=source_of(reader, record))
        if role in _VERDICTS:
            items += _verdicts(reader, record, role, slots.get("person", "")) or [(record["id"], told + _without(role))]
        elif role == "assignee":
            items.append(
                (record["id"], f"{told}, assigned to {', '.join(map(label, record['assignees'])) or 'nobody'}")
            )
        else:
            became = _became(reader, slots, record)
            items.append((record["id"], told + _as_before(slots, record, became)))
            by = [record["reverted_by"]] if slots.get("state") == "reverted" and record["reverted_by"] else []
            items += sentences(reader, [*records_called(reader, by), *(one.by_record_id for one in became)])
            complete = complete and _tells(asked.intent, role, record)
            sure = sure and all(one.state != "amended" for one in became)
    return Listed(asked.intent, tuple(items[:MOST]), complete=complete, sure=sure)


def _became(reader: Reader, slots: Mapping[str, Any], record: Mapping[str, Any]) -> tuple[Lineage, ...]:
    if slots.get("state") not in ("reverted", "superseded"):
        return ()
    return tuple(one for one in reader.lineage([record["id"]]).get(record["id"], ()) if one.stands)


def _as_before(slots: Mapping[str, Any], record: Mapping[str, Any], became: Sequence[Lineage]) -> str:
    state = slots.get("state")
    if state not in ("reverted", "superseded") or record[f"{state}_by"]:
        return ""
    told = [f"{_STANDS[one.state]} by {named_ref(one.by_ref)}" for one in became]
    return f", {', '.join(told)}" if told else f", not {state}"


def _tells(intent: str, role: str, record: Mapping[str, Any]) -> bool:
    if intent == "state" or role not in _FIELDS:
        return True
    who, when = _FIELDS[role]
    happened = role == "author" or record["merged_at" if role == "merger" else "closed_at"]
    return not happened or bool(record[when if intent == "date" else who])


def _verdicts(reader: Reader, record: Mapping[str, Any], role: str, who: str) -> list[tuple[int, str]]:
    found = verdicts_on(reader, record["source_id"], record["ref"], verdict=_VERDICTS[role])
    name = f"{named(record, source=source_of(reader, record))} {quoted(record['title'])}"
    return [
        (one.record_id, f"{name} was {_SAID.get(one.state, 'reviewed')} by {label(one.author)}{on(one.day)}")
        for one in found
        if not who or one.author.lower() == who.lower()
    ]


def _without(role: str) -> str:
    return {"approver": ", not approved", "requester": ", no changes requested"}.get(role, ", not reviewed")


def tell_links(reader: Reader, asked: Lookup) -> Listed | None:
    """The records linked to a thread; if the brain lacks the thread, records that reference its number."""
    thread, kind = asked.slots["thread"], asked.slots.get("kind")
    try:
        heads = called(reader, thread)
    except Unknown:
        if not thread.refs:
            raise
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
        sure = all(relation != "reverted in part by" for _, relation in found)
        return Listed(asked.intent, tuple(items[:MOST]), sure=sure)
    if not heads:
        raise Unknown(certain=has_issues(reader))
    if not thread.refs:  # that somebody fixed what is still open, or took back what stands, is not so
        raise Unknown(certain=asked.intent == "reverted by" or heads[0]["state"] == "open")
    told = {"fixed by": "no fix is linked", "fixes": "no issue is linked as fixed by it"}.get(
        asked.intent, "not reverted"
    )
    stated = tuple((head["id"], f"{sentence(head, source=source_of(reader, head))}, {told}") for head in heads)
    return Listed(asked.intent, stated, complete=asked.intent == "reverted by")


def _linked_items(
    reader: Reader, found: Iterable[tuple[int, str]], heads: Sequence[Mapping[str, Any]], thread: Named, kind: object
) -> list[tuple[int, str]]:
    """A sentence for each of *found*, pull requests before commits; only *kind* if there are any."""
    relations = dict(reversed([*found]))
    records = [one for one in reader.records([*relations]).values() if was_there(reader, one)]
    relations |= {
        one["id"]: "addressed by" for one in records if _is_proposed(one) and relations[one["id"]] == "fixed by"
    }
    whole = [one for one in records if isinstance(kind, Kind) and one["type"] in kind.types] or records
    pulls = [one for one in whole if one["type"] != "commit"] or whole
    name = named(heads[0], source=source_of(reader, heads[0])) if heads else thread.text
    pulls.sort(key=lambda one: (relations[one["id"]] == "addressed by", one["merged_at"] or one["created_at"] or ""))
    return [
        (one["id"], f"{name} {_verb(relations[one['id']])} {sentence(one, source=source_of(reader, one))}")
        for one in pulls
    ]


def _is_proposed(record: Mapping[str, Any]) -> bool:
    return record["type"] == "pull" and not record["merged_at"] and record["state"] != "merged"


def _verb(relation: str) -> str:
    return {"fixes": "fixes"}.get(relation, f"is {relation}")
