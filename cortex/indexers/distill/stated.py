"""What says of itself that it decides, explains, measures, warns or assigns: kept wherever somebody states it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from cortex.indexers.distill.cues import cues_in
from cortex.indexers.distill.denied import is_stated_in
from cortex.indexers.distill.unit import Unit
from cortex.language.needs import Patterns
from cortex.language.patterns import patterns, read_table
from cortex.language.sentences import split_line
from cortex.regex import regex
from cortex.substrate.model import Kind

_ENGLISH: Final = patterns("distill", "stated")

STATED: Final = 0.76  # how sure the rules are of it at least; too few such sentences were judged to fit it
_DOUBTS: Final = frozenset(("hedges", "opinion", "supposes", "suggests", "reports", "nit", "asks within"))


class _Form(NamedTuple):
    pattern: re.Pattern[str]
    kind: Kind | None
    firm: bool
    listed: bool


def _either(forms: Sequence[str]) -> str:
    """A pattern of *forms*; where a word begins is looked for once for all that begin there."""
    begun = [one[2:] for one in forms if one.startswith(r"\b")]
    others = [one for one in forms if not one.startswith(r"\b")]
    return "|".join([*others, rf"\b(?:{'|'.join(begun)})"] if begun else others)


_FORMS: Final = {
    data["name"]: _Form(
        regex(_either(data["patterns"])), data.get("kind"), data.get("firm", False), data.get("listed", False)
    )
    for data in read_table("stated")["form"]
}


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
    held = {name for sentence in split_line(said) for name in _patterns().found(sentence) if _states(name, sentence)}
    if unit.context and unit.shape == "item":
        listed = f"{unit.context.lower()}: {said}"
        yield from (form for form in _FORMS.values() if form.listed and form.pattern.search(listed))
    for name, form in _FORMS.items():
        if name in held and is_stated_in(form.pattern, said, after):
            yield form


def _states(name: str, sentence: str) -> bool:
    form = _FORMS[name]
    cue = form.pattern.search(sentence)
    if cue is None or form.listed or sentence.endswith("?") or _ENGLISH["not_stated"].search(sentence, 0, cue.start()):
        return False
    return form.firm or _DOUBTS.isdisjoint(cues_in(sentence.replace("can't", "cannot")))


@cache
def _patterns() -> Patterns:
    return Patterns({name: form.pattern for name, form in _FORMS.items()})
