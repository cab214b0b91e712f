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
    for target, relation in _found(_own_words(text), {name.casefold() for name in own}):
        if found.get(target, "mentions") == "mentions":
            found[target] = relation
    kept_first = sorted(found, key=lambda to: found[to] == "mentions") if len(found) > REFERENCES else found
    return (Link(relation=found[to], to_ref=to.to_ref, to_source=to.to_source) for to in kept_first)


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
    for match in _ENGLISH["target"].finditer(text):
        kind = match.lastgroup
        if kind is None or (kind == "inside" and not _SHA.fullmatch(match["inside"].strip())):
            # an address of something else, or code that is no commit: most are
            end = match.end()
            continue
        before = text[max(end, match.start() - _REACH) : match.start()]
        listed = last == end and _ENGLISH["next"].fullmatch(before) is not None
        weighed += is_near_verb(text, match)
        unsaid = weighed > _WEIGHED or _asked(before, text, match.end())
        said = "mentions" if unsaid else _relation(text, match, before)
        target = _target(match, own, named=said != "mentions" or _AFTER_COMMIT.search(before) is not None)
        end = match.end()
        if target is None:
            continue
        relation = relation if listed and said == "mentions" else said
        last = end
        yield target, relation


def _asked(before: str, text: str, end: int) -> bool:
    asked = _ASKED.match(text, end, end + _REACH)
    return asked is not None and not (_ENGLISH["reason"].search(asked[0]) and not _ENGLISH["inverted"].search(before))


def _relation(text: str, target: re.Match[str], before: str) -> Relation:
    if '"' in before and (quoted := _ENGLISH["taken_back"].search(before)):
        layers = quoted["layers"].lower()
        back = sum(layers.count(word) for word in ("revert", "back", "undo"))
        return "reverts" if back % 2 else "reapplies"
    found = _ENGLISH["before"].search(before)
    if found is None:
        return said_of(text, target)
    paragraph = max((border.end() for border in _PARAGRAPH.finditer(before, 0, found.start())), default=0)
    relation = cast("Relation", next(name for name, said in found.groupdict().items() if said))
    doubts = ("doubted", "not_yet") if relation == "superseded_by" else ("doubted",)
    return "mentions" if any(_ENGLISH[name].search(before, paragraph, found.start()) for name in doubts) else relation


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
_HEADING = re.compile(r"^[^\S\n]*(?:#{1,6}\s[^\n]*|\*\*[^\n]+\*\*:?|[^\n]{1,120}:)[^\S\n]*$", re.M)


def said_of(text: str, target: re.Match[str]) -> Relation:
    """What *text* says it does to what it refers to at *target*; 'mentions' where it does nothing, or not yet."""
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
    yield from (one for one in parse(sentence) if one.start <= at < one.end)
    clause = max((one.end() for one in _SAID["joined"].finditer(sentence, 0, at)), default=0)
    if clause and is_asserted(sentence[:at]):
        for one in parse(sentence[clause:]):
            if one.start + clause <= at < one.end + clause:
                yield one._replace(start=one.start + clause, end=one.end + clause)


def _stated_relation(text: str, sentence: str, at: int, end: int, one: StatedChange) -> Relation | None:
    named = _SAID["named"].fullmatch(sentence, one.start, at)
    done = one.certainty is Certainty.DONE or _SAID["will"].match(sentence)
    relation = "supersedes" if one.verb == "replace" else _RELATIONS.get(one.op)
    if not relation or not named or not done or one.by or _SAID["open"].match(sentence):
        return None
    if named["revert"]:
        return "reapplies" if one.op is Op.REVERTS else None
    if _SAID["partly"].search(sentence, 0, at) or any(_SAID[name].match(text, end) for name in ("in_part", "stays")):
        return "reverts_part" if relation == "reverts" else None
    stands = "by_this" if _SAID["passive"].match(text, end) else "whole" if named["changes"] else "stands"
    return relation if _SAID[stands].match(text, end) else None
