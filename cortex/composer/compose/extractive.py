"""The extractive composer: each statement is quoted from its record, framed by who said it, where and when."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cortex.composer.answer_types import KNOWN_BY_FORM, asks, gives
from cortex.composer.beside import BESIDE
from cortex.composer.compose.fields import asked_fields, told
from cortex.composer.compose.framing import citation_of
from cortex.composer.compose.outranking import OUTRANKED, is_mere_opinion, is_outranked, is_overruled, ruled_first
from cortex.composer.compose.same_lines import cited_in_document
from cortex.composer.compose.wording import line_of, sentence_of, window_of
from cortex.composer.fuse import Fused
from cortex.composer.ordered import CITED, Ordered
from cortex.composer.question import Question
from cortex.composer.quote import EXCERPT_CHARACTERS, Quote
from cortex.composer.retrieve.people import asks_who_opened
from cortex.composer.saying import statements_in
from cortex.composer.steps import shows_steps
from cortex.composer.updated import LATER
from cortex.language.stems import split
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation

ROWS_A_THREAD: Final = 2
ROWS_OF_THE_FIRST_THREAD: Final = 3

LEAST: Final = 0.5
"""What a statement must cover of the question beside the one that covers most."""

FEWEST: Final = 5
"""Words that say something."""

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_APPROVAL: Final = re.compile(r"\b(?=[0-9a-flnr])(?:(?:re-)?n?acks?|approved?|lgtm|[0-9a-f]{7,40})\b|:\w+:", re.I)
_QUOTE_CHARACTERS: Final = {"A": (320, 160), "B": (320, 240)}


class Statement(NamedTuple):
    """One line of an answer and what it cites.

    Attributes:
        goes_on: with the record of the line before.
        led_by: what it begins with that is of no single row: how many records were found by what is known of them, or
            that what was said before outranks it.
        asks: nothing but what the question asks, as somebody did before.
        also: of the document that has the same lines, where no line before cites that.
    """

    text: str
    citation: Citation
    goes_on: bool = False
    led_by: str = ""
    asks: bool = False
    also: Citation | None = None

    @property
    def citations(self) -> list[Citation]:
        """What it cites, in the order it does so."""
        return [self.citation, *([self.also] if self.also else [])]


def compose(
    question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> list[Statement]:
    """Up to six statements, the one that answers first; at most two a thread, and none that says next to nothing.

    Args:
        records: by id, the columns of `cited_records.sql` and the name of the `source`.
    """
    statements: list[Statement] = []
    counts: Counter[tuple[int, str]] = Counter()
    said: set[tuple[str, str]] = set()
    enough = 0.0
    asked = asked_fields(question)
    ordered = ruled_first(question, ordered, records)
    for place, (one, found, goes_on) in enumerate(_windows(ordered)):
        record, thread = records[one.row.record_id], (one.row.source_id, one.row.about)
        if one.row.type == "commit" and (counts[thread] or counts[one.row.source_id, record["merges"]]):
            continue  # its pull request has said it
        room = ROWS_OF_THE_FIRST_THREAD if not counts or thread == next(iter(counts)) else ROWS_A_THREAD
        if goes_on:
            goes_on_with = bool(statements) and statements[-1].citation.record.ref == one.row.ref
            says_more = window_of(one, found, records).strip("#: ") not in record["title"]
            stands = goes_on_with and says_more and len(_WORD.findall(sentence_of(record, found))) >= FEWEST
        else:
            stands = counts[thread] < room and (not place or _tells(one, record, found, enough))
            stands = stands or one.relation == "listed"
        first = statements[0].citation if statements and not goes_on else None
        outranked = first is not None and is_outranked(one.row, first)
        if first and not outranked and counts[thread] < room and is_overruled(one, found, first, ordered, records):
            outranked = stands = True
        if not stands:
            continue
        standing = one.fact if _only_stands(question, one) else None
        sentence = standing.text if standing else sentence_of(record, found)
        under = one.row.title.rpartition(" › ")[2] if one.row.type == "doc" else ""  # 'Removed' says it of the same
        if not sentence or ((under, sentence) in said and (goes_on or not _of_itself(one))):
            continue
        if statements and not outranked and is_mere_opinion(question, one.row, statements[0].citation):
            continue
        counts[thread] += not goes_on
        said.add((under, sentence))
        enough = max(enough, 0.0 if asks(sentence) else LEAST * found.covered)
        citation = citation_of(one, record, found, standing)
        steps = shows_steps(question, one.row, record["body"], found.window)
        of_class = _QUOTE_CHARACTERS[question.class_]
        longest = EXCERPT_CHARACTERS if steps else of_class[bool(statements) and not goes_on]
        stands_for = told(record, asked, standing.text if standing else "") if one.relation == "named" else ""
        stands_for = stands_for or (standing.text if standing else "")
        line = f"{stands_for} [CITATION:{citation.handle}]" if stands_for else ""
        line = line or line_of(record, found, longest, citation, goes_on=goes_on, steps=steps)
        led_by = "" if statements else _counted(one, record)
        led_by += f"{record['source']}: " if stands_for and record["ambiguous"] else ""
        led_by = OUTRANKED if outranked else led_by
        also, only_asks = (
            _also(citation, record, records, statements),
            _only_asks(question, record, found, sentence) and not one.relation,
        )
        line += f" [CITATION:{also.handle}]" if also else ""
        statements.append(Statement(f"{led_by}{line}", citation, goes_on, led_by, only_asks, also))
        if sum(counts.values()) == CITED:
            break
    return statements if asks_who_opened(question.text) else _answer_first(statements)


def _also(
    citation: Citation, record: Mapping[str, Any], records: Mapping[int, Mapping[str, Any]], before: Iterable[Statement]
) -> Citation | None:
    """The document that has the lines too, unless a statement *before* cites it."""
    known = {(cited.source, cited.record.ref) for one in before for cited in one.citations}
    also = cited_in_document(citation, record, records.values())
    return also if also and (also.source, also.record.ref) not in known else None


def _of_itself(one: Fused) -> bool:
    """Whether a row may say of itself what another did: 'Accepted' in a list, 'Fixes #4' of what fixed one thing."""
    return one.relation == "listed" or (one.relation == "fixed by" and one.row.type == "pull")


def _counted(one: Fused, record: Mapping[str, Any]) -> str:
    """How many records were found by what is known of them, where that is asked, and first of whom the most are."""
    if one.none:
        return "0 in all; the newest of the others: "
    by = f", by {one.total_by}" if one.total_by else ""
    whose = f"{record[one.total_of]}, " if one.total_of else ""
    return f"{whose}{one.total} in all{by}: " if one.total else ""


def marked(one: Statement) -> Statement:
    """*one*, which says first where nobody trusted wrote it, and who did."""
    record = one.citation.record
    if not record.unverified:
        return one
    return one._replace(text=f"Unverified, by {record.author or 'someone'}: {one.text}")


def _answer_first(statements: list[Statement]) -> list[Statement]:
    """What says something before what only asks the same."""
    first = next((place for place, one in enumerate(statements) if not one.asks), 0)
    end = next((place for place in range(first + 1, len(statements)) if not statements[place].goes_on), len(statements))
    return [*statements[first:end], *statements[:first], *statements[end:]]


def _only_asks(question: Question, record: Mapping[str, Any], found: Quote, sentence: str) -> bool:
    """Whether it is a question that is quoted, or one below an issue's title that gives no such name, day or number."""
    if asks(sentence) or record["type"] != "issue" or question.type not in KNOWN_BY_FORM:
        return asks(sentence)
    title, body = record["title"], record["body"]
    below = body[len(title) : found.window.end].strip() if body.startswith(title) else ""
    titled = found.best.end <= len(title) and not gives(question.type, title)
    return titled and asks(below) and not statements_in(below)


def _only_stands(question: Question, one: Fused) -> bool:
    """Whether all that is asked of a record is what is known of it: a list, or who and when of one that is named."""
    known = split(one.fact.text.partition("): ")[0]) if one.fact else ()
    told = all(any(word.startswith(stem) for word in known) for stem in question.rest)
    return one.relation in ("listed", "owns", "done") or (one.relation == "named" and told)


def _windows(ordered: Iterable[Ordered]) -> Iterator[tuple[Fused, Quote, bool]]:
    """The rows with each window of theirs, and whether that goes on with the one before."""
    for one in ordered:
        yield one.fused, one.quote, False
        if one.more:
            yield one.fused, one.more, True


def _tells(one: Fused, record: Mapping[str, Any], found: Quote, enough: float) -> bool:
    """Whether a row says something of its own, as an approval or a smiley does not, and bears on the question."""
    if found.covered < enough and not one.relation:
        return False
    if one.row.type != "comment" or one.relation in (BESIDE, LATER):
        return True
    text = plain(record["body"][found.window.start : found.window.end])
    return len(_WORD.findall(_APPROVAL.sub("", text))) >= FEWEST
