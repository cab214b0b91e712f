"""What a line, a heading or the head of a table says of what is below it: whether that is said with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from cortex.composer.claims import (
    ACTING,
    ASKING,
    BINDING,
    LEFT_OPEN,
    LIMITS,
    NEGATIONS,
    NEUTRAL,
    POINTING,
    POINTING_FIRST,
    REFERRING,
    REFERRING_ENDS,
    TURNED,
    TURNED_FIRST,
    TURNED_PHRASES,
    tokens,
)
from cortex.language.markdown import Span
from cortex.language.sentences import sentences_of
from cortex.substrate.facts import plain

_LONGEST_HEADING: Final = 5
"""Words of a heading that may turn what stands under it; a longer one says something of its own."""

_LONGEST_LABEL: Final = 3
"""Words of a whole sentence that is a heading: 'Not allowed.'."""

_LONGEST_CLAUSE: Final = 12
"""Words of a line without an end that is read as the beginning of what is below it."""

_TELLS_WHAT: Final = ("what", "things", "who", "where")
_WHO_ACTS: Final = ("you", "we", "each", "every", "any")
_NARROWED: Final = TURNED | LIMITS
_INTRODUCING: Final = (TURNED | LIMITS | NEGATIONS | BINDING) - {"?"}
_ONE_OF_SEVERAL: Final = re.compile(r"(?:option|variant|alternative|approach|proposal|choice)\W+\w{1,2}\b", re.I)
_VERSION: Final = re.compile(r"\W*(?:version\s+\d+|v\d+|v?\d+(?:\.(?:\d+|x))+)\W*", re.I)
_COLONS: Final = (":", "：")
_AFTER: Final = " \r\n*_`"
_ENDS: Final = " :：,;.…"


@lru_cache(256)
def heads(lead: str) -> bool:
    """Whether a heading turns what stands under it: 'Never', 'What we do not do', not 'Packets that do not move'."""
    said = tokens(lead)
    if not said or lead.endswith("?"):
        return False
    is_short = len(said) <= _LONGEST_HEADING
    return (
        _begins_or_holds(said)
        or (is_short and not (_NARROWED.isdisjoint(said) and NEGATIONS.isdisjoint((*said[:2], said[-1]))))
        or (said[0] in _TELLS_WHAT and not NEGATIONS.isdisjoint(said))
        or _ONE_OF_SEVERAL.match(lead) is not None
        or _VERSION.fullmatch(lead) is not None
    )


def entitles(heading: str) -> bool:
    """Whether a heading turns what stands under it, or is the beginning of a sentence: 'We decided against'."""
    told = without_end(heading)
    if heading != told and introduces(told):
        return True
    said = tokens(told)
    is_begun = (
        0 < len(said) <= _LONGEST_CLAUSE
        and not told.endswith("?")
        and (said[-1] in LEFT_OPEN or not (said[0] in ASKING or ACTING.isdisjoint(said)))
        and not _is_neutral(said)
    )
    return is_begun or heads(told)


def introduces(lead: str) -> bool:
    """Whether what a line that ends in a colon introduces is said with it: but that says that something follows."""
    said = tokens(lead)
    return bool(said) and not _is_neutral(said)


def _is_neutral(said: Iterable[str]) -> bool:
    return NEUTRAL.issuperset(said)


def _points(line: str, said: Sequence[str]) -> bool:
    """Whether a whole sentence speaks of the list below it: 'These are not allowed.'."""
    if not said or _is_neutral(said):
        return False
    turns = not _INTRODUCING.isdisjoint(said) or _begins_or_holds(said)
    if line.endswith("?"):
        return turns
    is_label = len(said) <= _LONGEST_LABEL and heads(line)
    points = said[0] in POINTING_FIRST or not POINTING.isdisjoint(said)
    refers = not (REFERRING.isdisjoint(said) and REFERRING_ENDS.isdisjoint((said[0], said[-1])))
    return points or (turns and refers) or is_label


def _begins_or_holds(said: Sequence[str]) -> bool:
    first = said[0] in TURNED_FIRST and not (said[1:2] and (said[1] in _WHO_ACTS or said[1].endswith("ing")))
    return first or any(phrase in " ".join(said) for phrase in TURNED_PHRASES)


@lru_cache(256)
def introduction(told: str, *, of_list: bool = False) -> str:
    """What a paragraph or item says of what is below it, or '': its last sentence, when it ends in a colon.

    Args:
        of_list: a list is right below it, of which a whole sentence may speak and a line without an end always does.
    """
    is_begun = begins_something(told)
    if not (is_begun or of_list):
        return ""
    told = told.rstrip(_AFTER)
    last = [told[span.start : span.end] for span in sentences_of(told, Span(0, len(told)))][-1:]
    text = plain(last[0] if last else told)
    line, said = text.rstrip(_ENDS), tokens(text)
    if not is_begun and text.endswith((".", "!", "?")):
        return line if _points(text, said) else ""
    is_short = is_begun or len(said) <= _LONGEST_CLAUSE
    return line if introduces(line) and (is_short or turns_below(line)) else ""


def turns_below(lead: str) -> bool:
    """Whether a line turns what it introduces, and does not only tell of what it is."""
    said = tokens(lead)
    return bool(said) and (not _INTRODUCING.isdisjoint(said) or _begins_or_holds(said))


def head_of_table(told: str) -> str:
    """A table's head, where it turns what stands in its columns."""
    cells = plain(told).rstrip(";")
    return cells if any(map(heads, cells.split(" · "))) else ""


def begins_something(told: str) -> bool:
    """Whether a paragraph ends in a colon."""
    return told.rstrip(_AFTER).endswith(_COLONS)


def without_end(heading: str) -> str:
    """A heading without the colon it may end in."""
    return heading.rstrip(" :：")
