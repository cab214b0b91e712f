"""Whether a comment takes back what was said before it in its thread, and what: 'Scratch that', 'Change of plan: …'."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Final, NamedTuple

from cortex.composer.answer_types import asks
from cortex.composer.trust import OF_PROJECT
from cortex.indexers.distill.deciding import decides
from cortex.indexers.distill.machines import is_machine
from cortex.language.stems import split
from cortex.language.words import STOP_WORDS
from cortex.packaged import files

OPENING: Final = 300
"""Characters within which a comment says that it takes something back."""

TELLING: Final = 5
"""Words of a comment that says something."""

_KNOWN: Final = tomllib.loads((files("cortex.composer") / "retracting.toml").read_text("utf-8"))
_OPENING: Final = _KNOWN["opening"]["pattern"]
_OWN, _WEAK, _NAMING, _REPLACING = (
    re.compile(f"{_OPENING}{_KNOWN[name]['pattern'].removeprefix('(?ix)')}")
    for name in ("own", "weak", "naming", "replacing")
)
_FIRST: Final = re.compile(rf"{_OPENING}(\w+)")
_FIRST_WORDS: Final = frozenset(_KNOWN["first_words"].split())
_ANY: Final = re.compile(
    _OPENING
    + "(?:"
    + "|".join(
        re.sub(r"\?P<\w+>", "?:", _KNOWN[name]["pattern"].removeprefix("(?ix)"))
        for name in ("own", "weak", "naming", "replacing")
    )
    + ")"
)
_DECIDED: Final = re.compile(_KNOWN["decided"]["pattern"])
_LEFT: Final = ("old", "was", "not", "left", "gone")
_TAKEN: Final = ("new", "is", "now", "taken")
_QUOTED: Final = re.compile(r"^[^\S\n]*>[^\S\n]?(.*)$", re.M)
_SENTENCE: Final = re.compile(r"[^.!?\n]*[.!?]?")


class Said(NamedTuple):
    """What somebody said in a thread: its issue or pull request first, then each comment, in order."""

    record_id: int
    ref: str
    author: str
    association: str
    unverified: int
    body: str


class Later(NamedTuple):
    """What takes back something said before.

    Attributes:
        is_sure: that, and nothing else.
        stands: what it takes back holds after all, as far as is known: what took that back was itself taken back.
    """

    said: Said
    is_sure: bool
    stands: bool = False


def may_take_back(body: str) -> bool:
    """Whether a comment begins as one that takes something back."""
    own = own_text(body) if body.startswith(">") else body
    first = _FIRST.match(own, 0, OPENING)
    return first is not None and first[1].lower() in _FIRST_WORDS and _ANY.match(own, 0, OPENING) is not None


def own_text(body: str) -> str:
    """A comment without the lines that it quotes."""
    return _QUOTED.sub("", body).strip()


def says_decided(body: str) -> bool:
    """Whether somebody tells what was decided."""
    return _DECIDED.match(own_text(body) if ">" in body else body) is not None or decides(body)


def taken_back(thread: Sequence[Said], at: int) -> Later | None:
    """The last that takes back what was said at *at* of a *thread*, or takes back what did; None where nothing does."""
    for place in range(at + 1, len(thread)):
        is_sure = _takes_back(thread, place, at)
        if is_sure is None:
            continue
        again = taken_back(thread, place)
        if again is None:
            return Later(thread[place], is_sure)
        return again._replace(is_sure=is_sure and again.is_sure, stands=not again.stands)
    return None


def _takes_back(thread: Sequence[Said], place: int, at: int) -> bool | None:
    """Whether it is sure that what stands at *place* takes back what was said at *at*; None where it does not."""
    later, before = thread[place], thread[at]
    if not _may(later, before):
        return None
    text = own_text(later.body)[:OPENING]
    quoted = " ".join(_QUOTED.findall(later.body[: later.body.find(text[:20])]))
    how = _how(text, before.body, is_own=later.author == before.author)
    if not how or " ".join(quoted.split()) not in " ".join(before.body.split()):
        return None
    return True if quoted or how == "replacing" else _is_meant(thread, place, at, how)


def _may(later: Said, before: Said) -> bool:
    """Whether somebody takes something back who may: what they said, or of the project what was decided."""
    if later.unverified or is_machine(later.author) or not may_take_back(later.body):
        return False
    is_own = later.author == before.author != ""
    return is_own or (later.association in OF_PROJECT and says_decided(before.body))


def _how(text: str, before: str, *, is_own: bool) -> str:
    """By which of the patterns *text* takes something back that was said *before*; '' where it does not."""
    if found := _REPLACING.match(text):
        return "replacing" if _replaces(found, before) and says_decided(before) else ""
    patterns = {"naming": _NAMING} | ({"own": _OWN, "weak": _WEAK} if is_own else {})
    matches = ((how, pattern.match(text)) for how, pattern in patterns.items())
    how, match = next(((how, match) for how, match in matches if match), ("", None))
    return how if match and not asks(_sentence(text, match.end())) else ""


def _is_meant(thread: Sequence[Said], place: int, at: int, how: str) -> bool | None:
    """Whether of all that was said before it is surely what stands at *at*; None where it is surely another."""
    backs = {one for one in range(place) if may_take_back(thread[one].body)}
    author = thread[place].author
    mine = [one for one in range(place) if thread[one].author == author and (one in backs or _tells(thread[one]))]
    decided = [one for one in range(place) if one in backs or says_decided(thread[one].body)]
    last, ruling = max(mine, default=-1), max(decided, default=-1)
    if how == "weak" and at != ruling and any(_tells(one) for one in thread[at + 1 : place]):
        return None
    sure, other = (ruling, last) if how == "naming" and decided else (last, ruling)
    return True if at == sure else False if at == other else None


def _tells(said: Said) -> bool:
    """Whether it says something, and does not only ask."""
    text = own_text(said.body)
    return len(split(text)) >= TELLING and not asks(text)


def _sentence(text: str, end: int) -> str:
    """The sentence of *text* that goes on at *end*, whole."""
    start = max(text.rfind(mark, 0, end) for mark in ".!?\n") + 1
    going = _SENTENCE.match(text, end)
    return text[start : going.end() if going else end]


def _replaces(found: re.Match[str], before: str) -> bool:
    """Whether what is done in place of something is so in place of what was said *before*, which has not the new."""
    old, new = (next((text for name in names if (text := found[name])), "") for names in (_LEFT, _TAKEN))
    known = {*split(before)}
    left, taken = ({word for word in split(text) if word not in STOP_WORDS} for text in (old, new))
    return bool(left) and left <= known and (not new or not taken <= known)
