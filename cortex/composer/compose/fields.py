"""Who did what to a record that a question names, and when: what is asked, and whether it is known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from cortex.composer.following import follows
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question
from cortex.composer.retrieve.filter_words import VERBS
from cortex.composer.retrieve.metadata import asks_who_reviewed, not_reviewed
from cortex.substrate.facts import plain

_FIELDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "created": {"person": "author", "date": "created_at", "reason": "created_at"},
        "merged": {"person": "merged_by", "date": "merged_at", "reason": "merged_at"},
        "closed": {"person": "closed_by", "date": "closed_at", "reason": "closed_at"},
        "assigned": {"person": "assignees"},
    }
)
_SAID: Final[Mapping[str, str]] = MappingProxyType({"created": "opened"})
_ACK: Final = re.compile(r"\b\w{0,3}ACK\b|\b(?:LGTM|lgtm|review|reviewed|approve|approved|[Ll]ooks good)\b")
_ASSIGNER: Final = re.compile(r"\bwho\s+(?:has\s+|had\s+)?assigned\b(?!\s+to\b)", re.I)
_WORD: Final = re.compile(r"\w+")
_WHAT: Final = re.compile(r"\b(?:what|which|list|show)\b", re.I)


def asked_fields(question: Question) -> list[tuple[str, str]]:
    """What is asked of a record that is named, as verb and column: 'who closed #4' asks ('closed', 'closed_by')."""
    if question.rest or not (question.numbers or question.hashes):
        return []
    verbs = dict.fromkeys(VERBS[word] for word in _WORD.findall(question.text.lower()) if word in VERBS)
    if "labelled" in verbs or (question.type not in ("person", "date") and "assigned" in verbs):
        told = {"labelled": "labels", "assigned": "assignees"}
        return [(verb, told[verb]) for verb in verbs if verb in told] if _WHAT.search(question.text) else []
    return [(verb, field) for verb in verbs if (field := _FIELDS[verb].get(question.type))]


def is_unknown(question: Question, ordered: Iterable[Ordered], records: Mapping[int, Mapping[str, Any]]) -> bool:
    """Whether the question asks something of the records it names that is known of none of them, or names none.

    'And who merged it?' names none, where nothing was said before.
    """
    asked, ordered = asked_fields(question), [*ordered]
    untold = not_reviewed(question.text) or _ASSIGNER.search(question.text)
    if question.numbers and question.type == "person" and untold:
        return True  # nobody notes that
    if question.numbers and asks_who_reviewed(question):
        return not any(one.fused.relation == "listed" or _acks(question, one) for one in ordered)
    if question.told and question.of_thread and follows(question):
        return all(one.fused.relation not in ("named", "listed") for one in ordered)
    named = [records[one.fused.row.record_id] for one in ordered if one.fused.relation == "named"]
    return bool(asked and named) and not any(_knows(record, field) for record in named for _, field in asked)


def _acks(question: Question, one: Ordered) -> bool:
    """Whether somebody says in a comment on it that they have looked at it, as people did before there were reviews."""
    row = one.fused.row
    return row.type == "comment" and row.thread in question.refs and _ACK.search(row.text) is not None


def told(record: Mapping[str, Any], asked: Iterable[tuple[str, str]], standing: str) -> str:
    """What is asked of *record*, where *standing* does not say it: 'Issue #5 is assigned to ada: “Title”'."""
    wanted = [verb for verb, field in asked if _knows(record, field) and not _says(standing, record, verb, field)]
    kind = {"pull": "PR", "issue": "Issue"}.get(record["type"], "")
    if not wanted or not kind:
        return ""
    clauses = [_clause(record, verb) for verb in wanted]
    title = f": “{plain(record['title'])}”" if _WORD.search(record["title"]) else ""
    return f"{kind} #{record['ref'].partition(':')[2]} {', '.join(clauses)}{title}"


def _clause(record: Mapping[str, Any], verb: str) -> str:
    said = _SAID.get(verb, verb)
    if verb == "labelled":
        return f"is labelled {', '.join(record['labels'])}"
    if verb == "assigned":
        return f"is {said} to {' and to '.join(record['assignees'])}"
    who, day = record[_FIELDS[verb]["person"]], (record[_FIELDS[verb]["date"]] or "")[:10]
    return f"was {said}" + (f" by {who}" if who else "") + (f" on {day}" if day else "")


def _says(standing: str, record: Mapping[str, Any], verb: str, field: str) -> bool:
    """Whether what stands for a record tells that: of what was closed it does not tell when it was opened."""
    if not standing or verb == "assigned":
        return False
    return field != "created_at" or record["state"] == "open"


def _knows(record: Mapping[str, Any], field: str) -> bool:
    return bool(record[field] or (field == "closed_by" and record["merged_by"]))
