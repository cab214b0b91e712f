"""The change that a title or a sentence states: what was done to what, from which value to which, and how surely.

One grammar over a table of verbs: an imperative or finite verb with its object, a passive, a noun with 'of', a state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from cortex.language.modality import Modality, modalities
from cortex.language.patterns import patterns
from cortex.language.verbs import FORMS, TABLE, VERB, Form, Op

_ENGLISH: Final = patterns("changes", "changes")

LONGEST: Final = 600  # characters of a text that are read
MOST_VERBS: Final = 40  # of them
MOST_WORDS: Final = 8  # words of the subject of a passive; what has more is a clause of something else


class Certainty(StrEnum):
    """How surely it was done."""

    DONE = "done"
    PLANNED = "planned"
    CONDITIONAL = "conditional"
    ASKED = "asked"
    HEDGED = "hedged"
    DENIED = "denied"


_CERTAINTIES: Final = {
    Modality.ASKED: Certainty.ASKED,
    Modality.CONDITIONAL: Certainty.CONDITIONAL,
    Modality.NEGATED: Certainty.DENIED,
    Modality.PROPOSED: Certainty.PLANNED,
    Modality.RULE: Certainty.PLANNED,
    Modality.HEDGED: Certainty.HEDGED,
    Modality.REPORTED: Certainty.HEDGED,
}
"""What a modality makes of a change, the first that holds."""


class StatedChange(NamedTuple):
    """One change that a text states.

    Attributes:
        subject: what it was done to, as written, without its article; `start` and `end` are its characters.
        old: what was there before, where it is told: a value, a name, another thing.
        new: what is there now, where it is told.
        scope: the part of the project or the environment it is limited to, '' where none is named.
        partial: only a part of the subject.
        by: the reference that did it, where that is not the text itself: '#4 was reverted by #5'.
    """

    op: Op
    verb: str
    subject: str
    start: int
    end: int
    old: str = ""
    new: str = ""
    scope: str = ""
    certainty: Certainty = Certainty.DONE
    partial: bool = False
    by: str = ""


_QUOTES: Final = ('""', "“”", "''", "‘’", "``", "«»")

_JOINING: Final = 60
"""Characters before a verb in which 'and' and adverbs may join it to another."""

_STATIVE: Final = frozenset(TABLE["stative"]["verbs"].split())
_MOVING: Final = frozenset(TABLE["moving"]["verbs"].split())

_ARGUMENTS: Final = {
    Op.REPLACES: ("with",),
    Op.RENAMES: ("from_to", "renamed"),
    Op.AMENDS: ("from_to", "to"),
    Op.ADDS: ("instead",),
    Op.REMOVES: ("favour",),
    Op.DEPRECATES: ("favour",),
}
_BEHIND: Final = {  # a passive: 'was raised from 3 to 5', 'was superseded by #13'
    **dict.fromkeys((Op.REPLACES, Op.RENAMES, Op.AMENDS, Op.SUPERSEDES), ("from_to", "by")),
    **dict.fromkeys((Op.ADDS, Op.REMOVES, Op.DEPRECATES), ("favoured",)),
}


class _Said(NamedTuple):
    """A verb found in a text, and how it is meant."""

    form: Form
    start: int
    end: int
    certainty: Certainty
    subject: tuple[int, int] | None = None
    by: str = ""


def parse(text: str) -> tuple[StatedChange, ...]:
    """The changes that a title or a sentence states, in order; of 'Revert "Revert "X""' each layer, the outer first.

    >>> [(c.op.value, c.subject, c.new) for c in parse("net: raise the retry limit from 3 to 5")]
    [('amends', 'retry limit', '5')]
    >>> [(c.op.value, c.subject) for c in parse('Revert "Revert "Oil the gears"" (#12)')]
    [('reverts', 'Revert "Oil the gears"'), ('relands', 'Oil the gears')]
    """
    return tuple(_changes(text[:LONGEST]))


def _changes(text: str) -> Iterator[StatedChange]:
    scope, rest = title_scope(text)
    end = 0
    for said in _verbs(text, len(text) - len(rest)):
        for one in _read(text, said, scope, end):
            end = one.end
            yield one._replace(by=said.by)


def title_scope(title: str) -> tuple[str, str]:
    """The part of the project that *title* names before its colon, and the rest of it.

    >>> title_scope("feat(net)!: add a cache"), title_scope("Add a cache")
    (('net', 'add a cache'), ('', 'Add a cache'))
    """
    scope, at = "", 0
    while (mark := _ENGLISH["mark"].match(title, at)) and (mark["area"] is None or not VERB.match(mark["area"])):
        scope, at = scope or mark["tag"] or mark["of"] or mark["area"] or "", mark.end()
    return scope, title[at:]


def bare_title(title: str) -> str:
    """*title* without the references and punctuation it ends with.

    >>> bare_title("Add a cache (#12)")
    'Add a cache'
    """
    return _ENGLISH["tail"].sub("", title)


def _verbs(text: str, at: int) -> Iterator[_Said]:
    start, last = at, None
    for found in (one for one in _forms(text) if one.start() >= at):
        if border := re.search(r"[.!?]\s+|\n\s*|;\s+", text[start : found.start()]):
            start, last = start + border.end(), None
        form = FORMS[" ".join(found[0].lower().split())]
        if said := _said(text, start, found, form, last):
            last = said
            yield said
            if _quoted(text, found.end()):
                return


@lru_cache(4)
def _forms(text: str) -> tuple[re.Match[str], ...]:
    return tuple(islice(VERB.finditer(text), MOST_VERBS))


def _said(text: str, start: int, found: re.Match[str], form: Form, last: _Said | None) -> _Said | None:
    lead, stop = text[start : found.start()], re.compile(r"[.!?](?=\s|$)|\n").search(text, found.end())
    end = stop.end() if stop else len(text)
    sure = _certainty(text[start:end], found.start() - start)
    said, ends = _Said(form, *found.span(), sure), form.tense == "past" and _ENGLISH["ends"].match(text, found.end())
    if form.tense == "past" and (passive := _ENGLISH["passive"].fullmatch(lead)):
        return _passive(text, start, passive, said)
    if _ENGLISH["starts"].fullmatch(lead) or (form.tense == "noun" and _ENGLISH["is_a"].fullmatch(lead)):
        helps = form.tense == "gerund" and _ENGLISH["finite"].search(text, found.end(), end)  # 'dropping it would help'
        return None if helps else said._replace(subject=(found.start(),) * 2 if ends else None)
    between = text[last.end : found.start()] if last else ""
    if last and form.tense in (last.form.tense, "base", "gerund") and _ENGLISH["joined"].search(between):
        return said._replace(certainty=last.certainty)
    if ends and form.verb != "set" and not _ENGLISH["active"].search(lead):
        told = last or _ENGLISH["told"].search(lead) or len(lead.split()) > MOST_WORDS or sure is not Certainty.DONE
        return None if told else said._replace(subject=(start, found.start()))
    habit = form.tense == "base" and " " not in found[0] and sure is Certainty.DONE and _ENGLISH["habit"].search(lead)
    by = _ENGLISH["one"].search(lead)
    active = form.tense != "noun" and not habit and _ENGLISH["active"].search(lead)  # 'we use Redis'
    return said._replace(by=by[1] if by else "") if active else None


def _passive(text: str, start: int, passive: re.Match[str], said: _Said) -> _Said | None:
    """A passive of one thing; what is so, and did not become so, is none."""
    start, end = start + passive.start("subject"), start + passive.end("subject")
    for name in ("clause_of", "inverted"):
        if led := _ENGLISH[name].match(text, start, end):
            start = led.end()
    is_one = 0 < len(text[start:end].split()) <= MOST_WORDS
    done = said.form.verb not in _STATIVE or _ENGLISH["became"].search(passive[0])
    by = _ENGLISH["by_one"].match(text, said.end)
    return said._replace(subject=(start, end), by=by[1] if by else "") if is_one and done else None


def _certainty(sentence: str, at: int) -> Certainty:
    if _ENGLISH["decided"].search(sentence, 0, at):
        return Certainty.DENIED if re.search(r"\bnot\s+to\s+$", sentence[:at]) else Certainty.DONE
    said = modalities(sentence, at)
    if Modality.ASSERTED in said and "only" in sentence[:at]:
        said -= {Modality.RULE}
    return next((certainty for modality, certainty in _CERTAINTIES.items() if modality in said), Certainty.DONE)


def _quoted(text: str, at: int) -> tuple[int, int] | None:
    start = at + len(text[at:]) - len(text[at:].lstrip(" :"))
    rest = _ENGLISH["numbered"].sub("", text[start:]).rstrip()
    return (start + 1, start + len(rest) - 1) if len(rest) > 2 and rest[0] + rest[-1] in _QUOTES else None


def _read(text: str, said: _Said, scope: str, taken: int) -> Iterator[StatedChange]:
    """The change that a verb states with its object; then what it does to a change that its object is."""
    partial = bool(_ENGLISH["partial"].search(text, max(0, said.start - 12), min(len(text), said.end + 60)))
    op, verb = said.form.op, said.form.verb.replace("_", " ")
    behind = _trimmed(text, said.end, _object_end(text, said.end))
    change = StatedChange(op, verb, "", 0, 0, scope=scope, certainty=said.certainty, partial=partial)
    if op in (Op.REVERTS, Op.RELANDS) and (inner := _quoted(text, said.end)):
        yield _of(change, text, *inner)
        yield from _layers(text, *inner, op, said.certainty)
    elif said.subject:
        start, end = _trimmed(text, *said.subject)
        found = next(filter(None, (_ENGLISH[name].fullmatch(text, *behind) for name in _BEHIND.get(op, ()))), None)
        old, new = (found.groupdict().get("old") or "", found["new"]) if found else ("", "")
        if start < end or new:
            old = old or (text[start:end] if op in (Op.REPLACES, Op.RENAMES) and new else "")
            yield _of(change, text, start, end)._replace(old=old, new=new)
    else:
        start, end = behind
        if start < end and start >= taken and not (verb == "merge" and _ENGLISH["merged"].match(text, start)):
            change = _with_arguments(text, _of(change, text, start, end))
            if change.new or verb not in _MOVING:
                yield change


def _of(change: StatedChange, text: str, start: int, end: int) -> StatedChange:
    return change._replace(subject=text[start:end], start=start, end=end)


def _layers(text: str, start: int, end: int, op: Op, certainty: Certainty) -> Iterator[StatedChange]:
    title = text[start:end]
    first = next(_changes(title), None)
    if first and first.op in (Op.REVERTS, Op.RELANDS) and title.lower().startswith(first.verb[:3]):
        op = Op.RELANDS if first.op is op else Op.REVERTS
        layer = first._replace(op=op, start=start + first.start, end=start + first.end, certainty=certainty)
        yield layer
        yield from _layers(text, layer.start, layer.end, op, certainty)


def _object_end(text: str, at: int) -> int:
    led = _ENGLISH["led"].match(text, at)
    stops = _ENGLISH["stops"].finditer(text, led.end() if led else at)
    end = next((one.start() for one in stops if not _inside_quotes(text, at, one.start())), len(text))
    verbs = (found.start() for found in _forms(text) if at <= found.start() and found.end() <= end)
    joined = (_ENGLISH["joined"].search(text, max(at, verb - _JOINING), verb) for verb in verbs)
    return next((one.start() for one in joined if one), end)


def _inside_quotes(text: str, start: int, at: int) -> bool:
    return any(text.count(mark, start, at) % 2 and mark in text[at:] for mark in '"`')


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    if led := _ENGLISH["led"].match(text, start, end):
        start = led.end()
    if tail := _ENGLISH["tail"].search(text, start, end):
        end = tail.start()
    return start, start + len(text[start:end].rstrip(" \t\n.,;:!?"))


def _with_arguments(text: str, change: StatedChange) -> StatedChange:
    op, place = change.op, (change.start, change.end)
    for name in ("from_to", "to") if change.verb in _MOVING else _ARGUMENTS.get(op, ()):
        if found := _ENGLISH[name].fullmatch(text, *place):
            return _argued(text, change, name, found)
    limited = _ENGLISH["scope"].fullmatch(text, *place) if op in (Op.ADDS, Op.REMOVES) and not change.scope else None
    if limited and not _ENGLISH["not_scope"].search(limited["what"]):
        return change._replace(subject=limited["what"], end=limited.end("what"), scope=limited["scope"])
    return change


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 2 and value[0] + value[-1] in _QUOTES else value


def _argued(text: str, change: StatedChange, name: str, found: re.Match[str]) -> StatedChange:
    """*change* with its old and new value; of two things the subject is what was there."""
    groups = found.groupdict()
    old, new = (_unquoted(groups.get(value) or "") for value in ("old", "new"))
    scope = change.scope
    if not scope and (limited := _ENGLISH["scope"].fullmatch(new)):
        new, scope = limited["what"], limited["scope"]
    start, end = found.span("subject" if groups.get("subject") else "old" if groups.get("old") else "new")
    change = _of(change, text, start, end)._replace(old=old, new=new, scope=scope)
    replaced = name == "instead" or (name == "favour" and change.op is Op.REMOVES)
    return change._replace(op=Op.REPLACES if replaced else change.op, subject=change.subject.strip())
