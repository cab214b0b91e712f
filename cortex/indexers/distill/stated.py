"""What says of itself that it decides, explains, measures, warns or assigns: kept wherever somebody states it.

Decisions, incidents and measurements that are denied, doubted, supposed, or only told of by others, nobody states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from cortex.indexers.distill.cues import KINDS, PATTERNS, cues_in
from cortex.indexers.distill.unit import Unit
from cortex.language.modality import Modality, modalities
from cortex.language.needs import Patterns
from cortex.language.patterns import patterns, read_table
from cortex.language.sentences import split_line
from cortex.regex import regex
from cortex.substrate.model import Kind
from cortex.substrate.voice import TO_DO

_ENGLISH: Final = patterns("distill", "stated")
_DENIED: Final = patterns("distill", "denied")

STATED: Final = 0.76  # how sure the rules are of it at least; too few such sentences were judged to fit it
_DOUBTS: Final = frozenset(("hedges", "opinion", "supposes", "suggests", "reports", "nit", "asks within"))

_STATING: Final = {
    *(name for name, kind in KINDS.items() if kind in ("decision", "incident")),
    *("closes", "settled by", "we decided", "group decided", "settles", "settles for", "cause", "tried"),
}
"""Cues of what happened or was decided, which do not speak for a sentence that denies it."""

_DENIES: Final = {Modality.NEGATED, Modality.CONDITIONAL}
_AHEAD: Final = 100  # characters after a text that may take it back


class _Form(NamedTuple):
    pattern: re.Pattern[str]
    kind: Kind | None = None
    firm: bool = False
    listed: bool = False


def _either(forms: Sequence[str]) -> str:
    """A pattern of *forms*; where a word begins is looked for once for all that begin there."""
    begun = [one[2:] for one in forms if one.startswith(r"\b")]
    others = [one for one in forms if not one.startswith(r"\b")]
    return "|".join([*others, rf"\b(?:{'|'.join(begun)})"] if begun else others)


_FORMS: Final = {
    data.pop("name"): _Form(regex(_either(data.pop("patterns"))), **data)
    for data in map(dict, read_table("stated")["form"])
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


def denied_cues(said: str, found: frozenset[str], after: str = "") -> frozenset[str]:
    """Those of the cues *found* in *said* that speak of what nobody states; none where *said* states one of them.

    Args:
        after: what follows *said* in its comment.
    """
    told = found & _STATING if "root cause" in said else found & _STATING - {"cause"}
    if not told or any(is_stated_in(PATTERNS[name], said, after) for name in told):
        return frozenset()
    return told | {"measures"} if "tried" in told else told


def is_stated_in(cue: re.Pattern[str], said: str, after: str = "") -> bool:
    """Whether a sentence of *said*, in lower case, holds *cue* and means it, and no next one takes it back."""
    sentences = split_line(said)
    return any(
        not _is_denied(f"{sentence} {following}", sentence, match.start(), match.end())
        for sentence, following in zip(sentences, [*sentences[1:], after[:_AHEAD].lower()], strict=True)
        for match in cue.finditer(sentence)
    )


def _is_denied(said: str, sentence: str, start: int, end: int) -> bool:
    outcome = said.startswith(("consensus", "agreement"), start)  # that there is none is one
    word_end = max(said.find(" ", start, end), start) if " " in said[start:end] else end
    return bool(
        (not outcome and modalities(sentence, start) & _DENIES)
        or said.startswith(TO_DO)
        or any(_DENIED[name].search(said[:start]) for name in ("supposed", "before"))
        or _DENIED["undone"].match(said, said.rfind(" ", start, end) + 1)
        or _DENIED["taken_back"].search(said[word_end:])
    )
