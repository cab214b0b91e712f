"""Verbs of change and their forms: what a text does to something, whichever way the verb is inflected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from cortex.language.patterns import read_table
from cortex.regex import regex


class Op(StrEnum):
    """What is done."""

    ADDS = "adds"
    REMOVES = "removes"
    REPLACES = "replaces"
    REVERTS = "reverts"
    RELANDS = "relands"
    AMENDS = "amends"
    SUPERSEDES = "supersedes"
    RELEASES = "releases"
    RENAMES = "renames"
    DEPRECATES = "deprecates"


TABLE: Final = read_table("changes")
_DOUBLING: Final = frozenset(TABLE["doubling"]["verbs"].split())


def forms(verb: str) -> dict[str, str]:
    """The forms of *verb*, each with its tense: 'base', 'third', 'past' or 'gerund'.

    >>> forms("drop")
    {'drop': 'base', 'drops': 'third', 'dropped': 'past', 'dropping': 'gerund'}
    >>> [*forms("retry")], [*forms("take_back")][2:]
    (['retry', 'retries', 'retried', 'retrying'], ['took back', 'taken back', 'taking back'])
    """
    word, _, particle = verb.partition("_")
    stem = word + word[-1] if word in _DOUBLING else word.removesuffix("e")
    to_y = re.search(r"[^aeiou]y$", word)
    third = f"{word[:-1]}ies" if to_y else word + ("es" if re.search(r"(?:[sxzo]|[cs]h)$", word) else "s")
    pasts = TABLE["irregular"].get(word, f"{word[:-1]}ied" if to_y else f"{stem}ed").split()
    tenses = {word: "base", third: "third", **dict.fromkeys(pasts, "past"), f"{stem}ing": "gerund"}
    behind = f" {particle.replace('_', ' ')}" if particle else ""
    return {f"{form}{behind}": tense for form, tense in tenses.items()}


class Form(NamedTuple):
    """A form of a verb of change: its base and tense, 'noun' of a noun with 'of'."""

    op: Op
    verb: str
    tense: str


def _forms() -> Iterator[tuple[str, Form]]:
    for op, verbs in TABLE["verbs"].items():
        for verb in verbs.split():
            yield from ((form, Form(Op(op), verb, tense)) for form, tense in forms(verb).items())
    for op, nouns in TABLE["nouns"].items():
        yield from ((f"{noun} of", Form(Op(op), noun, "noun")) for noun in nouns.split())
    for op, states in TABLE["states"].items():
        yield from ((state.replace("_", " "), Form(Op(op), state, "past")) for state in states.split())


FORMS: Final = dict(_forms())  # what each form says is done, in lower case, words one space apart
_EITHER: Final = "|".join(re.escape(form) for form in sorted(FORMS, key=len, reverse=True)).replace("\\ ", r"\s+")
VERB: Final = regex(
    rf"(?<![\w`./-])(?:{_EITHER})(?![\w`/]|-\w)", re.I, beside={form.partition(" ")[0] for form in FORMS}
)
