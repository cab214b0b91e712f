"""Whether a value is a secret, or only looks like a word, an identifier, a hash, code or a placeholder.

A value of hexadecimal digits is taken only where the name before it can mean nothing else: commits, hashes and the test
vectors of cryptography are written like that too.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Callable
from typing import Final

from cortex.substrate.secret_texture import (
    BITS,
    CHOSEN,
    CODE,
    DATE,
    HASH,
    HEX,
    MADE_UP,
    MIXED,
    PATH,
    PLACEHOLDER,
    RELEASE,
    SIGNS,
    bits,
    is_drawn,
    is_given,
    is_password,
    is_placeholder,
    is_random,
    is_readable,
    is_spoken,
    is_thought_out,
    is_tossed,
    is_worded,
    sorts_of,
)

_NO_SECRET: Final = re.compile(r"(?:pub(?:lic)?|cache|sort|partition|primary|foreign|routing|idempotency)_?key\Z", re.I)
"""Names of what everybody may know."""
_NOBODY: Final = frozenset({"", "user", "username", "me", "foo"})
_NOWHERE: Final = re.compile(r"[^\s/]*@(?:host|localhost|127\.|\[::1\]|(?:[\w-]+\.)*(?:example|invalid|test)\b)", re.I)
"""A password before the place of an address that leads nowhere."""
_DRAWN_SHORT: Final = 10  # characters of a secret that a person drew
_STRONG: Final = re.compile(
    r"pass|pwd|api[_-]?key|access[_-]?(?:key|token)|client[_-]?secret|auth[_-]?(?:key|token)|encryption", re.I
)
_PAGING: Final = re.compile(r"(?:next|page|paging|pagination|continuation)[_-]?token", re.I)
PASSWORD: Final = re.compile(r"pass(?:w(?:or)?d|phrase)?|pwd", re.I)
_NAMESPASSWORD: Final = re.compile(rf"(?:{PASSWORD.pattern})\Z", re.I)
_VARIABLES: Final = re.compile(
    rf"(?:{PASSWORD.pattern}|secret|token|key|salt|_pat|credentials?)(?:_\w{{1,8}})?\Z", re.I
)
_OF_ADDRESS: Final = re.compile(r"(?:://|/)[^\s\"'<>=]*\Z")
_NAME_BEFORE: Final = re.compile(r"[\w-]{0,20}\Z")
_COOKIE: Final = re.compile(r"cookie|\s-b\s|\t(?:TRUE|FALSE)\t", re.I)
_HEADER: Final = 4096  # characters of a line with cookies, more or less
_LONG: Final = 20  # characters of the drawn piece of a token in pieces
_NUMBERED: Final = re.compile(r"([A-Za-z]{4,16})\d{2,4}")


def _is_shaped(_: re.Match[str], value: str) -> bool:
    return bool(re.search(r"[A-Z\d]", value)) and bits(value) >= BITS and not PLACEHOLDER.search(value)


def _is_in_address(match: re.Match[str], value: str) -> bool:
    """Whether what stands between ':' and '@' of an address is no placeholder, no port and no path."""
    if "/" in value and ("." in match["name"] or not (is_password(value) or is_random(value))):
        return False
    if value.isdigit():
        return len(value) > len("65535") and not PLACEHOLDER.search(value)
    if len(value) < 3 or value == match["name"]:
        return False
    numbered = re.search(r"[A-Za-z]\d+[!?#$%*+=@]*\Z", value) and not PLACEHOLDER.search(value)
    if numbered and match["name"].lower() not in _NOBODY and not _NOWHERE.match(match.string, match.start("secret")):
        return True
    return not is_placeholder(value)


def _is_user(_: re.Match[str], value: str) -> bool:
    return is_random(value) or (HEX.fullmatch(value) is not None and len(value) >= 32 and bits(value) >= BITS)


def _is_in_header(match: re.Match[str], value: str) -> bool:
    scheme = match["name"].lower()
    if scheme == "basic":
        return _is_basic(value)
    named = match.start("name") > match.start()
    return (named or scheme == "bearer") and len(value) >= 16 and is_random(value)


def _is_basic(value: str) -> bool:
    try:
        user, colon, password = b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(user and colon and password) and not is_placeholder(password)


def _is_assigned(match: re.Match[str], value: str) -> bool:
    """Whether what follows a name and '=' or ':' is a secret, not code, prose, a hash or a test vector."""
    before = match.string[max(0, match.start() - 20) : match.start()]
    name = _NAME_BEFORE.findall(before)[0] + match["name"]
    if (
        (before.endswith(":") and "=>" not in match[0])
        or _PAGING.search(name)
        or DATE.match(value)
        or _is_path(name, value)
    ):  # a type, a place in a list, a time
        return False
    if _NAMESPASSWORD.search(name) and _is_chosen(value):
        return True
    if CODE.search(value) or HASH.fullmatch(value) or (HEX.fullmatch(value) and not _STRONG.search(name)):
        return False
    if PASSWORD.search(name) and is_password(value):
        shouted = value.endswith("!") and not is_worded(value)
        if match["quote"] or shouted or SIGNS.search(value.rstrip("?!")) or is_random(value.rstrip(".")):
            return True
    if match["quote"] and _NAMESPASSWORD.search(name) and value.isalnum() and MIXED.search(value):
        return not is_placeholder(value)
    return (len(value) >= 16 and is_random(value)) or (len(value) >= _LONG and is_tossed(value))


def _is_in_dotenv(match: re.Match[str], value: str) -> bool:
    name, is_password_name = match["name"], PASSWORD.search(match["name"]) is not None
    if _NO_SECRET.search(name) or HASH.fullmatch(value) or RELEASE.fullmatch(value):
        return False
    if _is_dotted(value) or (" " not in value and is_drawn(value, CHOSEN if is_password_name else 16)):
        return True
    if is_password_name and _is_chosen(value):
        return True
    if CODE.search(value) or _is_path(name, value):
        return False
    return _is_kept_password(name, value) if is_password_name else _is_kept_key(name, value)


def _is_kept_password(name: str, value: str) -> bool:
    if " " in value:
        return is_password(value)
    word = name == "PASS" or value.isalpha()  # that of tests is a number of them, or a file
    return not (word and is_worded(value) and is_readable(value)) and not is_placeholder(value)


def _is_kept_key(name: str, value: str) -> bool:
    shortest = _DRAWN_SHORT if name.endswith(("SECRET", "TOKEN")) else 12
    return " " not in value and (
        (len(value) >= shortest and is_random(value)) or (len(value) >= _LONG and is_tossed(value))
    )


def _is_chosen(value: str) -> bool:
    return not PATH.fullmatch(value) and (is_thought_out(value) or is_tossed(value))


def _is_variable(match: re.Match[str], value: str) -> bool:
    named = _VARIABLES.search(match["name"]) is not None
    return named and (_is_in_dotenv(match, value) or is_drawn(value.replace(" ", ""), _LONG))


def _is_dotted(value: str) -> bool:
    if not re.fullmatch(r"[\w-]+(?:\.[\w-]+){1,3}", value):
        return False
    short = all(len(piece) <= 3 or HEX.fullmatch(piece) for piece in value.split("."))
    return any(
        len(piece) >= _LONG and (is_random(piece) if not HEX.fullmatch(piece) else short and bits(piece) >= BITS)
        for piece in value.split(".")
    )


def _is_in_cookie(match: re.Match[str], value: str) -> bool:
    line = match.string[max(0, match.start() - _HEADER) : match.start()].rpartition("\n")[2]
    drawn = is_random(value) or is_tossed(value) or (HEX.fullmatch(value) is not None and bits(value) >= BITS)
    return drawn and bool(_COOKIE.search(line))


def _is_told(_: re.Match[str], value: str) -> bool:
    if is_thought_out(value) or is_tossed(value):
        return True
    numbered = (found := _NUMBERED.fullmatch(value)) is not None and not is_spoken(found[1])
    return is_given(value) and (sorts_of(value) == 4 or numbered or is_random(value) or is_drawn(value, CHOSEN))


def _is_key(_: re.Match[str], value: str) -> bool:
    return is_random(value) or is_tossed(value) or (HEX.fullmatch(value) is not None and bits(value) >= BITS)


def _is_near(match: re.Match[str], value: str) -> bool:
    """Whether a value was drawn that stands after the name of a secret, and is not a piece of an address's path."""
    name = match.string[max(0, match.start() - len("continuation_")) : match.end("name")]
    if value.startswith("//") or _OF_ADDRESS.search(match["between"]) or _PAGING.search(name):
        return False
    if HEX.fullmatch(value):  # so are test vectors written: what it is must be sure
        return bool(match["sure"]) and len(value) >= 32 and bits(value) >= BITS and not MADE_UP.search(value)
    return is_random(value) and is_tossed(value) and not (PATH.fullmatch(value) and is_worded(value))


def _is_phrase(_: re.Match[str], value: str) -> bool:
    words = value.split()
    return len(words) in {12, 15, 18, 21, 24} and len(set(words)) > 0.8 * len(words)


def _is_path(name: str, value: str) -> bool:
    return PATH.fullmatch(value) is not None and (name.lower() in {"pwd", "oldpwd"} or is_worded(value))


JUDGES: Final[dict[str, Callable[[re.Match[str], str], bool]]] = {
    "any": lambda *_: True,
    "shape": _is_shaped,
    "random": lambda _, value: is_random(value) and not HEX.fullmatch(value),
    "address": _is_in_address,
    "basic": lambda _, value: _is_basic(value),
    "header": _is_in_header,
    "assigned": _is_assigned,
    "dotenv": _is_in_dotenv,
    "user": _is_user,
    "password": lambda _, value: is_given(value),
    "cookie": _is_in_cookie,
    "told": _is_told,
    "key": _is_key,
    "variable": _is_variable,
    "words": _is_phrase,
    "phrase": lambda _, value: is_thought_out(re.sub(r"[ ._]", "-", value)),
    "near": _is_near,
    "before": lambda _, value: is_random(value) and is_tossed(value) and not HEX.fullmatch(value),
    "bits": lambda _, value: bits(value) >= BITS and not MADE_UP.search(value),
    "letters": lambda _, value: not is_readable(value),
    "drawn": lambda _, value: is_drawn(value, 12),
}
