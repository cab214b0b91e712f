"""The extractive composer: each statement is quoted from its record, framed by who said it, where and when."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cortex.composer.fuse import Fused
from cortex.composer.question import Question, covered_by
from cortex.composer.quote import Quote, quote
from cortex.composer.retrieve.passages import PASSED
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord
from cortex.substrate.sentences import Span
from cortex.substrate.stems import Stemmer

STATEMENTS: Final = 6
ROWS_A_THREAD: Final = 2
ROWS_OF_THE_FIRST_THREAD: Final = 3

SENTENCE: Final = 0.5
"""What the best sentence's coverage is worth in ordering statements; bench/results/retrieval.md."""

QUOTED: Final = 16
"""Rows that are looked at sentence by sentence."""

LEAST: Final = 0.5
"""What a statement must cover of the question beside the one that covers most."""

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_APPROVAL: Final = re.compile(r"\b(?:re-)?n?acks?\b|\bapproved?\b|\blgtm\b|\b[0-9a-f]{7,40}\b|:\w+:", re.I)
_QUOTE_CHARACTERS: Final = {"A": (320, 160), "B": (320, 240)}


class Statement(NamedTuple):
    """One line of an answer, and what it cites."""

    text: str
    citation: Citation


def compose(
    question: Question, fused: Sequence[Fused], records: Mapping[int, Mapping[str, Any]], stemmer: Stemmer
) -> list[Statement]:
    """Up to six statements, the one that answers first; at most two a thread, and none that says next to nothing.

    Args:
        records: by id, the columns of `cited_records.sql` and the name of the `source`.
    """
    statements: list[Statement] = []
    counts: Counter[tuple[int, str]] = Counter()
    said: set[str] = set()
    enough = 0.0
    for one, found in _by_sentence(question, fused, records, stemmer):
        if statements and _is_outranked(one, statements[0].citation):
            continue
        if one.row.type == "commit" and counts[one.row.source_id, one.row.about]:
            continue  # its pull request has said it
        record, thread = records[one.row.record_id], (one.row.source_id, one.row.about)
        sentence = plain(record["body"][found.best.start : found.best.end])
        room = ROWS_OF_THE_FIRST_THREAD if not counts or thread == next(iter(counts)) else ROWS_A_THREAD
        leads = one.row.record_id == fused[0].row.record_id
        if counts[thread] >= room or sentence in said or not (leads or _tells(one, record, found, enough)):
            continue
        counts[thread] += 1
        said.add(sentence)
        enough = max(enough, LEAST * found.covered)
        citation = _citation(one, record, found)
        longest = _QUOTE_CHARACTERS[question.class_][bool(statements)]
        text = _standing(one, citation) if not question.rest else _line(record, found, longest, citation)
        statements.append(Statement(text or _line(record, found, longest, citation), citation))
        if len(statements) == STATEMENTS:
            break
    return statements


def _by_sentence(
    question: Question, fused: Sequence[Fused], records: Mapping[int, Mapping[str, Any]], stemmer: Stemmer
) -> list[tuple[Fused, Quote]]:
    """The rows with their quotes, ordered again: what counts is one sentence that answers, under its title."""
    ordered = []
    for one in _about_named(question, fused)[:QUOTED]:
        body = records[one.row.record_id]["body"]
        found = quote(question, body, one.row.type, Span(one.row.start, one.row.end), stemmer)
        sentence = f"{one.row.title} {body[found.best.start : found.best.end]}"
        told = covered_by(question, sentence, stemmer)
        ordered.append((one.score * (1 + SENTENCE * told), one, found))
    return [(one, found) for _, one, found in sorted(ordered, key=lambda row: -row[0])]


def _is_outranked(one: Fused, first: Citation) -> bool:
    """Whether a rule answers and this is only somebody's opinion of the matter."""
    return first.record.type == "directive" and one.row.type in ("comment", "event")


def _about_named(question: Question, fused: Sequence[Fused]) -> Sequence[Fused]:
    """Only the threads a question names and what is linked to them, when it asks for nothing but where they stand."""
    if not question.numbers or question.rest:
        return fused
    related = [one for one in fused if one.relation]
    first = "fixed by" if "fix" in question.weights else "named"
    return [one._replace(score=one.score * (2 if one.relation == first else 1)) for one in related]


def _tells(one: Fused, record: Mapping[str, Any], found: Quote, enough: float) -> bool:
    """Whether a row says something of its own, as an approval or a smiley does not, and bears on the question."""
    text = plain(record["body"][found.window.start : found.window.end])
    if one.row.type == "comment" and len(_WORD.findall(_APPROVAL.sub("", text))) < 5:
        return False
    return found.covered >= enough or one.relation != ""


def _line(record: Mapping[str, Any], found: Quote, longest: int, citation: Citation) -> str:
    """The window as far as it fits, begun no later than the best sentence."""
    start, body = found.window.start, record["body"]
    if found.best.end - start > longest:
        start = found.best.start
    quoted = body[start : found.window.end]
    title, _, rest = quoted.partition("\n\n") if start == 0 and quoted.startswith(record["title"]) else ("", "", quoted)
    text = " — ".join(filter(None, (plain(title), plain(rest))))
    return f"{frame(record)}: “{shortened(text, longest)}” [CITATION:{citation.handle}]"


def _standing(one: Fused, citation: Citation) -> str:
    """Where a named thread stands, when that is all that is asked."""
    if one.relation != "named" or one.fact is None or citation.handle != one.fact.handle:
        return ""
    return f"{one.fact.text} [CITATION:{citation.handle}]"


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
            if record["state"] in PASSED:
                frame_ = f"{frame_}, {record['state']}"
    framed = f"{frame_} ({day})" if day else frame_
    return f"{framed}, reverted by {_named(record['reverted_by'])}" if record["reverted_by"] else framed


def _named(ref: str) -> str:
    type_, _, name = ref.partition(":")
    return {"pull": "PR #", "issue": "issue #"}.get(type_, f"{type_} ") + name


def _citation(one: Fused, record: Mapping[str, Any], found: Quote) -> Citation:
    """The fact that carries the best sentence, or the passage; the excerpt shows the sentences around it too."""
    start, end = found.window
    fact = one.fact
    carries = fact is not None and (
        one.relation == "named" or (fact.start <= found.best.start and fact.end >= found.best.end)
    )
    if fact is not None and carries:
        handle, statement, kind, confidence = fact.handle, fact.text, fact.kind or None, fact.confidence
    else:
        handle, kind, confidence = f"{record['ref']}@{start}-{end}", None, 1.0
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
