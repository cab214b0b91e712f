"""What a sentence tells: that something failed in use, or what was chosen and why."""

from __future__ import annotations

from typing import Final

from cortex.language.changes import Certainty, parse
from cortex.language.patterns import patterns, read_table
from cortex.language.verbs import Op
from cortex.substrate.voice import TO_DO

_FAILURE: Final = patterns("kinds", "failure")
_CHOICE: Final = patterns("kinds", "choice")

_CHOICES: Final = frozenset((Op.REMOVES, Op.REPLACES, Op.RENAMES, Op.DEPRECATES, Op.SUPERSEDES))
_REASONS: Final = ("agreed", "contrast", "other", "because")
_CHOOSING: Final = frozenset(read_table("kinds")["choice"]["verbs"].split())


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
