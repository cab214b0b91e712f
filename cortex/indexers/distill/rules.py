"""The rule distiller: what decides, requires, defines, measures, warns or assigns becomes a fact; no model.

A text is cut into units that can be read on their own, each is judged by the cues it holds, and the best that do not
overlap are kept under what frames them: a document's headings, a remark's author, day and thread.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from cortex.indexers.connectors import ownership
from cortex.indexers.distill import Distilled, Version, confidence, documents
from cortex.indexers.distill.cues import KINDS, cues_in, holds, holds_any, is_terse, whole
from cortex.indexers.distill.remarks import remarks
from cortex.indexers.distill.tells import fails, is_taken
from cortex.indexers.distill.text import MACHINES, Text, frame, is_machine
from cortex.indexers.distill.unit import SHORT, Shape, Unit, count_words, says_enough, says_what
from cortex.indexers.worth import HALF, LEAST, Sure, Telling, settled
from cortex.language.patterns import patterns
from cortex.substrate.facts import Candidate, plain
from cortex.substrate.model import Kind

_ENGLISH: Final = patterns("distill", "rules")

RANK: Final = 24
"""Counted up whenever the rules make other facts of the same text: every brain then has them made again."""

KEEP: Final = {"docs": 0.78, "comments": 0.74}
"""How sure the rules must be of a fact; bench/results/distilling.md shows what that lets through."""

_WHERE: Final = patterns("kinds", "documents")
_REMARKS: Final = patterns("kinds", "remarks")

SPECIFIES: Final = frozenset(
    "binds,counts,replaces,rule,bound,quantity,limits,replaced,supersedes,warns,advice,owns,reason,purpose,decided so"
    ",agreement,we decided,group decided,settles,settles for,says decision".split(",")
)
"""Cues of which a sentence of a document holds one where it says more than how things are."""

CHOICES: Final[dict[Shape, Kind]] = {"choice": "decision", "end": "change"}
"""The kind of what a remark tells of a choice: one that somebody is likely to be glad of, or how a thread ended."""

_NOT_REAL: Final = ("supposes", "hedges", "opinion", "agrees")


class Rules(NamedTuple):
    """Keeps what decides, requires, defines, measures, warns or assigns, and can be read on its own."""

    version: Version = Version(RANK, f"rules {RANK}")
    batch: int = 256
    calls: int = 0
    lease_s: float = 60.0

    def distill(self, texts: Sequence[Text]) -> Iterator[Distilled]:
        """The facts of each of *texts*."""
        return (Distilled(tuple(distill(text))) for text in texts)


RULES: Final = Rules()


def distill(text: Text) -> Iterator[Candidate]:
    """The facts in *text*, in order; each excerpt is a run of whole sentences or a list item."""
    for unit, sure in best(text):
        said, kind = statement(unit, text), kind_of(unit, text)
        yield Candidate(text.record_id, kind, said, unit.start, unit.end, round(sure, 2), text.created_at)


def best(text: Text) -> list[tuple[Unit, float]]:
    """The units worth keeping, in order, each with its confidence; of two that overlap or say the same the surer."""
    judged = [(unit, confidence.confidence(unit, text)) for unit in units(text)]
    judged = judged if text.type == "doc" else [*_with_choice(judged, text)]
    kept: list[tuple[Unit, float]] = []
    said: set[str] = set()
    for unit, sure in sorted(judged, key=lambda one: (-one[1], one[0].start)):
        if sure < KEEP[confidence.path_of(text)]:
            break
        place = bisect(kept, unit.start, key=lambda one: one[0].start)
        beside = kept[max(0, place - 1) : place + 1]  # none of those kept overlap: it overlaps the next to it, or none
        if unit.text not in said and all(unit.end <= other.start or unit.start >= other.end for other, _ in beside):
            kept.insert(place, (unit, sure))
            said.add(unit.text)
    return kept


def _with_choice(judged: Sequence[tuple[Unit, float]], text: Text) -> Iterator[tuple[Unit, float]]:
    """*judged*, and what the remark tells of a choice in place of what it overlaps."""
    sure = [Sure(unit.start, unit.end, sure) for unit, sure in judged]
    likely, told = settled(text.title, text.body, sure, closes=text.closes) or (0.0, Telling("remark"))
    least = LEAST[told.sort]
    if likely >= (HALF if text.closes else least):
        said = plain(text.body[told.start : told.end])
        within = [one for one in judged if one[0].start < told.end and told.start < one[0].end]
        surest = max((likely, confidence.STATED, *(sure for _, sure in within)))
        yield Unit(told.start, told.end, said, shape="choice" if likely >= least else "end"), surest
        judged = [one for one in judged if one not in within]
    yield from judged


def units(text: Text) -> Iterator[Unit]:
    """What of *text* could be a fact; of what a program wrote only what was decided, of MAINTAINERS nobody's name."""
    found = (unit for unit in _cut(text) if _is_long_enough(unit, text))
    named = text.type == "doc" and ownership.is_of_maintainers(text.path)  # which is promoted
    return (unit for unit in found if not ownership.people(unit.text)) if named else found


def _cut(text: Text) -> Iterable[Unit]:
    if text.type == "doc":
        if _ENGLISH["legal"].match(text.title.rpartition(" › ")[2]):
            return ()
        kind = _kind_of_section(text)
        return (
            unit if place else unit._replace(first=True)
            for place, unit in enumerate(documents.units(text))
            if _is_readable(unit) and _fits(unit, kind)
        )
    if any(MACHINES[name].search(text.body) for name in ("says_so", "orders")):  # whatever it says was decided
        return ()
    found = remarks(text.body)
    return (unit for unit in found if confidence.is_decided(unit.text)) if is_machine(text.author) else found


def _fits(unit: Unit, kind: Kind) -> bool:
    """Whether *unit* says what a fact of *kind* says: of how things are what binds, bounds or ends them, or why."""
    if kind == "spec":
        return unit.shape not in ("sentence", "item") or holds_any(whole(unit).text, SPECIFIES) or is_taken(unit.text)
    return kind != "process" or not holds(unit.text.lower(), "lawyerly")


def _is_readable(unit: Unit) -> bool:
    if unit.shape not in ("sentence", "item") or unit.context or not _ENGLISH["opens"].match(unit.text):
        return True
    return bool(_ENGLISH["nobody"].match(unit.text)) and not _ENGLISH["of_a_thing"].search(unit.text)


def _is_long_enough(unit: Unit, text: Text) -> bool:
    if text.type == "doc":
        unit = whole(unit)
        return says_what(unit) if unit.shape == "term" and unit.context else says_enough(unit.text) or is_terse(unit)
    return says_enough(unit.text) or (count_words(unit.text) < 2 * SHORT and confidence.is_stated(unit))


def statement(unit: Unit, text: Text) -> str:
    """What *unit* says, readable on its own."""
    said = f"{unit.context}: {unit.text}" if unit.context else unit.text
    return f"{frame(text)}: {said}"


def kind_of(unit: Unit, text: Text) -> Kind:
    """What kind of fact *unit* is, by its cues and where it stands; a spec where nothing tells.

    What somebody supposes has not happened and was not decided, nor does a document tell of it: it says how things are.
    """
    return _kind_in_document(unit, text) if text.type == "doc" else _kind_of_remark(unit)


def _kind_in_document(unit: Unit, text: Text) -> Kind:
    kind = _kind_of_section(text)
    if kind == "spec" and is_taken(unit.text):
        return "decision"
    said = f"{text.title.rpartition(' › ')[2]}: {unit.text}".lower()
    return "ownership" if kind != "change" and holds(said, "owns") else kind


def _kind_of_section(text: Text) -> Kind:
    """What kind of fact stands below the headings of *text*, as a rule."""
    return _kind_below(text.path or text.ref.partition(":")[2].partition("#")[0], text.title, text.state)


@lru_cache(4)
def _kind_below(path: str, title: str, state: str) -> Kind:
    if _WHERE["change_path"].search(path) or _WHERE["change_title"].search(title):
        return "change"
    if _WHERE["incident_path"].search(path):
        return "incident"
    if state and _WHERE["decision_title"].search(title):
        return "decision"
    if _WHERE["extends"].search(path) or _WHERE["extends"].search(title):
        return "spec"
    return "process" if _WHERE["process_path"].search(path) or _WHERE["process_title"].search(title) else "spec"


def _kind_of_remark(unit: Unit) -> Kind:
    if unit.shape in CHOICES:
        return CHOICES[unit.shape]
    found = cues_in(unit.text)
    found -= confidence.denied_cues(unit.text.lower(), found)
    told = found.isdisjoint(_NOT_REAL)
    kind = confidence.stated_kind(unit) or next(
        (kind for name, kind in KINDS.items() if name in found and _bears_out(kind, unit.text, told)), None
    )
    if kind == "decision":  # which is weighed
        return "change"
    return kind or ("ownership" if _ENGLISH["by_name"].search(unit.text) else "spec")


def _bears_out(kind: Kind, text: str, told: bool) -> bool:  # noqa: FBT001  whether nobody only supposes it
    """Whether *text* tells what a fact of *kind* has to tell, beside the cue it holds."""
    if kind == "process":
        return _REMARKS["process"].search(text) is not None
    return kind not in ("incident", "decision") or (told and (kind == "decision" or fails(text)))
