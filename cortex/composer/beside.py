"""What stands beside the first row and tells what is asked, though it need not share a word with the question.

Of a decision the part of its file that says why; of a thread the comment that gives the reason, or the amount.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cortex.composer.candidates import Looked
from cortex.composer.fuse import Fused
from cortex.composer.holding import Value, asked_value
from cortex.composer.introductions import heads
from cortex.composer.ordered import Ordered
from cortex.composer.question import Question, stands_in
from cortex.composer.retrieve.graph import find_related
from cortex.composer.retrieve.reasons import find_end
from cortex.composer.rows import Row, load_firsts
from cortex.composer.steps import find_steps
from cortex.composer.telling import telling
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

HEADS: Final = 2
"""Rows beside which it is looked for: one of those that look best is nearly always the first when they are read."""

PARTS: Final = 2
"""Parts of a document that tell why, at most."""

HEADING: Final = 6
"""Words of a heading which says that the part below tells why: one of more says something of its own."""

AROUND: Final = 3
"""Records of its thread, and of the issue that it fixes, that tell why, at most."""

OF_THREADS: Final = ("reason", "price", "temperature", "size")
"""Kinds of what is asked for whose form alone tells that a comment gives one."""

BESIDE: Final = "told beside"

_WHY: Final = re.compile(r"\W*(?:why|reasons?|rationale|motivations?)\b", re.I)
_WHY_NOT: Final = re.compile(r"\W*why (?:not\b|(?:\w+ ){0,2}(?:not\b|\w+n['’]t\b))", re.I)
_AROUND: Final = re.compile(r"\b(?:context|background)\b", re.I)
"""Heads what tells why where no other part does."""


class Beside(NamedTuple):
    """The rows that were found, with those beside the first of them.

    Attributes:
        near: by record, what is told beside it, in its order: what was decided, itself, why or how much.
        brought: records that nothing else found.
    """

    looked: Sequence[Looked]
    near: Mapping[int, Sequence[int]]
    brought: frozenset[int]


def look_further(
    brain: Brain, question: Question, looked: Sequence[Looked], stemmer: Stemmer, *, sources: Sequence[int]
) -> Beside:
    """*looked* with what holds the steps that are asked for, and what stands beside the first."""
    steps = {row.record_id: row for row in find_steps(brain, question, stemmer, sources=sources)}
    if steps:
        known = {one.fused.row.record_id: one for one in looked if not one.fused.row.handle}
        best = looked[0] if looked else None
        like, found = (best.like, best.found) if best else (1.0, 1.0)
        holding = [known.get(id_) or _looked(question, row, like, stemmer) for id_, row in steps.items()]
        brought = [one._replace(like=like, found=found) for one in holding]
        looked = [*brought, *(one for one in looked if one.fused.row.record_id not in steps)]
    return find_beside(brain, question, looked, stemmer)


def find_beside(brain: Brain, question: Question, looked: Sequence[Looked], stemmer: Stemmer) -> Beside:
    """*looked* with what stands beside its first rows, where the question asks why or how much."""
    value = asked_value(question)
    if value is None or value.name not in OF_THREADS or any(one.fused.relation == "listed" for one in looked):
        return Beside(looked, {}, frozenset())
    near: dict[int, Sequence[int]] = {}
    for head in (one.fused.row for one in looked[:HEADS]):
        if head.type in ("doc", "directive") and value.name == "reason":
            near[head.record_id] = _parts(brain, question, head, value, stemmer)
        elif thread := _thread_of(brain, question, head):
            around = _around(brain, question, thread, value, stemmer)
            near[head.record_id] = [*dict.fromkeys([head.record_id, *around])][: 1 + AROUND]
    known = {one.fused.row.record_id for one in looked}
    wanted = dict.fromkeys(record for records in near.values() for record in records if record not in known)
    rows = load_firsts(brain, [*wanted], as_of=question.as_of)
    brought = [_looked(question, row, looked[0].like, stemmer) for row in rows.values()]
    return Beside([*looked[:HEADS], *brought, *looked[HEADS:]], near, frozenset(rows))


def beside_first(ordered: Sequence[Ordered], beside: Beside) -> list[Ordered]:
    """*ordered* with what stands beside the first row there, and without what was brought for another."""
    if not beside.near:
        return list(ordered)
    head = ordered[0].fused.row.record_id
    by_record = {one.fused.row.record_id: one for one in ordered}
    near = [record for record in beside.near.get(head, (head,)) if record in by_record]
    told = [by_record[record] if record == head else _told(by_record[record]) for record in near]
    rest = [one for record, one in by_record.items() if record not in near and record not in beside.brought]
    return [*told, *rest]


def _told(one: Ordered) -> Ordered:
    return one._replace(fused=one.fused._replace(relation=one.fused.relation or BESIDE), moved=BESIDE)


def _looked(question: Question, row: Row, like: float, stemmer: Stemmer) -> Looked:
    """A row that nothing else found, to be read as the likest is."""
    titled, read = stands_in(question, row.title, stemmer), stands_in(question, row.text, stemmer)
    return Looked(like, Fused(0.0, 0.0, row, None), 0.0, titled, read)


def _parts(brain: Brain, question: Question, head: Row, value: Value, stemmer: Stemmer) -> list[int]:
    """What was decided in the document of *head*, that itself, and the parts that tell why, the surest first.

    Of a document that decides nothing only what is of the part of *head*, where its headings say what is asked about.
    """
    path = head.ref.partition(":")[2].partition("#")[0]
    found = brain.db.execute(sql("parts_of_document"), {"source": head.source_id, "path": path}).fetchall()
    decided = [record for record, _, type_, _ in found if type_ == "directive"]
    telling: list[tuple[bool, bool, int, int]] = []
    for record, ref, type_, title in found:
        above, _, heading = title.rpartition(" › ")
        if not (type_ == "doc" and _tells_why(heading, value)):
            continue
        if decided or _is_of(question, head, ref, above, stemmer) or _names(question, heading, stemmer):
            is_other = _WHY_NOT.match(heading) is not None and not _WHY_NOT.match(question.text)
            telling.append((is_other, _AROUND.search(heading) is not None, len(telling), record))
    reasons = [record for *_, record in sorted(telling)[:PARTS]]
    is_told = head.record_id in reasons and question.content <= stands_in(question, head.text, stemmer)
    first = decided[:1] if reasons and head.type != "directive" and not is_told else []
    return [*dict.fromkeys([*first, head.record_id, *reasons])]


def _thread_of(brain: Brain, question: Question, head: Row) -> Row | None:
    """The issue or pull request that *head* is, or was said in."""
    if head.type in ("issue", "pull"):
        return head
    asked = json.dumps([{"source": head.source_id, "ref": head.thread}], ensure_ascii=False)
    ids = [id_ for id_, *_ in brain.db.execute(sql("threads"), {"threads": asked})] if head.thread else []
    return next(iter(load_firsts(brain, ids, as_of=question.as_of).values()), None)


def _around(brain: Brain, question: Question, thread: Row, value: Value, stemmer: Stemmer) -> list[int]:
    """The comments of *thread* that tell it, and of a change the issue that it fixes, for which it was made."""
    told = [*find_end(brain, question, thread), *telling(brain, question, thread, value, stemmer)]
    if value.name != "reason" or thread.type != "pull":
        return told
    related = find_related(brain, [(thread.source_id, thread.ref)])
    fixed = load_firsts(brain, [one.record_id for one in related if one.relation == "fixes"][:1], as_of=question.as_of)
    done = f"{thread.title}\n{thread.text}"
    for issue in fixed.values():
        told += [issue.record_id, *telling(brain, question, issue, value, stemmer, fixed_by=done)]
    return told


def _tells_why(heading: str, value: Value) -> bool:
    """Whether a heading says that the part below it tells why: no 'Rejected reasons' do."""
    found = value.titled.search(heading) if value.titled and len(split(heading)) <= HEADING else None
    return found is not None and not heads(heading[: found.start()])


def heads_reason(question: Question, heading: str, stemmer: Stemmer) -> bool:
    """Whether a heading asks why of all that the question does: 'Why UTC', 'Why not LevelDB' of why it is not used."""
    stems = {*stemmer.stem(_told_of(heading)).values()}
    is_denied = (_WHY_NOT.match(one) is not None for one in (heading, question.text))
    return bool(question.content) and question.content <= stems <= question.stems and len({*is_denied}) == 1


def files_reason(question: Question, row: Row, stemmer: Stemmer) -> bool:
    """Whether a part is headed as what tells why, in a file whose name and headings say all that is asked about."""
    value, heading = asked_value(question), row.title.rpartition(" › ")[2]
    if value is None or value.name != "reason" or not _tells_why(heading, value):
        return False
    return bool(question.content) and question.stems <= {*stemmer.sequence(f"{row.ref} {row.title}")}


def _names(question: Question, heading: str, stemmer: Stemmer) -> bool:
    """Whether a heading tells why of the very thing that is asked about: 'Why UTC'."""
    stems = {*stemmer.stem(_told_of(heading)).values()}
    return bool(stems) and stems <= question.stems and not stems.isdisjoint(question.content)


def _told_of(heading: str) -> list[str]:
    """The words by which a heading names that of which it says why."""
    named = split(_WHY.sub("", heading)) if _WHY.match(heading) else []
    return [word for word in named if word not in STOP_WORDS and word != "use"]


def _is_of(question: Question, head: Row, ref: str, above: str, stemmer: Stemmer) -> bool:
    """Whether the part *ref* hangs where *head* does, and the headings *above* it say what is asked about."""
    within = head.ref.startswith(ref.rpartition("/" if "/" in ref.partition("#")[2] else "#")[0])
    return within and not question.content.isdisjoint(stands_in(question, above, stemmer))
