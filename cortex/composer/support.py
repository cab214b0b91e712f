"""Whether a row supports a sentence: some run of its clauses says all that the sentence does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from cortex.composer.cited import Row, taken_back
from cortex.composer.claims import (
    BINDING,
    EMPTY,
    FRAMES,
    FREE,
    HEDGES,
    ROLES,
    Claims,
    Day,
    claims,
    clauses,
    is_number,
    names,
    tokens,
)
from cortex.composer.roles import happened_then, without_people

_NUMBERED: Final = frozenset(chain.from_iterable(FRAMES.values())) | {"on"}


class _Run(NamedTuple):
    """Clauses that stand together, in one sentence or in two, and the title they stand under."""

    clauses: Sequence[Claims]
    title: Sequence[Claims]
    joined: bool = False

    def tokens(self) -> list[str]:
        """Its tokens, '' after the title's."""
        return [*_tokens(self.title), "", *_tokens(self.clauses)]


def supports(sentence: str, row: Row) -> bool:
    """Whether *row* says what *sentence* does, which quotes nothing."""
    text = sentence
    for place in row.places:
        text = text.replace(place, " ")
    asked, last_verb = [], ""
    for clause in clauses(text):
        rest, claim = without_people(clause, row), claims(clause)
        if not happened_then(claim, last_verb, row):
            return False
        last_verb = next((token for token in reversed(claim.tokens) if token in ROLES), last_verb)
        asked.append(claims(rest))
    said = [token for clause in asked for token, _ in clause.said]
    if HEDGES.intersection(chain.from_iterable(clause.tokens for clause in asked)):
        return False
    if not said:
        known = [*_days(_Run((), row.title), row, ())]
        days = chain.from_iterable(clause.days for clause in asked)
        return not any(clause.negations for clause in asked) and all(any(map(day.agrees, known)) for day in days)
    return any(_says(asked, sentence, run, row) for run in _runs(said, row))


def _runs(said: Collection[str], row: Row) -> Iterator[_Run]:
    """Where *row* may say all of that: in what is known of it, its title, the sentences that say most of it."""
    yield _Run((), ())
    yield _Run((), row.title)
    wanted = {row.stem(token) for token in said if token not in row.about}
    needed = wanted - row.stems(row.title)
    shares = [len(wanted & row.stems(sentence)) for sentence in row.sentences]
    most = max(shares)
    for sentence, share in zip(row.sentences, shares, strict=True):
        if share == most > 0:
            yield from _covering(sentence, wanted, needed, row)
    for first, second in zip(row.sentences[1:], row.sentences[2:], strict=False):
        if len(wanted & (row.stems(first) | row.stems(second))) > most:
            *_, whole = [None, *_covering([*first, *second], wanted, needed, row)]
            if whole:
                yield whole._replace(joined=True)


def _covering(held: Sequence[Claims], wanted: set[str], needed: set[str], row: Row) -> Iterator[_Run]:
    """The shortest run from each of the clauses that has what they have of *wanted*, and all of them.

    Args:
        needed: what the title has not; without it the clauses say something else.
    """
    stems = [row.stems([clause]) for clause in held]
    there = wanted & set().union(*stems)
    if not needed <= there:
        return
    for first in range(len(held)):
        found: set[str] = set()
        for last in range(first, len(held)):
            found |= stems[last]
            if there <= found:
                yield _Run(held[first : last + 1], row.title)
                break
    yield _Run(held, row.title)


def _says(asked: Sequence[Claims], sentence: str, run: _Run, row: Row) -> bool:
    held, told = run.tokens(), _tokens(asked)
    words = row.about.union(held)
    stems = {row.stem(token) for token in held}  # 'reported' is known of the record, 'reporting' is not
    for token in told:
        if token not in words and token not in FREE and (is_number(token) or row.stem(token) not in stems):
            return False
    return (
        _means_as(asked, run, row)
        and _counts_as(told, held, row)
        and all(any(day.agrees(known) for known in _days(run, row, told)) for one in asked for day in one.days)
        and all(_names(name, held, words) for name in names(sentence) if " ".join(name) not in row.people)
    )


def _tokens(held: Sequence[Claims]) -> list[str]:
    return [*chain.from_iterable(clause.tokens for clause in held)]


def _days(run: _Run, row: Row, told: Collection[str]) -> Iterator[Day]:
    if not run.clauses or not ROLES.keys().isdisjoint(told):  # else the date of something else
        yield from row.days.values()
    for clause in (*run.title, *run.clauses):
        yield from clause.days


def _means_as(asked: Sequence[Claims], run: _Run, row: Row) -> bool:
    """Whether both negate as much, and the same words, and no condition of what is taken from the row is left out."""
    said = [*_stemmed(asked, row)]
    own = {stem for stem, _ in _stemmed(run.clauses, row)}
    wanted = {stem for stem, _ in said}
    titled = [one for one in run.title if any(stem in wanted - own for stem, _ in _stemmed([one], row))]
    if run.clauses and any(one.negations for one in titled):
        return False  # what a title negates is said with it or not at all
    taken = [*run.clauses, *titled]
    if sum(one.negations for one in asked) != sum(one.negations for one in taken):
        return False
    if not BINDING.intersection(_tokens(taken)) <= {*_tokens(asked)}:
        return False
    return all(_agrees(stem, said, run, titled, row) for stem in wanted)


def _agrees(stem: str, said: Sequence[tuple[str, bool]], run: _Run, titled: Sequence[Claims], row: Row) -> bool:
    """Whether a word is said, and negated, where the row does so; one that only tells of the record is said."""
    mine, own, above = ([*_of(stem, told)] for told in (said, _stemmed(run.clauses, row), _stemmed(titled, row)))
    if own and above and not {*mine} <= {*above}:
        return False
    return _is_within(mine, own or above or [True] * len(mine)) and not (run.joined and len({*own}) > 1)


def _stemmed(held: Sequence[Claims], row: Row) -> Iterator[tuple[str, bool]]:
    for clause in held:
        for token, said in clause.said:
            yield row.stem(token), said


def _of(stem: str, told: Iterable[tuple[str, bool]]) -> Iterator[bool]:
    return (said for one, said in told if one == stem)


def _is_within(mine: Sequence[bool], its: Sequence[bool]) -> bool:
    """Whether *mine* is *its*, some of it left out, in its order."""
    left = iter(its)
    return all(any(one == other for other in left) for one in mine)


def _counts_as(asked: Sequence[str], held: Sequence[str], row: Row) -> bool:
    """Whether each number stands in the order of the row, beside a word that stands beside no other number there."""
    its = [(at, token, _beside(held, at, row)) for at, token in enumerate(held) if is_number(token)]
    start = 0
    for place, token in enumerate(asked):
        if not is_number(token) or _is_of_record(asked, place, row):
            continue
        mine = _beside(asked, place, row)
        sides = [side for side in (0, 1) if not any(mine[side] == by[side] for _, other, by in its if other != token)]
        for at, same, by in its:
            if at >= start and same == token and (mine == by or any(mine[side] == by[side] != "" for side in sides)):
                start = at + 1
                break
        else:
            return False
    return True


def _is_of_record(asked: Sequence[str], place: int, row: Row) -> bool:
    """Whether a number is the record's own, that of what reverted it, or a year in which something happened to it."""
    token = asked[place]
    if token.isdigit() and len(token) == 4 and any(day.year == int(token) for day in row.days.values()):
        return True
    before = asked[max(0, place - 4) : place]
    ref = next((ref for verb, ref in taken_back(row.record).items() if verb in before), row.record.ref)
    return token in tokens(ref) and place > 0 and asked[place - 1] in _NUMBERED


def _beside(held: Sequence[str], place: int, row: Row) -> tuple[str, str]:
    """The stems next to a place, those that tell nothing passed over; '' at an end."""
    before = next((token for token in reversed(held[:place]) if token not in EMPTY), "")
    after = next((token for token in held[place + 1 :] if token not in EMPTY), "")
    return row.stem(before), row.stem(after)


def _names(name: Sequence[str], held: Sequence[str], words: Collection[str]) -> bool:
    """Whether a name stands in the row as it is, its parts next to each other."""
    parts = [part for word in name for part in tokens(word)]
    if len(parts) < 2:
        return True  # a word like any other
    if not all(part in words for part in parts):
        return False
    telling = [token for token in held if token not in FREE]
    return any(telling[at : at + len(parts)] == parts for at in range(len(telling))) or not any(
        part in held for part in parts
    )
