"""The parts of changelogs: of which release each is, when that was made, and whether it was made at all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from cortex.composer.dates import DATE, date_of
from cortex.composer.times import MONTHS
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

VERSION: Final = (
    r"(?:\d{1,9}(?:\.\d{1,9})+(?:[-.+]?(?:rc|alpha|beta|pre|preview|snapshot|canary|next|dev|post|a|b)[-.]?\d*)?"
    r"|(?:(?<=v)|(?<=version )|(?<=release ))\d{1,4})"
)
NAMED_VERSION: Final = re.compile(rf"(?<![\w.])v?({VERSION})(?![\w]|\.\d)", re.I)
"""One number alone is a version where it says so: 'v3', 'Release 12'."""

LONGEST: Final = 120
"""Characters of a heading that are read."""

_FILE: Final = re.compile(r"(?:^|/)(?:changelog|changes|history|news|releases|release[-_ ]?notes)(?:\.\w+)?$", re.I)
_HEADING: Final = re.compile(
    rf"(?:(?P<whose>@?[\w./-]*[^\W\d][\w./-]*)[ @]+)?\[?v?(?P<version>{VERSION})(?![\w.])\]?", re.I
)
_PAST: Final = re.compile(
    r"\W*(?:(?:change ?log|history|release notes|releases)\W*$|since\b"
    rf"|(?:\[?v?{VERSION}\]?|{DATE.pattern})(?=\s*(?:$|[-–—:,(\[/|·])))",
    re.I,
)
"""A heading of what was done up to then, or then: 'Since 1.0', '[1.0.0] - 2024-05-01', '2021'."""

_PENDING_HEADING: Final = re.compile(r"\W*(?:unreleased|upcoming|next(?: release)?|in development)\W*", re.I)
_GOES_ON: Final = re.compile(rf"\s*(?:$|[-–—:,(\[/|·\"“'‘*]|(?:(?:released|on|of|from)\s+)*(?={DATE.pattern}))", re.I)
_PENDING: Final = re.compile(
    r"\b(?:unreleased|not (?:yet )?released|in (?:development|progress)|upcoming|planned|tb[ad]|draft|wip)\b"
    r"|\bx{2}\b|\?\?",
    re.I,
)
_WITHDRAWN: Final = re.compile(r"\b(?:yanked|withdrawn|retracted|recalled|revoked|pulled)\b", re.I)
_CANDIDATE: Final = re.compile(r"\d[-.+]?(?:rc|alpha|beta|pre|preview|snapshot|canary|next|dev|a|b)", re.I)
_YEAR_FIRST: Final = re.compile(r"\b((?:19|20)\d\d)[/.](\d\d?)[/.](\d\d?)\b")
_DAY_FIRST: Final = re.compile(r"\b(\d\d?)\.(\d\d?)\.((?:19|20)\d\d)\b")
_SHORT: Final = re.compile(r"\b(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?", re.I)
_MONTHS: Final = {month[:3]: month for month in MONTHS}
_WORD: Final = re.compile(r"[^\W_]+")
_NO_NAME: Final = frozenset({"version", "release"})
_NUMBERS: Final = 5
_YEAR: Final = 1990
"""What a version's first number is from where it is a year."""

Place = tuple[tuple[int, ...], bool, tuple[int, ...]]


class Part(NamedTuple):
    """A part of a release's notes.

    Attributes:
        version: as it is called: '0.7.1'; '' for what is not released yet.
        day: ISO 8601, as much as its heading tells; '' where it does not.
        about: the heading below: 'Added'; '' where there is none.
        line: where it begins.
        log: the source and the folder its file is of, and which of several things it tells of; '' of one alone.
        called: words for whose changelog it is: of its source, its folder and its first heading.
        pending: it is not released yet, as its heading says.
        withdrawn: it was, and is no more.
        name: what stands before its version, in lower case: 'widget' of 'Widget 2.0'.
    """

    version: str
    day: str
    about: str
    record: int
    line: int
    log: tuple[str, tuple[str, ...], str]
    called: frozenset[str]
    pending: bool
    withdrawn: bool
    name: str = ""

    @property
    def place(self) -> Place:
        """By which the newest of a scheme is the largest: a later repair of an old version is not the newest."""
        return place_of(self.version)

    @property
    def is_final(self) -> bool:
        """Whether it is no candidate or preview."""
        return place_of(self.version)[1]

    @property
    def last_day(self) -> str:
        """The latest it may be of."""
        return self.day + "-12-31"[len(self.day) - len("2024") :] if self.day else ""


def place_of(version: str) -> Place:
    """Where *version* stands among all: '2.0' where '2.0.0' does, '2.0.0-rc1' before it, '2.0.0.post1' after.

    >>> place_of("2.0-rc1") < place_of("2.0.0") < place_of("v2.0.0.post1") < place_of("2.0.1")
    True
    """
    final = _CANDIDATE.search(version) is None
    base = re.match(r"v?(\d+(?:\.\d+)*)", version, re.I)
    numbers = [*map(int, base[1].split("."))] if base else []
    rest = tuple(map(int, re.findall(r"\d+", version[base.end() :]))) if base else ()
    return (*numbers, *[0] * (_NUMBERS - len(numbers))), final, rest


def tells_what_was(ref: str, title: str) -> bool:
    """Whether a part of a document tells what was done then, not how things are: its file or a heading is for that.

    >>> tells_what_was("doc:docs/story.md#2021", "Our story › 2021"), tells_what_was("doc:a.md#limits", "A › Limits")
    (True, False)
    """
    path = ref.partition(":")[2].partition("#")[0]
    return bool(_FILE.search(path) or any(_PAST.match(one[:LONGEST]) for one in title.split(" › ")))


def read_changelogs(brain: Brain, *, sources: Sequence[int]) -> list[Part]:
    """The parts of every changelog, the newest release first; of each its first lines, then what is of its security."""
    rows = brain.db.execute(sql("headings_of_releases"), {"sources": json.dumps([*sources])})
    parts = [part for row in rows if _FILE.search(row[2]) and (part := _part(*row))]
    return _ordered(_by_thing(parts))


def of_log(parts: Sequence[Part], words: Iterable[str], named: Sequence[Place]) -> list[Part]:
    """Of each source the parts of the changelog of what *words* call so: of the whole project's before a package's."""
    asked = [part for part in parts if part.called.issuperset(words)]
    least: dict[str, int] = {}
    for part in asked:
        source, folders, _ = part.log
        least[source] = min(len(folders), least.get(source, len(folders)))
    of_all = [part for part in asked if len(part.log[1]) == least[part.log[0]]]
    known = not named or any(part.place in named for part in of_all)
    return of_all if known or not any(part.place in named for part in asked) else asked


def known_parts(parts: Sequence[Part], as_of: str, today: str) -> list[Part]:
    """The parts of which it was known then, those of a day that is still to come as pending.

    One without a day was there when a newer one was; where today is not known, what is dated was made.
    """
    if not as_of:
        return [part._replace(pending=part.pending or "" < today < part.day) for part in parts]
    then = [part for part in parts if part.day and part.last_day <= as_of[:10]]
    dated = [(part.log, part.place) for part in then]
    return [
        part
        for part in parts
        if part in then or (not part.day and any(part.log == log and part.place <= place for log, place in dated))
    ]


def _part(record: int, source: str, path: str, title: str, line: int | None) -> Part | None:
    above = title.split(" › ")
    folders = tuple(path.split("/")[:-1])
    called = frozenset(_WORD.findall(" ".join((source.rpartition("/")[2], *folders[-1:], above[0])).lower()))
    log = (source, folders, "")
    for place in reversed(range(len(above))):
        heading, about = above[place][:LONGEST].strip(), "".join(above[place + 1 : place + 2])
        if _PENDING_HEADING.fullmatch(heading):
            return Part("", "", about, record, line or 0, log, called, pending=True, withdrawn=False)
        match = _HEADING.match(heading)
        if match is None or not (_is_of(match["whose"] or "", called) or _is_first(match["whose"], above[:place])):
            continue
        rest = heading[match.end() :]
        days, named = _days(rest)
        if _GOES_ON.match(named) and len(days) <= 1 and not re.search(VERSION, DATE.sub("", named)):
            pending, withdrawn = (one.search(rest) is not None for one in (_PENDING, _WITHDRAWN))
            day = "".join(days)
            name = " ".join(word for word in _WORD.findall((match["whose"] or "").lower()) if word not in _NO_NAME)
            return Part(match["version"], day, about, record, line or 0, log, called, pending, withdrawn, name)
    return None


def _by_thing(parts: Sequence[Part]) -> list[Part]:
    """*parts*, those of a file that tells of several things by their names as of a changelog for each.

    Names of versions alone are no things: one is the project's own, or two of them have had several releases.
    """
    apart: list[Part] = []
    for log in dict.fromkeys(part.log for part in parts):
        own = [part for part in parts if part.log == log]
        versions: dict[str, set[str]] = {}
        for part in own:
            versions.setdefault(part.name, set()).add(part.version)
        versions.pop("", None)
        called = frozenset.intersection(*(part.called for part in own))
        whole = next((name for name in versions if called.issuperset(name.split())), "")
        if len(versions) > 1 and (whole or sum(len(each) > 1 for each in versions.values()) > 1):
            own = [_as_of_one(part, part.name or whole, " ".join(versions).split()) for part in own]
        apart += own
    return apart


def _as_of_one(part: Part, name: str, names: Iterable[str]) -> Part:
    return part._replace(log=(*part.log[:2], name), called=part.called.difference(names).union(name.split()))


def _is_of(whose: str, called: frozenset[str]) -> bool:
    """Whether what stands before a version says no more than whose it is: 'Version', the project's name."""
    return {*_WORD.findall(whose.lower())} <= called | _NO_NAME


def _is_first(whose: str, above: Sequence[str]) -> bool:
    """Whether *whose* may be a name, and no heading *above* tells of a release: 'Python 3.9' below '2.0' is none."""
    return whose.lower() not in STOP_WORDS and not any(map(_HEADING.match, above))


def _days(text: str) -> tuple[list[str], str]:
    """The dates in *text*, and it with each in one form."""
    text = _YEAR_FIRST.sub(lambda match: f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}", text)
    text = _DAY_FIRST.sub(lambda match: f"{match[3]}-{int(match[2]):02}-{int(match[1]):02}", text)
    text = _SHORT.sub(lambda match: _MONTHS[match[1][:3].lower()], text)
    return [date_of(match) for match in DATE.finditer(text)], text


def _ordered(parts: Iterable[Part]) -> list[Part]:
    """The newest first, by their numbers; of versions called by years and others those that began later first.

    Of one release what its first lines say, then what is of its security.
    """
    parts = [*parts]
    days = [(_by_year(part), part.day) for part in parts if part.day]
    begun = {scheme: min((day for own, day in days if own == scheme), default="") for scheme in (True, False)}
    parts.sort(key=lambda part: (part.about != "", "secur" not in part.about.lower(), part.line))
    return sorted(parts, key=lambda part: (begun[_by_year(part)], part.place), reverse=True)


def _by_year(part: Part) -> bool:
    return part.place[0][0] >= _YEAR
