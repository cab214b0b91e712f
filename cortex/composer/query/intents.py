"""Questions that stored fields answer, by the templates of `intents.toml`: what is asked for, and of what."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from cortex.composer.query.templates import Part, Span, parses, template
from cortex.language.dates import Period, period
from cortex.language.patterns import patterns
from cortex.language.verbs import FORMS
from cortex.packaged import files
from cortex.regex import regex

MOST_WORDS: Final = 24  # words of a question that may be a lookup
_LONGEST_TOPIC: Final = 8
_LONGEST_TITLE: Final = 14
_LONGEST_NAME: Final = 4
_LONGEST_PERIOD: Final = 7

_QUOTED: Final = regex(r'["“”]([^"“”]+)["“”]')
_WORD: Final = regex(r'"[^"]+"|\S+')
_OWN: Final = regex(r"(?<=\w)['’]s(?=\s)")
_HASH: Final = regex(r"[0-9a-f]{7,40}", re.I)
_VERSION: Final = regex(r"v?\d+(?:\.\d+)+(?:[-.+]?(?:rc|alpha|beta|pre|dev|post|a|b)[-.]?\d*)?|v\d+", re.I)
_PATH: Final = regex(r"\.?[\w@+*][\w.@+*-]*(?:/[\w.@+*-]+)*/?")
_PERSON: Final = regex(r"@?[^\W_][\w.'’-]*(?:\[bot\])?|@[\w/.-]+")
_FREE: Final = ("path", "file", "owner", "person", "label", "topic", "titled", "change", "period")
"""Types of slots that any word may fill."""

_ENDS: Final = ".,;:!?"


class Named(NamedTuple):
    """A thread or a commit as a question calls it.

    Attributes:
        refs: what it may be called in a brain, the likeliest first; none where its title is paraphrased.
        text: as written.
        kind: 'pull', 'issue' or 'commit' where that is said of a title.
        done: what is said to have been done with it: 'removes'.
    """

    refs: tuple[str, ...]
    text: str
    kind: str = ""
    done: str = ""


class Kind(NamedTuple):
    """The records that are asked for: 'pull', 'issue', 'commit', or 'thread' for both of the first."""

    name: str
    plural: bool


class Lookup(NamedTuple):
    """What a question asks of stored fields.

    Attributes:
        run: what answers it.
        slots: what it names, by slot, with what its intent sets.
    """

    intent: str
    run: str
    slots: Mapping[str, Any]


class Intent(NamedTuple):
    """A kind of question, with its templates."""

    name: str
    run: str
    set: Mapping[str, Any]
    templates: tuple[Part, ...]


class _Table(NamedTuple):
    never: frozenset[str]
    short: Mapping[str, str]
    politeness: re.Pattern[str]
    thanks: re.Pattern[str]
    words: Mapping[str, Mapping[str, str]]


@cache
def _read() -> Mapping[str, Any]:
    return tomllib.loads((files("cortex.composer.query") / "intents.toml").read_text("utf-8"))


@cache
def _table() -> _Table:
    read = _read()
    words = {
        name: {spelled: value for value, spellings in values.items() for spelled in spellings}
        for name, values in read["words"].items()
    }
    polite, thanks = (regex(read[name], re.I) for name in ("politeness", "thanks"))
    return _Table(frozenset(read["never"]), read["short"], polite, thanks, words)


@cache
def _intents() -> tuple[Intent, ...]:
    """The intents in the order in which they are tried; made for the first question that may be a lookup."""
    phrases: dict[str, Part] = {}
    for name, text in _read()["phrases"].items():
        phrases[name] = template(text, phrases)
    return tuple(
        Intent(one["name"], one["run"], _set(one), tuple(template(each, phrases) for each in one["templates"]))
        for one in _read()["intent"]
    )


def _set(intent: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        name: Kind(value, plural=False) if name == "kind" else value for name, value in intent.get("set", {}).items()
    }


def match(text: str, *, today: date | None) -> Lookup | None:
    """The lookup that *text* asks for as a whole; None where no template covers it.

    Args:
        today: what 'last week' counts from; None matches no such period.
    """
    table = _table()
    words = _words(text, table)
    if not words or len(words) > MOST_WORDS:
        return None
    tags = _Tags(words, table.words, today)
    lower = tags.lower
    if (lower[0] == "how" and lower[1:2] != ["many"]) or not table.never.isdisjoint(lower[:2]):
        return None
    held = tags.held()
    for intent in _intents():
        for each in intent.templates:
            if any(map(held.isdisjoint, each.needs)):
                continue
            for slots in parses(each, lower, tags):
                return Lookup(intent.name, intent.run, {**slots, **intent.set})
    return None


def _words(text: str, table: _Table) -> list[str]:
    text = " ".join(text.replace("’", "'").split())
    match_ = table.politeness.match(f"{text} ")
    text = text[match_.end() :] if match_ else text
    if len(text) > 20 * MOST_WORDS:
        return []
    text = table.thanks.sub("", f"{text.rstrip(' .!?')}") if (found := table.thanks.search(text.rstrip(" .!?"))) and (
        found.end() == len(text.rstrip(" .!?"))
    ) else text  # fmt: skip
    words = [short for word in text.split(" ") for short in table.short.get(word.lower(), word).split(" ")]
    text = _OWN.sub(" 's", _QUOTED.sub(r'"\1"', " ".join(words)) + " ")
    words = [word if word[0] == '"' else word.rstrip(_ENDS).strip("()`") for word in _WORD.findall(text)]
    return [word for word in words if word]


class _Tags:
    """What of each type begins at each word; called as a `Tagger`."""

    def __init__(self, words: Sequence[str], names: Mapping[str, Mapping[str, str]], today: date | None) -> None:
        self.words, self.lower, self._names, self._today = words, [word.lower() for word in words], names, today
        self._found: dict[tuple[str, int], list[Span]] = {}

    def held(self) -> frozenset[str]:
        """The words, and types of slots that some of them may fill."""
        held = {*self.lower, *(f"*{type_}" for type_ in _FREE)}
        if any(re.search(r"\d", word) for word in self.lower):
            held |= {"*thread", "*version"}
        pairs = {*self.lower, *(" ".join(self.lower[at : at + 2]) for at in range(len(self.lower)))}
        return frozenset(held).union(f"*{type_}" for type_, known in self._names.items() if not pairs.isdisjoint(known))

    def __call__(self, type_: str, at: int) -> Sequence[Span]:
        """What of *type_* begins at word *at*, the likeliest first."""
        key = (type_, at)
        if key not in self._found:
            if type_ in (*_FREE, "thread", "version"):
                self._found[key] = [*getattr(self, f"_{type_}")(at)]
            else:
                self._found[key] = self._listed(type_, at)
        return self._found[key]

    def _listed(self, type_: str, at: int) -> list[Span]:
        known = self._names[type_]
        ends = range(min(len(self.words), at + _LONGEST_NAME), at, -1)
        found = [(end, text) for end in ends if (text := " ".join(self.lower[at:end])) in known]
        if type_ == "kind":
            return [Span(end, Kind(known[text], plural=text.endswith("s"))) for end, text in found]
        return [Span(end, known[text]) for end, text in found]

    def _thread(self, at: int) -> list[Span]:
        start = at + (self.lower[at] == "the")
        kinds = self._listed("kind", start) if start < len(self.words) else []
        kind = kinds[0].value.name if kinds and isinstance(kinds[0].value, Kind) else ""
        place = kinds[0].end if kinds else start
        place += place < len(self.words) and self.lower[place] in ("number", "no", "nr", "#")
        if place >= len(self.words) or kind == "doc":
            return []
        word, text = self.words[place], " ".join(self.words[start : place + 1])
        if kind == "commit" or (not kind and _HASH.fullmatch(word) and not word.isdecimal() and re.search(r"\d", word)):
            return [Span(place + 1, Named((f"commit:{word.lower()[:12]}",), text))] if _HASH.fullmatch(word) else []
        found = patterns("questions", "asking")["thread"].fullmatch(word)
        if not found:
            return []
        own = {"pr": "pull", "mr": "pull", "pull": "pull", "issue": "issue"}.get((found["kind"] or "").lower(), kind)
        order = ("issue", "pull") if own == "issue" else ("pull", "issue")
        number = int(found["number"])
        if word.isdecimal() and not kind and at and self.lower[at - 1] == "in" and _is_all(word, period(word, None)):
            return []  # 'in 2024'
        return [Span(place + 1, Named(tuple(f"{one}:{number}" for one in order), text))]

    def _version(self, at: int) -> list[Span]:
        place = at + (self.lower[at] in ("version", "release"))
        if place >= len(self.words):
            return []
        word = self.words[place]
        whole = place > at and word.isdecimal()
        return [Span(place + 1, word.lower().removeprefix("v"))] if whole or _VERSION.fullmatch(word) else []

    def _path(self, at: int) -> list[Span]:
        word = self.words[at].strip('"')
        fits = _PATH.fullmatch(word) and self.lower[at] not in self._names["no_person"] and not _VERSION.fullmatch(word)
        return [Span(at + 1, word)] if fits else []

    def _file(self, at: int) -> list[Span]:
        return [span for span in self._path(at) if re.search(r"[^/.][/.][^/.]", str(span.value))]

    def _owner(self, at: int) -> list[Span]:
        return [Span(at + 1, self.words[at].lstrip("@"))] if _PERSON.fullmatch(self.words[at]) else []

    def _person(self, at: int) -> list[Span]:
        """A login, or a name of up to three words; '' for anybody."""
        anybody = self._listed("person", at)
        if anybody or self.lower[at] in self._names["no_person"]:
            return anybody
        found: list[Span] = []
        for end in range(at + 1, min(len(self.words), at + _LONGEST_NAME) + 1):
            if not _PERSON.fullmatch(self.words[end - 1]) or self.words[end - 1].isdecimal():
                break
            found.append(Span(end, " ".join(self.words[at:end]).lstrip("@")))
        return found

    def _label(self, at: int) -> list[Span]:
        found: list[Span] = []
        for end in range(at + 1, min(len(self.words), at + _LONGEST_NAME) + 1):
            if self.lower[end - 1] in self._names["no_person"]:
                break
            found.append(Span(end, " ".join(self.lower[at:end]).strip('"')))
        return found

    def _topic(self, at: int) -> list[Span]:
        """Words as they stand; what begins with a number is a day that is none, more likely."""
        if self.words[at][0].isdecimal():
            return []
        ends = range(at + 1, min(len(self.words), at + _LONGEST_TOPIC) + 1)
        return [Span(end, " ".join(self.words[at:end]).strip('"')) for end in ends]

    def _titled(self, at: int) -> list[Span]:
        found: list[Span] = []
        for end in range(min(len(self.words), at + _LONGEST_TITLE), at, -1):
            start = at + (self.lower[at] == "the")
            kinds = {place: self._listed("kind", place) for place in (start, end - 1) if at <= place < end}
            kind = next((one[0].value for one in kinds.values() if one and isinstance(one[0].value, Kind)), None)
            text = " ".join(
                word
                for place, word in enumerate(self.words[at:end], at)
                if not (kinds.get(place) or self.lower[place] in self._names["noun"])
            )
            found.append(Span(end, Named((), text.strip('"'), kind.name if kind else "")))
        return found

    def _change(self, at: int) -> list[Span]:
        """A verb of change: 'dropped', 'took out'."""
        ends = range(min(len(self.words), at + 2), at, -1)
        return [Span(end, form.op) for end in ends if (form := FORMS.get(" ".join(self.lower[at:end])))]

    def _period(self, at: int) -> list[Span]:
        ends = range(min(len(self.words), at + _LONGEST_PERIOD), at, -1)
        texts = ((end, " ".join(self.lower[at:end])) for end in ends)
        found = ((end, text, period(text, self._today)) for end, text in texts)
        return [Span(end, one) for end, text, one in found if _is_all(text, one)]


def _is_all(text: str, found: Period) -> bool:
    """Whether *found* is named by all of *text*."""
    return bool(found.spans) and not found.unclear and (found.spans[0][0], found.spans[-1][1]) == (0, len(text))
