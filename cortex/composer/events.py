"""What a question takes for granted: that something was done to a thing, as in 'why was the cache removed?'."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from cortex.composer.question import Question
from cortex.language.stems import Stemmer, stemmer
from cortex.language.words import STOP_WORDS
from cortex.packaged import files

LONGEST: Final = 3
"""Words of a phrase."""

SUBJECT: Final = 4
"""Words from 'did' to its verb, at most: 'did the working group drop'."""

MOST_WORDS: Final = 64
"""Of a question, among which its verb is."""

TURNING: Final = frozenset(
    "from to by with into against as when if because since via through towards in at than after before until".split()
)
"""Words after which stands something else than what the verb before them is of."""

NOT: Final = frozenset("not never no t cannot nor".split())

_TOKEN: Final = re.compile(r"\d+(?:\.\d+)+|[^\W_]+")
_PAUSE: Final = re.compile(r"[;:!?()\[\]|›\n—–]|[.](?=\s)|\s-\s")
_JOINS: Final = ("_", "-")
_QUOTES: Final = ('"', "“", "‘")
_REFERENCE: Final = re.compile(r"\s\(#\d+\)")
_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_DONE: Final = frozenset("was were has have had did".split())
_HAS: Final = frozenset(("has", "have", "had"))
_WHEN: Final = frozenset("in by since at with".split())
_BRINGS: Final = frozenset("pr mr pull request change commit patch release version".split())
_RESOLVED: Final = frozenset("decided agreed chose voted".split())
_ENDS: Final = TURNING | frozenset("for over after instead and".split())

Phrase = tuple[str, ...]


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        part: how many pauses stand before it, commas among them.
        clause: how many do that are no comma.
        is_inside: it is a part of an identifier or a compound: 'dropped' of 'packet_dropped'.
        is_label: a colon follows it.
        is_quoted: a quotation mark stands before it.
    """

    stem: str
    text: str
    part: int
    clause: int
    is_inside: bool
    is_label: bool
    is_quoted: bool


class Kind(NamedTuple):
    """What may be done to a thing, and the stems of what tells it, as `events.toml` describes them."""

    name: str
    asked: frozenset[Phrase]
    first: frozenset[str]
    past: frozenset[str]
    told: frozenset[Phrase]
    before: frozenset[Phrase]
    after: frozenset[Phrase]
    hints: frozenset[Phrase]
    turning: frozenset[str]
    states: frozenset[str]
    brings: bool
    unsure: bool


class Event(NamedTuple):
    """What was done, and to what.

    Attributes:
        thing: for each word of its name the stems that say it.
        whole: stems of an identifier, of which a part is another thing.
        called: the words by which the question calls it, lower case.
    """

    kind: Kind
    thing: tuple[frozenset[str], ...]
    whole: frozenset[str]
    called: str


def _read() -> Mapping[str, Any]:
    return tomllib.loads((files("cortex.composer") / "events.toml").read_text("utf-8"))


KINDS_OF_THINGS: Final = frozenset(_read()["kinds"].split())


@cache
def verbs() -> frozenset[str]:
    """The stems of single words for what is done to things."""
    return frozenset(one[0] for kind in _kinds() for one in kind.asked if len(one) == 1)


@cache
def _kinds() -> tuple[Kind, ...]:
    return tuple(_kind(name, told) for name, told in _read()["event"].items())


def _kind(name: str, told: Mapping[str, Any]) -> Kind:
    said = {
        of: [part.strip() for part in re.split(r"[|\n]", text) if part.strip()]
        for of, text in told.items()
        if isinstance(text, str)
    }
    stems = {of: frozenset(tuple(stemmer().sequence(one)) for one in parts) for of, parts in said.items()}
    none: frozenset[Phrase] = frozenset()
    asked = stems["asked"] | stems.get("past", none)
    return Kind(
        name,
        asked=asked,
        first=frozenset(one.split()[0] for one in said["asked"]),
        past=frozenset(one.split()[0] for one in said.get("past", ())),
        told=asked | stems.get("told", none),
        before=stems.get("before", none),
        after=stems.get("after", none),
        hints=stems.get("hints", none),
        turning=frozenset(stemmer().sequence(told.get("turning", ""))),
        states=frozenset(told.get("states", "").split()),
        brings=told.get("brings", False),
        unsure=told.get("unsure", False),
    )


def words_of(text: str, stemmer: Stemmer) -> list[Word]:
    """The words of *text* in order, with the pauses between them; '(#12)' is none."""
    text = _REFERENCE.sub(" ", text)
    found = [*_TOKEN.finditer(text)]
    stem_of = stemmer.stem({one[0].lower() for one in found if "." not in one[0]})
    words: list[Word] = []
    part = clause = end = 0
    for one in found:
        between, end = text[end : one.start()], one.end()
        pause = _PAUSE.search(between) is not None
        part, clause = part + (pause or "," in between), clause + pause
        after, word = text[end : end + 2], one[0].lower()
        inside = between in _JOINS or (after[:1] in _JOINS and after[1:].isalnum())
        marks = inside, after[:1] == ":", between[-1:] in _QUOTES
        words.append(Word(stem_of.get(word, word), word, part, clause, *marks))
    return words


def event_of(question: Question, stemmer: Stemmer) -> Event | None:
    """What *question* takes to have happened; None where that is nothing, or it is asked of a thread by its number."""
    if question.numbers or question.hashes:
        return None
    asking = [one for one in _BETWEEN_SENTENCES.split(question.text.strip()) if "?" in one]
    words = words_of(asking[-1] if asking else question.text, stemmer)
    if words and words[0].text in ("and", "so", "but"):
        words = words[1:]
    for at in range(1, min(len(words), MOST_WORDS)):
        for kind, size in _asked(words, at):
            said = _thing(words, at, size, kind)
            if named := _named(said):
                whole = frozenset(one.stem for one in named if one.is_inside)
                called = " ".join(one.text for one in said)
                return Event(kind, tuple(_alike(question, one) for one in named), whole, called)
    return None


def _asked(words: Sequence[Word], at: int) -> list[tuple[Kind, int]]:
    if words[at].is_inside:
        return []
    said = tuple(one.stem for one in words[at : at + LONGEST])
    return [(kind, size) for size in range(len(said), 0, -1) for kind in _kinds() if said[:size] in kind.asked]


def _thing(words: Sequence[Word], at: int, size: int, kind: Kind) -> Sequence[Word]:
    """To what the question's verb *at* was done; nothing where that verb is not what it takes for granted."""
    before, verb, after = [one.text for one in words[:at]], words[at].text, _object(words[at + size :])
    if any(one.text in NOT and not one.is_inside for one in words[:at]):
        return []
    done = next((place for place, text in enumerate(before) if text in _DONE), 0)
    if verb in kind.first:
        resolved = before[-1] == "to" and not _RESOLVED.isdisjoint(before[-2:])
        did = done > 0 and before[done] == "did" and at - done <= SUBJECT and TURNING.isdisjoint(before[done:])
        return after if resolved or did else []
    if verb not in kind.past and not verb.endswith("ed"):
        return []
    if before == ["who"] or _is_change([text for text in before if text not in _HAS]):
        return after
    return words[done + 1 : at] if done and _asks_of_it(before, done, kind) else []


def _asks_of_it(before: Sequence[str], done: int, kind: Kind) -> bool:
    """Whether what stands before the verb asks why or when that was done, or by what."""
    by_what = before[0] == "what" and kind.name in ("renaming", "replacement")
    first = done == 1 and (before[0] in ("why", "when") or by_what)
    return kind.name != "leaving" and (first or before[0] in _WHEN)


def _is_change(before: Sequence[str]) -> bool:
    """Whether a question begins by asking for what did it: 'which pull request'."""
    return before[0] in ("which", "what") and _BRINGS.issuperset(before[1:])


def _object(words: Sequence[Word]) -> Sequence[Word]:
    end = next((place for place, one in enumerate(words) if place and one.text in _ENDS), len(words))
    return words[:end]


def _named(said: Sequence[Word]) -> Sequence[Word]:
    """The words of a thing's name, but for those that tell of what kind it is, and the first of a long identifier."""
    words = [one for one in said if one.text not in STOP_WORDS or one.is_inside]
    words = [one for one in words if one.is_inside or one.text not in KINDS_OF_THINGS] or words
    is_one = len(words) >= LONGEST and all(one.is_inside for one in words) and [*said[-len(words) :]] == words
    return words[1:] if is_one else words


def _alike(question: Question, word: Word) -> frozenset[str]:
    """The stems that say the same as *word*; of a name there is but one."""
    forms = {form for form, stem in question.forms.items() if stem == word.stem}
    is_name = word.is_inside or word.stem in question.named
    return frozenset({word.stem, *forms, *(() if is_name else question.related.get(word.stem, ()))})
