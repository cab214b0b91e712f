"""The change that a title or a sentence states: what was done to what, from which value to which, and how surely.

One grammar over a table of verbs: an imperative or finite verb with its object, a passive, a noun with 'of', a state.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from importlib.resources import files
from typing import Final, NamedTuple

from cortex.language.modality import Modality, modalities

LONGEST: Final = 600
"""Characters of a text that are read."""


class Op(StrEnum):
    """What is done."""

    ADDS = "adds"
    REMOVES = "removes"
    REPLACES = "replaces"
    REVERTS = "reverts"
    RELANDS = "relands"
    AMENDS = "amends"
    SUPERSEDES = "supersedes"
    RELEASES = "releases"
    RENAMES = "renames"
    DEPRECATES = "deprecates"


class Certainty(StrEnum):
    """How surely it was done."""

    DONE = "done"
    PLANNED = "planned"
    CONDITIONAL = "conditional"
    ASKED = "asked"
    HEDGED = "hedged"
    DENIED = "denied"


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


_TABLE: Final = tomllib.loads((files("cortex.language") / "changes.toml").read_text("utf-8"))
_DOUBLING: Final = frozenset(_TABLE["doubling"]["verbs"].split())


def forms(verb: str) -> dict[str, str]:
    """The forms of *verb*, each with its tense: 'base', 'third', 'past' or 'gerund'.

    >>> forms("drop")
    {'drop': 'base', 'drops': 'third', 'dropped': 'past', 'dropping': 'gerund'}
    >>> [*forms("retry")], [*forms("take_back")][2:]
    (['retry', 'retries', 'retried', 'retrying'], ['took back', 'taken back', 'taking back'])
    """
    word, _, particle = verb.partition("_")
    stem = word + word[-1] if word in _DOUBLING else word.removesuffix("e")
    to_y = re.search(r"[^aeiou]y$", word)
    third = f"{word[:-1]}ies" if to_y else word + ("es" if re.search(r"(?:[sxzo]|[cs]h)$", word) else "s")
    pasts = _TABLE["irregular"].get(word, f"{word[:-1]}ied" if to_y else f"{stem}ed").split()
    tenses = {word: "base", third: "third", **dict.fromkeys(pasts, "past"), f"{stem}ing": "gerund"}
    behind = f" {particle.replace('_', ' ')}" if particle else ""
    return {f"{form}{behind}": tense for form, tense in tenses.items()}


class _Form(NamedTuple):
    op: Op
    verb: str
    tense: str


def _forms() -> Iterator[tuple[str, _Form]]:
    for op, verbs in _TABLE["verbs"].items():
        for verb in verbs.split():
            yield from ((form, _Form(Op(op), verb, tense)) for form, tense in forms(verb).items())
    for op, nouns in _TABLE["nouns"].items():
        yield from ((f"{noun} of", _Form(Op(op), noun, "noun")) for noun in nouns.split())
    for op, states in _TABLE["states"].items():
        yield from ((state.replace("_", " "), _Form(Op(op), state, "past")) for state in states.split())


_FORMS: Final = dict(_forms())
_VERB: Final = re.compile(
    r"(?<![\w`./-])(?:%s)(?![\w`/]|-\w)" % "|".join(
        re.escape(form).replace(r"\ ", r"\s+") for form in sorted(_FORMS, key=len, reverse=True)
    ),
    re.I,
)  # fmt: skip

_ADVERBS: Final = (
    r"(?:(?:also|now|just|simply|then|thus|hereby|finally|temporarily|already|since|later|again|all|only|\w+ly)\s+)*"
)
_MARK: Final = re.compile(
    r"\W*(?:\[(?P<tag>[^\]]{1,40})\]:?\s*|(?-i:[A-Z][A-Z\d]+)-\d+:?\s+|(?:feat(?:ure)?|fix|chore|docs?|refactor|perf|style|build|test|ci)"
    r"(?:\((?P<of>[^)]{0,40})\))?!?:\s*|(?P<area>[\w./#+-]{1,40}(?:[ ,&]+[\w./#+-]{1,40}){0,2}(?:\([^)]{0,40}\))?)!?:\s+)",
    re.I,
)
"""What stands before a title: '[net]', 'NET-12:', 'feat(net)!:', 'server:'."""

_BY_WHOM: Final = (
    r"(?:we|i|they|it|which|that|#\d+|v?\d+(?:\.\d+)+|(?:this|the|our|that)\s+(?:\w+\s+)?"
    r"(?:pr|mr|pull(?:\s+request)?|commit|change|patch|branch|release|version|rfc|adr|decision)(?:\s+#?\d+)?|(?:pr|commit)\s+#?\w+|this)"
)
_AUXILIARY: Final = (
    r"(?:['’](?:ve|ll|re|m|s|d)|have|has|had|will|shall|should|could|would|might|may|must|can|do|does|did|am|is|are|was|were|been|not"
    r"|n['’]t|cannot|\w+n['’]t|never|going\s+to|(?:\w+\s+)?to|let['’]?s|please)"
)
_ACTIVE: Final = re.compile(
    rf"(?:(?<!\w){_BY_WHOM}(?:(?:\s+|(?=['’])){_AUXILIARY})*|\b(?:let['’]?s|please|{_AUXILIARY}))\s+{_ADVERBS}$", re.I
)
_HABIT: Final = re.compile(rf"\b(?:we|i|they)\s+{_ADVERBS}$", re.I)
_BY_ONE: Final = re.compile(r"\s+(?:again\s+)?(?:by|in|with|via)\s+(?:pr\s+|pull\s+request\s+)?(#[1-9]\d*)", re.I)
_ONE: Final = re.compile(r"(#[1-9]\d*)\s+(?:(?:also|now|then)\s+)?$")
_MERGED: Final = re.compile(r"pull request #|(?:remote-tracking )?branch |(?:tag|commit) ['0-9]", re.I)
_PASSIVE: Final = re.compile(
    r"(?P<subject>\S.*?)(?:\s+(?:has|have|had|will|should|could|would|may|might|must|can|cannot|not))*(?:\s+|['’]s\s+)"
    rf"(?:is|are|was|were|been|be|being|got|gets?|get)(?:\s+not|n['’]t)?\s+{_ADVERBS}$",
    re.I | re.S,
)
_JOINED: Final = re.compile(rf"(?:(?:^|\s|,)(?:and|&|then|by)\s|,\s)\s*{_ADVERBS}$", re.I)
_STARTS: Final = re.compile(
    rf"\W*(?:(?:in|with)\s+this\s+\w+,?\s+|(?:please|so|here|(?:first|second)(?:ly)?|partial(?:ly)?|partly)[,:]?\s+)*{_ADVERBS}",
    re.I,
)
_DECIDED: Final = re.compile(r"\b(?:decided|agreed|chose|voted|resolved|had|managed|opted)\s+(?:not\s+)?to\s+$", re.I)
_STOPS: Final = re.compile(
    r"[;:]\s|[.!?](?=\s|$)|,\s+(?!\d)|\n\s*\n|\s+[–—-]+\s|\s+(?:because|since|so\s+that|so\s+we|which|that\s+(?:is|was|are)|until|unless|if|when|while"
    r"|whereas|but|as\s+(?:it|we|they|that|this)|due\s+to|(?:(?:that|which)\s+(?:was|were)\s+)?(?:added|introduced|brought)\s+(?:in|by|with)|again|thanks\s+to|for\s+now|after\s+all|now)\b",
    re.I,
)
_ENDS: Final = re.compile(
    r"\s*(?:$|[.,;:!?)(–—-]|(?:by|in|with|via|from|for|because|since|due|as|and|again|now|to|until)\b)", re.I
)
_TAIL: Final = re.compile(
    r"(?:\s*[(\[](?:[a-z]+\s+)?(?:#|gh-)\d+[^)\]]*[)\]]|\s+(?:fixes|closes|refs?|see)\s+#\d+|[\s.,:!\"'”’`*_]*(?<=[\s.,:!]))+$",
    re.I,
)
_LED: Final = re.compile(r"[\s:]*(?:\([\w/, -]*\)!?:\s*)?(?:(?:the|an?|all|our)\s+)*", re.I)
_PARTIAL: Final = re.compile(
    r"\b(?:partial(?:ly)?|partly|in\s+part|parts?\s+of|some\s+of|half\s+of|temporar\w+|for\s+now|except|apart\s+from|minus)\b",
    re.I,
)
_NUMBERED: Final = re.compile(r"(?:\s*[(\[](?:[a-z]+\s+)?(?:#|gh-)\d+[)\]])+\s*$", re.I)
_QUOTES: Final = ('""', "“”", "''", "‘’", "``", "«»")

_ARROW: Final = r"\s*(?:->|=>|→)\s*"
_WITH: Final = re.compile(rf"(?P<old>.+?)(?:\s+(?:with|by|for|to)\s+|{_ARROW})(?P<new>.+)", re.S | re.I)
_FROM_TO: Final = re.compile(
    rf"(?:(?P<subject>.+?)\s+)?(?:away\s+)?from\s+(?P<old>.+?)(?:\s+(?:up\s+|down\s+|over\s+)?(?:to|into)\s+|{_ARROW})(?P<new>.+)",
    re.S | re.I,
)
_TO: Final = re.compile(
    r"(?:(?P<subject>.+?)\s+)?(?:up\s+|down\s+|over\s+)?(?:to|at|=)\s+(?P<new>.+?)(?:\s+from\s+(?P<old>.+))?",
    re.S | re.I,
)
_RENAMED: Final = re.compile(rf"(?P<old>.+?)(?:\s+(?:to|into|as)\s+|{_ARROW})(?P<new>.+)", re.S | re.I)
_INSTEAD: Final = re.compile(
    r"(?P<new>.+?)\s+(?:instead\s+of|in\s+place\s+of|rather\s+than|in\s+lieu\s+of)\s+(?P<old>.+)", re.S | re.I
)
_FAVOUR: Final = re.compile(r"(?P<old>.+?)\s+in\s+favou?r\s+of\s+(?P<new>.+)", re.S | re.I)
_BY: Final = re.compile(r"(?:by|with|to|into|as)\s+(?P<new>.+)", re.S | re.I)
_FAVOURED: Final = re.compile(r"in\s+favou?r\s+of\s+(?P<new>.+)", re.S | re.I)
_MOVING: Final = frozenset(_TABLE["moving"]["verbs"].split())

_ARGUMENTS: Final = {
    Op.REPLACES: (_WITH,),
    Op.RENAMES: (_FROM_TO, _RENAMED),
    Op.AMENDS: (_FROM_TO, _TO),
    Op.ADDS: (_INSTEAD,),
    Op.REMOVES: (_FAVOUR,),
    Op.DEPRECATES: (_FAVOUR,),
}
_SCOPE: Final = re.compile(
    r"(?P<what>.+?)\s+(?:only\s+)?(?:in|on|from|within|under|for)\s+(?:the\s+)?(?P<scope>[^()]{2,60})", re.S | re.I
)
_NOT_SCOPE: Final = re.compile(
    r"(?:support|option|flag|test|need|dependency|way|setting|method|function|requirement|fallback)s?$", re.I
)


class _Said(NamedTuple):
    """A verb found in a text, and how it is meant."""

    form: _Form
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
    text = text[:LONGEST]
    scope, at = _marks(text)
    found: list[StatedChange] = []
    for said in _verbs(text, at):
        found += (one._replace(by=said.by) for one in _read(text, said, scope, found[-1].end if found else 0))
    return tuple(found)


def states(text: str, *ops: Op) -> StatedChange | None:
    """The first change of *text* that is done and one of *ops*."""
    return next((one for one in parse(text) if one.op in ops and one.certainty is Certainty.DONE), None)


def title_scope(title: str) -> tuple[str, str]:
    """The part of the project that *title* names before its colon, and the rest of it.

    >>> title_scope("feat(net)!: add a cache"), title_scope("Add a cache")
    (('net', 'add a cache'), ('', 'Add a cache'))
    """
    scope, at = _marks(title)
    return scope, title[at:]


def bare_title(title: str) -> str:
    """*title* without the references and punctuation it ends with.

    >>> bare_title("Add a cache (#12)")
    'Add a cache'
    """
    return _TAIL.sub("", title)


def _marks(text: str) -> tuple[str, int]:
    """What a title says before its colon, and where the title begins."""
    scope, at = "", 0
    while (mark := _MARK.match(text, at)) and (mark["area"] is None or not _VERB.match(mark["area"])):
        scope, at = scope or mark["tag"] or mark["of"] or mark["area"] or "", mark.end()
    return scope, at


def _verbs(text: str, at: int) -> Iterator[_Said]:
    """Each verb of change with who says so, none that stands for a noun or in the object of a quoted title."""
    start, last = at, None
    for found in _VERB.finditer(text, at):
        for border in re.finditer(r"[.!?]\s+|\n\s*|;\s+", text[start : found.start()]):
            start, last = start + border.end(), None
            break
        form = _FORMS[" ".join(found[0].lower().split())]
        if said := _said(text, start, found, form, last):
            last = said
            yield said
            if _quoted(text, found.end()):
                return


def _said(text: str, start: int, found: re.Match[str], form: _Form, last: _Said | None) -> _Said | None:
    lead, place = text[start : found.start()], found.span()
    by = _BY_ONE.match(text, found.end()) if form.tense == "past" else _ONE.search(lead)
    sentence = text[start : _sentence_end(text, found.end())]
    sure = _certainty(sentence, found.start() - start)
    if form.tense == "past" and (passive := _PASSIVE.fullmatch(lead)):
        return _Said(
            form, *place, sure, (start + passive.start("subject"), start + passive.end("subject")), by[1] if by else ""
        )
    if _STARTS.fullmatch(lead):
        ends = form.tense == "past" and _ENDS.match(text, found.end())
        return _Said(form, *place, sure, (found.start(),) * 2 if ends else None)
    if last and _JOINED.search(text[last.end : found.start()]) and form.tense in (last.form.tense, "base", "gerund"):
        return _Said(form, *place, last.certainty)
    if form.tense == "past" and form.verb != "set" and _ENDS.match(text, found.end()) and not _ACTIVE.search(lead):
        told = re.search(r"\b(?:is|are|was|were|be|to)\b|,|\b(?:and|that|which)\b", lead)
        return None if told or last else _Said(form, *place, sure, (start, found.start()))
    habit = (
        form.tense == "base" and " " not in found[0] and sure is Certainty.DONE and _HABIT.search(lead)
    )  # 'we use Redis'
    return (
        _Said(form, *place, sure, by=by[1] if by else "")
        if form.tense != "noun" and not habit and _ACTIVE.search(lead)
        else None
    )


def _certainty(sentence: str, at: int) -> Certainty:
    if _DECIDED.search(sentence, 0, at):
        return Certainty.DENIED if re.search(r"\bnot\s+to\s+$", sentence[:at]) else Certainty.DONE
    said = modalities(sentence, at)
    for modality, certainty in (
        (Modality.ASKED, Certainty.ASKED),
        (Modality.CONDITIONAL, Certainty.CONDITIONAL),
        (Modality.NEGATED, Certainty.DENIED),
        (Modality.PROPOSED, Certainty.PLANNED),
        (Modality.RULE, Certainty.PLANNED),
        (Modality.HEDGED, Certainty.HEDGED),
        (Modality.REPORTED, Certainty.HEDGED),
    ):
        if modality in said and not (
            modality is Modality.RULE and Modality.ASSERTED in said and "only" in sentence[:at]
        ):
            return certainty
    return Certainty.DONE


def _sentence_end(text: str, at: int) -> int:
    found = re.compile(r"[.!?](?=\s|$)|\n").search(text, at)
    return found.end() if found else len(text)


def _quoted(text: str, at: int) -> tuple[int, int] | None:
    """The characters of a quoted title that begins after *at*."""
    start = at + len(text[at:]) - len(text[at:].lstrip(" :"))
    rest = _NUMBERED.sub("", text[start:]).rstrip()
    return (start + 1, start + len(rest) - 1) if len(rest) > 2 and rest[0] + rest[-1] in _QUOTES else None


def _read(text: str, said: _Said, scope: str, taken: int) -> Iterator[StatedChange]:
    """The change that a verb states with its object; then what it does to a change that its object is."""
    partial = bool(_PARTIAL.search(text, max(0, said.start - 12), min(len(text), said.end + 60)))
    op, verb = said.form.op, said.form.verb.replace("_", " ")
    inner = _quoted(text, said.end) if op in (Op.REVERTS, Op.RELANDS) else None
    if inner:
        start, end = inner
        yield StatedChange(op, verb, text[start:end], start, end, "", "", scope, said.certainty, partial)
        yield from _layers(text, start, end, op, said.certainty)
        return
    if said.subject:
        start, end = _trimmed(text, *said.subject)
        old, new = _behind(text, said, op)
        if start < end or new:
            old = old or (text[start:end] if op in (Op.REPLACES, Op.RENAMES) and new else "")
            yield StatedChange(op, verb, text[start:end], start, end, old, new, scope, said.certainty, partial)
        return
    start, end = _trimmed(text, said.end, _object_end(text, said.end))
    if start < end and start >= taken and not (verb == "merge" and _MERGED.match(text, start)):
        yield _with_arguments(text, said, start, end, scope)._replace(partial=partial)


def _behind(text: str, said: _Said, op: Op) -> tuple[str, str]:
    """The old and the new value behind a passive: 'was raised from 3 to 5', 'was superseded by #13'."""
    if op not in _ARGUMENTS and op is not Op.SUPERSEDES:
        return "", ""
    start, end = _trimmed(text, said.end, _object_end(text, said.end))
    for pattern in (_FROM_TO, _BY) if op in (Op.REPLACES, Op.RENAMES, Op.AMENDS, Op.SUPERSEDES) else (_FAVOURED,):
        if found := pattern.fullmatch(text, start, end):
            return found.groupdict().get("old") or "", found["new"]
    return "", ""


def _layers(text: str, start: int, end: int, op: Op, certainty: Certainty) -> Iterator[StatedChange]:
    """What a revert of the title from *start* to *end* does, where that is a revert itself."""
    title = text[start:end]
    first = next(iter(parse(title)), None)
    if first and first.op in (Op.REVERTS, Op.RELANDS) and title.lower().startswith(first.verb[:3]):
        back = (first.op is Op.REVERTS) != (op is Op.REVERTS)
        op = Op.REVERTS if back else Op.RELANDS
        inner = start + first.start, start + first.end
        yield first._replace(op=op, start=inner[0], end=inner[1], certainty=certainty)
        yield from _layers(text, *inner, op, certainty)


def _object_end(text: str, at: int) -> int:
    led = _LED.match(text, at)
    stop = _STOPS.search(text, led.end() if led else at)
    end = stop.start() if stop else len(text)
    joined = next((f for f in _VERB.finditer(text, at, end) if _JOINED.search(text, at, f.start())), None)
    return text.rfind(" ", at, joined.start() - 1) if joined else end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The characters without articles, references and punctuation around them."""
    led = _LED.match(text, start, end)
    start = led.end() if led else start
    if tail := _TAIL.search(text, start, end):
        end = tail.start()
    while start < end and text[end - 1] in " \t\n.,;:!?":
        end -= 1
    return start, end


def _with_arguments(text: str, said: _Said, start: int, end: int, scope: str) -> StatedChange:
    op, verb = said.form.op, said.form.verb.replace("_", " ")
    change = StatedChange(op, verb, text[start:end], start, end, scope=scope, certainty=said.certainty)
    for pattern in (_FROM_TO, _TO) if verb in _MOVING else _ARGUMENTS.get(op, ()):
        if found := pattern.fullmatch(text, start, end):
            return _argued(text, change, found)
    if op in (Op.ADDS, Op.REMOVES) and not scope and (found := _SCOPE.fullmatch(text, start, end)):
        if not _NOT_SCOPE.search(found["what"]):
            return change._replace(subject=found["what"], end=found.end("what"), scope=found["scope"])
    return change


def _argued(text: str, change: StatedChange, found: re.Match[str]) -> StatedChange:
    """*change* with its old and new value; of two things the subject is what was there."""
    groups = found.groupdict()
    old, new = ((groups.get(name) or "").strip(" `'\"") for name in ("old", "new"))
    op = Op.REPLACES if found.re is _INSTEAD or (found.re is _FAVOUR and change.op is Op.REMOVES) else change.op
    scope = change.scope
    if not scope and (limited := _SCOPE.fullmatch(new)):
        new, scope = limited["what"], limited["scope"]
    place = found.span("subject" if groups.get("subject") else "old" if groups.get("old") else "new")
    return change._replace(
        op=op, subject=text[slice(*place)].strip(), start=place[0], end=place[1], old=old, new=new, scope=scope
    )
