"""Whether a comment says that an amount changed, takes that back, or speaks of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from cortex.composer.amounts import LONGEST, Amount, by_kind, given, without
from cortex.composer.answer_types import asks
from cortex.composer.claims import NEGATIONS, tokens
from cortex.composer.times import MONTHS
from cortex.language.stems import split
from cortex.language.words import STOP_WORDS

FEWEST: Final = 3
"""Words of a comment that is of something else than of what was said before it."""

_CHANGED: Final = (
    "lowered|raised|changed|reduced|increased|decreased|shortened|extended|doubled|halved|bumped|dropped|moved|switched"
    "|cut|set|back"
)
_UPDATES: Final = re.compile(
    r"^\W*(?:(?:update|correction|erratum|edit)d?\b[^.\n:]{0,30}?[:,—–-]"
    r"|(?=(?:(?:(?:it|(?:\w+\s+){1,5}?\w+)\s+(?:is|was|has\s+been)|(?:we|i)(?:['’]ve|\s+have)?)\s+)?(?:now\s+|since\s+|finally\s+)?"
    rf"(?:{_CHANGED})\b)|(?=(?:\w+\s+){{1,5}}?(?:is|are)\s+now\b))",
    re.I,
)
_SENTENCE: Final = re.compile(r"(?:[^.;!?\n]|[.](?=\d))*")
_SINCE: Final = re.compile(
    r"^\W*(?:after|since|following|because of|due to|given|as)\b[^,]{1,40}?(?:,|(?=\s(?:we|it|i)\b))", re.I
)
_SAYS_NOTHING: Final = frozenset(
    """we i it this that the a an of is are was were has have had been be ve re s now since finally again back at to
    from on so just also then went go settled added fixed lowered raised changed reduced increased decreased shortened
    extended doubled halved bumped dropped moved switched cut set keep there new current
    default value limit agreed decided decision today use using""".split()
)
"""Words beside which a new number is of nothing else than what its thread is about."""

_GOES_ON: Final = re.compile(
    rf"\s*(?:$|[,)(—–:-]|(?:now|again|since|as|because|due|after|per|instead|today|yesterday|everywhere|with|then)\b"
    r"|(?:in|on|from|this|last)\s+(?:early\s+|late\s+)?"
    rf"(?:{'|'.join(MONTHS)}|spring|summer|autumn|winter|\w+day\b|(?:19|20)\d\d)"
    r"|this\s+(?:week|month|year)|for\s+(?:now|all|everyone|everybody|good)\b)",
    re.I,
)
"""What may stand after it: 'on plates' and 'in the old one' tell of which it is."""

_APART: Final = re.compile(
    r"\b(?:my|mine|own|only|test(?:ing)?|trial|experiment\w*|locally|temporar\w+|demo|staging|except|unless)\b"
    r"|,\s*(?:on|for|in|at|when|if|during|while)\b(?!\s+(?:\w+day|\d))",
    re.I,
)
"""What makes it somebody's own, or but of some."""

_TAKES_BACK: Final = re.compile(
    r"\b(?:revert(?:ed|ing)?|undid|undone|(?:roll|back)(?:ed|ing) (?:it |that |this )?(?:back|out)"
    r"|(?:took|put|changed|set) (?:it|that|this) back|never ?mind|scratch that|no longer|not any ?more|as before"
    r"|as it was|(?:that|this|it|i) was (?:wrong|(?:a|my) mistake)|restored|did(?:n['’]t| not) (?:work|help|last))\b",
    re.I,
)
_THANKS: Final = re.compile(
    r"^\W*(?:(?:many )?thanks?(?: you)?(?: (?:a lot|so much|very much)\b)?"
    r"(?:[ ,]+(?:that|this|it) (?:helps|works)[^.!?\n]{0,40})?"
    r"|great|nice|cool|perfect|lgtm|agreed|ok|okay|yes|merged)\b|[\s👍🎉❤🚀+:\d\ufe0f]+$",
    re.I,
)
_AGAIN: Final = re.compile(
    r"\b(?:ignore|disregard|comments?|chang(?:e|es|ed|ing)|not yet|nothing|no|not|wrong|mistake|back|again|instead"
    r"|still|actually|really|but|however|open a (?:pr|pull)|that|this|it|too|enough|only|sorry|until|hold|revert\w*"
    r"|undo|done)\b|n['’]t\b|\?",
    re.I,
)
"""What is said of what was said before."""


def new_words(text: str, known: str) -> set[str]:
    """The words of *text* that say something of a thing, and that *known* has not."""
    of_known = {word.rstrip("s") for word in split(known)}
    words = {word for word in split(text) if not (word.isdigit() or word in STOP_WORDS or word in MONTHS)}
    return {word for word in words - _SAYS_NOTHING if word.rstrip("s") not in of_known}


def told_anew(text: str, about: str) -> Amount | None:
    """To how much, or what, *text* says that what it is *about* changed; None for another thing's."""
    begun = _UPDATES.match(text)
    said = _SENTENCE.match(text, begun.end()) if begun else None
    sentence = said[0] if said else ""
    found = given(sentence)
    if not found or _APART.search(sentence) or not _GOES_ON.match(sentence, found[-1].end):
        return None
    two = len(found) > 1 and (len(found) > 2 or not re.search(r"\bfrom\b", sentence, re.I))
    known = {word.rstrip("s") for word in (*split(about), *_SAYS_NOTHING)}
    words = split(_SINCE.sub("", without(sentence[: found[-1].end], found)))
    return found[-1] if not two and all(word.rstrip("s") in known for word in words) else None


def amounts_before(kind: str, before: Iterable[str]) -> AbstractSet[str]:
    """The values of *kind* in the first of *before* that has any; of a bare number those of any kind."""
    for text in before:
        found = by_kind(text)
        values = found.get(kind, set()) if kind else set[str]().union(*found.values())
        if values:
            return values
    return frozenset()


def takes_back(text: str, kind: str, then: AbstractSet[str]) -> bool:
    """Whether *text* says that what was told anew is as it was *then*."""
    return not asks(text) and (undoes(text) or not then.isdisjoint(by_kind(text).get(kind, ())))


def undoes(text: str) -> bool:
    """Whether *text* says that something was undone, or is not so."""
    return _TAKES_BACK.search(text[:LONGEST]) is not None


def speaks_of_it(text: str, told: str) -> bool:
    """Whether what somebody says later is of what was *told* anew: thanks and other matters are not."""
    text = _THANKS.sub("", text[:LONGEST]).strip(" \n.,!")
    if not text:
        return False
    if len(split(text)) < FEWEST or _AGAIN.search(text) or not NEGATIONS.isdisjoint(tokens(text)):
        return True
    return not by_kind(told).keys().isdisjoint(by_kind(text))
