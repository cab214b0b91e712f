"""What a sentence tells: that something failed in use, what was chosen and why, or that it was decided."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from cortex.language.changes import Certainty, parse
from cortex.language.patterns import patterns, read_table
from cortex.language.verbs import Op
from cortex.regex import regex
from cortex.substrate.voice import TO_DO

_FAILURE: Final = patterns("kinds", "failure")
_CHOICE: Final = patterns("kinds", "choice")

_CHOICES: Final = frozenset((Op.REMOVES, Op.REPLACES, Op.RENAMES, Op.DEPRECATES, Op.SUPERSEDES))
_REASONS: Final = ("agreed", "contrast", "other", "because")
_CHOOSING: Final = frozenset(read_table("kinds")["choice"]["verbs"].split())

CUES: Final[list[dict[str, Any]]] = read_table("deciding")["cue"]
_DECIDES: Final = tuple((regex(cue["pattern"]), tuple(cue.get("words", ("",)))) for cue in CUES)

_OVERTURNS: Final = patterns("deciding", "overturns")["pattern"]


def fails(text: str) -> bool:
    """Whether *text* tells that something fails: a crash, an error, a wrong result."""
    return any(_FAILURE[name].search(text) for name in ("crashes", "fails", "raises", "wrong"))


def is_report(body: str) -> bool:
    """Whether *body* was written into the form of a bug tracker."""
    return _FAILURE["form"].search(body) is not None


def does(title: str) -> bool:
    """Whether *title* says that something was chosen over what was there: removed, replaced, set, required."""
    done = (one for one in parse(title) if one.certainty is Certainty.DONE)
    return any(one.op in _CHOICES or one.verb in _CHOOSING for one in done)


def gives_reason(text: str) -> bool:
    """Whether *text* gives a reason, who agreed or what was not chosen, and does not doubt it.

    Nor does it thank, ask or point elsewhere.
    """
    return weighs(text) and not (any(_CHOICE[name].search(text) for name in ("cut", "unsure")) or TO_DO in text)


def is_taken(text: str) -> bool:
    """Whether *text* says in so many words that something was chosen, and why or over what.

    >>> [is_taken(one) for one in ("We chose Kafka over NATS.", "It was chosen because locks stay", "We chose Tcl.")]
    [True, True, False]
    """
    return _CHOICE["taken"].search(text) is not None and gives_reason(text)


def weighs(text: str) -> bool:
    """Whether *text* has the form of a reason, of an agreement or of what was not chosen."""
    return any(_CHOICE[name].search(text) for name in _REASONS)


@lru_cache(256)  # several steps of an answer ask it of a row
def decides(text: str) -> bool:
    """Whether somebody in *text* says what was decided."""
    said = text.lower()
    return any(cue.search(said) for cue, words in _DECIDES if any(map(said.__contains__, words)))


def overturns(text: str) -> bool:
    """Whether somebody in *text* gives up what was decided before.

    >>> overturns("Change of plan: we ship on Friday."), overturns("We ship on Friday.")
    (True, False)
    """
    return _OVERTURNS.search(text) is not None
