"""The extractive composer: each statement of the answer is quoted from its record, framed by who said it, where and when."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.quote import EXCERPT_CHARACTERS, Quote, quote
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord
from cortex.substrate.sentences import Span
from cortex.substrate.stems import Stemmer

STATEMENTS: Final = 6
ROWS_A_THREAD: Final = 2

_QUOTE_CHARACTERS: Final = {"A": (320, 160), "B": (320, 240)}


class Statement(NamedTuple):
    """One line of an answer, and what it cites."""

    text: str
    citation: Citation


def compose(
    question: Question, fused: Sequence[Fused], records: Mapping[int, Mapping[str, Any]], stemmer: Stemmer
) -> list[Statement]:
    """Up to six statements, the one that answers first; at most two from one thread.

    Args:
        records: by id, the columns of `cited_records.sql` and the name of the `source`.
    """
    statements = []
    for one in _spread(fused):
        record = records[one.row.record_id]
        found = quote(record["body"], Span(one.row.start, one.row.end), question.weights, stemmer)
        longest = _QUOTE_CHARACTERS[question.class_][bool(statements)]
        citation = _citation(one, record, found)
        statements.append(Statement(_line(record, found, longest, citation), citation))
    return statements


def _spread(fused: Sequence[Fused]) -> list[Fused]:
    taken: list[Fused] = []
    counts: dict[tuple[int, str], int] = {}
    for one in fused:
        key = (one.row.source_id, one.row.about)
        if counts.get(key, 0) < ROWS_A_THREAD:
            counts[key] = counts.get(key, 0) + 1
            taken.append(one)
        if len(taken) == STATEMENTS:
            break
    return taken


def _line(record: Mapping[str, Any], found: Quote, longest: int, citation: Citation) -> str:
    start = found.window.start if found.best.end - found.window.start <= longest else found.best.start
    text = plain(record["body"][start : min(found.window.end, start + EXCERPT_CHARACTERS)])
    return f"{frame(record)}: “{shortened(text, longest)}” [CITATION:{citation.handle}]"


def shortened(text: str, longest: int) -> str:
    """*text* cut at the last sentence or word that fits *longest* characters; '…' says that it goes on."""
    if len(text) <= longest:
        return text
    ends = [match.end() for match in re.finditer(r"[.!?](?=\s)", text[:longest])]
    if ends and ends[-1] > longest // 2:
        return text[: ends[-1]]
    return text[:longest].rpartition(" ")[0].rstrip(",;:") + " …"


def frame(record: Mapping[str, Any]) -> str:
    """Who said it, where and when: 'sipa on issue #180 (2016-05-03)'."""
    type_, _, name = record["ref"].partition(":")
    number = name.partition("#")[0]
    day = (record["merged_at"] or record["closed_at"] or record["created_at"] or "")[:10]
    match type_:
        case "comment":
            frame_ = f"{record['author'] or 'someone'} on #{number}"
            day = (record["created_at"] or "")[:10]
        case "pull":
            frame_ = f"PR #{number} by {record['author'] or 'someone'}, {record['state']}"
        case "issue":
            frame_ = f"Issue #{number} by {record['author'] or 'someone'}, {record['state']}"
        case "commit":
            frame_ = f"Commit {name} by {record['author'] or 'someone'}"
        case "outcome":
            frame_ = f"Outcome {name}, {record['state']}"
        case "directive" | "ownership":
            frame_ = f"{type_.capitalize()} in {record['path'] or number}"
        case _:
            frame_ = record["title"] or name
    return f"{frame_} ({day})" if day else frame_


def _citation(one: Fused, record: Mapping[str, Any], found: Quote) -> Citation:
    fact, body = one.fact, record["body"]
    if fact is not None and (one.passage is None or (fact.start, fact.end) == found.best or fact.end == len(body)):
        return Citation(
            handle=fact.handle, statement=fact.text, excerpt=body[fact.start : fact.end], kind=fact.kind,
            authority=fact.authority, confidence=fact.confidence, record=cited(record), source=record["source"],
        )  # fmt: skip
    start, end = found.window
    return Citation(
        handle=f"{record['ref']}@{start}-{end}", statement=plain(body[found.best.start : found.best.end]),
        excerpt=body[start:end], kind=None, authority=record["authority"], confidence=1.0, record=cited(record),
        source=record["source"],
    )  # fmt: skip


def cited(record: Mapping[str, Any]) -> CitedRecord:
    """What a citation shows of *record*."""
    kept = {name: record[name] for name in CitedRecord.model_fields if name in record}
    lines = (record["line_start"], record["line_end"]) if record["line_start"] is not None else None
    return CitedRecord.model_validate(kept | {"lines": lines})
