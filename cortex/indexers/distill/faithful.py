"""Whether a statement says what its excerpt says, as far as words tell: no other number or name, no clause denied.

Both are cut into clauses, and each clause of the statement is held against the clause of the excerpt that shares most
of its words: the one may not deny what the other says, nor demand what the other only allows, nor name its opposite,
of the few pairs below. The order of words is not looked at: two names or numbers of one excerpt that changed places,
another unit of the same number, or "unless" for "if" are not noticed. The excerpt beside the fact tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from cortex.substrate.facts import plain

_CLAUSE: Final = re.compile(
    r"[.;:!?,()—]+(?:\s+|$)|\s+(?:but|while|whereas|because|unless|if|when|once|until|which|although|though)\s+"
    r"|\s+(?=without\b)|\s+(?:and|or)\s+(?=(?:\w+\s+){0,3}(?:must|shall|should|may|can|will|is|are|never|not|cannot)\b)"
)
_BOUND: Final = re.compile(r"\b(?:no|not) (more|greater|later|longer|higher|less|fewer|lower|sooner|earlier) than\b")
_UPPER: Final = frozenset(("more", "greater", "later", "longer", "higher"))
_NOT: Final = re.compile(
    r"n['’]t\b|\bcannot\b|\bnot(?! only\b)\b|\b(?:no|never|none|nobody|nothing|neither|without|forbidden|forbids?"
    r"|prohibit(?:s|ed)?|disallow(?:s|ed)?|(?:un|dis)able to|unsupported|impossible)\b"
)
_DEMANDS: Final = re.compile(r"\b(?:must|shall|requires?|required|needs?|ha(?:s|ve) to|always|never|only|mandatory)\b")
_ALLOWS: Final = re.compile(r"\b(?:may|can|might|could|optional(?:ly)?)\b")
_OPPOSITES: Final = tuple(
    (re.compile(rf"\b(?:{one})\b"), re.compile(rf"\b(?:{other})\b"))
    for one, other in (
        ("at least|minimum(?: of)?", "at most|maximum(?: of)?|up to"),
        ("before", "after"),
        ("enabled?|enables|enabling", "disabled?|disables|disabling"),
        ("accept(?:s|ed)?", "reject(?:s|ed)?"),
        ("include[sd]?", "exclude[sd]?"),
        ("always", "never"),
        ("increase[sd]?", "decrease[sd]?"),
        ("optional", "required|mandatory"),
    )
)
_STEM: Final = 5
_WORD: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]{2,}")
_SAYS_LITTLE: Final = frozenset(
    "an the this that these those it its is are was were be been being of to in on at by for from with as and or not no"
    " must shall should may can cannot will would could might never always only has have had do does did so than then"
    " there they them he she we you without nothing none nobody neither need needs required requires".split()
)
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBERED: Final = re.compile(r"([^\W\d_]+)[ -](\d+(?:[.,]\d+)*)")
_NAME: Final = re.compile(r"`([^`]+)`|(\w+_\w+|[a-z]+[A-Z]\w*|[A-Za-z]+\.\w+)|(?<=[\w,;)] )([A-Z]\w+)")


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
    if _has_another_name(statement, read, f"{frame} {excerpt} {read}"):
        return "statement names what its excerpt does not"
    if _turns(statement, read):
        return "statement turns its excerpt around"
    return ""


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _numbered(text: str) -> set[tuple[str, str]]:
    """Numbers that belong to a name, such as RFC 8446."""
    return {(word.casefold(), number) for word, number in _NUMBERED.findall(text)}


def _has_another_name(statement: str, excerpt: str, known: str) -> bool:
    """Whether *statement* has a name in place of one of *excerpt*; one that stands for "it" is none."""
    said, around = statement.casefold(), known.casefold()
    another = any(name not in around for name in _names(statement))
    return another and any(name not in said for name in [*_names(excerpt), *_subject(excerpt)])


def _names(text: str) -> list[str]:
    return [next(filter(None, groups)).casefold() for groups in _NAME.findall(text)]


def _subject(text: str) -> list[str]:
    """What a sentence begins with, where that may be a name."""
    first = text.split(maxsplit=1)[0].casefold() if text[:1].isupper() else ""
    return [first] if first and first not in _SAYS_LITTLE else []


def _turns(statement: str, excerpt: str) -> bool:
    held = _clauses(excerpt)
    return any(_turned(said, against) for said in _clauses(statement) if (against := _closest(said, held)))


def _clauses(text: str) -> list[_Clause]:
    said = _BOUND.sub(lambda found: "at most" if found[1] in _UPPER else "at least", text.replace("*", "").lower())
    return [
        _Clause(part, frozenset(stems), len(_NOT.findall(part)) % 2 == 1)
        for part in _CLAUSE.split(said)
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
    pairs = (pair for one, other in _OPPOSITES for pair in ((one, other), (other, one)))
    return any(
        mine.search(said.said)
        and theirs.search(held.said)
        and not theirs.search(said.said)
        and not mine.search(held.said)
        for mine, theirs in pairs
    )
