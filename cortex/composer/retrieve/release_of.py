"""The release that did something, as its part of a changelog says: 'Which version added X?', 'When was X released?'."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from cortex.composer.retrieve.changelogs import NAMED_VERSION, Part, place_of
from cortex.composer.retrieve.filters import WORD
from cortex.composer.rows import Row, load_firsts
from cortex.language.markdown import Span
from cortex.language.sentences import sentences
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_NOUN: Final = r"(?:which|what) (?:release|version)\b"
_WHICH: Final = re.compile(
    rf"\b(?:in|since|with|from) {_NOUN}|\b{_NOUN}(?!\s+(?:is|are|do|does|can|should|must|may)\b)|\b{_NOUN}.*\bin\W*$",
    re.I,
)
"""'Which version adds X?', 'In which version is X supported?', but not 'Which version is supported?'."""

_OF: Final = re.compile(rf"\b{_NOUN} of (?:(?:the|our|an?) )?(\w+)", re.I)
_WHEN: Final = re.compile(r"^\W*when (?:was|were|did|will)\b.*\b(?:released|release|shipped|ship)\W*$", re.I)
_ADDED: Final = (
    r"\b(?:add|introduc|br(?:ing|ought)|ship|releas|includ|contain|implement|support|gain|got)\w*|\bha[sd]\b(?! to\b)"
)
_DID: Final = (
    (r"\b(?:remov|drop|delet)\w*|\b(?:stop\w*|ceas\w*|no ?longer) support\w*", ("remov", "drop", "delet", "no longer")),
    (r"\b(?:fix|resolv|repair)\w*", ("fix", "bug", "secur", "resolv", "repair", "patch")),
    (r"\bdeprecat\w*", ("deprecat",)),
    (_ADDED, ("add", "new", "feature", "enhance", "introduc", "implement", "support", "initial")),
)
"""How it is asked what was done, and the beginnings of words that head what tells it, or say it there."""

_OTHERWISE: Final = re.compile(r"\b(?:remov|drop|delet|deprecat|revert|fix)", re.I)
_SINCE_GONE: Final = re.compile(r"\b\w+(?:ed|t) (?:again )?in v?\d[\w.]*", re.I)
"""What a line says a later release did: 'A tide table, removed in 1.6.1'."""

_PAUSE: Final = re.compile(r"[,;(–—]|\.(?!\w)|\Z")

_ASKING: Final = frozenset(
    """which what when release released version versions releases first earliest since new was were did does is are has
    have in feature project""".split()
)


class Told(NamedTuple):
    """A sentence of a part that says it, and whether its clause says just that: 'Dark mode, by request'."""

    part: Part
    span: Span
    just: bool


class Found(NamedTuple):
    """A part at the sentence that says it; where the oldest that does says more, and a later one just that, unsure."""

    row: Row
    sure: bool


def asks_for_deed(text: str) -> bool:
    """Whether *text* asks for the release that did something, or for when something was released."""
    return (_WHICH.search(text) or _WHEN.search(text)) is not None and _deed(text) is not None


def find_release_of(brain: Brain, text: str, parts: Sequence[Part]) -> list[Found]:
    """The parts of *parts* that tell which release did what *text* asks, what says just that before the oldest.

    Returns:
        Of what was added, of each changelog only what says just that and the first that names it; what is not
        released yet where none is.
    """
    asked, heads = _deed(text) or _DID[-1]
    if not asks_for_deed(text):
        return []
    places = {part.place for part in parts}
    versions = [version.lower() for version in NAMED_VERSION.findall(text) if place_of(version) not in places]
    called = frozenset().union(*(part.called for part in parts))
    said = WORD.findall(re.sub(asked, " ", NAMED_VERSION.sub(" ", text), flags=re.I).lower())
    words = [word for word in said if not (word in called or word in STOP_WORDS or word in _ASKING)]
    if not words or ((of := _OF.search(text)) and of[1].lower() in words):
        return []  # a version of a thing is not one of the project
    holding = [*_holding(brain, parts, text, " ".join(words), versions, heads, only_new=asked == _ADDED)]
    holding.sort(key=lambda one: one.part.place)
    told = [one for one in holding if one.part.version and not one.part.pending] or holding
    if _WHEN.search(text):
        told = [one for one in told if one.part.day or one.part.pending]
    firsts = {one.part.log: one for one in reversed(told)}
    just = {one.part.log: one for one in reversed(told) if one.just}
    meant = firsts | just
    sure = meant == firsts
    told = [*dict.fromkeys([*meant.values(), *(firsts.values() if asked == _ADDED else told)])]
    rows = load_firsts(brain, [one.part.record for one in told])
    return [
        Found(rows[part.record]._replace(start=span.start, end=span.end), sure)
        for part, span, _ in told
        if part.record in rows
    ]


def names_version(brain: Brain, parts: Sequence[Part], versions: Iterable[str]) -> bool:
    """Whether a line of *parts* names one of *versions* as it is written."""
    named = {*versions}
    return any(not named.isdisjoint(NAMED_VERSION.findall(body)) for body in _bodies(brain, parts).values())


def _deed(text: str) -> tuple[str, tuple[str, ...]] | None:
    return next((one for one in _DID if re.search(one[0], text, re.I)), None)


def _holding(
    brain: Brain,
    parts: Sequence[Part],
    text: str,
    words: str,
    versions: Sequence[str],
    heads: Sequence[str],
    *,
    only_new: bool,
) -> Iterator[Told]:
    """Each part that says it of all the *words* of *text*, and the sentence of it that says least beside."""
    stemmer: Stemmer = brain.stemmer
    wanted, asked = {*stemmer.sequence(words)}, {*stemmer.sequence(text)}
    bodies = _bodies(brain, parts)
    done = re.compile(rf"\b(?:{'|'.join(heads)})\w*", re.I)
    for part in parts:
        body = bodies.get(part.record, "")
        told: list[Told] = []
        for span in sentences(body):
            said = body[span.start : span.end]
            if not wanted.issubset(stemmer.sequence(said)) or any(one not in said.lower() for one in versions):
                continue
            if done.match(part.about) or done.search(said) or (only_new and not part.about and _is_new(said)):
                told.append(Told(part, span, _says_just(done.sub(" ", said), wanted, asked, stemmer)))
        if told:
            yield max(told, key=lambda one: one.just)


def _says_just(said: str, wanted: set[str], asked: set[str], stemmer: Stemmer) -> bool:
    """Whether the words of *said*, up to the first pause after what is *wanted*, are all *asked* for."""
    clauses = (said[: pause.start()] for pause in _PAUSE.finditer(said))
    clause = next((one for one in clauses if wanted.issubset(stemmer.sequence(one))), said)
    return asked.issuperset(stemmer.sequence(" ".join(word for word in split(clause) if word not in STOP_WORDS)))


def _bodies(brain: Brain, parts: Sequence[Part]) -> dict[int, str]:
    ids = json.dumps([part.record for part in parts])
    return dict(brain.db.execute(sql("bodies_of_records"), {"ids": ids}).fetchall())


def _is_new(said: str) -> bool:
    """Whether a line of a list of no kind tells of nothing else that its release did."""
    return _OTHERWISE.search(_SINCE_GONE.sub(" ", said)) is None
