"""The extractive composer: each statement is quoted from its record, framed by who said it, where and when."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cortex.composer.afterthoughts import read_on
from cortex.composer.answer_types import asks
from cortex.composer.beside import BESIDE
from cortex.composer.choices import choice, is_another_number
from cortex.composer.claims import begins_orders, tokens
from cortex.composer.compose.fields import asked_fields, told
from cortex.composer.cuts import shortened
from cortex.composer.fuse import Fused
from cortex.composer.leads import leads_at, led_until, needed, placed, titled, unquoted
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question
from cortex.composer.quote import EXCERPT_CHARACTERS, Quote
from cortex.composer.rows import Row, is_opinion
from cortex.composer.rulings import binds, is_against, lets
from cortex.composer.steps import shows_steps
from cortex.composer.updated import LATER
from cortex.indexers.distill.deciding import decides
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord
from cortex.substrate.voice import own_words

STATEMENTS: Final = 6
ROWS_A_THREAD: Final = 2
ROWS_OF_THE_FIRST_THREAD: Final = 3

LEAST: Final = 0.5
"""What a statement must cover of the question beside the one that covers most."""

FEWEST: Final = 5
"""Words that say something."""

OUTRANKED: Final = "Outranked: "
"""What begins a statement that wants another thing than what rules."""

SAID: Final = ("comment", "event")
"""Types of records that a document outranks which forbids what they allow."""

IN_FORCE: Final = ("", "accepted", "active")
"""States of documents that go without saying."""

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
    """

    text: str
    citation: Citation
    goes_on: bool = False
    led_by: str = ""
    asks: bool = False


def compose(
    question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> list[Statement]:
    """Up to six statements, the one that answers first; at most two a thread, and none that says next to nothing.

    Args:
        records: by id, the columns of `cited_records.sql` and the name of the `source`.
    """
    statements: list[Statement] = []
    counts: Counter[tuple[int, str]] = Counter()
    said: set[str] = set()
    enough = 0.0
    asked = asked_fields(question)
    ordered = _ruled_first(question, ordered, records)
    for place, (one, found, goes_on) in enumerate(_windows(ordered)):
        if one.row.type == "commit" and counts[one.row.source_id, one.row.about]:
            continue  # its pull request has said it
        record, thread = records[one.row.record_id], (one.row.source_id, one.row.about)
        room = ROWS_OF_THE_FIRST_THREAD if not counts or thread == next(iter(counts)) else ROWS_A_THREAD
        if goes_on:
            goes_on_with = bool(statements) and statements[-1].citation.record.ref == one.row.ref
            says_more = _window(one, found, records).strip("#: ") not in record["title"]
            stands = goes_on_with and says_more and len(_WORD.findall(_sentence(record, found))) >= FEWEST
        else:
            stands = counts[thread] < room and (not place or _tells(one, record, found, enough))
            stands = stands or one.relation == "listed"
        first = statements[0].citation if statements and not goes_on else None
        outranked = first is not None and _is_outranked(one.row, first)
        if first and not outranked and counts[thread] < room and _is_overruled(one, found, first, ordered, records):
            outranked = stands = True
        if not stands:
            continue
        standing = one.fact if _only_stands(question, one) else None
        sentence = standing.text if standing else _sentence(record, found)
        if not sentence or sentence in said:
            continue
        if statements and not outranked and _is_opinion(one.row, statements[0].citation):
            continue
        counts[thread] += not goes_on
        said.add(sentence)
        enough = max(enough, 0.0 if asks(sentence) else LEAST * found.covered)
        citation = _citation(one, record, found, standing)
        steps = shows_steps(question, one.row, record["body"], found.window)
        of_class = _QUOTE_CHARACTERS[question.class_]
        longest = EXCERPT_CHARACTERS if steps else of_class[bool(statements) and not goes_on]
        stands_for = told(record, asked, standing.text if standing else "") if one.relation == "named" else ""
        stands_for = stands_for or (standing.text if standing else "")
        line = f"{stands_for} [CITATION:{citation.handle}]" if stands_for else ""
        line = line or _line(record, found, longest, citation, goes_on=goes_on, steps=steps)
        led_by = "" if statements else _counted(one)
        led_by += f"{record['source']}: " if stands_for and record["ambiguous"] else ""
        led_by = OUTRANKED if outranked else led_by
        only_asks = asks(sentence) and not one.relation
        statements.append(Statement(f"{led_by}{line}", citation, goes_on, led_by, only_asks))
        if sum(counts.values()) == STATEMENTS:
            break
    return _answer_first(statements)


def _counted(one: Fused) -> str:
    """How many records were found by what is known of them, where that is asked."""
    if one.none:
        return "0 in all; the newest of the others: "
    by = f", by {one.total_by}" if one.total_by else ""
    return f"{one.total} in all{by}: " if one.total else ""


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


def _only_stands(question: Question, one: Fused) -> bool:
    """Whether all that is asked of a record is what is known of it: a list, or who and when of one that is named."""
    return one.relation in ("listed", "owns", "done") or (one.relation == "named" and not question.rest)


def _windows(ordered: Iterable[Ordered]) -> Iterator[tuple[Fused, Quote, bool]]:
    """The rows with each window of theirs, and whether that goes on with the one before."""
    for one in ordered:
        yield one.fused, one.quote, False
        if one.more:
            yield one.fused, one.more, True


def _is_opinion(row: Row, first: Citation) -> bool:
    """Whether a rule answers and this is only what somebody said of the matter."""
    return first.record.type == "directive" and row.type in ("comment", "event") and not decides(row.text)


def _is_outranked(row: Row, first: Citation) -> bool:
    """Whether this wants another thing than the rule, or the decision of its thread, that answers."""
    rules = first.record.type == "directive" or decides(first.excerpt)
    if not rules or not is_opinion(row):
        return False
    if is_another_number(row.text, first.statement):
        return True
    if own := choice(row.text):
        return own.is_against(first.excerpt)
    of_thread = choice(row.title)
    return of_thread is not None and of_thread.is_for(row.text) and of_thread.is_against(first.excerpt)


def _ruled_first(
    question: Question, ordered: Sequence[Ordered], records: Mapping[int, Mapping[str, Any]]
) -> Sequence[Ordered]:
    """What rules before what somebody says against it, where that came first."""
    best = ordered[0] if ordered else None
    if best is None or best.fused.relation or question.told or not _advises(best.fused.row):
        return ordered
    rules = [one for one in ordered[1:] if one.fused.row.type == "directive"]
    if best.fused.row.type in SAID:
        rules += [one for one in ordered[1:STATEMENTS] if one.fused.row.type == "doc"]
    said = _window(best.fused, best.quote, records) if rules else ""
    for one in rules if lets(said) else ():
        rule = one.fused.row
        if binds(rule.text) and is_against(said, rule.text, _around(best.fused, ordered)):
            return [one, *(other for other in ordered if other is not one)]
    return ordered


def _is_overruled(
    one: Fused,
    found: Quote,
    first: Citation,
    ordered: Sequence[Ordered],
    records: Mapping[int, Mapping[str, Any]],
) -> bool:
    """Whether what is quoted allows what the rule that answers forbids, and nobody settled that in its thread since."""
    if not _advises(one.row) or not binds(first.statement):
        return False
    kept = first.record.type == "directive" or (first.record.type == "doc" and one.row.type in SAID)
    if not kept and not decides(first.excerpt):
        return False
    if not is_against(_window(one, found, records), first.statement, _around(one, ordered)):
        return False
    later = (other.fused.row for other in ordered if _is_of_thread(other.fused.row, one.row))
    return not any(row.day > one.row.day and (decides(row.text) or binds(row.text)) for row in later)


def _sentence(record: Mapping[str, Any], found: Quote) -> str:
    return plain(own_words(record["body"], record["type"])[slice(*found.best)])


def _advises(row: Row) -> bool:
    """Whether what may be done is told there: an issue tells what goes wrong."""
    return is_opinion(row) and row.type != "issue"


def _window(one: Fused, found: Quote, records: Mapping[int, Mapping[str, Any]]) -> str:
    record = records[one.row.record_id]
    return plain(own_words(record["body"], record["type"])[found.window.start : found.window.end])


def _around(one: Fused, ordered: Sequence[Ordered]) -> str:
    """The title of a row's thread, and what else was found of that thread or names it."""
    named = re.compile(rf"#{re.escape(one.row.about.partition(':')[2])}(?!\d)")
    rows = [other.fused.row for other in ordered if other.fused.row.record_id != one.row.record_id]
    near = [
        row.text for row in rows if _is_of_thread(row, one.row) or (row.type != "directive" and named.search(row.text))
    ]
    return " ".join((one.row.title, *near))


def _is_of_thread(row: Row, other: Row) -> bool:
    return (row.source_id, row.about) == (other.source_id, other.about)


def _tells(one: Fused, record: Mapping[str, Any], found: Quote, enough: float) -> bool:
    """Whether a row says something of its own, as an approval or a smiley does not, and bears on the question."""
    if found.covered < enough and not one.relation:
        return False
    if one.row.type != "comment" or one.relation in (BESIDE, LATER):
        return True
    text = plain(record["body"][found.window.start : found.window.end])
    return len(_WORD.findall(_APPROVAL.sub("", text))) >= FEWEST


def _line(
    record: Mapping[str, Any], found: Quote, longest: int, citation: Citation, *, goes_on: bool, steps: bool
) -> str:
    """The window as far as it fits and stands under the same headings, begun no later than the best sentence.

    Args:
        steps: it shows code, and is read on below that.
    """
    title, type_ = record["title"], record["type"]
    body = unquoted(own_words(record["body"], type_))
    start, best = found.window.start, plain(body[slice(*found.best)])
    end = read_on(body, max(found.window.end, found.best.end))
    until = led_until(body, title, type_, start, past_code=steps)
    if found.best.end - start > longest or until < found.best.end:
        start, until = found.best.start, led_until(body, title, type_, found.best.start, past_code=steps)
    text = _said(body, start, min(end, until), title, longest)
    if start < found.best.start and not _holds(text, best):
        start, until = found.best.start, led_until(body, title, type_, found.best.start, past_code=steps)
        text = _said(body, start, min(end, until), title, longest)
    framed = "…" if goes_on else frame(record)
    above = () if framed.startswith(title) else tuple(dict.fromkeys((*placed(title, type_), *titled(title, type_))))
    leads = needed((*above, *leads_at(body, title, type_, start)), body[start:end])
    under = "".join(f" › {one}" for one in leads)
    framed = framed if goes_on and not under else f"{framed}{under}:"
    return f"{framed} “{text}” [CITATION:{citation.handle}]"


def _said(body: str, start: int, end: int, title: str, longest: int) -> str:
    """What *body* says from *start* to *end*, as far as it fits."""
    quoted = body[start:end]
    heading, _, rest = quoted.partition("\n\n") if start == 0 and quoted.startswith(title) else ("", "", quoted)
    text = " — ".join(filter(None, (plain(heading), plain(rest))))
    text = (
        text[: begins_orders(text)].partition("[CITATION:")[0].rstrip() or text
    )  # what a row tells its reader to do is no answer
    return shortened(text, longest)


def _holds(text: str, sentence: str) -> bool:
    """Whether the words of *sentence* are among those of *text*."""
    return sentence in text or f" {' '.join(tokens(sentence))} " in f" {' '.join(tokens(text))} "


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
            unmerged = " unmerged" if record["state"] == "closed" else ""
            frame_ = f"PR #{number} by {record['author'] or 'someone'}, {record['state']}{unmerged}"
        case "issue":
            frame_ = f"Issue #{number} by {record['author'] or 'someone'}, {record['state']}"
        case "commit":
            frame_ = f"Commit {name} by {record['author'] or 'someone'}"
        case "outcome":
            frame_ = f"Outcome {name}, {record['state']}"
        case "directive" | "ownership" if record["path"]:
            frame_ = f"{type_.capitalize()} in {record['path']}"
        case _:
            frame_ = record["title"] or name
            if record["state"] not in IN_FORCE:
                frame_ = f"{frame_}, {record['state']}"
    frame_ = f"{frame_}, in {record['source']}" if record["ambiguous"] else frame_
    framed = f"{frame_} ({day})" if day else frame_
    if record["replaces"]:
        framed = f"{framed}, superseding {_named(record['replaces'])}"
    if record["superseded_by"]:
        framed = f"{framed}, superseded by {_named(record['superseded_by'])}"
    return f"{framed}, reverted by {_named(record['reverted_by'])}" if record["reverted_by"] else framed


def _named(ref: str) -> str:
    type_, _, name = ref.partition(":")
    return {"pull": "PR #", "issue": "issue #"}.get(type_, f"{type_} ") + name


def _citation(one: Fused, record: Mapping[str, Any], found: Quote, standing: Row | None) -> Citation:
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
