"""What the title of a pull request says becomes of a thing: it brings it, takes it out, brings it back, or more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain
from typing import Final, Literal, NamedTuple

from cortex.composer.retrieve.aside import ASIDE
from cortex.language.stems import Stemmer

Said = Literal["brings", "brings with more", "brings anew", "takes", "is of", "names", ""]
"""'brings anew' is another try, of what came to nothing before; 'is of' is a verb whose whole object the thing is."""

KINDS: Final = ("module", "support", "implementation")
"""Words for what a thing is, which its title may leave out, but not change."""

LONGEST: Final = 300
"""Characters of a title that are read."""

_WORD: Final = re.compile(r"[^\W_]+(?:\+\+|#(?!\w))?")
"""A word with the signs that belong to a name: 'C++', 'C#'."""

_ENDING: Final = re.compile(r"(?:ie|y)s?$|(?<!s)e?s$|e$")
_APART: Final = 2
"""Signs at most between two words of one name: 'TLS 1.3', 'HTTP/2', 'dead-letter'."""

_T: Final = "\N{START OF HEADING}"
"""Stands for the thing in a title."""

_QUOTES: Final = r"""["'`“”‘’*]*"""
_LEAD: Final = r"(?:(?:the|an?|new|optional|experimental)\s+)*"
BRINGS: Final = (
    r"(?:add(?:s|ed|ing)?|implement(?:s|ed|ing)?|introduc(?:es?|ed)|creat(?:es?|ed)|land(?:s|ed)?|merged?|enabl(?:es?|ed)"
    r"|allow(?:s|ed)?|bring(?:s)?|provid(?:es?|ed)|ship(?:s|ped)?|supports?)"
)
AGAIN: Final = (
    r"(?:re-?(?:add|enabl|introduc|implement|creat|appl|land|merg|activat|instat|do|try|ship)\w*|restor\w+|reviv\w+"
    r"|resurrect\w*|un-?revert\w*|bring(?:s|ing)?\s+back)"
)
_BACK: Final = r"(?:revert(?:s|ed|ing)?(?:\s+of)?|back(?:s|ed)?\s+out|roll(?:s|ed)?\s+back|undo(?:es)?)"
TAKES: Final = (
    r"(?:remov(?:es?|ed|ing|al of)|drop(?:s|ped)?|delet(?:es?|ed)|rip(?:s|ped)?\s+out|tak(?:es?|en)\s+out"
    rf"|disabl(?:es?|ed)|gets?\s+rid\s+of|retir(?:es?|ed)|un(?:ship|merge|install|do)s?|kill(?:s|ed)?"
    rf"|eliminat(?:es?|ed)|nukes?|{_BACK})"
)
GONE: Final = (
    r"(?:removed|dropped|deleted|reverted|retired|disabled|killed|gone|removal|(?:taken|backed|ripped)\s+out"
    r"|(?:turned|switched)\s+off)"
)
_SWAPS: Final = r"(?:replac(?:es?|ed)|swap(?:s|ped)?(?:\s+out)?|(?:mov|migrat|switch)\w*(?:\s+away)?\s+from)"
_BY: Final = r"\s+(?:with|by|for|to)\s"

_MARK: Final = r"(?:\[[^\]]{1,40}\]\s*|feat(?:ure)?(?:\([^)]{0,40}\))?!?:\s*|(?-i:[A-Z][A-Z\d]+)-\d+:\s*)"
"""What stands before a title and says nothing of it: '[net]', 'feat(net):', 'NET-12:'."""

_AREA: Final = rf"(?:(?!{TAKES}\b)\w[\w./-]*(?:\([^)]{{0,40}}\))?(?:[ ,&]+\w[\w./-]*){{0,2}}!?:\s+)"
"""What a title begins with that says where its change is: 'server:', 'fix(net):'."""

_BEGINS: Final = rf"^[^\w\[{_T}]*{_MARK}*"
_IN_AREA: Final = rf"{_BEGINS}{_AREA}?{_MARK}*"
_REFERENCE: Final = r"\s*[(\[](?:[a-z]+\s)?(?:#|gh-)?\d+[)\]]"
"""'(#12)', '(fixes #12)'; '(in 1.x)' says where it was brought to."""

_ENDS: Final = rf"[\"”’'`]?(?:{_REFERENCE})?\s*[.!]?\s*$"
_GOES_ON: Final = (
    rf"(?:{_REFERENCE})?(?:,?\s+"
    r"(?:(?:with|using|via|as|implementing|based on|(?:that|which) (?:implements?|provides?))\s.+"
    rf"|(?:at|of|every) \d[\d.]*\W?\w*(?:{_REFERENCE})?\W*$)|\s*(?:[+&,]|\sand\b)\s+\w.*)$"
)
_ANEW: Final = (
    r"(?:\W+(?:again|back|anew|once more|rebased?|v\d+|(?:take|try|attempt|round)\s(?:\d+|two|three)"
    rf"|(?:second|third|another|new|\d+\w\w)\s(?:try|attempt|take|round))\b)+\W*?(?:{_REFERENCE})?\W*$"
)
_NO_MORE: Final = (
    rf"(?!.*\b(?:default|only|part(?:ial)?ly)\b)(?:{_ENDS}"
    rf"|(?:{_REFERENCE})?(?:\s*(?:[:;,–—(]|\s-)\s*(?:it|they|we|this|that)\b"
    r"|,?\s+(?:and (?:its|their|all)|due|because|since|as\s(?!an?\b|the\b|default\b)|in favou?r|again"
    r"|entirely|completely|altogether|for now|for good|which"
    r"|from (?:the )?(?:tree|code|codebase|core|repo\w*|build|project))\b))"
)
"""What follows the thing where all of it is taken out: 'remove the cache values' does not."""

_NARROWER: Final = re.compile(
    r"\b(?:draft|wip|poc|proof|prototype|spike|groundwork|prep\w*|part\w*|step|phase|stage|milestone|stubs?|skeleton"
    r"|scaffold\w*|placeholder|mock\w*|dummy|fake|(?<!-)only|not|no|never|without|disabled|un\w+|tests?|bench\w*|ci|docs?"
    r"|readme|changelog|examples?|icons?|types|schema\w*|todo|try|attempt|revert\w*|remov\w*"
    r"|drop\w*|fixups?|follow\S?ups?|back-?port\w*|v\d\S*|\d+\s*(?:/|of)\s*\d+)(?!\w)|[(\[][^)\]]*\d\.[\dx][^)\]]*[)\]]",
    re.I,
)
"""What says of a change that it brings less than the thing, something of it, or it to an older branch."""

_MORE: Final = re.compile(r"\b(?:(?:with|plus)\s+(?:\w+\s+)?|and\s+)(?:tests?|docs?|bench\w*|examples?)\b", re.I)
"""Words of that kind that tell what it brings beside the thing."""

_BESIDE: Final = re.compile(r"^(?:[\w ]*\btests?|docs?|bench\w*|readme\w*|changelog|style)\b[^:]{0,20}:", re.I)
"""A change of what is written about a thing, or tries it; what is taken out of a build is gone."""

_BRINGING: Final = re.compile(rf"\b{BRINGS}\b", re.I)
_TAKING: Final = re.compile(rf"\b(?:{TAKES}|{GONE}|removal|deprecat\w+|without|replac\w+)\b|\bun\w+", re.I)

_CLAUSES: Final = re.compile(r"[,;]\s")

_MERGED: Final = re.compile(
    rf"{_T}{_QUOTES}\s+(?:[\w#-]+\s+){{0,3}}?(?:is|was|are|were|been|got|gets?|ha[sd]|have)(?:n['’]t)?\s+"
    rf"(?:(?!to\b|be\b)\w+\s+){{0,2}}(?:merged|landed)\b|(?<!\bbe\s)\b(?:merged|landed)\s+{_LEAD}{_QUOTES}{_T}",
    re.I,
)
_SUPPOSED: Final = re.compile(r"\b(?:once|when|if|until|after|before|unless|whether)\b[^.\n]{0,80}\Z", re.I)


class _Patterns(NamedTuple):
    begins: re.Pattern[str]
    brings: re.Pattern[str]
    more: re.Pattern[str]
    anew: re.Pattern[str]
    again: re.Pattern[str]
    takes: re.Pattern[str]
    is_of: re.Pattern[str]


@cache
def _patterns(kind: str) -> _Patterns:
    """What finds each, of a thing that is called a *kind*; '' of any."""
    kinds = kind or f"(?:{'|'.join(KINDS)})"
    named = rf"{_LEAD}(?:{kinds}\s+(?:(?:of|for)\s+)?{_LEAD})?{_QUOTES}{_T}{_QUOTES}(?:\s+{kinds}\b)?"
    brought = rf"(?:{BRINGS}\s+)?{named}"
    begun = rf"{_BEGINS}(?:{_AREA}{_MARK}*(?={BRINGS}\b|{kinds}\b|.*{_T}\s+{kinds}\b))?{brought}"
    taken = (
        rf"(?:[\w-]+(?:\s+and|\s*[,/&])\s+)?{TAKES}\W+{_LEAD}{brought}{_NO_MORE}|{_SWAPS}\s+{named}{_BY}"
        rf"|{named}:?\s+(?:(?:is|are|was|were|gets?|got|ha[sv]e? been)\s+)?(?:{GONE}{_NO_MORE}|{TAKES}\W*$)"
    )
    patterns = (
        rf"{_IN_AREA}{BRINGS}\s+{named}(?!\w)",
        rf"{begun}{_ENDS}",
        rf"{begun}{_GOES_ON}",
        rf"{_BEGINS}(?:{_AREA}{_MARK}*)?{brought}{_ANEW}",
        rf"{_IN_AREA}{AGAIN}:?\W+{_LEAD}{brought}{_NO_MORE}",
        rf"{_IN_AREA}(?:{taken})",
        rf"{_IN_AREA}[\w-]+\s+(?:\w+\s+)?{named}{_ENDS}",
    )
    return _Patterns(*(re.compile(one, re.I) for one in patterns))


_NAMES: Final = re.compile(_T)
_LAYER: Final = re.compile(rf"{_IN_AREA}{_BACK}:?\s+{_LEAD}(?P<what>.+)$", re.I)


def words_of(name: str) -> list[str]:
    """The words of *name* as they are written, with the signs that belong to them."""
    return _WORD.findall(name)


def marked(text: str, words: Sequence[str]) -> str:
    """*text* with `_T` for each place that has *words*, together, apart, or of many."""
    joined = _bare("".join(words))
    wanted = [_bare(word) for word in words]
    found, out, end = [*_WORD.finditer(text)], "", 0
    at = 0
    while at < len(found):
        until = _named_until(found, at, words, wanted, joined)
        if until:
            out, end = f"{out}{text[end : found[at].start()]}{_T}", found[until - 1].end()
        at = until or at + 1
    return out + text[end:]


def _named_until(
    found: Sequence[re.Match[str]], at: int, words: Sequence[str], wanted: Sequence[str], joined: str
) -> int:
    """After which of the words *found* from *at* on the name ends; 0 where it does not begin there."""
    these: list[str] = []
    for place in range(at, min(len(found), at + len(words) + 1)):
        if these and found[place].start() - found[place - 1].end() > _APART:
            return 0
        these.append(found[place][0])
        same = len(these) == len(words) and all(map(_is_same, these, words, wanted))
        if same or _bare("".join(these)) == joined:
            return place + 1
    return 0


def _is_same(word: str, other: str, bare: str) -> bool:
    return word.lower() == other.lower() or _bare(word) == bare


def _bare(word: str) -> str:
    """*word* as one and many of it are alike; a name in capitals as it is: 'https' are not many 'HTTP'.

    >>> [_bare(word) for word in ("policies", "Policy", "caches", "cache", "HTTPS", "VMs")]
    ['polic', 'polic', 'cach', 'cach', 'HTTPS', 'VM']
    """
    if len(word) > 1 and word.isupper():
        return word
    if word.endswith("s") and word[:-1].isupper():
        return word[:-1]
    return _ENDING.sub("", word.lower()) or word


def said_of(title: str, words: Sequence[str], kind: str) -> Said:
    """What *title* says becomes of what is called *words*, and is a *kind*; '' where it says nothing of all of it."""
    text = marked(title[:LONGEST], words)
    return _said(text, _patterns(kind)) if _T in text else ""


def layers(title: str) -> tuple[int, str]:
    """How often *title* says that it takes back what follows, and of what: 'Revert "Revert "Pack by weight""' twice.

    >>> layers('Revert "Revert "Pack by weight""'), layers("Pack by weight")
    ((2, 'Pack by weight'), (0, 'Pack by weight'))
    """
    times, what = 0, title[:LONGEST]
    while layer := _LAYER.match(what):
        times, what = times + 1, layer["what"].strip("\"'“”‘’`")
    return times, what


def tells_bringing(title: str) -> bool:
    """Whether a word of bringing stands anywhere in *title*."""
    return _BRINGING.search(title) is not None


def tells_taking(title: str) -> bool:
    """Whether a word of taking out stands anywhere in *title*."""
    return _TAKING.search(title) is not None


def may_bring(title: str, stems: AbstractSet[str], stemmer: Stemmer) -> bool:
    """Whether *title* has *stems*, but for what it says to take out, and does not say that it brings but a part."""
    if _BESIDE.match(title):
        return False
    words = (_WORD.findall(clause) for clause in _CLAUSES.split(title[:LONGEST]))
    beside = [(some, " ".join(word for word in some if not stemmer.among(stems, word))) for some in words]
    kept = [(some, left) for some, left in beside if not tells_taking(left)]
    said, left = " ".join(chain.from_iterable(some for some, _ in kept)), " ".join(left for _, left in kept)
    return stems <= stemmer.among(stems, said) and not _NARROWER.search(_MORE.sub("", left))


def begins_bringing(title: str, words: Sequence[str], kind: str) -> bool:
    """Whether *title* begins with that it brings what is called *words*, and is a *kind*, be it to some place."""
    return _patterns(kind).begins.search(marked(title[:LONGEST], words)) is not None


def tells_merge(text: str, words: Sequence[str]) -> bool:
    """Whether *text* says of what is called *words* that it was merged, or is not; 'once it is merged' does not."""
    text = marked(text, words)
    return any(not _SUPPOSED.search(text, 0, found.start()) for found in _MERGED.finditer(text))


def _said(text: str, patterns: _Patterns) -> Said:
    layer = _LAYER.match(text)
    inner = _said(layer["what"].strip("\"'“”‘’`"), patterns) if layer else ""
    if inner in ("brings", "brings with more", "brings anew", "takes"):
        return "brings" if inner == "takes" else "takes"
    return next((said for said, pattern in _readings(text, patterns) if pattern.search(text)), "")


def _readings(text: str, patterns: _Patterns) -> Iterator[tuple[Said, re.Pattern[str]]]:
    """What a title like *text* may say, and what finds that it does, the surest first."""
    if _BESIDE.match(text):
        return
    yield "takes", patterns.takes
    if ASIDE.match(text):
        return
    yield from (("brings", patterns.again), ("brings anew", patterns.anew))
    if not _NARROWER.search(_MORE.sub("", text.replace(_T, ""))):
        yield from (("brings", patterns.brings), ("brings with more", patterns.more))
        yield from (("is of", patterns.is_of), ("names", _NAMES))
