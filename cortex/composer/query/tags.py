"""Tags: the values a slot may take at a word of the question (thread, person, period, property …)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from cortex.composer.query.templates import Part, Span, template
from cortex.language.dates import period
from cortex.language.patterns import patterns, read_table
from cortex.language.project import properties
from cortex.language.verbs import FORMS
from cortex.packaged import files
from cortex.regex import regex

_LONGEST_TOPIC: Final = 8
_LONGEST_TITLE: Final = 14
_LONGEST_NAME: Final = 4
_LONGEST_VERB: Final = 3
_LONGEST_LISTED: Final = 5
_LONGEST_PERIOD: Final = 7


_HASH: Final = regex(r"[0-9a-f]{7,40}", re.I)
_VERSION: Final = regex(r"v?\d+(?:\.\d+)+(?:[-.+]?(?:rc|alpha|beta|pre|dev|post|a|b)[-.]?\d*)?|v\d+", re.I)
_PATH: Final = regex(r"\.?[\w@+*][\w.@+*-]*(?:/[\w.@+*-]+)*/?")
_PERSON: Final = regex(r"@?[^\W_][\w.'’-]*(?:\[bot\])?|@[\w/.-]+")
_FREE: Final = ("path", "file", "owner", "person", "label", "topic", "titled", "change", "period")
"""Types of slots that any word may fill."""

_STATED: Final = ("stated", "how", "who", "people")
"""Types of slots that what a project states fills."""


class Named(NamedTuple):
    """A thread or commit as named in a question.

    Attributes:
        refs: what it may be called in a brain, the likeliest first; none where its title is paraphrased.
        text: as written.
        kind: 'pull', 'issue' or 'commit' where that is said of a title.
        done: what is said to have been done with it: 'removes'.
        alone: whether its title has to be of just that.
    """

    refs: tuple[str, ...]
    text: str
    kind: str = ""
    done: str = ""
    alone: bool = False


class Kind(NamedTuple):
    """The records that are asked for: 'pull', 'issue', 'commit', or 'thread' for both of the first."""

    name: str
    plural: bool

    @property
    def types(self) -> tuple[str, ...]:
        """The types of these records."""
        return ("issue", "pull") if self.name == "thread" else (self.name,)


class Asked(NamedTuple):
    """A property of the project as named in a question, with further slots from its words."""

    property: str
    slots: Mapping[str, Any]


@cache
def read_intents() -> Mapping[str, Any]:
    """The table `intents.toml`."""
    return tomllib.loads((files("cortex.composer.query") / "intents.toml").read_text("utf-8"))


def spelled_out(words: Iterable[str]) -> list[str]:
    """*words* with short forms apart: 'wheres' is 'where is'."""
    return [word for each in words for word in read_intents()["short"].get(each.lower(), each).split(" ")]


@cache
def phrases() -> Mapping[str, Part]:
    """The phrases that templates name."""
    made: dict[str, Part] = {}
    for name, text in {**read_intents()["phrases"], **read_table("project")["phrases"]}.items():
        made[name] = template(text, made)
    return made


@cache
def called(form: str) -> tuple[tuple[str, Part], ...]:
    """Templates for the names of project properties in a form: noun, how, who, people."""
    asks, text = {"stated": ("noun", "noun"), "people": ("who", "noun")}.get(form, (form, form))
    named = [one for one in properties().values() if asks in one.forms]
    return tuple((one.name, template(one.forms[text], phrases())) for one in named)


class Tags:
    """The tagger of one question: spans by slot type and start word."""

    def __init__(
        self, words: Sequence[str], lower: Sequence[str], names: Mapping[str, Mapping[str, str]], today: date | None
    ) -> None:
        self.words, self.lower, self._names, self._today = words, lower, names, today
        self._found: dict[tuple[str, int], list[Span]] = {}

    def held(self) -> frozenset[str]:
        """The words, and the slot types that some of them may fill."""
        held = {*self.lower, *(f"*{type_}" for type_ in _FREE)}
        if any(re.search(r"\d", word) for word in self.lower):
            held |= {"*thread", "*version", "*number"}
        places, sizes = range(len(self.lower)), range(1, _LONGEST_LISTED + 1)
        runs = {" ".join(self.lower[at : at + size]) for at in places for size in sizes}
        held |= {f"*{type_}" for type_, known in self._names.items() if not runs.isdisjoint(known)}
        named = (form for form in _STATED if any(not any(map(held.isdisjoint, one.needs)) for _, one in called(form)))
        return frozenset(held).union(f"*{form}" for form in named)

    def __call__(self, type_: str, at: int) -> Sequence[Span]:
        """Spans of *type_* that begin at word *at*, likeliest first."""
        key = (type_, at)
        if key not in self._found:
            if type_ in _STATED:
                self._found[key] = self._property(type_, at)
            elif type_ in (*_FREE, "thread", "version", "number"):
                self._found[key] = [*getattr(self, f"_{type_}")(at)]
            else:
                self._found[key] = self._listed(type_, at)
        return self._found[key]

    def _listed(self, type_: str, at: int) -> list[Span]:
        known = self._names[type_]
        ends = range(min(len(self.words), at + _LONGEST_LISTED), at, -1)
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
        if word.isdecimal() and not kind and at and self.lower[at - 1] == "in" and period(word, None).alone:
            return []  # 'in 2024'
        return [Span(place + 1, Named(tuple(f"{one}:{number}" for one in order), text))]

    def _version(self, at: int) -> list[Span]:
        place = at + (self.lower[at] in ("version", "release"))
        if place >= len(self.words):
            return []
        word = self.words[place]
        whole = place > at and word.isdecimal()
        return [Span(place + 1, word.lower().removeprefix("v"))] if whole or _VERSION.fullmatch(word) else []

    def _number(self, at: int) -> list[Span]:
        """A version, which may be a whole number: '3.9', '18', '3.8+'."""
        word = self.lower[at].rstrip("+x.").lstrip("v")
        return [Span(at + 1, word)] if _VERSION.fullmatch(word) or word.isdecimal() else []

    def _property(self, form: str, at: int) -> list[Span]:
        """Properties named in this form, the longest first."""
        found = [
            Span(end, Asked(name, slots))
            for name, part in called(form)
            for end, slots in part.parse(self.lower, at, {}, self)
        ]
        return sorted(found, key=lambda one: -one.end)

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
            if self.lower[end - 1] in self._names["no_person"] or self.lower[end - 1][0] == "#":
                break
            found.append(Span(end, " ".join(self.lower[at:end]).strip('"')))
        return found

    def _topic(self, at: int) -> list[Span]:
        """Words as written; a text that begins with a number is more likely an invalid date."""
        if self.words[at][0].isdecimal():
            return []
        ends = range(at + 1, min(len(self.words), at + _LONGEST_TOPIC) + 1)
        return [Span(end, " ".join(self.words[at:end]).strip('"')) for end in ends]

    def _titled(self, at: int) -> list[Span]:
        """Words of a title, the most first; a project's name alone is no thread's."""
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
            if kind or text.lower() not in self._names["project"]:
                found.append(Span(end, Named((), text.strip('"'), kind.name if kind else "")))
        return found

    def _change(self, at: int) -> list[Span]:
        """A verb of change: 'dropped', 'got rid of'."""
        ends = range(min(len(self.words), at + _LONGEST_VERB), at, -1)
        return [Span(end, form.op) for end in ends if (form := FORMS.get(" ".join(self.lower[at:end])))]

    def _period(self, at: int) -> list[Span]:
        ends = range(min(len(self.words), at + _LONGEST_PERIOD), at, -1)
        found = ((end, period(" ".join(self.lower[at:end]), self._today)) for end in ends)
        return [Span(end, one) for end, one in found if one.alone]
