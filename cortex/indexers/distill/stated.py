"""What says of itself that it decides, explains, measures, warns or assigns: kept wherever somebody states it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cortex.indexers.distill.cues import cues_in
from cortex.indexers.distill.denied import is_stated_in
from cortex.indexers.distill.unit import Unit
from cortex.language.patterns import patterns, read_table
from cortex.language.sentences import split_line
from cortex.substrate.model import Kind

_ENGLISH: Final = patterns("distill", "stated")

STATED: Final = 0.76  # how sure the rules are of it at least; too few such sentences were judged to fit it
_DOUBTS: Final = frozenset(("hedges", "opinion", "supposes", "suggests", "reports", "nit", "asks within"))


class _Form(NamedTuple):
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    kind: Kind | None
    firm: bool


def _form(data: dict[str, Any]) -> _Form:
    whole = re.compile("|".join(data["patterns"]))
    return _Form(tuple(data["words"]), whole, data.get("kind"), data.get("firm", False))


_FORMS: Final = tuple(_form(data) for data in read_table("stated")["form"])


def is_stated(unit: Unit, after: str = "") -> bool:
    """Whether a sentence of *unit* states such a thing: not asked, denied or supposed, and not what others said.

    Args:
        after: what follows it in its comment, and may take it back.
    """
    return any(True for _ in _stated(unit, after))


def stated_kind(unit: Unit) -> Kind | None:
    """What kind of fact the first form is that *unit* states; none where its cues tell."""
    return next((form.kind for form in _stated(unit) if form.kind), None)


def _stated(unit: Unit, after: str = "") -> Iterator[_Form]:
    said = _ENGLISH["verdict"].sub(r"\1: ", unit.text.lower())
    sentences = split_line(said)
    for form in _FORMS:
        if any(word in said for word in form.words):
            held = any(_states(form, sentence) for sentence in sentences)
            if held and is_stated_in(form.pattern, said, after):
                yield form


def _states(form: _Form, sentence: str) -> bool:
    cue = form.pattern.search(sentence)
    if cue is None or sentence.endswith("?") or _ENGLISH["not_stated"].search(sentence, 0, cue.start()):
        return False
    return form.firm or _DOUBTS.isdisjoint(cues_in(sentence.replace("can't", "cannot")))
