"""Whether a value is a secret, or only looks like a word, an identifier, a hash, code or a placeholder.

A value of hexadecimal digits is taken only where the name before it can mean nothing else: commits, hashes and the test
vectors of cryptography are written like that too.
"""

from __future__ import annotations

import binascii
import math
import re
import tomllib
from base64 import b64decode
from collections import Counter
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

_CHOSEN: Final = 8
"""Characters of a password of nothing but letters, or of signs among them."""
_BITS: Final = 2.8
"""Of entropy a character: a random value has more, a repeated or made-up one less."""

_WORDS: Final = re.compile(
    r"exampl?|placeholder|change.?me|your|dummy|sample|fake|todo|redact|insert|replace|_here|foo.?bar|x{4}|\*{3}|\.{3}|…"
    r"|12345678|abcdefgh|abcdef01|0{8}|deadbeef|qwerty",
    re.I,
)
_PLACEHOLDER: Final = re.compile(rf"{_WORDS.pattern}|[<>]|\$[({{\w]|\{{\{{|%\(|%[A-Z_]+%", re.I)
_VARIABLE: Final = re.compile(r"^[$<]|^ENC\[|\$\{\w+[^}]*\}|\$\(\w+[ )]|\{\{|^%[\w(]")
_PATH: Final = re.compile(r"~?(?:[\w.-]*/)+[\w.-]*")
_NO_SECRET: Final = re.compile(r"(?:pub(?:lic)?|cache|sort|partition|primary|foreign|routing|idempotency)_?key\Z", re.I)
"""Names of what everybody may know."""
_FIXTURES: Final = frozenset(
    "password passwd pass pwd passphrase secret token admin root test guest user none null true false required "
    "optional string hidden masked".split()
)
_NOBODY: Final = frozenset({"", "user", "username", "me", "foo"})
_NOWHERE: Final = re.compile(r"[^\s/]*@(?:host|localhost|127\.|\[::1\]|(?:[\w-]+\.)*(?:example|invalid|test)\b)", re.I)
"""A password before the place of an address that leads nowhere."""
_VERSION: Final = re.compile(r"[A-Za-z]+v\d")
"""Of a protocol, such as NTLMv2."""
_DRAWN_SHORT: Final = 10
"""Characters of a secret that a person drew."""
_LONGEST_NAME: Final = 14
"""Characters of what is called after a number of its own."""
_THOUGHT_OUT: Final = 3
"""Letters of a password that has digits, at least."""
_RELEASE: Final = re.compile(r"v?\d+(?:\.\d+)+(?:[-+.][a-z]{1,8}[.\d]*)*")
_HEX: Final = re.compile(r"(?:0x|\\x)?[0-9a-fA-F]+(?:[:-][0-9a-fA-F]+)*")
_HASH: Final = re.compile(r"(?i:sha\d{1,3}|md5|blake\w{0,3}|h1|argon2\w{0,2}|pbkdf2\w*|bcrypt)[-:=$].*")
_CODE: Final = re.compile(r"[(\[{}]|::|->|^[~&*]|^\.{1,2}/|^\w+:|^\w+\.\w+\.?[A-Za-z_]|^[A-Za-z_]\w*\.[A-Za-z_]\w*$")
_STRONG: Final = re.compile(
    r"pass|pwd|api[_-]?key|access[_-]?(?:key|token)|client[_-]?secret|auth[_-]?(?:key|token)|encryption", re.I
)
_PAGING: Final = re.compile(r"(?:next|page|paging|pagination|continuation)[_-]?token", re.I)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\dT.*")
PASSWORD: Final = re.compile(r"pass(?:w(?:or)?d|phrase)?|pwd", re.I)
_NAMESPASSWORD: Final = re.compile(rf"(?:{PASSWORD.pattern})\Z", re.I)
_MIXED: Final = re.compile(r"[A-Za-z]\d+[A-Za-z]")
_NAME_BEFORE: Final = re.compile(r"[\w-]{0,20}\Z")
_COOKIE: Final = re.compile(r"cookie|\s-b\s", re.I)
_HEADER: Final = 4096
"""Characters of a line with cookies, more or less."""
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
_LONG: Final = 20
"""Characters of the drawn piece of a token in pieces."""
_SIGNS: Final = re.compile(r"[!@#$%^&*+?=~|]")
_PIECES: Final = re.compile(r"[A-Z]?[a-z]+")
_PLAIN: Final = re.compile(r"(?:[A-Za-z]+\d{0,6}|\d{1,6})(?:[^A-Za-z0-9]+(?:[A-Za-z]+\d{0,6}|\d{1,6}))+")


@cache
def held() -> dict[str, Any]:
    """What `secrets.toml` says."""
    return tomllib.loads((files("cortex.substrate") / "secrets.toml").read_text("utf-8"))


def _is_shaped(_: re.Match[str], value: str) -> bool:
    return bool(re.search(r"[A-Z\d]", value)) and _bits(value) >= _BITS and not _PLACEHOLDER.search(value)


def _is_in_address(match: re.Match[str], value: str) -> bool:
    """Whether what stands between ':' and '@' of an address is no placeholder, no port and no path."""
    if "/" in value and ("." in match["name"] or not (_is_password(value) or _is_random(value))):
        return False
    if value.isdigit():
        return len(value) > len("65535") and not _PLACEHOLDER.search(value)
    if len(value) < 3 or value == match["name"]:
        return False
    numbered = re.search(r"[A-Za-z]\d+!?\Z", value) and not _PLACEHOLDER.search(value)
    if numbered and match["name"].lower() not in _NOBODY and not _NOWHERE.match(match.string, match.start("secret")):
        return True
    return not _is_placeholder(value)


def _is_user(_: re.Match[str], value: str) -> bool:
    """Whether what stands alone before the '@' of an address is a token, and nobody's name."""
    return _is_random(value) or (_HEX.fullmatch(value) is not None and len(value) >= 32 and _bits(value) >= _BITS)


def _is_in_header(match: re.Match[str], value: str) -> bool:
    scheme = match["name"].lower()
    if scheme == "basic":
        return _is_basic(value)
    named = match.start("name") > match.start()
    return (named or scheme == "bearer") and len(value) >= 16 and _is_random(value)


def _is_basic(value: str) -> bool:
    """Whether *value* is a user and a password in base64."""
    try:
        user, colon, password = b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(user and colon and password) and not _is_placeholder(password)


def _is_assigned(match: re.Match[str], value: str) -> bool:
    """Whether what follows a name and '=' or ':' is a secret, not code, prose, a hash or a test vector."""
    before = match.string[max(0, match.start() - 20) : match.start()]
    name = _NAME_BEFORE.findall(before)[0] + match["name"]
    if (
        (before.endswith(":") and "=>" not in match[0])
        or _PAGING.search(name)
        or _DATE.match(value)
        or _is_path(name, value)
    ):  # a type, a place in a list, a time
        return False
    if _CODE.search(value) or _HASH.fullmatch(value) or (_HEX.fullmatch(value) and not _STRONG.search(name)):
        return False
    if PASSWORD.search(name) and _is_password(value):
        shouted = value.endswith("!") and not _is_worded(value)
        if match["quote"] or shouted or _SIGNS.search(value.rstrip("?!")) or _is_random(value.rstrip(".")):
            return True
    if match["quote"] and _NAMESPASSWORD.search(name) and value.isalnum() and _MIXED.search(value):
        return not _is_placeholder(value)
    return len(value) >= 16 and _is_random(value)


def _is_in_dotenv(match: re.Match[str], value: str) -> bool:
    if _NO_SECRET.search(match["name"]) or _HASH.fullmatch(value) or _RELEASE.fullmatch(value):
        return False
    if _is_dotted(value) or (" " not in value and _is_drawn(value, _CHOSEN if PASSWORD.search(match["name"]) else 16)):
        return True
    if _CODE.search(value) or _is_path(match["name"], value):
        return False
    if " " in value:
        return bool(PASSWORD.search(match["name"])) and _is_password(value)
    if PASSWORD.search(match["name"]):
        word = match["name"] == "PASS" or value.isalpha()  # that of tests is a number of them, or a file
        return not (word and _is_worded(value) and _is_readable(value)) and not _is_placeholder(value)
    shortest = _DRAWN_SHORT if match["name"].endswith(("SECRET", "TOKEN")) else 12
    return len(value) >= shortest and _is_random(value)


def _is_dotted(value: str) -> bool:
    """Whether *value* is pieces with dots between them, as signed tokens are, and one of them was drawn."""
    if not re.fullmatch(r"[\w-]+(?:\.[\w-]+){1,3}", value):
        return False
    short = all(len(piece) <= 3 or _HEX.fullmatch(piece) for piece in value.split("."))
    return any(
        len(piece) >= _LONG and (_is_random(piece) if not _HEX.fullmatch(piece) else short and _bits(piece) >= _BITS)
        for piece in value.split(".")
    )


def _is_in_cookie(match: re.Match[str], value: str) -> bool:
    """Whether *value* is what a session is known by, in a line that says it is a cookie."""
    line = match.string[max(0, match.start() - _HEADER) : match.start()].rpartition("\n")[2]
    drawn = _is_random(value) or (_HEX.fullmatch(value) is not None and _bits(value) >= _BITS)
    return drawn and bool(_COOKIE.search(line))


def _is_told(_: re.Match[str], value: str) -> bool:
    """Whether *value*, which a sentence says is the password, is none of its words."""
    every = all(re.search(sort, value) for sort in (r"[a-z]", r"[A-Z]", r"\d", _SIGNS))
    return _is_given(value) and (every or _is_random(value) or _is_drawn(value, _CHOSEN))


def _is_path(name: str, value: str) -> bool:
    return _PATH.fullmatch(value) is not None and (name.lower() in {"pwd", "oldpwd"} or _is_worded(value))


def _is_given(value: str) -> bool:
    """Whether *value*, which something calls a password, is one that was drawn or thought out, and no word or code."""
    if _is_drawn(value, _CHOSEN):
        return True
    if _CODE.search(value) or _HASH.fullmatch(value) or _is_placeholder(value) or _PATH.fullmatch(value):
        return False
    if value.isalnum() and re.search(r"\d", value):
        letters = [piece.lower() for piece in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", value)]
        named = set(letters).intersection(held()["numbered"]) and not (len(value) > _LONGEST_NAME and _is_random(value))
        return not (named or _VERSION.fullmatch(value)) and sum(map(len, letters)) >= _THOUGHT_OUT
    if _is_worded(value) and len(re.findall(r"\d+", value)) < 2:
        return False
    return (
        _is_password(value)
        or (_MIXED.search(value) is not None)
        or (value.isalpha() and len(value) >= _CHOSEN and (value != value.lower() or not _is_worded(value)))
    )


def _is_drawn(value: str, shortest: int) -> bool:
    """Whether *value* is of characters of every sort, signs that code has among them, and does not read as words."""
    value = value.removeprefix("django-insecure-")
    signs = len(re.findall(r"[^\w.:/-]", value))
    if len(value) < shortest or _VARIABLE.search(value) or not signs:
        return False
    sorts = sum(re.search(sort, value) is not None for sort in (r"[a-z]", r"[A-Z]", r"\d", r"[^\w]"))
    return (
        sorts + (signs > 1) >= 4
        and _bits(value) >= _BITS
        and not (_WORDS.search(value) or sum(map(len, _words(value))) > 0.7 * sum(map(str.isalpha, value)))
    )


def _is_placeholder(value: str) -> bool:
    plain = value.lower().strip("0123456789!_-")
    return not plain or plain in _FIXTURES or set(plain) <= set("x*.") or _PLACEHOLDER.search(value) is not None


def _is_password(value: str) -> bool:
    """Whether *value* has three of the four sorts of characters, as a rule for passwords asks for."""
    sorts = (r"[a-z]", r"[A-Z]", r"\d", _SIGNS)
    several = sum(re.search(sort, value) is not None for sort in sorts) >= 3
    return several and not (_is_placeholder(value) or _VERSION.fullmatch(value))


def _is_random(value: str) -> bool:
    """Whether *value* has digits among letters in a way that words, identifiers and versions do not have."""
    if not re.search(r"\d", value) or not re.search(r"[A-Za-z]", value) or _bits(value) < _BITS:
        return False
    return not (_PLACEHOLDER.search(value) or _is_worded(value))


def _is_worded(value: str) -> bool:
    """Whether *value* reads as words: most of its letters and digits are of some, or it is words with numbers."""
    words = _words(value)
    size, letters = sum(map(str.isalnum, value)), sum(map(str.isalpha, value))
    numbered = len(re.findall(r"\d+", value)) <= 2 and sum(map(len, words)) >= 0.8 * letters
    shaped = bool(words or re.search(r"[A-Z]{4}", value)) and _PLAIN.fullmatch(value)
    return sum(map(len, words)) >= 0.7 * size or numbered or bool(shaped)


def _words(value: str) -> list[str]:
    """The pieces of *value* that may be words."""
    pieces = _PIECES.findall(value) if re.search(r"[a-z]", value) else re.findall(r"[A-Z]+", value)
    return [piece for piece in pieces if len(piece) >= 3 and re.search(r"[aeiouy]", piece, re.I)]


def _is_readable(value: str) -> bool:
    """Whether the letters of *value* follow each other as those of words do, or one of it is a placeholder's."""
    letters = value.lower().replace(" ", "")
    follows = held()["follows"]
    pairs = [after in follows[ord(before) - ord("a")] for before, after in pairwise(letters) if before in _LETTERS]
    named = any(word in letters for word in _FIXTURES if len(word) > _THOUGHT_OUT) or _PLACEHOLDER.search(letters)
    return sum(pairs) >= 0.75 * len(pairs) or bool(named) or _bits(letters) < _BITS


def _bits(value: str) -> float:
    """Shannon's entropy of a character of *value*."""
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * math.log2(share) for share in shares)


JUDGES: Final[dict[str, Callable[[re.Match[str], str], bool]]] = {
    "any": lambda *_: True,
    "shape": _is_shaped,
    "random": lambda _, value: _is_random(value) and not _HEX.fullmatch(value),
    "address": _is_in_address,
    "basic": lambda _, value: _is_basic(value),
    "header": _is_in_header,
    "assigned": _is_assigned,
    "dotenv": _is_in_dotenv,
    "user": _is_user,
    "password": lambda _, value: _is_given(value),
    "cookie": _is_in_cookie,
    "told": _is_told,
    "bits": lambda _, value: _bits(value) >= _BITS and not _WORDS.search(value),
    "letters": lambda _, value: not _is_readable(value),
    "drawn": lambda _, value: _is_drawn(value, 12),
}
