"""What a text says, in pieces that can be compared: its words, numbers, dates, names and signs, in order."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from cortex.packaged import files

KNOWN: Final[dict[str, Any]] = tomllib.loads((files("cortex.composer") / "cite.toml").read_text("utf-8"))
FREE, LEADS, GOING_ON, SCOPES, EMPTY, GLUE, NEGATIONS, LIMITS, CONTRASTS, TELLINGS, BINDING, HEDGES = (
    frozenset(KNOWN[name].split())
    for name in (
        "free",
        "leads",
        "going_on",
        "scopes",
        "empty",
        "glue",
        "negations",
        "limits",
        "contrasts",
        "tellings",
        "binding",
        "hedges",
    )
)
LABELS, TURNED, TURNED_FIRST = (frozenset(KNOWN[name].split()) for name in ("labels", "turned", "turned_first"))
NEUTRAL, POINTING, POINTING_FIRST, REFERRING, REFERRING_ENDS, LEFT_OPEN, ACTING, ASKING = (
    frozenset(KNOWN[name].split())
    for name in (
        "neutral",
        "pointing",
        "pointing_first",
        "referring",
        "referring_ends",
        "left_open",
        "acting",
        "asking",
    )
)
UNDOING, UNDOING_REASONS, ENDED = (frozenset(KNOWN[name].split()) for name in ("undoing", "undoing_reasons", "ended"))
NOW: Final = "now"
"""What a clause begins with that is otherwise than what it follows: 'It was 10, now 5'."""

TAKING_BACK: Final = NEGATIONS | LIMITS | TELLINGS | {"as"}
"""What a clause may not begin with that goes on and is left out: 'so long as', 'now only', 'so Ada says'."""

GOING: Final = 3
"""Words with which it begins."""

TURNED_PHRASES: Final[tuple[str, ...]] = tuple(KNOWN["turned_phrases"])
ROLES: Final[dict[str, list[str]]] = KNOWN["roles"]
FRAMES: Final[dict[str, frozenset[str]]] = {type_: frozenset(told.split()) for type_, told in KNOWN["frames"].items()}
_ORDERS: Final = ("ignor", "disregard", "forget", "overrid", "bypass")
_ORDER: Final = re.compile(KNOWN["order"]["pattern"])

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
    r"(?!\s(?![/*|&]))(?:"  # nothing begins with another blank
    r"(?!v\d)[^\W\d_][^\W_\ue000-\uf8ff]*"  # a word, as most are
    r"|(?<!\w)@\w[\w-]*"  # @handle
    r"|(?<![\w.,])[-−+]?\d+(?:[.,:]\d+)*(?!\w)"  # 15, 1.5, 09:42, -5
    r"|(?<![\w.,])v?\d+(?:\.\d+)+(?!\w)"  # v0.15.0
    r"|[^\W_\ue000-\uf8ff]+"
    r"|[\ue000-\uf8ff]"  # stands for a date
    r"|(?<![\w.,-])[-−](?=\w)|(?<=\w)_(?!\w)|(?<![\w_])_(?=\w)"  # -0x1f, x_
    r"|[=!<>+]?=+|[-=]>|<-|[<>]+"
    r"|(?<![\w.…])(?:[.~](?=\w)|!(?=[\w(]))|(?<=\w)#(?!\w)|(?<=\d)(?:[–'’]|\.\.+)(?=\d)"  # .NET, ~5, !ok, C#, 5–10
    r"|[%‰$€£°≤≥≠+^±☐❌✖✗✘✕👎🚫⛔🛑]|[?](?=[^\w\s]{0,40}+(?:\s|$))"
    r"|(?<=[\w)\]])(?:[/*|&]{1,2}\s?|\s[*|&]{1,2}\s?|\s/{1,2}\s)(?=[\w(\[@$-]))"  # what a path begins with is none
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
        ("few", r"\ba\s+few\b", "several"),
        ("little", r"\ba\s+little\b", "somewhat"),
    )
)
_BORDER: Final = re.compile(r"[;:,.!…](?=\s)|[—–\n]|\s-\s")
_BEGINNING: Final = re.compile(r"[;:.!?…(—–\n]")
_CUTS: Final = re.compile(r"([;:,.!…](?=\s)(?!\s\d{4}\b)|[()—–\n]|\s-\s)")
_JOINING: Final = frozenset(("because", "while"))
_DATE: Final = 0xE000
_PRIVATE: Final = re.compile(r"[\ue000-\uf8ff]")
_NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)
}


class Day(NamedTuple):
    """A date as far as a text gives it; 0 where it does not."""

    year: int
    month: int
    day: int

    def agrees(self, known: Day) -> bool:
        """Whether *known* is this date, and told no less exactly."""
        return all(mine in (0, its) for mine, its in zip(self, known, strict=True))


class Word(NamedTuple):
    """A word, number, date or sign of a text that says something.

    Attributes:
        value: as it is compared: lower case, or a date.
        written: as it stands there.
        border: whether it begins a clause.
        first: whether it may have a capital for where it stands.
        mark: what stands between that clause and the one before, '' where only its word joins it.
    """

    value: str | Day
    written: str
    border: bool
    first: bool
    mark: str = ""


def words(text: str) -> list[Word]:
    """The words of *text* in order, without those that say nothing.

    >>> [word.value for word in words("We don't raise the gate to 1,000 ms on 11 Feb 2026")]
    ['we', 'do', 'not', 'raise', 'gate', 'to', '1000', 'ms', 'on', Day(year=2026, month=2, day=11)]
    """
    days, rest = dates(normal(text))
    found: list[Word] = []
    border = first = True
    mark, last = "", 0
    for match in _TOKEN.finditer(rest):
        written, between = match[0].strip(), rest[last : match.start()]
        pause = _BORDER.search(between)
        border = border or pause is not None or written in _JOINING
        mark = mark or (pause[0].strip() if pause else "")
        first = first or bool(_BEGINNING.search(between))
        last = match.end()
        if written in FREE or (first and written.lower() in FREE and not written[1:].isupper()):
            continue
        value = days[ord(written) - _DATE] if _DATE <= ord(written[0]) < _DATE + len(days) else _value(written.lower())
        found.append(Word(value, written, border, first, mark))
        border, first, mark = False, False, ""
    return found


def pieces(text: str) -> list[str]:
    """*text* cut where a pause or a bracket is: the clauses with what stands between them; no date is cut."""
    return _CUTS.split(normal(text))


@lru_cache(256)
def tokens(text: str) -> tuple[str, ...]:
    """The tokens of *text*, dates not told from numbers: for comparing word by word."""
    return tuple(map(_value, _TOKEN.findall(normal(text).lower())))


def says_beside(text: str, known: frozenset[str] = frozenset()) -> bool:
    """Whether *text* has a token that is none of *known*."""
    return any(_value(token[0]) not in known for token in _TOKEN.finditer(normal(text).lower()))


def runs(quoted: str, text: str) -> Iterator[tuple[int, int]]:
    """Where *text*, which is composed, has the words and numbers of *quoted* in a row.

    The first word of a quote may be written small or with a capital; all else is as it stands there.
    """
    quoted = composed(quoted)
    found = [*_TOKEN.finditer(quoted)]
    at = text.replace("\n", " ").find(quoted)
    if at >= 0 and _is_apart(text, at, at + len(quoted)):  # as it mostly is
        yield at + found[0].start(), at + found[-1].end()
    yield from _runs_within([token[0].strip() for token in found], text, 0, len(text))


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether blanks, or nothing, stand around that, so that its tokens are those it has by itself."""
    return not text[max(0, start - 1) : start].strip() and not text[end : end + 1].strip()


def _runs_within(run: Sequence[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    found = [*_TOKEN.finditer(text, start, end)]
    values = [token[0].strip() for token in found]
    first = run[0].lower()
    for at in range(len(values) - len(run) + 1):
        if values[at].lower() == first and [values[at][1:], *values[at + 1 : at + len(run)]] == [run[0][1:], *run[1:]]:
            yield found[at].start(), found[at + len(run) - 1].end()


def composed(text: str) -> str:
    """*text* with each letter and its accents as one character."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def normal(text: str) -> str:
    """*text* with what is the same in other characters written one way."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    for mark, pattern, written in _SAME:
        if mark in text:
            text = pattern.sub(written, text)
    return text


def begins_orders(text: str) -> int:
    """Where *text* begins to order about whoever reads it as a program; its length where it does not."""
    folded = text.casefold()
    found = _ORDER.search(text) if any(order in folded for order in _ORDERS) else None
    return found.start() if found else len(text)


def undoes(clause: Sequence[str]) -> bool:
    """Whether a clause that goes on narrows or ends what it follows: 'and then we moved', 'because it is disabled'."""
    return not (UNDOING_REASONS if clause[0] == "because" else UNDOING).isdisjoint(clause)


def _value(token: str) -> str:
    if token.isalpha():
        return _NUMBERS.get(token, token)
    if _THOUSANDS.fullmatch(token):
        token = token.replace(",", "")
    if token[0] == "v" and token[1:2].isdigit() and "." in token:
        return token[1:]
    return token.lstrip("+").replace("−", "-")


def dates(text: str) -> tuple[list[Day], str]:
    """The dates of *text*, and the text with a private character where each was."""
    found: list[Day] = []

    def taken(match: re.Match[str]) -> str:
        told = match.groupdict()
        month = int(told["number"]) if told.get("number") else _MONTHS[told["month"].lower()]
        found.append(Day(int(told.get("year") or 0), month, int(told.get("day") or 0)))
        return f" {chr(_DATE + len(found) - 1)} "

    text = _PRIVATE.sub(" ", text)
    if _DIGIT.search(text):
        for pattern in _DATES if _MONTH_NAME.search(text) else _DATES[:1]:
            text = pattern.sub(taken, text)
    return found, text
