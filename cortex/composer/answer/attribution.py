"""Attribution: the record a statement cites, its author, its day and its state."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from cortex.composer.rank.windows import excerpt
from cortex.composer.values import Scored
from cortex.language.changelogs import is_changelog
from cortex.language.markdown import Span
from cortex.language.source import signature
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord
from cortex.substrate.quoting import label, spelled, titled
from cortex.substrate.reading import clipped

IN_FORCE: Final = ("", "accepted", "active")  # states of documents that go without saying

_HISTORY: Final = {
    "replaces": "superseding",
    "superseded_by": "superseded by",
    "amended_by": "amended by",
    "reverted_by": "reverted by",
}


def attribution(record: Mapping[str, Any], holds: Collection[str] = ()) -> str:  # noqa: C901  a case each
    """Author, place, day and state of a record: 'PR #3 by ada, merged 2024-05-01'.

    Args:
        holds: stems of the question; of a long signature the parameters are shown that have one in their names.
    """
    type_, _, name = record["ref"].partition(":")
    number, day, state = label(name.partition("#")[0]), day_of(record), label(record["state"])
    author = label(record["author"] or "someone")
    match type_:
        case "comment":
            told = f"{author} on #{number}, {(record['created_at'] or '')[:10]}"
        case "pull":
            state = "closed unmerged" if state == "closed" else state
            told = f"PR #{number} by {author}, {state} {day}"
        case "issue":
            told = f"issue #{number} by {author}, {state} {day}"
        case "commit":
            told = f"commit {number} by {author}, {day}"
        case "release":
            told = f"release {label(record['title'])}, {day}"
        case "outcome":
            told = f"outcome {label(name)}, {state} {day}"
        case "code":
            told = f"{titled(signature(record['title'], holds))}, {label(record['path'])}:{record['line_start']}"
        case "directive" | "ownership" if record["path"]:
            by, dated = (f" by {author}" if record["author"] else ""), (f", {day}" if day else "")
            told = f"{'decision' if state == 'accepted' else type_} in {label(record['path'])}{by}{dated}"
        case "doc" if record["path"]:
            headings = record["title"].split(" › ")[1:]
            part = " › ".join(headings if is_changelog(record["path"]) else headings[-1:])  # of which release it is
            told = " › ".join([label(record["path"]), *([titled(part)] if part else [])])
            told += "" if state in IN_FORCE else f", {state}"
        case _:
            told = titled(record["title"]) if record["title"] else label(name)
            told += "" if state in IN_FORCE else f", {state}"
    told = f"{told.strip(', ')}, in {label(record['source'])}" if record["ambiguous"] else told.strip(", ")
    if record["unverified"]:
        return f"unverified, {told}"
    history = (f", {how} {named(record[field])}" for field, how in _HISTORY.items() if record[field])
    return told + "".join(history)


def day_of(record: Mapping[str, Any]) -> str:
    """The day a record was merged, closed or made; '' when unknown."""
    return str(record["merged_at"] or record["closed_at"] or record["created_at"] or "")[:10]


def named(ref: str) -> str:
    """A ref in common notation: 'PR #3', 'issue #9', 'docs/adr/2.md'."""
    type_, _, name = ref.partition(":")
    if type_ == "comment":
        return "a later comment"
    return {"pull": "PR #", "issue": "issue #", "doc": ""}.get(type_, f"{type_} ") + label(name)


def citation(one: Scored, said: Span, *, exact: bool = False) -> Citation:
    """Cite the fact that contains the span *said*, else the passage around it; with *exact* the span alone."""
    record, fact, window = one.record, one.candidate.fact, one.window
    if fact and fact.start <= min(said.start, window.span.start) and max(said.end, window.span.end) <= fact.end:
        span, handle, statement = Span(fact.start, fact.end), fact.handle, fact.text
        kind, confidence = fact.kind or None, fact.confidence
    else:
        span = said if exact else excerpt(record["body"], window.span, said)
        if "whole" in record:
            span = clipped(record["body"], span, said, record["whole"])
        handle, kind, confidence = f"{spelled(record['ref'])}@{span.start}-{span.end}", None, 1.0
        handle = f"{record['source']}/{handle}" if record["shared"] else handle
        statement = plain(record["body"][said.start : said.end])
    return Citation.model_validate(
        {
            "handle": handle,
            "statement": statement,
            "excerpt": record["body"][span.start : span.end],
            "kind": kind,
            "authority": record["authority"],
            "confidence": confidence,
            "record": cited(record),
            "source": record["source"],
        }
    )


def cited(record: Mapping[str, Any]) -> CitedRecord:
    """The fields of *record* that a citation shows."""
    kept = {name: record[name] for name in CitedRecord.model_fields if name in record}
    lines = (record["line_start"], record["line_end"]) if record["line_start"] is not None else None
    return CitedRecord.model_validate(kept | {"lines": lines})
