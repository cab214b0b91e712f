"""Ask a brain: question in, answer with citations or the refusal out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from cortex.composer.acronyms import with_acronyms
from cortex.composer.beside import beside_first, look_further
from cortex.composer.candidates import late_standing, look
from cortex.composer.cite import standing
from cortex.composer.compose.extractive import Statement, compose, marked
from cortex.composer.compose.fields import is_unknown
from cortex.composer.evidence import Judged, weigh, weigh_told
from cortex.composer.fuse import Fused, fuse, join_related, put_first
from cortex.composer.holding import lacks_reason
from cortex.composer.order import order
from cortex.composer.ordered import CITED, Ordered
from cortex.composer.outdone import decided_first, find_outdone, outdone_first
from cortex.composer.question import Question
from cortex.composer.retrieve.doing import put_done_first
from cortex.composer.retrieve.graph import find_related, told_of
from cortex.composer.retrieve.merged import is_merge_untold, put_merged_first
from cortex.composer.retrieve.metadata import Listed, find_by_metadata
from cortex.composer.retrieve.named import find_named
from cortex.composer.retrieve.outcomes import asked_outcome, find_outcome, is_unsure, is_untold
from cortex.composer.retrieve.owners import names_no_owner, only_owning
from cortex.composer.retrieve.passages import find_facts, find_passages
from cortex.composer.retrieve.people import is_not_told, with_people
from cortex.composer.retrieve.reasons import find_latest, find_reasons
from cortex.composer.retrieve.releasing import asks_for_release, tells_release
from cortex.composer.retrieve.removed import put_removed_first
from cortex.composer.retrieve.said import only_said
from cortex.composer.retrieve.turns import run
from cortex.composer.rows import load_firsts, said_since
from cortex.composer.trust import by_passers_by, few
from cortex.composer.understanding import understand
from cortex.errors import EmptyQuestion
from cortex.substrate.authority import AUTHORITY
from cortex.substrate.brain import Brain
from cortex.substrate.model import REFUSAL, Answer, Scope, storable
from cortex.substrate.sources import begun, readable, timestamp
from cortex.substrate.statements import sql
from cortex.substrate.stems import Stemmer, split

PINNED_FACTS: Final = 6
FIRST_THREADS: Final = 3
ROWS: Final = 40
DEADLINE_S: Final = 5.0
"""After which a retriever is left out: many times what the slowest takes on a million records."""


Classifier = Callable[[Question], Question]
Composer = Callable[
    [Question, Sequence[Fused], Mapping[int, Mapping[str, Any]], list[Statement], Stemmer], tuple[list[Statement], str]
]
"""From the rows, best first, their records and what stands of the extractive answer: one that stands, and whose."""


STAGES: Final = ("understand", "retrieve", "order", "compose")
"""Of an answer, in their order."""


class Clock:
    """Milliseconds of each stage, for `timings_ms`.

    Args:
        told: called with each stage as it begins.
    """

    def __init__(self, told: Callable[[str], None]) -> None:
        self._told, self._begun = told, [("", time.perf_counter())]

    def begin(self, stage: str) -> None:
        """Note that *stage* begins, and that the one before has ended."""
        self._begun.append((stage, time.perf_counter()))
        self._told(stage)

    def timings(self) -> dict[str, float]:
        """Of each stage that has begun, and the `total` since the start."""
        now = time.perf_counter()
        ends = [begun for _, begun in self._begun[2:]] + [now]
        stages = zip(self._begun[1:], ends, strict=True)
        took = {stage: round((end - begun) * 1000, 3) for (stage, begun), end in stages}
        return took | {"total": round((now - self._begun[0][1]) * 1000, 3)}


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
    statements = compose(question, ordered, rows)
    standing_ = _standing(statements, rows, stemmer) if judged.evidence != "none" else []
    if standing_:
        of_cited = {(one.citation.source, one.citation.record.ref) for one in standing_}
        cited = [one.fused.row for one in ordered if _name(rows[one.fused.row.record_id]) in of_cited]
        judged = weigh_told(question, judged, ordered, cited, stemmer, refuse_below=refuse_below)
        standing_ = standing_ if judged.evidence != "none" else []
    worded_by = "extractive"
    listed = any(one.fused.relation == "listed" for one in ordered)
    passing = {(names[source], ref) for source, ref in by_passers_by(one.fused.row for one in ordered)}
    firm = (one.text for one in standing_ if (one.citation.source, one.citation.record.ref) not in passing)
    if judged.evidence == "strong" and not listed and lacks_reason(question, firm):
        judged = judged._replace(evidence="moderate")
    if composer and judged.evidence != "none":
        standing_, worded_by = composer(question, [one.fused for one in ordered], rows, standing_, stemmer)
    standing_ = [*map(marked, standing_)]
    answer = _answer(text, question, judged, standing_, statements, {**clock.timings(), **gathered.took_ms})
    return answer if worded_by == "extractive" else answer.model_copy(update={"composer": worded_by})


def _name(record: Mapping[str, Any]) -> tuple[str, str]:
    return str(record["source"]), str(record["ref"])


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
    first = rows[:CITED]
    lacking = names_no_owner(question, ((one.fused, one.holds) for one in first))
    lacking = lacking or is_merge_untold(question, [one.fused for one in first])
    untold = is_not_told(question, (one.fused for one in first)) or is_untold(outcome, (one.fused for one in rows))
    if is_unknown(question, rows, records) or lacking or untold:
        judged = Judged(0.0, "none")
    return rows, judged


def _of_releases(
    rows: Sequence[Ordered], judged: Judged, records: Mapping[int, Mapping[str, Any]]
) -> tuple[list[Ordered], Judged]:
    """Those of *rows* that tell which release there was, the latest first: sure only where a changelog tells it."""
    if any(one.fused.relation == "listed" for one in rows):
        return [*rows], judged
    quoted = ((one, records[one.fused.row.record_id]["body"][slice(*one.quote.window)]) for one in rows)
    told = [one for one, text in quoted if tells_release(f"{one.fused.row.title}\n{text}")]
    told.sort(key=lambda one: one.fused.row.day, reverse=True)
    if not told:
        return [*rows], Judged(0.0, "none")
    return told, judged._replace(evidence="moderate") if judged.evidence == "strong" else judged


class Gathered(NamedTuple):
    """What the retrievers found together.

    Attributes:
        ranks: by retriever, its records in its own order.
        took_ms: by retriever; a late one is left out of the rest and called '… (late)'.
        half_read: it asks for a list by more than what is known of records: these are what its words find.
    """

    fused: list[Fused]
    ranks: Mapping[str, Sequence[int]]
    took_ms: Mapping[str, float]
    half_read: bool = False


def retrieve(brain: Brain, question: Question, stemmer: Stemmer, *, sources: Sequence[int]) -> list[Fused]:
    """The records that bear on the question, best first, the pinned facts' among the first rows."""
    return gather(brain, question, stemmer, sources=sources).fused


def gather(brain: Brain, question: Question, stemmer: Stemmer, *, sources: Sequence[int]) -> Gathered:
    """What four retrievers bring: facts, full text and metadata, then the links of what these found."""
    if not question.terms or not sources:
        return Gathered([], {}, {})
    first = run(
        brain,
        {
            "facts": lambda: find_facts(brain, question, stemmer, sources=sources),
            "text": lambda: find_passages(brain, question, stemmer, sources=sources),
            "sql": lambda: _by_metadata(brain, question, sources),
        },
        deadline_s=DEADLINE_S,
    )  # fmt: skip
    facts, passages = (first.found.get(name, []) for name in ("facts", "text"))
    known: Listed = first.found.get("sql") or Listed([])
    listed = known.found
    whole = None if listed or "sql" not in first.found else known.is_whole(question)
    if whole:
        return Gathered([], {}, first.took_ms)  # there is none, which no row says
    fused = put_first(listed, fuse(passages, facts))
    threads = len(listed) if listed and not question.rest else FIRST_THREADS
    threads = 0 if asked_outcome(question, stemmer) else threads  # what is linked with those is among them
    related = {"graph": lambda: with_related(brain, fused, first=threads, as_of=question.as_of)}
    second = run(brain, related, deadline_s=DEADLINE_S)
    joined = second.found.get("graph", fused)
    if all(one.relation != "listed" for one in listed):
        joined = only_owning(brain, question, only_said(brain, question, joined, sources=sources))
        joined = put_done_first(brain, question, put_merged_first(brain, question, joined, sources=sources))
        joined = put_removed_first(brain, question, joined, sources=sources)
    joined = few(joined, lambda one: one.row)
    if whole is False:
        joined = known.of_its_time(joined)
    pinned = {found.row.record_id for found in [one for one in facts if not one.row.unverified][:PINNED_FACTS]}
    late = [one for one in joined[ROWS - PINNED_FACTS :] if one.row.record_id in pinned]
    kept = [one for one in joined if one not in late]
    ranks = {
        "facts": [*dict.fromkeys(found.row.record_id for found in facts)],
        "text": [*dict.fromkeys(found.row.record_id for found in passages)],
        "sql": [one.row.record_id for one in listed],
        "graph": [
            one.row.record_id
            for one in joined
            if one.relation not in ("", "named", "listed", "owns", "done", "said last")
        ],
    }
    took = {**first.took_ms, **second.took_ms}
    return Gathered([*kept[: ROWS - len(late)], *late, *kept[ROWS - len(late) :]], ranks, took, whole is False)


def in_order(
    brain: Brain, question: Question, gathered: Gathered, names: Mapping[int, str], stemmer: Stemmer
) -> tuple[list[Ordered], dict[int, dict[str, Any]]]:
    """The rows that were gathered from the sources called *names*, best first, and their records by id."""
    looked = look(question, first_rows(gathered.fused), stemmer)
    beside = look_further(brain, question, looked, stemmer, sources=[*names])
    rows = load_records(brain, [one.fused.row.record_id for one in beside.looked], names, as_of=question.as_of)
    since = partial(said_since, brain, as_of=question.as_of)
    ordered = beside_first(order(question, beside.looked, rows, stemmer, since=since), beside)
    ordered = decided_first(question, ordered, rows)
    if newer := find_outdone(brain, question, ordered):
        rows |= load_records(brain, [newer.row.record_id], names, as_of=question.as_of)
        ordered = outdone_first(question, ordered, newer, rows, stemmer)
    return ordered, rows


def first_rows(fused: Sequence[Fused]) -> list[Fused]:
    """Those of *fused* that are looked at, with the first documents and directives where others are before them."""
    return [*fused[:ROWS], *late_standing(fused, ROWS, lambda one: one)]


def _by_metadata(brain: Brain, question: Question, sources: Sequence[int]) -> Listed:
    """The records that the question names, why they ended or what was said last where that is asked, and lists."""
    named = find_named(brain, question, sources=sources)
    reasons = find_reasons(brain, question, named) or find_outcome(brain, question, named)
    told = {one.row.record_id for one in reasons}
    named = [one for one in named if one.row.record_id not in told]
    last = find_latest(brain, question, named)
    listed = find_by_metadata(brain, question, sources=sources)
    return listed._replace(found=[*reasons, *last, *named, *listed.found])


def with_related(brain: Brain, fused: Sequence[Fused], *, first: int = FIRST_THREADS, as_of: str = "") -> list[Fused]:
    """*fused* with what the links of its *first* threads bring in."""
    rows = [one.row for one in fused]
    threads: dict[tuple[int, str], None] = {}
    for row in rows:
        if len(threads) == first:
            break
        threads[row.source_id, row.about] = None
    related = [*find_related(brain, [*threads]), *told_of(rows, threads)]
    known = {row.record_id for row in rows}
    firsts = load_firsts(brain, [link.record_id for link in related if link.record_id not in known], as_of=as_of)
    return join_related(fused, related, firsts)


def load_records(
    brain: Brain, ids: Sequence[int], names: Mapping[int, str], *, as_of: str = ""
) -> dict[int, dict[str, Any]]:
    """The records called *ids* with the name of their source, by id, in the state they had at *as_of*."""
    asked = {"ids": json.dumps(ids), "sources": json.dumps([*names]), "as_of": as_of}
    cursor = brain.db.execute(sql("cited_records"), asked)
    columns = [column[0] for column in cursor.description]
    records = {}
    for values in cursor:
        record = dict(zip(columns, values, strict=True))
        record |= {name: _listed(record[name]) for name in ("labels", "assignees")}
        records[record["id"]] = _at(as_of, record) | {"source": names[record["source_id"]]}
    return records


@lru_cache(1024)
def _listed(names: str) -> tuple[str, ...]:
    """The names of a JSON array, mostly of none."""
    return tuple(json.loads(names))


def _at(as_of: str, record: dict[str, Any]) -> dict[str, Any]:
    """The record as it stood then: what was merged or closed later was open, and nothing had taken it back."""
    if as_of and record["state"] == "superseded" and not record["superseded_by"]:
        record |= {"state": ""}  # what replaced it came later
    if not as_of or max(record["merged_at"] or "", record["closed_at"] or "") <= as_of:
        return record
    then = {"state": "open", "merged_at": None, "closed_at": None, "merged_by": "", "closed_by": "", "reverted_by": ""}
    authority = min(record["authority"], AUTHORITY[f"{record['type']} open"])
    return record | then | {"superseded_by": "", "authority": authority, "updated_at": None}


def _answer(
    text: str,
    question: Question,
    judged: Judged,
    standing_: list[Statement],
    nearest: list[Statement],
    timings_ms: Mapping[str, float],
) -> Answer:
    cited = {one.citation.handle: one.citation for one in sorted(standing_, key=lambda one: one.goes_on)}
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
