"""What binds, in few words: "Every job must have an owner.", and items of a list that says what is required."""

from __future__ import annotations

import re
from typing import Final

from cortex.indexers.distill.cues import PATTERNS
from cortex.indexers.distill.unit import SHORT, WORD, Unit

FEWEST_WORDS: Final = 3
TERSE: Final = 0.5
"""What a complete rule of few words adds to the log odds of a fact: too few were judged to fit it."""

_BINDS: Final = re.compile(
    r"\b(?:must|shall|mandatory|always|never|do(?: not|n't) (?!worry|forget|hesitate|mind)|needs?|requires?"
    r"|(?:is|are) required|ha(?:s|ve) to|may only|forbidden|prohibited|not (?:allowed|permitted)|at (?:least|most)"
    r"|no (?:more|less|fewer|later) than|up to|(?:limited|defaults?|set) to [^.]*\d)\b"
)
_COUNTS: Final = re.compile(
    r"(?<![\w.-])\d[\d.,]*\s?(?:h|hrs?|mins?|s|px|[kmg]hz)\b|\bdefault\b[^.;]* (?:is|are) (?:\S+ )?[`'\"]?\d"
    r"|\d (?:out )?of (?:the )?\d"
    r"|\d \w+ (?:at once|at a time|in parallel|per \w)|\bports? (?:is|are|number) \d|\b(?:maximum|minimum|limit"
    r"|size|timeout|port|threshold|quota)\b[^.;]* (?:is|are) [`'\"]?\d"
)
"""A number with its unit, a bound, a default, a share, said in a few words."""

_REPLACES: Final = re.compile(
    r"\b(?:supersedes?|superseded by|obsoletes?|obsoleted by|replaces|replaced (?:by|with)|no longer supported"
    r"|(?:is|are|was|were|been|being|now) (?:now |also )?(?:deprecated|obsolete|retired|discontinued)"
    r"|obsolete since)\b"
)
_LEANING: Final = re.compile(r"^(?:it|they|this|these)\b")
_ENDS: Final = re.compile(r"(?<=[.!?])\s+")
_ITSELF: Final = re.compile(
    r"this (?:document|page|adr|record|decision|policy|version|specification|spec|standard|guide|rfc|memo|proposal"
    r"|guideline|handbook)"
    r" (?=supersedes|obsoletes|replaces|updates|is (?:superseded|obsolete|deprecated|replaced))"
)
"""What a document says of itself stands under its own name."""

_NOBODY: Final = re.compile(
    r"^it is (?:strictly )?(?=(?:forbidden|prohibited|required|mandatory|not (?:allowed|permitted)) to\b)"
)
"""An "it" that leans on nothing."""

_TOKEN: Final = re.compile(r"\w[\w.-]*")
_INTRODUCES: Final = re.compile(
    r"\b(?:must|shall|needs?|requires?|required|mandatory|ha(?:s|ve) to|never|always)\b[^.;]*$"
)
_COMMANDS: Final = re.compile(r"\W*(?:always|never|do not|don't|you must(?: not| never)?) \w")
_SENTENCE: Final = re.compile(r"[^\W_a-z].*[.!)`*_]", re.DOTALL)
_UNFINISHED: Final = (
    *(PATTERNS[name] for name in ("that", "goes on", "supposes", "scenario", "hedges", "i")),
    re.compile(r"\b(?:it|this|that|them|so)\W*$"),
)


def requires_each(lead: str) -> bool:
    """Whether a sentence that introduces a list requires what stands in it."""
    said = lead.lower()
    return _INTRODUCES.search(said) is not None and not PATTERNS["that"].search(said)


def goes_on_terse(unit: Unit) -> Unit:
    """Of two sentences, the second as it reads alone, where it is about the first: "It holds at most 64 MB."."""
    first, *others = _ENDS.split(unit.text)
    if unit.shape != "sentence" or len(others) != 1 or any(cue.search(first.lower()) for cue in _UNFINISHED):
        return unit
    said, leaning = _LEANING.subn("the thing", others[0].lower())
    return unit._replace(text=said.capitalize()) if leaning else unit


def whole(unit: Unit) -> Unit:
    """*unit* as the sentence that it makes with the words that introduce it, where these require it; else as it is."""
    if unit.shape == "item" and requires_each(unit.context):
        return unit._replace(text=f"{unit.context}: {unit.text.rstrip('.')}.")
    return unit


def binds(unit: Unit) -> bool:
    """Whether *unit* says what must be, however that is said."""
    return _BINDS.search(unit.text.lower()) is not None


def is_terse(unit: Unit) -> bool:
    """Whether *unit* is a complete rule, bound or quantity of three to eight words."""
    said = _NOBODY.sub("", _ITSELF.sub("the document ", unit.text.lower()))
    replaced = _REPLACES.search(said) is not None
    words = len((_TOKEN if replaced else WORD).findall(said))
    return (
        (replaced or binds(unit) or counts(unit))
        and FEWEST_WORDS <= words < SHORT
        and (
            unit.shape == "item"
            or _SENTENCE.fullmatch(unit.text.lstrip("\"'`*_")) is not None
            or (replaced and said.endswith("."))
        )
        and not any(cue.search(said) for cue in _UNFINISHED)
    )


def counts(unit: Unit) -> bool:
    """Whether *unit* tells a number: of a unit, a bound, a default, a share."""
    said = unit.text.lower()
    return PATTERNS["quantity"].search(said) is not None or _COUNTS.search(said) is not None


def commands(unit: Unit) -> bool:
    """Whether *unit* tells everybody what to do, whoever "you" is in it: "Always sign your commits."."""
    return _COMMANDS.match(unit.text.lower()) is not None
