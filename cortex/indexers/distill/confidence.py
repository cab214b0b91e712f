"""How sure the rule distiller is of a unit: a logistic model over its cues and its shape, fitted on judged facts."""

from __future__ import annotations

import json
import math
import re
from functools import cache, lru_cache
from typing import Final

from cortex.indexers.distill.cues import PATTERNS, TERSE, binds, counts, cues_in, is_terse, whole
from cortex.indexers.distill.stated import STATED, denied_cues, is_stated
from cortex.indexers.distill.tells import is_taken
from cortex.indexers.distill.text import Text
from cortex.indexers.distill.unit import SHORT, Unit, count_words
from cortex.language.patterns import patterns
from cortex.packaged import files
from cortex.substrate.voice import TO_DO

_ENGLISH: Final = patterns("distill", "confidence")

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
        "fragment": unit.shape == "sentence"
        and (_ENGLISH["fragment"].match(said) or said.count('"') % 2),  # within a quotation
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
