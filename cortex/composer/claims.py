"""What a text claims, in pieces that can be compared: its words, numbers, dates, names, and what it negates."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, Final, NamedTuple

_KNOWN: Final[dict[str, Any]] = tomllib.loads((files("cortex.composer") / "cite.toml").read_text("utf-8"))
FREE, EMPTY, NEGATIONS, PASSED, BINDING, HEDGES = (
    frozenset(_KNOWN[name].split()) for name in ("free", "empty", "negations", "passed", "binding", "hedges")
)
ROLES: Final[dict[str, list[str]]] = _KNOWN["roles"]
FRAMES: Final[dict[str, frozenset[str]]] = {type_: frozenset(told.split()) for type_, told in _KNOWN["frames"].items()}
_ORDERS: Final = re.compile("ignor|disregard|forget|overrid|bypass", re.I)
_ORDER: Final = re.compile(_KNOWN["order"]["pattern"])

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,"
        "september sep sept,october oct,november nov,december dec".split(","), 1
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
_MONTH_NAME: Final = re.compile(_MONTH, re.I)
_DIGIT: Final = re.compile(r"\d", re.A)
_DATES: Final = tuple(
    re.compile(pattern, re.I | re.A)
    for pattern in (
        r"(?<![\w.])(?P<year>\d{4})([-/])(?P<number>0?[1-9]|1[0-2])\2(?P<day>0?[1-9]|[12]\d|3[01])(?!\d)",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+(?P<year>\d{{4}})\b",
        rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})\b",
        rf"\b{_MONTH},?\s+(?P<year>\d{{4}})\b",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?!\w)",
        rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:.]|\s*%)",
    )
)
_TOKEN: Final = re.compile(
    r"(?<!\w)@\w[\w-]*"  # @handle
    r"|(?<![\w.,])[-−+]?\d+(?:[.,:]\d+)*(?!\w)"  # 15, 1.5, 09:42, -5
    r"|(?<![\w.,])v?\d+(?:\.\d+)+(?!\w)"  # v0.15.0
    r"|[^\W_]+"
    r"|[%‰$€£°<>≤≥≠]"
)
_THOUSANDS: Final = re.compile(r"[-−+]?\d{1,3}(?:,\d{3})+")
_SAME: Final = tuple(
    (mark, re.compile(pattern, re.I), written)
    for mark, pattern, written in (
        ("'t", r"n't\b", " not"),
        ("’t", r"n’t\b", " not"),
        ("'T", r"n'T\b", " not"),
        ("annot", r"\bcannot\b", "can not"),
        ("ANNOT", r"\bcannot\b", "can not"),
        ("longer", r"\bno\s+longer\b", "nolonger"),
        ("LONGER", r"\bno\s+longer\b", "nolonger"),
        ("more", r"\bnot\s+any\s?more\b", "nolonger"),
        ("cent", r"(?<=\d)\s*per\s?cent\b", " %"),
    )
)
_PAUSE: Final = re.compile(r"[;:,](?=\s)(?!\s\d{4}\b)|[()—–\n]|\s-\s|\s(?=(?:because|but|while)\s)")
_NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)
}
_CAPITALS: Final = re.compile(r"[^\W\d_]*[A-ZÀ-ÖØ-Þ\u0370-\u03FF\u0400-\u042F][\w’'-]*")


class Day(NamedTuple):
    """A date as far as a text gives it; 0 where it does not."""

    year: int
    month: int
    day: int

    def agrees(self, known: Day) -> bool:
        """Whether *known* is this date, and told no less exactly."""
        return all(mine in (0, its) for mine, its in zip(self, known, strict=True))


class Claims(NamedTuple):
    """A clause taken apart.

    Attributes:
        tokens: words, numbers, @handles and signs such as '%', in order and lower case; dates are left out.
        days: its dates.
        said: each word that says something with whether it is said (True) or negated, in order.
        negations: how many there are.
    """

    tokens: tuple[str, ...]
    days: tuple[Day, ...]
    said: tuple[tuple[str, bool], ...]
    negations: int


def clauses(text: str) -> list[str]:
    """*text* cut where a pause or a bracket is; no number or date is cut, nor a negation from what it negates."""
    found: list[str] = []
    for piece in filter(str.strip, _PAUSE.split(normal(text))):
        if found and _only_negates(found[-1]):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    if len(found) > 1 and _only_negates(found[-1]):
        found[-2:] = [f"{found[-2]} {found[-1]}"]
    return found


def _only_negates(piece: str) -> bool:
    told = _TOKEN.findall(piece.lower())
    return not NEGATIONS.isdisjoint(told) and FREE.union(NEGATIONS).issuperset(told)


def claims(clause: str) -> Claims:
    """Take a clause apart, as `clauses` gives it.

    >>> told = claims(normal("We don't raise it to 1,000 ms on 11 Feb 2026"))
    >>> told.tokens
    ('we', 'do', 'not', 'raise', 'it', 'to', '1000', 'ms', 'on')
    >>> told.days, told.said
    ((Day(year=2026, month=2, day=11),), (('raise', False), ('1000', True), ('ms', True)))
    """
    days, rest = _dates(clause)
    tokens = tuple(map(_value, _TOKEN.findall(rest.lower())))
    said, negations = _said(tokens)
    return Claims(tokens, days, said, negations)


def tokens(text: str) -> list[str]:
    """The tokens of *text*, dates not told from numbers: for comparing word by word."""
    return [*map(_value, _TOKEN.findall(normal(text).lower()))]


def before_run(quoted: str, text: str) -> Iterator[str]:
    """What stands in *text* before each place where it has the words and numbers of *quoted* one after the other."""
    text, run = _lower(text), _TOKEN.findall(_lower(quoted))
    found = [*_TOKEN.finditer(text)]
    values = [token[0] for token in found]
    for at in range(len(values) - len(run) + 1):
        if values[at] == run[0] and values[at : at + len(run)] == run:
            yield text[: found[at].start()]


def _lower(text: str) -> str:
    return (text if text.isascii() else unicodedata.normalize("NFC", text)).lower()


def normal(text: str) -> str:
    """*text* with what is the same in other characters written one way."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    for mark, pattern, written in _SAME:
        if mark in text:
            text = pattern.sub(written, text)
    return text


def is_number(token: str) -> bool:
    """Whether a token begins as a number does, of any script; sha256 is a name."""
    return token.lstrip("-")[:1].isnumeric()


def names(text: str) -> Iterator[tuple[str, ...]]:
    """Runs of capitalised words of *text*, lower case, words that say nothing left out; each but a sentence's first."""
    run: list[str] = []
    last = 0
    for found in _CAPITALS.finditer(text):
        word = re.split("['’]", found[0].lower(), maxsplit=1)[0]
        if run and text[last : found.start()].strip(" ") != "":
            yield tuple(run)
            run = []
        last = found.end()
        if word not in FREE and word not in NEGATIONS and not found[0].lower().endswith(("n't", "n’t")):
            run.append(word)
    if run:
        yield tuple(run)


def begins_orders(text: str) -> int:
    """Where *text* begins to order about whoever reads it as a program; its length where it does not."""
    found = _ORDER.search(text) if _ORDERS.search(text) else None
    return found.start() if found else len(text)


def _value(token: str) -> str:
    if token.isalpha():
        return _NUMBERS.get(token, token)
    if _THOUSANDS.fullmatch(token):
        token = token.replace(",", "")
    if token[0] == "v" and token[1:2].isdigit() and "." in token:
        return token[1:]
    return token.lstrip("+").replace("−", "-")


def _dates(text: str) -> tuple[tuple[Day, ...], str]:
    """The dates of *text*, and the text without them."""
    found: list[Day] = []

    def taken(match: re.Match[str]) -> str:
        told = match.groupdict()
        month = int(told["number"]) if told.get("number") else _MONTHS[told["month"].lower()]
        found.append(Day(int(told.get("year") or 0), month, int(told.get("day") or 0)))
        return " "

    if _DIGIT.search(text):
        for pattern in _DATES if _MONTH_NAME.search(text) else _DATES[:1]:
            text = pattern.sub(taken, text)
    return tuple(found), text


def _said(tokens: Sequence[str]) -> tuple[tuple[tuple[str, bool], ...], int]:
    """Each telling word with whether it is said: an even number of negations before it says it."""
    found: list[tuple[str, bool]] = []
    pending = 0
    for token in tokens:
        if token in NEGATIONS:
            pending += 1
        elif token not in FREE and not (pending and (token in PASSED or token.endswith("ly"))):
            found.append((token, pending % 2 == 0))
            pending = 0
    if found and pending % 2:  # 'it does not': the word before is meant
        found[-1] = (found[-1][0], not found[-1][1])
    return tuple(found), sum(token in NEGATIONS for token in tokens)
