"""Whether a statement says what its excerpt says, as far as words tell: no other number or name, no clause denied.

Both are cut into clauses, and each clause of the statement is held against the clause of the excerpt that shares most
of its words: the one may not deny what the other says, nor demand what the other only allows. Nor may a statement name
an opposite, give a number another unit, or let two names or numbers change places: `reversals` tells what it can of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from cortex.indexers.distill.reversals import opposed, other_unit, turned
from cortex.language.patterns import patterns, words
from cortex.language.sentences import split_line
from cortex.substrate.facts import plain

_ENGLISH: Final = patterns("distill", "faithful")

_BOUND: Final = _ENGLISH["bound"]
_UPPER: Final = frozenset(("more", "greater", "later", "longer", "higher"))
_DEMANDS: Final = _ENGLISH["demands"]
_MUST: Final = _ENGLISH["must"]
_ALLOWS: Final = _ENGLISH["allows"]
_STEM: Final = 5
_WORD: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]{2,}")
_SAYS_LITTLE: Final = words("distill", "faithful_says_little")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBERED: Final = re.compile(r"([^\W\d_]+)[ -](\d+(?:[.,]\d+)*)")
_NAME: Final = re.compile(r"`([^`]+)`|(\w+_\w+|[a-z]+[A-Z]\w*|[A-Za-z]+\.\w+)|(?<=[\w,;)] )([A-Z]\w+)")


_CODE: Final = re.compile(r"\w[._/:]\w|[a-z][A-Z]")
_FEWEST: Final = 4
_ENDLESS: Final = 4  # characters of a word that its endings leave alone


class _Clause(NamedTuple):
    said: str
    stems: frozenset[str]
    denies: bool


def unfaithful(statement: str, excerpt: str, frame: str, body: str) -> str:
    """What *statement* says and *excerpt* does not; '' where nothing is.

    Args:
        frame: what is known besides: headings, who said it.
        body: the whole text, which tells what a word such as "it" stands for.
    """
    named = {number for _, number in _numbered(statement) & _numbered(body)}
    if not _numbers(statement) <= _numbers(f"{frame} {excerpt}") | named:
        return "statement has a number that its excerpt has not"
    read = plain(excerpt)
    if other_unit(plain(statement), read, f"{frame} {body}"):
        return "statement has a number in another unit than its excerpt"
    if (
        _invents_a_name(statement, f"{frame} {body}")
        or _has_another_name(statement, read, f"{frame} {excerpt} {read}")
        or _has_another_subject(statement, read, body)
    ):
        return "statement names what its excerpt does not"
    if _turns(statement, read) or turned(statement, read, frame):
        return "statement turns its excerpt around"
    if _substitutes(statement, read, f"{frame} {body}"):
        return "statement has a word in place of one of its excerpt"
    return ""


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _numbered(text: str) -> set[tuple[str, str]]:
    return {(word.casefold(), number) for word, number in _NUMBERED.findall(text)}


def _has_another_name(statement: str, excerpt: str, known: str) -> bool:
    """Whether *statement* has a name in place of one of *excerpt*; one that stands for "it" is none."""
    said, around = statement.casefold(), known.casefold()
    another = any(name not in around for name in _names(statement))
    return another and any(name not in said for name in [*_names(excerpt), *_subject(excerpt)])


def _invents_a_name(statement: str, known: str) -> bool:
    around = known.replace("`", "").casefold()
    marked = (next(filter(None, groups[:2]), "") for groups in _NAME.findall(statement))
    return any(_CODE.search(name) and name.casefold() not in around for name in marked)


def _substitutes(statement: str, excerpt: str, known: str) -> bool:
    """Whether *statement* is a sentence of *excerpt* with a word of nobody's record in place of one of its words.

    >>> _substitutes("Errors are logged and raised.", "Errors are logged and ignored.", "Errors are ignored.")
    True
    >>> _substitutes("The lease must be renewed.", "It must be renewed.", "The lease is short. It must be renewed.")
    False
    """
    around = set(_WORD.findall(known.casefold()))
    said = _WORD.findall(statement.casefold())
    for sentence in split_line(excerpt):
        held = _WORD.findall(sentence.casefold())
        other = [(mine, its) for mine, its in zip(said, held, strict=False) if mine != its]
        if len(said) == len(held) >= _FEWEST and len(other) == 1:
            mine, its = other[0]
            alike = mine[:_ENDLESS] == its[:_ENDLESS] or {mine, its} & _SAYS_LITTLE
            if not alike and mine not in around:
                return True
    return False


def _names(text: str) -> list[str]:
    return [next(filter(None, groups)).casefold() for groups in _NAME.findall(text)]


def _subject(text: str) -> list[str]:
    first = text.split(maxsplit=1)[0].casefold() if text[:1].isupper() else ""
    return [first] if first and first not in _SAYS_LITTLE else []


def _has_another_subject(statement: str, excerpt: str, body: str) -> bool:
    mine, theirs = _about(statement), _about(excerpt)
    return bool(mine and theirs and mine not in body.casefold() and theirs not in statement.casefold())


def _about(text: str) -> str:
    """What a sentence such as "Only owners may merge" is about, without its ending; '' where it does not begin so."""
    found = _ENGLISH["may"].match(text)
    return found[1].casefold()[:_ENDLESS] if found else ""


def _turns(statement: str, excerpt: str) -> bool:
    held = _clauses(excerpt)
    return any(_turned(said, against) for said in _clauses(statement) if (against := _closest(said, held)))


def _clauses(text: str) -> list[_Clause]:
    said = _BOUND.sub(lambda found: "at most" if found[1] in _UPPER else "at least", text.replace("*", "").lower())
    return [
        _Clause(part, frozenset(stems), len(_ENGLISH["not"].findall(part)) % 2 == 1)
        for part in _ENGLISH["clause"].split(said)
        if (stems := {word[:_STEM] for word in _WORD.findall(part) if word not in _SAYS_LITTLE})
    ]


def _closest(said: _Clause, held: Sequence[_Clause]) -> _Clause | None:
    """The clause that shares most words with *said*, at least half; of equal ones that which agrees."""
    best = max(held, key=lambda one: (len(one.stems & said.stems), one.denies == said.denies), default=None)
    return best if best and 2 * len(best.stems & said.stems) >= len(said.stems) else None


def _turned(said: _Clause, held: _Clause) -> bool:
    if said.denies != held.denies:
        return True
    if _DEMANDS.search(said.said) and _ALLOWS.search(held.said) and not _DEMANDS.search(held.said):
        return True
    if _MUST.search(said.said) and _ENGLISH["should"].search(held.said) and not _DEMANDS.search(held.said):
        return True
    if _ALLOWS.search(said.said) and _MUST.search(held.said) and not _ALLOWS.search(held.said):
        return not _DEMANDS.search(said.said)
    return opposed(said.said, held.said)
