"""Whether rows tell what a question takes to have happened: the event, of that thing, in that direction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cortex.composer.answer_types import asks
from cortex.composer.events import KINDS_OF_THINGS, LONGEST, NOT, TURNING, Event, Kind, Word, verbs, words_of
from cortex.composer.question import Question
from cortex.composer.rows import STANDING, Row
from cortex.composer.saying import BETWEEN_SENTENCES
from cortex.language.stems import Stemmer
from cortex.language.words import STOP_WORDS

TOLD: Final = 2
MAYBE: Final = 1
"""How surely it is told: of the whole thing, as done; or of a part of it, of what is of it, or as a wish."""

NEAR: Final = 2
"""Words that name something else between what tells it and the thing, at most, for it to be surely of that."""

AROUND: Final = 8
"""Words of any kind between them, at most."""

BEFORE: Final = 4
"""Words before what tells it that may deny it, or wish it."""

HALF: Final = 0.5
"""Share of a thing's name, by weight, that has to stand there."""

MORE: Final = 3
"""Words that may stand among those of a name."""

NEVER: Final = 9
"""Doubts of what is not told at all."""

_SPARES: Final = NOT | frozenset("keep kept without against".split())
"""Words before what tells it that say it was not done."""

_SUPPOSED: Final = frozenset("if when whenever once unless until".split())
_WISHES: Final = frozenset(
    "should must shall could would may might can propose proposed proposal suggest suggested consider considering"
    " whether plan planned want wants".split()
)
_BE: Final = frozenset("is are was were be been being got gets get has have had".split())
_PAST: Final = ("ed", "en", "wn", "ne", "id", "al")
"""Endings of what is said of a thing after it: 'removed', 'taken', 'withdrawn', 'undone', 'rid', 'removal'."""

_ARTICLES: Final = frozenset("the a an all any its our".split())
_IT: Final = frozenset("it them".split())
_ADVERBS: Final = frozenset("together again altogether anymore now already too yet here there".split())
_OF: Final = frozenset("of for on about".split())


class _Said(NamedTuple):
    """A sentence, and the stems of the one before it."""

    words: Sequence[Word]
    before: frozenset[str]


def how_told(question: Question, event: Event, rows: Sequence[Row], stemmer: Stemmer) -> int:
    """How surely one of *rows* tells *event*: `TOLD`, `MAYBE` or 0."""
    return max((_told_by(question, event, row, stemmer) for row in rows), default=0)


def _told_by(question: Question, event: Event, row: Row, stemmer: Stemmer) -> int:
    above = _stems(words_of(row.title, stemmer))
    stands, is_change = row.type in STANDING, row.type in ("pull", "commit")
    merged = row.type == "commit" or (row.type, row.state) == ("pull", "merged")
    if row.state in event.kind.states and (stands or is_change) and _is_of(event, above):
        return TOLD if stands else MAYBE
    heads = stands and _heads(event.kind, words_of(row.title.rpartition(" › ")[2], stemmer))
    most, before = 0, frozenset[str]()
    for place, sentence in enumerate((row.title, *BETWEEN_SENTENCES.split(row.text))):
        words = words_of(sentence, stemmer)
        said, before = _Said(words, before), _stems(words)
        if asks(sentence):
            continue
        how = _told_in(question, event, said)
        how = min(how, MAYBE) if is_change and not merged else how
        if heads and place and _is_of(event, before):
            how = max(how, TOLD if _is_of(event, _stems(words[: MORE + len(event.thing)])) else MAYBE)
        if event.kind.brings and (merged or stands) and _is_of(event, before | above if stands else before):
            how = max(how, 0 if _denies(words) else TOLD)
        most = max(most, how)
    return most


def _stems(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(one.stem for one in words)


def _heads(kind: Kind, heading: Sequence[Word]) -> bool:
    """Whether a heading says but that, of all that stands below: 'Removed', 'Dropped features'."""
    told = {at for start, end, _ in _tellings(kind, heading) for at in range(start, end)}
    return bool(told) and all(at in told or _is_plain(word) for at, word in enumerate(heading))


def _is_plain(word: Word) -> bool:
    """Whether *word* names nothing by itself: of what kind a thing is, how, or what joins words."""
    return word.text in KINDS_OF_THINGS | STOP_WORDS | _ADVERBS or word.text.endswith("ly")


def _is_of(event: Event, stems: frozenset[str]) -> bool:
    return all(not some.isdisjoint(stems) for some in event.thing)


def _denies(words: Sequence[Word], by: frozenset[str] = NOT) -> bool:
    return any(one.text in by and not one.is_inside for one in words)


def _told_in(question: Question, event: Event, said: _Said) -> int:
    """How surely a sentence tells *event*: one doubt leaves a 'maybe', two nothing."""
    of_thing, least = frozenset[str]().union(*event.thing), NEVER
    for at, end, way in _tellings(event.kind, said.words):
        if end == at + 1 and said.words[at].stem in of_thing:
            continue
        doubts = NEVER
        if way != "after":
            doubts = _doubts_before(question, event, said, end)
        if way == "after" or (way == "both" and said.words[at].text.endswith(_PAST)):
            doubts = min(doubts, _doubts_after(question, event, said, at, end))
        least = min(least, doubts + (way == "hint") + _is_wish(said.words, at))
    return max(TOLD - least, 0)


def _leading(words: Sequence[Word], at: int) -> list[Word]:
    """The words before *at* that may turn what is said there."""
    return [one for one in words[max(0, at - BEFORE) : at] if one.clause == words[at].clause]


def _is_wish(words: Sequence[Word], at: int) -> bool:
    said = {one.text for one in words[:at] if one.clause == words[at].clause}
    return not _SUPPOSED.isdisjoint(said) or not _WISHES.isdisjoint(one.text for one in _leading(words, at))


def _tellings(kind: Kind, words: Sequence[Word]) -> Iterator[tuple[int, int, str]]:
    """From where to where words of *kind* stand, and which way; none that is denied."""
    for at, word in enumerate(words):
        if word.is_inside or (not kind.unsure and _denies(_leading(words, at), _SPARES)):
            continue
        said = tuple(one.stem for one in words[at : at + LONGEST])
        for phrase in (said[:size] for size in range(1, len(said) + 1)):
            found = ((kind.told, "both"), (kind.before, "before"), (kind.hints, "hint"), (kind.after, "after"))
            yield from ((at, at + len(phrase), way) for phrases, way in found if phrase in phrases)
        if word.text == "from" and not kind.turning.isdisjoint(one.stem for one in _leading(words, at)):
            yield at, at + 1, "before"


def _doubts_before(question: Question, event: Event, said: _Said, end: int) -> int:
    """How many doubts there are that what stands before *end* is done to the thing after it: 'remove the old lock'."""
    words, of_thing = said.words, frozenset[str]().union(*event.thing)
    quoted = words[end:] if end < len(words) and words[end].is_quoted else []
    names = any(one.is_label and one.stem in of_thing for one in quoted)
    least = 1 if _is_of(event, _stems(quoted)) and not names else NEVER  # 'Revert "Pack by weight"' is of all of that
    gap: list[Word] = []
    for place in range(end, min(len(words), end + AROUND + 1)):
        word = words[place]
        if word.clause != words[end - 1].clause and not (place == end and words[end - 1].is_label):
            break
        if word.stem in of_thing:
            rest = _doubts_of_rest(question, words, place, gap, of_thing)
            return min(least, rest + _doubts_of_name(question, event, words, place))
        gap.append(word)
        if _turns(word) or (word.stem in verbs() and not word.is_inside):
            break
    is_it = bool(gap) and gap[0].text in _IT and (len(gap) == 1 or _is_plain(gap[1]))
    return 1 if is_it and _is_of(event, said.before) else least


def _doubts_of_rest(
    question: Question, words: Sequence[Word], place: int, gap: Sequence[Word], of_thing: frozenset[str]
) -> int:
    """How many there are that it is the thing at *place*, and not what is of it: 'tests of the lock', 'lock tests'.

    Where the event is but named, 'dropping of locks', it need not have happened.
    """
    last = place
    while last + 1 < len(words) and words[last + 1].part == words[place].part and _is_name(words[last + 1], of_thing):
        last += 1
    if words[last].is_label and any(one.is_quoted for one in words[place - len(gap) : place + 1]):
        return NEVER  # 'Revert "lock: wait longer"' is of what it did there
    rest = [one for one in words[last + 1 : last + 3] if one.part == words[place].part]
    is_far = sum(not _is_plain(one) for one in gap) > NEAR
    of_other = any(one.text in _OF and before.text not in KINDS_OF_THINGS for before, one in pairwise(gap))
    names_it = bool(gap) and gap[0].text in _OF
    names_more = bool(rest) and not _is_plain(rest[0]) and rest[0].stem not in question.stems
    is_place = bool(rest) and rest[0].text == "from" and rest[-1].stem not in question.stems
    return is_far + of_other + names_it + (names_more or is_place)


def _is_name(word: Word, of_thing: frozenset[str]) -> bool:
    return word.stem in of_thing or word.text in KINDS_OF_THINGS


def _doubts_after(question: Question, event: Event, said: _Said, at: int, end: int) -> int:
    """How many doubts there are that what stands at *at* is done to the thing before it: 'the old lock was removed'."""
    words, of_thing = said.words, frozenset[str]().union(*event.thing)
    gap: list[Word] = []
    for place in range(at - 1, max(-1, at - AROUND - 2), -1):
        word = words[place]
        if word.part != words[at].part and not (place == at - 1 and word.clause == words[at].clause):
            return NEVER
        if word.stem in of_thing:
            next_ = words[end].text if end < len(words) and words[end].part == words[at].part else ""
            if next_ in _ARTICLES and _BE.isdisjoint(one.text for one in gap):
                return NEVER  # 'the lock removed the need' says what it did
            return _doubts_of_name(question, event, words, place) + (not all(map(_is_plain, gap)))
        gap.append(word)
        if _turns(word):
            return NEVER
    return NEVER


def _doubts_of_name(question: Question, event: Event, words: Sequence[Word], place: int) -> int:
    """How many there are that the thing is named at *place*: by a part of its name, or by a part of another's."""
    first, last = place, place
    size = len(event.thing) + MORE
    while first > max(0, place - size) and _goes_on(words[first - 1], words[place]):
        first -= 1
    while last + 1 < min(len(words), place + size) and _goes_on(words[last + 1], words[place]):
        last += 1
    near = _stems(words[first : last + 1])
    weigh = [max((question.weights.get(stem, 0.0) for stem in some), default=0.0) for some in event.thing]
    weigh = [one or max(weigh) or 1.0 for one in weigh]
    here = sum(weight for weight, some in zip(weigh, event.thing, strict=True) if not some.isdisjoint(near))
    if here < HALF * sum(weigh) or not event.whole <= near:
        return NEVER
    return (here < sum(weigh)) + (words[place].is_inside and not event.whole)


def _goes_on(word: Word, other: Word) -> bool:
    return word.clause == other.clause and not _turns(word)


def _turns(word: Word) -> bool:
    """Whether what follows *word* has another part in what is said."""
    return word.text in TURNING and not word.is_inside
