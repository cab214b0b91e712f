"""The filter that a question like 'which issues by ada are open?' describes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from cortex.composer.dates import DATE, date_of
from cortex.composer.places import places
from cortex.composer.question import Question
from cortex.composer.retrieve.filter_words import CUT, EVERY, NAMED, ONE, OWN, VERBS, VERDICTS, Known, last_verb, read
from cortex.composer.retrieve.list_wording import ENDS, FIRST, LAST, at_a_time, listing, names_in, with_names
from cortex.composer.times import FEW, count, with_dates
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

MOST: Final = 6

_ABOUT: Final = re.compile(r"\babout (?:the )?([\w-]+?)(s?)(?![\w-])")
_REASON: Final = re.compile(r"\b(?:closed )?(?:as )?(not planned)\b|\bclosed as (?:a )?(duplicate)s?\b")
WORD: Final = re.compile(rf"{CUT}|{OWN}|[{NAMED}]|[^\W_](?:[\w-]*[^\W_])?")  # a login may hold hyphens
_COUNT: Final = rf"\d{{1,2}}|{'|'.join(FEW)}"
_COUNTED_END: Final = re.compile(rf"\b({_COUNT})\s+({ENDS})\b(?!\s+\d)")
WANTED: Final = re.compile(rf"\b({ENDS})\s+({_COUNT})\b")


class Filter(NamedTuple):
    """What records are asked for, and the words of the question that no part of it explains or that are not clear.

    Attributes:
        states: in any of which a record may be; () for all.
        reverted: whether it was taken back; None where that is not asked.
        people: by what they did, 'created', 'merged', 'closed' or 'assigned', any of whom it may have been.
        others: by what they did, who it was not.
        labels: groups, of each of which it has one.
        unlabelled: labels it has not.
        has: of 'assigned' and 'labelled', whether it has anybody or any.
        since: the first day, ISO 8601; '' for the beginning.
        until: what comes before it; '' for no end.
        dated: what happened on the day: 'created', 'merged', 'closed' or a 'verdict'; '' the last of these.
        oldest: the oldest come first.
        limit: how many are wanted.
        most: by whom there are most, of those who did this.
        each: only one of everybody who did this.
        at: in the state of this time, ISO 8601; '' for that of now.
        unexplained: words of a matter, which only texts tell.
        unclear: words that turn, join or bound something in a way that may mean one thing or another.
        untimely: words of a time that is not clear, or of none that has been.
    """

    type: str
    states: tuple[str, ...]
    reverted: bool | None
    people: Mapping[str, tuple[str, ...]]
    others: Mapping[str, tuple[str, ...]]
    labels: tuple[tuple[str, ...], ...]
    unlabelled: tuple[str, ...]
    has: Mapping[str, bool]
    since: str
    until: str
    dated: str
    sources: tuple[int, ...]
    oldest: bool
    limit: int
    most: str
    each: str
    at: str
    unexplained: tuple[str, ...]
    unclear: tuple[str, ...]
    untimely: tuple[str, ...]

    def is_of_its_time(self, day: str) -> bool:
        """Whether what is of *day* may be asked for; what has no day may."""
        return not day or ((not self.since or day >= self.since) and (not self.until or day < self.until))


def read_filter(brain: Brain, question: Question, sources: Sequence[int]) -> Filter | None:
    """The filter that the question describes; None when it asks for no records by what is known of them."""
    asked = None if question.numbers else listing(question.text)
    if not asked or (asked.kind == "end" and question.type == "yes/no"):
        return None
    text, noun = asked.text, asked.noun
    about, names = [match[1] for match in _ABOUT.finditer(text)], names_in(text)
    known: Known = known_names(brain, [*WORD.findall(text), *about, *names.values()], sources)
    text, known = with_names(_ABOUT.sub(lambda match: _label(match, known), text), names, known)
    text, within = without_sources(brain, text, sources, known)
    text, at, not_then = at_a_time(text)
    text, untimely = with_dates(text, question.today)
    days = [date_of(date) for date in DATE.finditer(text)]
    text, reason = _without_reason(DATE.sub(f" {CUT} ", text))
    text = _COUNTED_END.sub(r"\2 \1", text)
    wanted = WANTED.search(text)
    ends = {word for word in WORD.findall(text) if word in (*FIRST, *LAST)}
    words = [one for one in WORD.findall(WANTED.sub(r"\1", text)) if one not in ends]
    reading = read(words, known, days)
    if noun in ("bug", "bugs") and ("label", "bug") in known:
        reading.labels.append(known["label", "bug"])
    if ends:
        reading.dated |= {last_verb(words) or "created"} if not reading.dated else set()
    most = last_verb([one for one in words if one != "open"]) if asked.kind == "by" else ""
    each = VERBS[asked.did] if asked.did else ""
    states = frozenset.intersection(EVERY, *reading.states) if reading.states else frozenset()
    told = any((reading.says, days, within, ends, reason, most, each, at, question.counted))
    if asked.whose and reading.unexplained:
        return None  # who is nobody that is known
    vague = ["most"] if asked.kind == "by" and (not most or most == "verdict") else []
    vague += ["not"] if reading.states and (not states or (reason and "closed" not in states)) else []
    vague += [*ends] if len(ends) > 1 else []
    vague += [*reading.dated] if len(reading.dated) > 1 else []
    return Filter(
        type="pull" if noun.startswith("p") else "issue",
        states=reason or (*sorted(states),),
        reverted=reading.reverted,
        people={role: tuple(names) for role, names in reading.people.items()},
        others={role: tuple(names) for role, names in reading.others.items()},
        labels=tuple(map(tuple, reading.labels)),
        unlabelled=tuple(reading.unlabelled),
        has=reading.has,
        since=reading.since,
        until=reading.until,
        dated="".join(reading.dated) if len(reading.dated) == 1 else "",
        sources=within or tuple(sources),
        oldest=not ends.isdisjoint(FIRST),
        limit=min(count(wanted[2]), MOST) if wanted else 1 if ends and noun in ONE.split("|") else MOST,
        most=most,
        each=each,
        at=at,
        unexplained=tuple(reading.unexplained) if told or reading.unexplained or reading.unclear else ("",),
        unclear=(*reading.unclear, *vague, *not_then, *untimely),
        untimely=untimely,
    )


def _label(match: re.Match[str], known: Known) -> str:
    """The label that something is about, in whatever number; what else it is about stays as it is."""
    labels = [one for one in (match[1] + match[2], match[1]) if ("label", one) in known]
    return labels[0] if labels else match[0]


def _without_reason(text: str) -> tuple[str, tuple[str, ...]]:
    """*text* without why they were closed, and the state that says it."""
    match = _REASON.search(text)
    return (_REASON.sub(" ", text), (f"closed as {match[1] or match[2]}",)) if match else (text, ())


def without_sources(brain: Brain, text: str, sources: Sequence[int], known: Known) -> tuple[str, tuple[int, ...]]:
    """*text* without the sources it names, and their ids; what is a label too is a source only after 'in' or 'of'."""
    within = [one for one in places(brain, text) if one.source in sources]
    within = [one for one in within if one.led or ("label", one.name) not in known]
    for one in within:
        text = text.replace(one.text, " ")
    return text, tuple(one.source for one in within)


def known_names(brain: Brain, words: Iterable[str], sources: Sequence[int]) -> dict[tuple[str, str], list[str]]:
    """Which of *words* are people or labels of the sources, as these write them; of a review also who but reviewed."""
    words = [*words]
    reviewing = not VERDICTS.keys().isdisjoint(words)
    asked = {"words": json.dumps(words), "sources": json.dumps(list(sources))}
    known: dict[tuple[str, str], list[str]] = {}
    for statement in ("known_names", "reviewers_called") if reviewing else ("known_names",):
        for kind, word, name in brain.db.execute(sql(statement), asked):
            names = known.setdefault((kind, word), [])
            names += [name] * (name not in names)
    return known
