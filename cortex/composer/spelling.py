"""British and American spelling: a question is read as the brain spells its words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.search import query_terms
from cortex.substrate.statements import sql

_AS: Final = (
    (r"(?<=\w{3})%s(?=(?:e[drs]?|ing|ers|able|ations?)$)", "is", "iz"),
    (r"(?<=\wl)%s(?=(?:e[drs]?|ing|ers|able)$)", "ys", "yz"),
    (r"(?<=\w{2})%s(?=(?:s|ed|ing|ful|less|able|ites?|al|ally|ers?|hoods?)?$)", "our", "or"),
    (r"(?<=en|ti)%s(?=(?:e[sd]?|ing)$)", "c", "s"),
    (r"(?<=\w{3})%s(?=s?$)", "ogue", "og"),
    (r"(?<=\w{3})%s(?=(?:ed|ing)$)", "ogu", "og"),
    (r"(?<=^gr)%s(?=y)", "e", "a"),
    (r"(?<=^art)%s(?=fact)", "e", "i"),
)
"""Where a word has the one or the other."""

_RULES: Final = tuple(
    (re.compile(where % one), other)
    for where, british, american in _AS
    for one, other in ((british, american), (american, british))
) + tuple(
    (re.compile(rf"^((?:epi)?cent|fib|(?:kilo|centi|milli|micro|nano)?(?:met|lit)|theat|calib|spect|somb){one}"), other)
    for one, other in (
        (r"re(?=s?$)", r"\1er"),
        (r"er(?=s?$)", r"\1re"),
        (r"r(?=(?:ed|ing)$)", r"\1er"),
        (r"er(?=(?:ed|ing)$)", r"\1r"),
    )
)
"""'Register' is spelled so everywhere, and 'registr' is the stem of a registry: which end in -re, only they tell."""

_FEW: Final = 0.1
"""Of the rows that hold the other spelling: no more of a word's own, and the brain spells it otherwise."""

_LIKELY: Final = re.compile(
    r"i[sz](?:e|ing|a)|lys|lyz|our|or|[tb](?:re|er|r)|(?:en|ti)[cs](?:e|ing)|og|^gr[ea]y|^art[ei]f"
)
MOST: Final = 64
"""Words that are looked at."""

_ALONE: Final = r"(?<![\w./`-])%s(?![\w/`-]|\.\w)"
"""What is no part of a name or a path."""


class Spelled(NamedTuple):
    """A question as the brain spells it.

    Attributes:
        text: with the other spelling of each word that hardly a row holds as it is.
        beside: words of it with their other spelling, where rows hold both.
    """

    text: str
    beside: Mapping[str, str]


def spellings(word: str) -> list[str]:
    """How *word*, in lower case, may be spelled elsewhere, if it is a word there at all.

    >>> spellings("centre"), spellings("initialise"), spellings("licence"), spellings("cataloging")
    (['center'], ['initialize'], ['license'], ['cataloguing'])
    """
    if not _LIKELY.search(word):
        return []
    return [rule.sub(other, word) for rule, other in _RULES if rule.search(word)]


def spelled(brain: Brain, text: str, stemmer: Stemmer) -> Spelled:
    """*text* as the brain spells it."""
    others = {word: found for word in query_terms(text)[:MOST] if (found := spellings(word))}
    if not others:
        return Spelled(text, {})
    stem_of = stemmer.stem({*others}.union(*others.values()))
    rows = _rows(brain, stem_of.values())
    held = {word: rows.get(stem, 0) for word, stem in stem_of.items()}
    beside: dict[str, str] = {}
    for word, found in others.items():
        other = max(found, key=lambda one: held.get(one, 0))
        own, its = held.get(word, 0), held.get(other, 0)
        if not its or stem_of.get(word) == stem_of[other]:
            continue
        turned = own < _FEW * its
        if own:
            beside |= {other: word} if turned else {word: other}
        text = _respelled(text, word, other) if turned else text
    return Spelled(text, beside)


def _rows(brain: Brain, stems: Iterable[str]) -> dict[str, int]:
    """How many rows hold each of *stems*."""
    found = brain.db.execute(sql("held_terms"), {"terms": json.dumps([*stems], ensure_ascii=False)})
    return {stem: held for stem, held in found if held}


def _respelled(text: str, word: str, other: str) -> str:
    def cased(match: re.Match[str]) -> str:
        if match[0].isupper():
            return other.upper()
        return other.capitalize() if match[0][0].isupper() else other

    return re.sub(_ALONE % re.escape(word), cased, text, flags=re.I)
