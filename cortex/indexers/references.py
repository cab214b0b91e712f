"""What a text refers to: issues, pull requests, comments and commits, and what it says that it does to them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, cast

from cortex.language.changes import Certainty, StatedChange, parse
from cortex.language.modality import is_asserted
from cortex.language.patterns import patterns
from cortex.language.verbs import FORMS, Op
from cortex.substrate.model import Link, Relation
from cortex.substrate.records import REFERENCES

_ENGLISH: Final = patterns("references", "references")

_NUMBER = re.compile(
    r"[1-9](?:(?<=#.)|(?<=[gG][hH]-.)|(?<=/issues/.)|(?<=/pull/.)|(?<=/pulls/.)|(?<=/merge_requests/.)|(?<=[:}]`.))"
)
_HASH = re.compile(r"[0-9a-f][0-9a-f]{6}")


# Quoted lines, fenced code and HTML comments are others' words, code, and a template's.
_FENCED = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}\1|\Z)[^\n]*", re.M | re.S)
_QUOTED = re.compile(r"^ {0,3}>[^\n]*", re.M)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_LEFT_OUT: Final = "\0"  # stands where something was left out, so that what is around it does not read as one sentence
_ASKED = re.compile(r"[^.!?;:(\n]*\?")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
_AFTER_COMMIT = re.compile(r"\bcommits?:?\s+$", re.I)
_SHA = re.compile(r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}")
_FULL: Final = 40
_WEIGHED: Final = 2 * REFERENCES  # beside a verb; what follows so many is only mentioned
_COMMITS: Final = ("commit", "sha", "bare", "inside")
"""The groups of what names a commit."""

_CLOSING = re.compile(r"[)\]\"”]*")
_TITLE: Final = 300  # characters of a title
_REACH: Final = 160  # how many characters before a reference can say what it is to it


class _Target(NamedTuple):
    to_ref: str
    to_source: str = ""


def references(text: str, *, own: Collection[str] = ()) -> Iterator[Link]:
    """What *text* refers to, in the order it does, each once, by the strongest thing it says of it.

    Of more than are kept of a record, those that say more than a mention come first.

    Numbers are given as `#12`: whether that is an issue or a pull request, only what is stored can tell. Commits are
    given by up to 12 digits, `commit:0a1b2c3d4e5f`, and as few as 7 where the text has no more. In a list ("fixes #1,
    #2 and #3") every member has the relation of the first.

    Args:
        own: what the text's own repository is called, 'owner/name': a reference that names it has no `to_source`.

    >>> [(link.relation, link.to_ref, link.to_source) for link in references("Fixes #12, see ada/engine#3")]
    [('fixes', '#12', ''), ('mentions', '#3', 'ada/engine')]
    """
    if not (_NUMBER.search(text) or _HASH.search(text)):
        return iter(())
    found: dict[_Target, Relation] = {}
    part = _reverts_part(text)
    for target, relation in _found(_own_words(text), {name.casefold() for name in own}):
        if found.get(target, "mentions") == "mentions":
            found[target] = "reverts_part" if part and relation == "reverts" else relation
    kept_first = sorted(found, key=lambda to: found[to] == "mentions") if len(found) > REFERENCES else found
    return (Link(relation=found[to], to_ref=to.to_ref, to_source=to.to_source) for to in kept_first)


def _reverts_part(text: str) -> bool:
    """Whether the first line takes a part back: 'This reverts commit …' below it then means that part."""
    line = text[:_TITLE].partition("\n")[0]
    if _FIRST.isdisjoint(_WORD.findall(line.lower())):
        return False
    return any(one.op is Op.REVERTS and is_of_part(line, one) for one in parse(line)[:1])


def is_of_part(text: str, change: StatedChange) -> bool:
    """Whether *text* limits *change* to a part of its object; the words of a title that it quotes do not."""
    rest = _CLOSING.match(text, change.end)
    before = _SAID["partly"].search(text, 0, change.start)
    return bool(before or (rest and _SAID["in_part"].match(text, rest.end())))


def _own_words(text: str) -> str:
    if "```" in text or "~~~" in text:
        text = _FENCED.sub(_LEFT_OUT, text)
    if ">" in text:
        text = _QUOTED.sub(_LEFT_OUT, text)
    if "<!--" in text:
        text = _COMMENT.sub(_LEFT_OUT, text)
    return _ENGLISH["linked"].sub(r"\1", text) if "](" in text else text


def _found(text: str, own: Collection[str]) -> Iterator[tuple[_Target, Relation]]:
    end, last, weighed = 0, -1, 0
    relation: Relation = "mentions"
    said: Relation
    target: _Target | None = None
    for match in _ENGLISH["target"].finditer(text):
        kind = match.lastgroup
        if kind is None or (kind == "inside" and not _SHA.fullmatch(match["inside"].strip())):
            # an address of something else, or code that is no commit: most are
            end = match.end()
            continue
        if target:
            yield from _taken_up(text, target, end, match.start())
        before = text[max(end, match.start() - _REACH) : match.start()]
        listed = last == end and _ENGLISH["next"].fullmatch(before) is not None
        weighed += is_near_verb(text, match)
        unsaid = weighed > _WEIGHED or _asked(before, text, match.end())
        said = "mentions" if unsaid else _relation(text, match, before)
        does = said if said != "mentions" or not listed else relation
        target = _target(match, own, named=does != "mentions" or _AFTER_COMMIT.search(before) is not None)
        end = match.end()
        if target is None:
            continue
        relation = does
        last = end
        yield target, relation
    if target:
        yield from _taken_up(text, target, end, len(text))


def _taken_up(text: str, target: _Target, start: int, stop: int) -> Iterator[tuple[_Target, Relation]]:
    """What *text* does to *target*, which it names before *start*, as 'that commit'."""
    for one in _ENGLISH["that_one"].finditer(text, start, min(stop, start + _SECTION)):
        if (one["commit"] is not None) == target.to_ref.startswith("commit:"):
            yield target, said_of(text, one)


def _asked(before: str, text: str, end: int) -> bool:
    asked = _ASKED.match(text, end, end + _REACH)
    return asked is not None and not (_ENGLISH["reason"].search(asked[0]) and not _ENGLISH["inverted"].search(before))


def _relation(text: str, target: re.Match[str], before: str) -> Relation:
    if titled := _titled(text, target):
        return titled
    found = _ENGLISH["before"].search(before)
    if found is None:
        return said_of(text, target)
    paragraph = max((border.end() for border in _PARAGRAPH.finditer(before, 0, found.start())), default=0)
    relation = cast("Relation", next(name for name, said in found.groupdict().items() if said))
    doubts = ("doubted", "not_yet") if relation == "superseded_by" else ("doubted",)
    return "mentions" if any(_ENGLISH[name].search(before, paragraph, found.start()) for name in doubts) else relation


def _titled(text: str, target: re.Match[str]) -> Relation | None:
    """What is done to *target* by what takes back the title that names it; None where none does.

    Of 'Revert "Revert "X (#12)" (#34)" (#56)', #12 is brought back, #34 taken back, and #56 neither.
    """
    before = text[max(0, target.start() - _TITLE) : target.start()]
    within, behind = _ENGLISH["in_title"].search(before), _ENGLISH["behind_title"].search(before)
    if not within and not behind:
        return None
    line = before[before.rfind("\n", 0, behind.start() if behind else len(before)) + 1 :]
    layers, closed, first = [], [], len(line)
    for mark in _ENGLISH["quotes"].finditer(line):
        first = min(first, mark.start())
        if mark.lastgroup:
            layers.append(mark.lastgroup)
        elif layers:
            closed.append(layers.pop())
    if not layers and behind and (not behind["bracket"] or target.lastgroup in _COMMITS):
        layers = closed
    elif not within:
        return None
    if {*layers} <= {"other"}:
        return None
    relation: Relation = "reverts" if layers.count("back") % 2 else "reapplies"
    rest = _CLOSING.match(text, target.end())
    part = _SAID["partly"].search(line, 0, first) or (rest and _SAID["in_part"].match(text, rest.end()))
    return ("reverts_part" if relation == "reverts" else "mentions") if part else relation


def _target(match: re.Match[str], own: Collection[str], *, named: bool) -> _Target | None:
    """What a match points at; None for a code span, an address of something else, a number that is no commit."""
    at = match["at"] or match["of"] or ""
    source = "" if at.casefold() in own else at
    if number := match["thread"] or match["there"] or match["here"] or match["gh"] or match["role"]:
        comment = match["comment"]
        return _Target(f"comment:{number}#{comment}" if comment else f"#{number}", source)
    if sha := match["commit"] or match["sha"]:
        return _Target(f"commit:{sha[:12]}", source)
    sha = (match["inside"] or "").strip() if match["code"] else match["bare"] or ""
    if (match["code"] or named or len(sha) == _FULL) and _SHA.fullmatch(sha):
        return _Target(f"commit:{sha[:12]}")
    return None


_SAID: Final = patterns("references", "said_of")

_RELATIONS: Final[dict[Op, Relation]] = {Op.REVERTS: "reverts", Op.RELANDS: "reapplies", Op.SUPERSEDES: "supersedes"}
_FORMS: Final = [form for form, (op, verb, _) in FORMS.items() if op in _RELATIONS or verb == "replace"]
_VERB: Final = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, sorted(_FORMS, reverse=True)))})\b".replace("\\ ", r"\s+"), re.I
)
_WORD: Final = re.compile(r"\w+")
_FIRST: Final = frozenset(found[0] for found in map(_WORD.match, _FORMS) if found)
_AROUND: Final = 240  # characters on either side of a reference that belong to its sentence
_BEHIND: Final = 60  # characters behind it in which a passive has its verb
_SECTION: Final = 2_000
"""Characters before a sentence among which its heading, or the line that leads it in, is looked for."""

_BORDER = re.compile(r"[.!?;]\s|\n[^\S\n]*\n|\n(?=[^\S\n]*(?:[-*+•]|\d+[.)])[^\S\n])|\n(?=[^\S\n]*(?:#|[A-Z]))|\A")
_MARKS = re.compile(r"\s*(?:(?:[-*+•#]+|\d+[.)]|\[[ xX]\])\s+)*[*_(\[]*")
_END = re.compile(r"[.!?](?=\s|$)|\n[^\S\n]*\n|\Z")
_ITEM = re.compile(r"[^\S\n]*(?:[-*+•][^\S\n]+)?(?:commit[^\S\n]+)?")
_LEAD = re.compile(
    r"^(?P<line>[^\n]*):[^\S\n]*\n(?:[^\S\n]*\n)?(?:[^\S\n]*(?:[-*+•][^\S\n]+)?(?:commit[^\S\n]+)?[0-9a-f#][^\n]*\n)*\Z",
    re.M,
)
_HEADING = re.compile(r"^[^\S\n]*(?:#{1,6}\s[^\n]*|\*\*[^\n]+\*\*:?|[^\n]{1,120}:)[^\S\n]*$", re.M)


def said_of(text: str, target: re.Match[str]) -> Relation:
    """What *text* says it does to what it refers to at *target*; 'mentions' where it does nothing, or not yet."""
    if led := _led(text, target):
        return led
    if not is_near_verb(text, target):
        return "mentions"
    floor = max(0, target.start() - _AROUND)
    border = max((one.end() for one in _BORDER.finditer(text, floor, target.start())), default=floor)
    marks = _MARKS.match(text, border, target.start())
    start, end = marks.end() if marks else border, _END.search(text, target.end(), target.end() + _AROUND)
    sentence, at = text[start : end.end() if end else target.end() + _AROUND], target.start() - start
    known = (_stated_relation(text, sentence, at, target.end(), one) for one in _stated(sentence, at))
    relation = next((one for one in known if one), None)
    if not relation or _SAID["elsewhere"].search(text, border, target.start()):
        return "mentions"
    headings = _HEADING.findall(text, max(0, border - _SECTION), border)
    return "mentions" if headings and _SAID["of_plans"].search(headings[-1]) else relation


def _led(text: str, target: re.Match[str]) -> Relation | None:
    """What the line that leads a list in says it does to its items: 'This reverts the following commits:'."""
    start = text.rfind("\n", 0, target.start()) + 1
    if not _ITEM.fullmatch(text, start, target.start()):
        return None
    lead = _LEAD.search(text, max(0, start - _SECTION), start)
    if not lead or _FIRST.isdisjoint(_WORD.findall(lead["line"].lower())):
        return None
    whole = (one for one in parse(lead["line"]) if _SAID["named"].fullmatch(lead["line"], one.start))
    return next((does for one in whole if (does := _does(lead["line"], one))), None)


def is_near_verb(text: str, target: re.Match[str]) -> bool:
    """Whether a verb that could do something to *target* stands near it: if not, nothing need be parsed."""
    verbs = _verbs(text)
    nearest = bisect_left(verbs, target.start() - _AROUND)
    return nearest < len(verbs) and verbs[nearest] <= target.end() + _BEHIND


@lru_cache(1)  # asked for every reference of a text
def _verbs(text: str) -> list[int]:
    if _FIRST.isdisjoint(_WORD.findall(text.lower())):  # as most: twenty times as fast as looking for the verbs
        return []
    return [found.start() for found in _VERB.finditer(text)]


def _stated(sentence: str, at: int) -> Iterator[StatedChange]:
    """The changes that *sentence* states of what stands at *at*, or its last clause: 'fixes it by reverting #12'."""
    yield from (one for one in parse(sentence) if one.start <= at)
    clause = max((one.end() for one in _SAID["joined"].finditer(sentence, 0, at)), default=0)
    if clause and is_asserted(sentence[:at]):
        for one in parse(sentence[clause:]):
            if one.start + clause <= at:
                yield one._replace(start=one.start + clause, end=one.end + clause)


def _stated_relation(text: str, sentence: str, at: int, end: int, one: StatedChange) -> Relation | None:
    named = _SAID["named"].fullmatch(sentence, one.start, at)
    relation = _does(sentence, one) if named else None
    if not named or not relation:
        return None
    if named["revert"]:
        return "reapplies" if one.op is Op.REVERTS else None
    if _SAID["partly"].search(sentence, 0, at) or any(_SAID[name].match(text, end) for name in ("in_part", "stays")):
        return "reverts_part" if relation == "reverts" else None
    stands = "by_this" if _SAID["passive"].match(text, end) else "whole" if named["changes"] else "stands"
    return relation if _SAID[stands].match(text, end) else None


def _does(sentence: str, one: StatedChange) -> Relation | None:
    """What a change that *sentence* states does to its object; None where it is not done, or done by another."""
    done = one.certainty is Certainty.DONE or _SAID["will"].match(sentence)
    if not done or one.by or _SAID["open"].match(sentence):
        return None
    return "supersedes" if one.verb == "replace" else _RELATIONS.get(one.op)
