"""How likely somebody is glad a year later of what a change or a remark tells: logistic models over its words."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import Final, Literal, NamedTuple, Protocol

from cortex.indexers.distill.cues import cues_in
from cortex.indexers.distill.remarks import remarks
from cortex.indexers.distill.tells import does, fails, is_taken, weighs
from cortex.indexers.distill.unit import LONGEST, WORD, Unit, count_words, says_enough
from cortex.language.patterns import patterns
from cortex.language.stems import stemmer
from cortex.language.words import STOP_WORDS
from cortex.packaged import files
from cortex.substrate.facts import plain

Sort = Literal["decision", "incident", "closing", "remark"]

_TITLES: Final = patterns("kinds", "titles")
_FAILURE: Final = {name: patterns("kinds", "failure")[name] for name in ("crashes", "raises", "fails", "wrong")}
_CHOICE: Final = patterns("kinds", "choice")

SENTENCES: Final = 9  # of a body that are looked at
FIRST: Final = 5  # of those long enough, in which the reason has to stand
LEAST_LEFT: Final = 15  # characters below a title that may hold a sentence
FULL: Final = 25  # words from which what is quoted needs no more beside it
MOST: Final = 60
SURE: Final = (0.001, 0.2, 0.4, 0.6, 0.74, 0.85)
STEPS: Final = (0.001, 0.15, 0.3, 0.45, 0.6, 0.8, 1.0)  # of what is measured: little may be as bad as much
SAID: Final = 12  # sentences of a remark in which a choice is looked for
LEAST: Final[dict[Sort, float]] = {"decision": 0.87, "incident": 0.78, "closing": 0.7, "remark": 0.7}
"""Likelihood from which it is a fact of its sort: of projects left out six of seven are useful."""

HALF: Final = 0.5  # from which it is told of the change, or of the end of a thread
LABELLED: Final = 0.4  # from which it is a failure where a label or a form says so too

_SQUASHED: Final = re.compile(r"\n\s*\n\*\s+\S[^\n]*\n\s*\n")  # a title in the list of commits: of another follows
_APART: Final = re.compile(r"\n\s*\n")  # between paragraphs
_NAMES: Final = re.compile(r"`[^`]+`|\b\w+_\w+|\b[a-z]+[A-Z]\w*|\b\w+\.\w+\b|\b\w+\(\)|--\w|\b[A-Z][a-z]+[A-Z]\w*")


class Sure(NamedTuple):
    """A part of a remark, `body[start:end]`, and how sure the rules are that it is a fact."""

    start: int
    end: int
    sure: float


class _Span(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Telling(NamedTuple):
    """What a change or a remark may tell: `body[start:end]`, or its title alone where `end` is 0."""

    sort: Sort
    start: int = 0
    end: int = 0

    @property
    def kind(self) -> Literal["decision", "incident"]:
        """The kind of fact that it would be."""
        return "incident" if self.sort == "incident" else "decision"


@lru_cache(1024)
def weighed(title: str, body: str) -> tuple[float, Telling] | None:
    """What a change may tell, and how likely somebody is glad of it; None where it tells nothing."""
    found = telling(title, body)
    return (likelihood(found.sort, features(title, body, found)), found) if found else None


def likelihood(sort: Sort, found: Mapping[str, float]) -> float:
    """How likely somebody who asks a year later is glad of it, 0 to 1, by its features."""
    weights = read_weights()[sort]
    logit = weights["bias"] + sum(weights.get(name, 0.0) * worth for name, worth in found.items())
    return 1 / (1 + math.exp(-logit))


@cache
def read_weights() -> Mapping[Sort, Mapping[str, float]]:
    """The fitted weights of each model, with its `bias`."""
    weights: dict[Sort, dict[str, float]] = json.loads((files("cortex.indexers") / "worth.json").read_text("utf-8"))
    return weights


def telling(title: str, body: str) -> Telling | None:
    """What of *body* tells first why *title* was done, or what failed, with the sentences beside that it needs."""
    squashed = _SQUASHED.search(body, len(title))
    seen = body[: squashed.start()] if squashed else body
    units = [*islice(remarks(seen, alone=True), SENTENCES)] if len(seen) - len(title) > LEAST_LEFT else []
    inside = [at for at, unit in enumerate(units) if unit.start >= len(title) and says_enough(unit.text)][:FIRST]
    inside = [at for at in inside if not units[at].text.endswith((":", "?"))]
    mended, reverts = mends(title), _TITLES["revert"].search(title) is not None
    tells = fails if mended else weighs
    sort: Sort = "incident" if mended else "decision"
    first = next((at for at in inside if reverts or tells(units[at].text)), None)
    if first is not None:
        return Telling(sort, *_with_beside(units, first, title, body))
    return Telling(sort) if mended or any(_CHOICE[name].search(title) for name in ("agreed", "stated")) else None


def settled(title: str, body: str, sure: Sequence[Sure], *, closes: bool) -> tuple[float, Telling] | None:
    """The likeliest of the choices that a remark may tell, and how likely somebody is glad of it.

    Args:
        title: of its thread.
        sure: what of the remark could be a fact, and how sure the rules are of it.
        closes: said when the thread was closed, which tells why; any other has to say what was agreed or chosen.
    """
    units = [*islice(remarks(body, alone=True), SAID)]
    sort: Sort = "closing" if closes else "remark"
    told = [
        Telling(sort, *_with_beside(units, at, "", body))
        for at, unit in enumerate(units)
        if says_enough(unit.text) and not unit.text.endswith((":", "?")) and any(_meet(unit, one) for one in sure)
        and (closes or _CHOICE["agreed"].search(unit.text) or is_taken(unit.text))
    ]  # fmt: skip
    weighed = [(likelihood(sort, features_of_remark(title, body, one, sure)), one) for one in told]
    return max(weighed, default=None)


def mends(title: str) -> bool:
    """Whether *title* says that a fault was mended or heeded, and not that something was taken back."""
    if _TITLES["revert"].search(title):
        return False
    return any(_TITLES[name].search(title) for name in ("mends", "heeds"))


def _with_beside(units: Sequence[Unit], at: int, title: str, body: str) -> tuple[int, int]:
    """Where a sentence stands with what it leans on and, while it is short, what follows in its paragraph."""
    first = last = at
    before = units[at - 1] if at and _leans(units[at]) else None
    if before and before.start >= len(title) and says_enough(before.text) and _together(before, units[at], body):
        first -= 1
    while last + 1 < len(units) and _together(units[last], units[last + 1], body):
        words = sum(count_words(unit.text) for unit in units[first : last + 1])
        after = units[last + 1]
        if not (words < FULL or _leans(after)) or words + count_words(after.text) > MOST:
            break
        if after.end - units[first].start > LONGEST:
            break
        last += 1
    return units[first].start, units[last].end


def _leans(unit: Unit) -> bool:
    return _CHOICE["leans"].search(unit.text) is not None


def _together(one: Unit, other: Unit, body: str) -> bool:
    return not _APART.search(body, one.end, other.start) and one.shape == other.shape == "sentence"


def features(title: str, body: str, told: Telling) -> dict[str, float]:
    """What the model looks at, each 0 to 1: the shape of title and quotation, what they tell, and their words."""
    said = plain(body[told.start : told.end])
    words, named = count_words(said), sum(word.lower() not in STOP_WORDS for word in WORD.findall(title))
    measured = {
        "said words": words / 40,
        "said length": len(said) / LONGEST,
        "said names": len(_NAMES.findall(said)) / 3,
        "title words": named / 12,
        "title length": len(title) / 100,
        "title names": len(_NAMES.findall(title)) / 2,
        "body": count_words(body[len(title) :]) / 80,
    }
    found: dict[str, float] = {name: min(1.0, worth) for name, worth in measured.items()}
    found |= {f"{name} {bisect(STEPS, worth)}": 1.0 for name, worth in measured.items()}
    found |= {"title cut": _CHOICE["cut"].search(title) is not None or title.count("(") != title.count(")")}
    found |= {"said lower": said[:1].islower(), "title lower": title[:1].islower(), "title does": does(title)}
    for name, pattern in _FAILURE.items():
        found[f"said {name}"] = pattern.search(said) is not None
        found[f"title {name}"] = pattern.search(title) is not None
    return {name: float(worth) for name, worth in found.items() if worth} | dict.fromkeys(_words(title, said), 1.0)


def features_of_remark(title: str, body: str, told: Telling, sure: Sequence[Sure]) -> dict[str, float]:
    """What the models of remarks look at, each 0 to 1: as of a change, what it repeats, how sure the rules are."""
    said = plain(body[told.start : told.end])
    words, known = {*stemmer().sequence(said)}, {*stemmer().sequence(title)}
    surest = max((one.sure for one in sure if _meet(one, told)), default=0.0)
    found = features("", body, told) | {
        "about": len(known & words) / max(3, len(known)),
        "new": min(1.0, len(words - known - STOP_WORDS) / 12),
        "first": float(not body[: told.start].strip()),
        "last": float(not body[told.end :].strip()),
        "sure": surest,
        f"sure {bisect(SURE, surest)}": 1.0,
    }
    found |= {name: 1.0 for name in ("agreed", "chosen", "settled") if _CHOICE[name].search(said)}
    return found | {f"cue {name}": 1.0 for name in (cues_in(said) if told.sort == "closing" else ())}


def _meet(one: _Span, other: _Span) -> bool:
    return one.start < other.end and other.start < one.end


def _words(*texts: str) -> Iterator[str]:
    """The stems of each text, alone and in pairs, marked '='; its first is marked '^' as well."""
    for text in texts:
        stems = stemmer().sequence(text)
        yield from (f"={stem}" for stem in stems)
        yield from (f"={one} {two}" for one, two in pairwise(stems))
        yield from (f"^{stem}" for stem in stems[:1])
