"""How sure the rule distiller is of a unit: a logistic model over its cues and its shape, fitted on judged facts.

What says of itself that it decides, explains, measures, warns or assigns is kept wherever somebody states it.
Decisions, incidents and measurements that are denied, doubted, supposed, or only told of by others, nobody states.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from cortex.indexers.distill.cues import KINDS, PATTERNS, TERSE, binds, counts, cues_in, is_terse, whole
from cortex.indexers.distill.tells import is_taken
from cortex.indexers.distill.text import Text
from cortex.indexers.distill.unit import SHORT, Unit, count_words
from cortex.language.modality import Modality, modalities
from cortex.language.needs import Patterns
from cortex.language.patterns import patterns, read_table
from cortex.language.sentences import split_line
from cortex.packaged import files
from cortex.regex import regex
from cortex.substrate.model import Kind
from cortex.substrate.voice import TO_DO

_ENGLISH: Final = patterns("distill", "confidence")
_SAYS: Final = patterns("distill", "stated")
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

NEVER: Final = {
    "docs": frozenset(("asks", "opens only", "stamped", "marked up")),
    "comments": frozenset(
        "asks,asks within,opens only,quotes,sends elsewhere,marked up,greets,chats,stamped,scenario,to you,drafts"
        ",template,fragment,accident,private,settles nothing".split(",")
    ),
}
"""What makes no fact: a question, a quotation, a promise of what follows, a smile."""

SHAPES: Final = {"term": 0.6}  # what a definition adds to the log odds of a fact: too few were judged to fit it
TAKEN: Final = 0.8  # how sure the rules are at least of a choice that a document tells: too few were judged
_NAMES: Final = re.compile(r"`[^`]+`|\b\w+_\w+|\b[a-z]+[A-Z]\w*|\b\w+\.\w+\b|(?<=[a-z,] )[A-Z]\w+")
_MAY_NAME: Final = re.compile(r"[`_.](?:(?<=[`_])|(?=\w))")  # without it, and a capital within, there is none
_FRAGMENT: Final = _ENGLISH["fragment"]
_DECIDED: Final = frozenset(("settles", "settles for", "closes", "agreement", "we decided", "group decided", "put off"))
_MEASURED: Final = frozenset(("tried", "faster", "measures"))
_ONLY_THOUGHT: Final = frozenset(("supposes", "hedges", "suggests", "put off"))
_SAID_OF_ONESELF: Final = ("i", "opinion", "will", "leans")
_WHY: Final = frozenset(("reason", "since", "settles for", "purpose", "trade-off", "replaced"))
_SYMBOL: Final = re.compile(r"[=<>{}\[\]|+*/\\^~$&@#;_0-9]")
_TITLE_WORD: Final = re.compile(r"[^\W\d_]{4,}")


def path_of(text: Text) -> str:
    """Which of the two models judges *text*: that of 'docs' or that of 'comments'."""
    return "docs" if text.type == "doc" else "comments"


def is_decided(sentence: str) -> bool:
    """Whether *sentence* tells of a decision."""
    return not _DECIDED.isdisjoint(cues_in(sentence))


def features(unit: Unit, text: Text) -> dict[str, float]:
    """What the model looks at, each about 0 to 1; what is not named is 0."""
    said, words = unit.text, count_words(unit.text)
    if text.type == "doc":
        cues = cues_in(said, _looked_at())
    else:
        cues = cues_in(said)
        cues -= denied_cues(said.lower(), cues, text.body[unit.end :])
    capitals = not said[1:].islower()
    holds = {
        "short": words < SHORT,
        "long": words > 45,
        "several": unit.sentences > 1,
        "introduced": unit.context != "",
        "first": unit.first,
        "lower": said[:1].islower(),
        "fragment": unit.shape == "sentence" and (_FRAGMENT.match(said) or said.count('"') % 2),  # within a quotation
        "ends": said.rstrip("\"'”’)*_`").endswith((".", "!")),
        "capitals": capitals and _ENGLISH["must"].search(said),
        unit.shape: True,
    }
    found = dict.fromkeys(cues, 1.0)
    found["length"] = min(1.0, words / 40)
    if capitals or _MAY_NAME.search(said):
        found["specific"] = min(1.0, len(_NAMES.findall(said)) / 4)
    for name, held in holds.items():
        if held:
            found[name] = 1.0
    if symbols := len(_SYMBOL.findall(said)):
        found["symbols"] = min(1.0, 5 * symbols / len(said))
    if text.type == "doc":
        found |= _of_title(text.title)
    else:
        found["decided"] = float(not _DECIDED.isdisjoint(found))
        if found["decided"] and found.keys().isdisjoint(_ONLY_THOUGHT):
            for name in _SAID_OF_ONESELF:  # whoever settles a thread says "I"
                found.pop(name, None)
        found["decided why"] = float(bool(found["decided"]) and not _WHY.isdisjoint(found))
        found["measured"] = float("quantity" in found and not _MEASURED.isdisjoint(found))
        found["several decided"] = float(bool(found["decided"]) and unit.sentences > 1)
        about = set(_TITLE_WORD.findall(text.title.lower()))
        found["about"] = len(about & set(_TITLE_WORD.findall(unit.text.lower()))) / max(3, len(about))
        found["inline"] = float(text.path != "")
        found["review"] = float(text.state != "")
        found["outsider"] = float(text.association in {"NONE", "FIRST_TIME_CONTRIBUTOR", "FIRST_TIMER"})
        found["alone"] = float(len(text.body) < 400)
    return found


def confidence(unit: Unit, text: Text) -> float:
    """How likely somebody who asks a year later is glad of *unit*, 0 to 1; 0 of what is no statement at all."""
    path = path_of(text)
    judged = whole(unit) if path == "docs" else unit
    found = features(judged, text)
    stated = path == "comments" and is_stated(unit, text.body[unit.end :])
    if stated and not _ENGLISH["cut"].match(unit.text):
        found["fragment"] = float(unit.text.count('"') % 2)  # whoever writes in lower case
        found["quotes"] = float(PATTERNS["quotes"].search(unit.text.lower().replace("`", "")) is not None)
    if any(found.get(name) for name in NEVER[path]):
        return 0.0
    if path == "docs" and (judged.text.startswith(TO_DO) or "rejected" in found):
        return 0.0
    weights = _weights()[path]
    terse = path == "docs" and is_terse(judged)
    if (terse or judged is not unit) and binds(judged):
        found["rule"] = 1.0
    if terse and counts(judged):
        found["quantity"] = 1.0
    exact = terse and binds(judged) and counts(judged)
    if judged.shape == "term":
        found["aside"] = 0.0  # what a terminology is for
    value = weights["bias"] + sum(weights.get(name, 0.0) * worth for name, worth in found.items())
    value += TERSE * (terse + exact / 2) + SHAPES.get(judged.shape, 0.0)
    sure = 1 / (1 + math.exp(-value))
    if path == "docs" and is_taken(unit.text):
        return max(sure, TAKEN)
    return max(sure, STATED) if stated else sure


@lru_cache(16)
def _of_title(title: str) -> dict[str, float]:
    """What the headings of a section say of all that stands in it."""
    said = {name: 1.0 for name in ("release", "aside") if _ENGLISH[name].search(title)}
    rejected = any(_ENGLISH["took_back"].search(heading) for heading in title.split(" › ")[1:])
    return said | {"rejected": 1.0} if rejected else said


@cache
def _looked_at() -> frozenset[str]:
    """The cues that matter of a document."""
    return NEVER["docs"].union(name for name, weight in _weights()["docs"].items() if weight)


@cache
def _weights() -> dict[str, dict[str, float]]:
    table = files("cortex.indexers.distill") / "weights.json"
    weights: dict[str, dict[str, float]] = json.loads(table.read_text("utf-8"))
    return weights


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
    said = _SAYS["verdict"].sub(r"\1: ", unit.text.lower())
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
    if cue is None or form.listed or sentence.endswith("?") or _SAYS["not_stated"].search(sentence, 0, cue.start()):
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
