"""Ask a brain: question in, answer with citations or the refusal out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from cortex.composer.acronyms import with_acronyms
from cortex.composer.amending import amended_told
from cortex.composer.assured import names_nobody, tells_no_time
from cortex.composer.beside import beside_first, look_further
from cortex.composer.candidates import look
from cortex.composer.cite import CITED as HANDLE
from cortex.composer.cite import standing
from cortex.composer.compose.enough import enough
from cortex.composer.compose.extractive import Statement, compose, marked
from cortex.composer.compose.fields import is_unknown
from cortex.composer.compose.same_lines import documents_with_lines
from cortex.composer.evidence import Judged, weigh, weigh_event, weigh_told
from cortex.composer.fuse import Fused
from cortex.composer.gathering import Gathered, first_rows, gather
from cortex.composer.holding import lacks_reason
from cortex.composer.namesakes import named_first
from cortex.composer.nested import mark_nested
from cortex.composer.offering import listed_first
from cortex.composer.order import order
from cortex.composer.ordered import CITED, Ordered
from cortex.composer.outdone import find_outdone, outdone_first
from cortex.composer.overtaken import overtaken_first
from cortex.composer.question import Question
from cortex.composer.records import load_records
from cortex.composer.relanded import relanded_first
from cortex.composer.replacing import is_told_so
from cortex.composer.retrieve.merged import is_merge_untold
from cortex.composer.retrieve.outcomes import asked_outcome, is_unsure, is_untold
from cortex.composer.retrieve.owner_files import only_comments
from cortex.composer.retrieve.owners import names_no_owner
from cortex.composer.retrieve.people import is_not_told, with_people
from cortex.composer.retrieve.releasing import asks_for_release, tells_release
from cortex.composer.rows import said_since
from cortex.composer.stages import Clock
from cortex.composer.taken_back import taken_back_first
from cortex.composer.trust import by_passers_by
from cortex.composer.understanding import understand
from cortex.errors import EmptyQuestion
from cortex.language.stems import Stemmer, split
from cortex.substrate.brain import Brain
from cortex.substrate.model import REFUSAL, Answer, Scope, storable
from cortex.substrate.sources import begun, readable, timestamp

Classifier = Callable[[Question], Question]
Composer = Callable[
    [Question, Sequence[Fused], Mapping[int, Mapping[str, Any]], list[Statement], Stemmer], tuple[list[Statement], str]
]
"""From the rows, best first, their records and what stands of the extractive answer: one that stands, and whose."""


def ask(  # noqa: PLR0913  each is an option of its own
    brain: Brain,
    text: str,
    *,
    scope: Scope,
    as_of: datetime | None = None,
    now: datetime | None = None,
    classifier: Classifier | None = None,
    composer: Composer | None = None,
    refuse_below: float | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> Answer:
    """Answer *text* from what *scope* may read, with citations; exactly the refusal when the rows do not answer it.

    Args:
        as_of: answer from what was known then: no record made later, each in the state it had.
        now: the moment it is asked at, which 'last month' counts from; without it such a list is refused.
        classifier: what looks at the question again once the rules have taken it apart.
        composer: what words the answer in place of the rows themselves, where there is evidence.
        refuse_below: the likelihood of an answer, 0 to 1, below which it is refused; by default as fitted.
        told: called with each of the STAGES as it begins.

    Raises:
        EmptyQuestion: not a single letter or digit in it.
        UnknownSource: the scope names a source this brain does not hold.
    """
    text = storable(text)
    if not split(text):
        raise EmptyQuestion(text)
    clock, stemmer = Clock(told), brain.stemmer
    clock.begin("understand")
    question = understand(brain, text, stemmer, as_of=timestamp(as_of) if as_of else "", now=now)
    question = classifier(question) if classifier else question
    clock.begin("retrieve")
    with brain.snapshot():
        names = begun(brain, readable(brain, scope), as_of=question.as_of)
        question = with_acronyms(brain, question, stemmer, sources=[*names])
        question = with_people(brain, question, sources=[*names])
        gathered = gather(brain, question, stemmer, sources=[*names])
        clock.begin("order")
        ordered, rows = in_order(brain, question, gathered, names, stemmer)
    ordered, judged = judged_on(question, gathered, ordered, rows, stemmer, refuse_below=refuse_below)
    clock.begin("compose")
    statements, standing_, judged = told_from(question, ordered, rows, judged, stemmer, refuse_below=refuse_below)
    worded_by = "extractive"
    if composer and judged.evidence != "none":
        standing_, worded_by = composer(question, [one.fused for one in ordered], rows, standing_, stemmer)
    standing_ = [*map(marked, standing_)]
    answer = _answer(text, question, judged, standing_, statements, {**clock.timings(), **gathered.took_ms})
    return answer if worded_by == "extractive" else answer.model_copy(update={"composer": worded_by})


def told_from(
    question: Question,
    ordered: Sequence[Ordered],
    records: Mapping[int, Mapping[str, Any]],
    judged: Judged,
    stemmer: Stemmer,
    *,
    refuse_below: float | None,
) -> tuple[list[Statement], list[Statement], Judged]:
    """What the rows say, what of it stands, and the evidence once what is told is weighed too."""
    statements = compose(question, ordered, records)
    standing_ = _standing(statements, records, stemmer) if judged.evidence != "none" else []
    if standing_:
        of_cited = {*map(_name_of, standing_)}
        cited = [one.fused.row for one in ordered if _name(records[one.fused.row.record_id]) in of_cited]
        judged = weigh_told(question, judged, ordered, cited, stemmer, refuse_below=refuse_below)
        standing_ = standing_ if judged.evidence != "none" else []
    names = {one.fused.row.source_id: str(records[one.fused.row.record_id]["source"]) for one in ordered}
    passing = {(names[source], ref) for source, ref in by_passers_by(one.fused.row for one in ordered)}
    firm = (one.text for one in standing_ if _name_of(one) not in passing)
    listed = any(one.fused.relation == "listed" for one in ordered)
    if judged.evidence == "strong" and not listed and lacks_reason(question, firm):
        judged = judged._replace(evidence="moderate")
    by_name = {_name(records[one.fused.row.record_id]): one for one in ordered}
    if judged.evidence == "strong" and standing_:
        first, told_ = by_name[_name_of(standing_[0])].fused, HANDLE.sub("", standing_[0].text)
        people = {one.fused.row.author for one in ordered if one.fused.row.author}
        known = first.relation in ("listed", "owns")
        if not known and (
            names_nobody(question, first.row, told_, people) or tells_no_time(question, first.row, told_)
        ):
            judged = judged._replace(evidence="moderate")
    if judged.evidence == "strong":
        standing_ = enough(question, standing_, by_name, stemmer)
    return statements, standing_, judged


def _name(record: Mapping[str, Any]) -> tuple[str, str]:
    return str(record["source"]), str(record["ref"])


def _name_of(statement: Statement) -> tuple[str, str]:
    return statement.citation.source, statement.citation.record.ref


def _standing(
    statements: Sequence[Statement], records: Mapping[int, Mapping[str, Any]], stemmer: Stemmer
) -> list[Statement]:
    """Those of *statements* that hold; none where all only ask: somebody asked before, and nobody answered."""
    bodies = {f"{record['source']} {record['ref']}": record["body"] for record in records.values()}
    found = standing(statements, bodies, stemmer)
    return [] if all(one.asks for one in found) else found


def judged_on(
    question: Question,
    gathered: Gathered,
    ordered: Sequence[Ordered],
    records: Mapping[int, Mapping[str, Any]],
    stemmer: Stemmer,
    *,
    refuse_below: float | None,
) -> tuple[list[Ordered], Judged]:
    """The rows as they are answered from, and what they are worth: none where just what is asked is not known."""
    rows, judged = weigh(question, ordered, stemmer, refuse_below=refuse_below)
    outcome = asked_outcome(question, stemmer)
    if judged.evidence == "strong" and (gathered.half_read or is_unsure(outcome, (one.fused for one in rows))):
        judged = judged._replace(evidence="moderate")
    if asks_for_release(question, (records[one.fused.row.record_id]["source"] for one in rows)):
        rows, judged = _of_releases(rows, judged, records)
    judged = weigh_event(question, judged, rows, stemmer, refuse_below=refuse_below)
    first = rows[:CITED]
    lacking = names_no_owner(question, ((one.fused, one.holds) for one in first))
    lacking = lacking or is_merge_untold(question, [one.fused for one in first])
    untold = is_not_told(question, (one.fused for one in first)) or is_untold(outcome, (one.fused for one in rows))
    if is_unknown(question, rows, records) or lacking or untold or is_told_so(question, rows) is False:
        judged = Judged(0.0, "none")
    return rows, judged


def _of_releases(
    rows: Sequence[Ordered], judged: Judged, records: Mapping[int, Mapping[str, Any]]
) -> tuple[list[Ordered], Judged]:
    """Those of *rows* that tell which release there was, the latest first: sure only where a changelog tells it."""
    if any(one.fused.relation == "listed" for one in rows):
        return [*rows], judged
    quoted = ((one, records[one.fused.row.record_id]["body"][slice(*one.quote.window)]) for one in rows)
    sources = {str(record["source"]) for record in records.values()}
    told = [one for one, text in quoted if tells_release(f"{one.fused.row.title}\n{text}", sources)]
    told.sort(key=lambda one: one.fused.row.day, reverse=True)
    if not told:
        return [*rows], Judged(0.0, "none")
    return told, judged._replace(evidence="moderate") if judged.evidence == "strong" else judged


def in_order(
    brain: Brain, question: Question, gathered: Gathered, names: Mapping[int, str], stemmer: Stemmer
) -> tuple[list[Ordered], dict[int, dict[str, Any]]]:
    """The rows that were gathered from the sources called *names*, best first, and their records by id."""
    looked = look(question, only_comments(brain, question, first_rows(gathered.fused)), stemmer)
    beside = look_further(brain, question, looked, stemmer, sources=[*names])
    beside = beside._replace(looked=mark_nested(brain, question, beside.looked, stemmer))
    rows = load_records(brain, [one.fused.row.record_id for one in beside.looked], names, as_of=question.as_of)
    for row in (one.fused.row for one in beside.looked):
        rows[row.record_id]["nested"] = row.nested
    since = partial(said_since, brain, as_of=question.as_of)
    ordered = beside_first(order(question, beside.looked, rows, stemmer, since=since), beside)
    ordered = listed_first(question, ordered, stemmer)
    ordered = amended_told(brain, question, named_first(question, ordered, stemmer), rows, names, stemmer)
    ordered = overtaken_first(brain, question, ordered, rows)
    ordered = relanded_first(question, ordered)
    load = partial(load_records, brain, names=names, as_of=question.as_of)
    ordered = taken_back_first(brain, question, ordered, rows, load)
    if newer := find_outdone(brain, question, ordered, rows):
        rows |= load([newer.row.record_id])
        ordered = outdone_first(question, ordered, newer, rows, stemmer)
    if lines := [one.fused.row.record_id for one in ordered if one.fused.row.type == "ownership"]:
        rows |= load_records(brain, documents_with_lines(brain, lines), names, as_of=question.as_of)
    return ordered, rows


def _answer(
    text: str,
    question: Question,
    judged: Judged,
    standing_: list[Statement],
    nearest: list[Statement],
    timings_ms: Mapping[str, float],
) -> Answer:
    cited = {of.handle: of for one in sorted(standing_, key=lambda one: one.goes_on) for of in one.citations}
    return Answer(
        question=text,
        class_=question.class_,
        answer="\n".join(one.text for one in standing_) or REFUSAL,
        refused=not standing_,
        composer="extractive",
        evidence=judged.evidence if standing_ else "none",
        citations=tuple(cited.values()),
        considered=() if standing_ else tuple(one.citation for one in nearest if not one.goes_on),
        timings_ms=timings_ms,
    )
