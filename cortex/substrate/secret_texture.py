"""How a value reads: as words, a name, code, a hash or a placeholder, or as one that was drawn or thought out."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any, Final

from cortex.packaged import files

CHOSEN: Final = 8  # characters of a password of nothing but letters, or of signs among them
BITS: Final = 2.8  # of entropy a character: a random value has more, a repeated or made-up one less
MADE_UP: Final = re.compile(
    r"exampl?|placeholder|change.?me|your|dummy|sample|fake|todo|redact|insert|replace|_here|foo.?bar|x{4}|\*{3}|\.{3}|…"
    r"|12345678|abcdefgh|abcdef01|0{8}|deadbeef|qwerty",
    re.I,
)
PLACEHOLDER: Final = re.compile(rf"{MADE_UP.pattern}|[<>]|\$[({{\w]|\{{\{{|%\(|%[A-Z_]+%", re.I)
_VARIABLE: Final = re.compile(r"^[$<]|^ENC\[|\$\{\w+[^}]*\}|\$\(\w+[ )]|\{\{|^%(?:\(|\w+%|[sdr@]\b)")
PATH: Final = re.compile(r"~?(?:[\w.-]*/)+[\w.-]*|[A-Za-z]:\\[\w.\\ -]*")
_FIXTURES: Final = frozenset(
    "password passwd pass pwd passphrase secret token admin root test guest user none null true false required "
    "optional string hidden masked".split()
)
_VERSION: Final = re.compile(r"[A-Za-z]+v\d")  # of a protocol, such as NTLMv2
_LONGEST_NAME: Final = 14  # characters of what is called after a number of its own
_THOUGHT_OUT: Final = 3  # letters of a password that has digits, at least
RELEASE: Final = re.compile(r"v?\d+(?:\.\d+)+(?:[-+.][a-z]{1,8}[.\d]*)*")
HEX: Final = re.compile(r"(?:0x|\\x)?[0-9a-fA-F]+(?:[:-][0-9a-fA-F]+)*")
HASH: Final = re.compile(r"(?i:sha\d{1,3}|md5|blake\w{0,3}|h1|argon2\w{0,2}|pbkdf2\w*|bcrypt)[-:=$].*")
CODE: Final = re.compile(r"[(\[{}]|::|->|^[~&*]|^\.{1,2}/|^\w+:|^\w+\.\w+\.?[A-Za-z_]|^[A-Za-z_]\w*\.[A-Za-z_]\w*$")
DATE: Final = re.compile(r"\d{4}-\d\d-\d\dT.*")
MIXED: Final = re.compile(r"[A-Za-z]\d+[A-Za-z]")
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
SIGNS: Final = re.compile(r"[!@#$%^&*+?=~|]")
_RUNS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d_.-]")
_RUN: Final = 2.2
"""Characters of a sort that follow each other in a drawn value; words and what is named after them have more."""
_FOLLOWING: Final = 0.6  # of the pairs of letters of a drawn value are such as words have; of words nearly all
_OF_WORDS: Final = 0.8
_BITS_OF_FEW: Final = 2.4  # of entropy a character of so few
_PLACE: Final = re.compile(
    r"(?:[a-z_]{3,}\d?|[A-Z][a-z]+)\.[a-z_]\w*(?:\.\w+)*|[\w/.-]+\.\w+:\d+.*|[a-z_]{3,}=.*|.*(?:://|::|&\w{2,6};|</?[a-z]).*"
)
"""An attribute, a line of a file, an option, an address or HTML."""
_BRACKETS: Final = re.compile(r"[(){}\[\]<>]")
_SEASON: Final = re.compile(
    r"([A-Za-z]{3,16})(?:[@$!&*+]?\d{1,6}[!@#$%^&*+=~]{1,3}|[@$!&*+#]\d{2,6})"
    r"|[!@#$*]([A-Za-z]{4,16})\d{2,6}|([A-Z][a-z]{2,15})\d{2,6}\?"
)
"""A word, a year and a sign, in whichever order."""
_PHRASE: Final = re.compile(r"[A-Za-z]{3,10}(?:-[A-Za-z]{3,10}){2,8}(?:-[A-Za-z]{3,10}|-?\d{1,4}[!?]?)")
_PIECES: Final = re.compile(r"[A-Z]?[a-z]+")
_PLAIN: Final = re.compile(r"(?:[A-Za-z]+\d{0,6}|\d{1,6})(?:[^A-Za-z0-9]+(?:[A-Za-z]+\d{0,6}|\d{1,6}))+")


@cache
def held() -> dict[str, Any]:
    """What `secrets.toml` says."""
    return tomllib.loads((files("cortex.substrate") / "secrets.toml").read_text("utf-8"))


def is_given(value: str) -> bool:
    """Whether *value*, which something calls a password, is one that was drawn or thought out, and no word or code."""
    if is_drawn(value, CHOSEN):
        return True
    if HASH.fullmatch(value) or PATH.fullmatch(value):
        return False
    if is_thought_out(value) or is_tossed(value):
        return True
    if value.isalnum() and re.search(r"\d", value) and not is_placeholder(value):
        letters = [piece.lower() for piece in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", value)]
        named = set(letters).intersection(held()["numbered"]) and not (len(value) > _LONGEST_NAME and is_random(value))
        return not (named or _VERSION.fullmatch(value)) and sum(map(len, letters)) >= _THOUGHT_OUT
    if CODE.search(value) or is_placeholder(value) or (is_worded(value) and len(re.findall(r"\d+", value)) < 2):
        return False
    return (
        is_password(value)
        or (MIXED.search(value) is not None)
        or (value.isalpha() and len(value) >= CHOSEN and not is_readable(value))
    )


def is_thought_out(value: str) -> bool:
    """Whether *value* is a word with a number and a sign, or four words that say nothing together."""
    if is_placeholder(value):
        return False
    if season := _SEASON.fullmatch(value):
        return next(filter(None, season.groups())).lower() not in held()["numbered"]
    return _PHRASE.fullmatch(value) is not None and not any(map(is_spoken, re.findall(r"[A-Za-z]+", value)))


def is_spoken(word: str) -> bool:
    """Whether *word* is one that passwords are told of with, and not one of a password."""
    return word.lower() in _spoken()


@cache
def _spoken() -> frozenset[str]:
    return frozenset({*held()["numbered"], *held()["spoken"], *_FIXTURES})


def is_tossed(value: str) -> bool:
    """Whether the characters of *value* follow each other as drawn ones do, and not as those of words and names."""
    if len(value) < CHOSEN or not value.isascii() or _VARIABLE.search(value) or MADE_UP.search(value):
        return False
    if any(shape.fullmatch(value) for shape in (HEX, HASH, DATE, _PLACE, RELEASE)):
        return False
    if any(piece.lower() in held()["numbered"] for piece in re.split(r"[^A-Za-z]+", value) if len(piece) >= 3):
        return False
    runs = _RUNS.findall(value)
    size, letters = sum(map(len, runs)), re.findall(r"[A-Z]?[a-z]+|[A-Z]+", value)
    sorts = sorts_of(value)
    if _BRACKETS.search(value):
        return sorts >= 3 and size <= 1.7 * len(runs)
    if size < CHOSEN or bits(value) < _BITS_OF_FEW or not (sorts > 1 or value.isalpha()):
        return False
    share = _following(letters)
    return share < _FOLLOWING or (sorts > 1 and size <= (_RUN if share >= _OF_WORDS else _RUN + 1) * len(runs))


def _following(runs: list[str]) -> float:
    pairs = [pair for run in runs for pair in pairwise(run.lower())]
    follows = held()["follows"]
    return sum(after in follows[ord(before) - ord("a")] for before, after in pairs) / len(pairs) if pairs else 0


def is_drawn(value: str, shortest: int) -> bool:
    """Whether *value* is of characters of every sort, signs that code has among them, and does not read as words."""
    value = value.removeprefix("django-insecure-")
    signs = len(re.findall(r"[^\w.:/-]", value))
    if len(value) < shortest or _VARIABLE.search(value) or not signs:
        return False
    return (
        sorts_of(value, r"[^\w]") + (signs > 1) >= 4
        and bits(value) >= BITS
        and not (MADE_UP.search(value) or sum(map(len, _words(value))) > 0.7 * sum(map(str.isalpha, value)))
    )


def is_placeholder(value: str) -> bool:
    """Whether *value* stands for one that is to be filled in, or is one that everybody has."""
    plain = value.lower().strip("0123456789!_-")
    return not plain or plain in _FIXTURES or set(plain) <= set("x*.") or PLACEHOLDER.search(value) is not None


def is_password(value: str) -> bool:
    """Whether *value* has three of the four sorts of characters, as a rule for passwords asks for."""
    return sorts_of(value) >= 3 and not (is_placeholder(value) or _VERSION.fullmatch(value))


def sorts_of(value: str, signs: str | re.Pattern[str] = SIGNS) -> int:
    """How many of the four sorts of characters *value* has: small and large letters, digits and *signs*."""
    return sum(re.search(sort, value) is not None for sort in (r"[a-z]", r"[A-Z]", r"\d", signs))


def is_random(value: str) -> bool:
    """Whether *value* has digits among letters in a way that words, identifiers and versions do not have."""
    if not re.search(r"\d", value) or not re.search(r"[A-Za-z]", value) or bits(value) < BITS:
        return False
    return not (PLACEHOLDER.search(value) or is_worded(value))


def is_worded(value: str) -> bool:
    """Whether *value* reads as words: most of its letters and digits are of some, or it is words with numbers."""
    words = _words(value)
    size, letters = sum(map(str.isalnum, value)), sum(map(str.isalpha, value))
    numbered = len(re.findall(r"\d+", value)) <= 2 and sum(map(len, words)) >= 0.8 * letters
    shaped = bool(words or re.search(r"[A-Z]{4}", value)) and _PLAIN.fullmatch(value)
    return sum(map(len, words)) >= 0.7 * size or numbered or bool(shaped)


def _words(value: str) -> list[str]:
    pieces = _PIECES.findall(value) if re.search(r"[a-z]", value) else re.findall(r"[A-Z]+", value)
    return [piece for piece in pieces if len(piece) >= 3 and re.search(r"[aeiouy]", piece, re.I)]


def is_readable(value: str) -> bool:
    """Whether the letters of *value* follow each other as those of words do, or one of it is a placeholder's."""
    letters = value.lower().replace(" ", "")
    follows = held()["follows"]
    pairs = [after in follows[ord(before) - ord("a")] for before, after in pairwise(letters) if before in _LETTERS]
    named = any(word in letters for word in _FIXTURES if len(word) > _THOUGHT_OUT) or PLACEHOLDER.search(letters)
    return sum(pairs) >= 0.75 * len(pairs) or bool(named) or bits(letters) < BITS


def bits(value: str) -> float:
    """Shannon's entropy of a character of *value*."""
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * math.log2(share) for share in shares)
