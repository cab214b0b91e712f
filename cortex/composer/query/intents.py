"""Lookups: questions that stored fields answer, matched by the templates of `intents.toml`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from cortex.composer.query.likely import likeliest, read_model
from cortex.composer.query.spelling import Spelling
from cortex.composer.query.tags import Kind, Tags, phrases, read_intents, spelled_out
from cortex.composer.query.templates import Part, parses, template
from cortex.composer.values import Query
from cortex.language.patterns import read_table
from cortex.language.project import properties
from cortex.language.stems import split
from cortex.regex import regex

MOST_WORDS: Final = 24  # words of a question that may be a lookup
NAMED: Final = ("tech", "installer", "platform")  # of slots, those that a property may be of
LONG: Final = 40  # words of one that is known by its likeness
_QUOTED: Final = regex(r'["“”]([^"“”]+)["“”]')
_WORD: Final = regex(r'"[^"]+"|\S+')
_OWN: Final = regex(r"(?<=\w)['’]s(?=\s)")
_ENDS: Final = ".,;:!?"


class Lookup(NamedTuple):
    """A question as a lookup of stored fields.

    Attributes:
        run: what answers it.
        slots: what it names, by slot, with what its intent sets.
    """

    intent: str
    run: str
    slots: Mapping[str, Any]


class Intent(NamedTuple):
    """A kind of question with its templates; one that begins with a word of *never* does not match."""

    name: str
    run: str
    set: Mapping[str, Any]
    templates: tuple[Part, ...]
    never: frozenset[str]


class _Table(NamedTuple):
    politeness: re.Pattern[str]
    thanks: re.Pattern[str]
    words: Mapping[str, Mapping[str, str]]


@cache
def _table() -> _Table:
    read = read_intents()
    words = {
        name: {spelled: value for value, spellings in values.items() for spelled in spellings}
        for name, values in read["words"].items()
    }
    polite, thanks = (regex(read[name], re.I) for name in ("politeness", "thanks"))
    project = read_table("project")
    for slot, table in (("tech", "tech"), ("platform", "platforms"), ("installer", "installers")):
        words[slot] = {spelled: name for name, spellings in project[table].items() for spelled in spellings}
    return _Table(polite, thanks, words)


@cache
def _intents() -> tuple[Intent, ...]:
    """The intents in matching order, compiled on first use."""
    never, known = frozenset(read_intents()["never"]), phrases()
    return tuple(
        Intent(
            one["name"],
            one["run"],
            _set(one),
            tuple(template(each, known) for each in one["templates"]),
            never.difference(one.get("despite", ())),
        )
        for one in read_intents()["intent"]
    )


@cache
def _spelling() -> Spelling:
    project = read_table("project")
    texts = [*read_intents()["phrases"].values(), *project["phrases"].values()]
    texts += [each for one in read_intents()["intent"] for each in one["templates"]]
    texts += [text for one in properties().values() for text in one.forms.values()]
    texts += [spelled for one in _table().words.values() for spelled in one]
    return Spelling(" ".join(texts))


def _set(intent: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        name: Kind(value, plural=False) if name == "kind" else value for name, value in intent.get("set", {}).items()
    }


def matches(text: str, *, today: date | None, projects: Collection[str] = ()) -> Iterator[Lookup]:
    """The lookups that match all of *text*, likeliest first; spelling is corrected only if none matches.

    Args:
        today: what 'last week' counts from; None matches no such period.
        projects: names of the projects that are read, in lower case.
    """
    table = _table()
    names = {**table.words, "project": dict(zip(projects, projects, strict=True))}
    words = _words(text, table)
    if not words or len(words) > MOST_WORDS:
        return
    lower = [word.lower() for word in words]
    found = False
    for one in _matched(Tags(words, lower, names, today)):
        found = True
        yield one
    if not found and (spelled := _spelling().mended(lower)) != lower:
        yield from _matched(Tags(words, spelled, names, today))


def likely(query: Query, *, projects: Collection[str] = ()) -> Lookup | None:
    """What *query* is likely to ask of the project in words of its own; None if a word may name something else."""
    name = likeliest(query.text, query.vector, query.encoder)[0]
    table = _table()
    words = [word.lower() for word in _words(query.text, table)]
    if not name or not words or len(words) > LONG:
        return None
    ordinary = {*split(" ".join([*projects, *(spelled for one in NAMED for spelled in table.words[one])]))}
    if any(word not in ordinary and word not in read_model().words for word in split(query.text)):
        return None
    runs = [" ".join(words[at : at + size]) for size in (3, 2, 1) for at in range(len(words))]
    named = {type_: next((table.words[type_][run] for run in runs if run in table.words[type_]), "") for type_ in NAMED}
    slots = {type_: named[type_] for type_ in NAMED if named[type_]}
    if name in properties():
        return Lookup("stated", "profile", {**slots, "property": name})
    intent = next(one for one in _intents() if one.name == name)
    return Lookup(intent.name, intent.run, intent.set)


def _matched(tags: Tags) -> Iterator[Lookup]:
    lower, held = tags.lower, tags.held()
    begins = {*lower[:2]} - ({"how"} if lower[0] != "how" or lower[1:2] in (["many"], ["long"]) else set())
    for intent in _intents():
        if not intent.never.isdisjoint(begins):
            continue
        for each in intent.templates:
            if any(map(held.isdisjoint, each.needs)):
                continue
            if (slots := next(parses(each, lower, tags), None)) is not None:
                yield Lookup(intent.name, intent.run, {**slots, **intent.set})
                break


def _words(text: str, table: _Table) -> list[str]:
    text = " ".join(text.replace("’", "'").split())
    match_ = table.politeness.match(f"{text} ")
    text = text[match_.end() :] if match_ else text
    if len(text) > 20 * MOST_WORDS:
        return []
    text = table.thanks.sub("", f"{text.rstrip(' .!?')}") if (found := table.thanks.search(text.rstrip(" .!?"))) and (
        found.end() == len(text.rstrip(" .!?"))
    ) else text  # fmt: skip
    text = _OWN.sub(" 's", _QUOTED.sub(r'"\1"', " ".join(spelled_out(text.split(" ")))) + " ")
    words = [word if word[0] == '"' else word.rstrip(_ENDS).strip("()`") for word in _WORD.findall(text)]
    return [word for word in words if word]
