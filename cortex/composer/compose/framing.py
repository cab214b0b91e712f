"""What stands around a quote: who said it, where and when, and the citation of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cortex.composer.cited import LATER_COMMENT
from cortex.composer.fuse import Fused
from cortex.composer.hindsight import as_written
from cortex.composer.quote import Quote
from cortex.composer.rows import Row
from cortex.language.markdown import Span
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord

ACCEPTED: Final = "accepted"
"""The state of what a decision record decides; a rule that just stands in a file is active."""

IN_FORCE: Final = ("", ACCEPTED, "active")
"""States of documents that go without saying."""


_HISTORY: Final = {
    "replaces": "superseding",
    "superseded_by": "superseded by",
    "amended_by": "amended by",
    "reverted_by": "reverted by",
}
"""Which columns tell what became of a record, and how that is said."""


def frame(record: Mapping[str, Any]) -> str:
    """Who said it, where and when: 'sipa on issue #180 (2016-05-03)'."""
    type_, _, name = record["ref"].partition(":")
    number = name.partition("#")[0]
    day = day_of(record)
    match type_:
        case "comment":
            frame_ = f"{record['author'] or 'someone'} on #{number}"
            day = (record["created_at"] or "")[:10]
        case "pull":
            unmerged = " unmerged" if record["state"] == "closed" else ""
            frame_ = f"PR #{number} by {record['author'] or 'someone'}, {record['state']}{unmerged}"
        case "issue":
            frame_ = f"Issue #{number} by {record['author'] or 'someone'}, {record['state']}"
        case "commit":
            frame_ = f"Commit {name} by {record['author'] or 'someone'}"
            frame_ += ", written" if record["reverted_by"] else ""  # the day is not that on which it was reverted
        case "outcome":
            frame_ = f"Outcome {name}, {record['state']}"
        case "directive" | "ownership" if record["path"]:
            decided = record["state"] == ACCEPTED
            frame_ = f"{'Decision' if decided else type_.capitalize()} in {record['path']}"
        case _:
            frame_ = record["title"] or name
            frame_ = f"{frame_}, in {record['path']}" if record.get("nested") else frame_
            if record["state"] not in IN_FORCE:
                frame_ = f"{frame_}, {record['state']}"
    frame_ = f"{frame_}, in {record['source']}" if record["ambiguous"] else frame_
    framed = f"{frame_} ({day})" if day else frame_
    history = (f", {how} {_named(record[field])}" for field, how in _HISTORY.items() if record[field])
    return framed + "".join(history)


def day_of(record: Mapping[str, Any]) -> str:
    """When it was merged, closed or else made; '' when unknown."""
    return str(record["merged_at"] or record["closed_at"] or record["created_at"] or "")[:10]


def _named(ref: str) -> str:
    type_, _, name = ref.partition(":")
    if type_ == "comment":
        return LATER_COMMENT
    return {"pull": "PR #", "issue": "issue #", "doc": ""}.get(type_, f"{type_} ") + name


def citation_of(one: Fused, record: Mapping[str, Any], found: Quote, standing: Row | None) -> Citation:
    """The fact that says all that is quoted, or the passage.

    Args:
        standing: the fact that tells where a record stands, when that is all that is asked.
    """
    start, end = found.window
    fact = standing or one.fact
    if fact and (fact is standing or (fact.start <= start and end <= fact.end)):
        start, end = fact.start, fact.end
        handle, statement, kind, confidence = fact.handle, fact.text, fact.kind or None, fact.confidence
    else:
        start, end = found.excerpt(record["body"])
        if "whole" in record:
            start, end = as_written(record["body"], Span(start, end), found.best, record["whole"])
        handle, kind, confidence = f"{record['ref']}@{start}-{end}", None, 1.0
        handle = f"{record['source']}/{handle}" if record["shared"] else handle
        statement = plain(record["body"][found.best.start : found.best.end])
    return Citation.model_validate(
        {
            "handle": handle,
            "statement": statement,
            "excerpt": record["body"][start:end],
            "kind": kind,
            "authority": record["authority"],
            "confidence": confidence,
            "record": cited(record),
            "source": record["source"],
        }
    )


def cited(record: Mapping[str, Any]) -> CitedRecord:
    """What a citation shows of *record*."""
    kept = {name: record[name] for name in CitedRecord.model_fields if name in record}
    lines = (record["line_start"], record["line_end"]) if record["line_start"] is not None else None
    return CitedRecord.model_validate(kept | {"lines": lines})
