"""Which kind of fact a text is, by rule: what its labels, its conventional prefix and its words say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, cast

from cortex.language.patterns import read_table
from cortex.substrate.model import Kind

_TABLES: Final[dict[str, dict[Kind, str]]] = read_table("kinds")


def _table(name: str) -> Mapping[str, Kind]:
    return {word: kind for kind, listed in _TABLES[name].items() for word in listed.split()}


_LABELS: Final = _table("labels")
_PREFIXES: Final = _table("prefixes")
_CHORES: Final = _table("chores")
_ORDERS: Final = _table("orders")
_WORDS: Final = _table("words")
_PHRASES: Final = cast("Mapping[str, tuple[str, Kind]]", _TABLES["phrases"])

_ORDER: Final[Mapping[Kind, int]] = {"ownership": 0, "incident": 1, "decision": 2, "process": 3, "spec": 4}
_FEATURES: Final = ("feat", "feature")
_PREFIX: Final = re.compile(r"\[?([A-Za-z]+)[\w ./-]{0,20}\]?(?:\([^)]*\))?!?:\s")
_TOKEN: Final = re.compile(r"[a-z]+")


def kind_of(type_: str, title: str, labels: str) -> Kind:
    """The kind of a row, by its labels (JSON), the conventional prefix of its title, then its words.

    What says nothing else is a decision when somebody made it, and a spec when somebody asks for it.
    """
    if labels != "[]" and (kind := _of_labels(labels)):
        return kind
    prefix = _PREFIX.match(title) if ":" in title else None
    if prefix and (kind := _PREFIXES.get(prefix[1].lower())):
        return kind
    said = title.lower()
    words = _TOKEN.findall(said)
    if not _CHORES.keys().isdisjoint(words):
        return "process"
    if words and (kind := _ORDERS.get(words[0])):
        return kind
    kind = _of_words(words, said)
    if kind == "incident" and prefix and prefix[1].lower() in _FEATURES:
        kind = None  # 'feat: raise the regression gate' is new, whatever it is new against
    return kind or ("spec" if type_ == "issue" else "decision")


def kind_of_words(text: str) -> Kind:
    """The kind the words of a sentence speak for; a spec when none does, for it says how something is."""
    said = text.lower()
    return _of_words(_TOKEN.findall(said), said) or "spec"


@lru_cache(maxsize=1024)
def _of_labels(labels: str) -> Kind | None:
    return _first(_LABELS[word] for word in _TOKEN.findall(labels.lower()) if word in _LABELS)


def _of_words(words: Iterable[str], said: str) -> Kind | None:
    kinds = []
    for word in words:
        if word in _WORDS:
            kinds.append(_WORDS[word])
        elif word in _PHRASES and _PHRASES[word][0] in said:
            kinds.append(_PHRASES[word][1])
    return _first(kinds) if kinds else None


def _first(kinds: Iterable[Kind]) -> Kind | None:
    return min(kinds, key=_ORDER.__getitem__, default=None)
