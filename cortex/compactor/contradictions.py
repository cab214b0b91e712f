"""Job 6, on request: pairs of facts that cannot both stand. A report: it changes nothing.

Told apart are a negation, another number, how binding it is, another choice, and what was taken back or replaced and
stands all the same. Rather few and right: docs/decisions/0012-contradictions-are-told-by-their-form.md tells why.
Two sentences are compared when what stands before their verb is the same, word for word but for articles. They
disagree when what follows it is the same but for one negation, one number, or how binding it is. A sentence that
weighs, asks, points back or depends on something disagrees with nothing: that is how decisions come about.
Decisions that a later one overtook, given then taken or set anew, are told by the titles of merged pull requests and
commits; for each thing only the last word and the last one against it are reported.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from cortex.compactor.job import EXAMPLES, Contradiction, Example, Ground, Side, Work, contradiction
from cortex.compactor.near_duplicates import saying
from cortex.indexers.distill.text import is_machine
from cortex.language.changes import Certainty, bare_title, parse, title_scope
from cortex.language.patterns import patterns, words
from cortex.language.quantities import quantity
from cortex.language.stems import Stemmer, split
from cortex.language.verbs import Op
from cortex.language.words import STOP_WORDS
from cortex.substrate import compaction
from cortex.substrate.brain import Brain
from cortex.substrate.identity import normalised

_ENGLISH: Final = patterns("compactor", "claims")

LEAST_WORDS: Final = 5
"""Words that tell something, in the whole sentence: a shorter one owes too much to where it stands."""
KNOWN_SUBJECT: Final = 6  # records that may say something of a subject; of what more speak, each means its own
_NEGATION: Final = _ENGLISH["negation"]
_NUMBER: Final = re.compile(r"(?<![\w.#/\[^-])v?\d+(?:[.,_]\d+)*(?:\s?%)?(?![\w\])-]|\.\d)")
_BINDING: Final = {
    word: degree
    for degree, listed in enumerate(("may can optional", "should recommended", "must shall required"))
    for word in listed.split()
}
_OPPOSITE: Final = frozenset(
    frozenset(pair.split("/"))
    for pair in """
    enabled/disabled on/off true/false required/optional allowed/forbidden allowed/disallowed permitted/prohibited
    accepted/rejected supported/unsupported mutable/immutable public/private always/never stable/unstable valid/invalid
    minimum/maximum big-endian/little-endian case-sensitive/case-insensitive synchronous/asynchronous safe/unsafe
    signed/unsigned ascending/descending""".split()
)
_AUXILIARY: Final = words("compactor", "claims_auxiliary")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_ARTICLES: Final = words("compactor", "claims_articles")
_EMPTY: Final = words("compactor", "claims_empty")
_GIVES: Final = (Op.ADDS, Op.RELANDS)
_VAGUE: Final = words("compactor", "titles_vague")
_KIND: Final = words("compactor", "titles_kind")
"""Stems that say what kind of thing a name is, or in what state: the thing is the same without."""
_SOME: Final = words("compactor", "titles_some")
_LIMITS: Final = words("compactor", "titles_limits")
_SPECIFIC: Final = re.compile(r"[^\W_]_[^\W_]|[a-z][A-Z]|::|(?<!\S)--\w|\w\.\w|`")
_TOOK: Final = "the later took back what the earlier brought"
GENERIC: Final = 3  # other titles that may name all of a thing's words; what more name is a kind of thing, not one


class Claim(NamedTuple):
    """A sentence that says something of a subject."""

    side: Side
    record: str
    """The document, for one that is read in parts; else the ref of the record."""
    since: str
    sentence: str
    subject: tuple[str, ...]
    words: frozenset[str]
    """What it says of the subject, without negations and numbers."""
    negated: bool
    numbers: tuple[str, ...]
    rules: bool


def contradictions(work: Work) -> list[Example]:
    """Find the contradictions of one source; nothing is changed."""
    work.contradictions.extend(found := within(work.brain, {work.source_id: work.source}))
    return [
        Example(side.handle, side.statement, side.statement, f"{one.reason}: {one.stands.handle} outranks it")
        for one in found[:EXAMPLES]
        for side in [one.outranked]
    ]


def within(brain: Brain, sources: Mapping[int, str]) -> list[Contradiction]:
    """The contradictions within each of *sources*, the surest first."""
    found: list[Contradiction] = []
    for source_id, source in sources.items():
        found += _superseded(brain, source_id, source)
        found += overtaken(brain, source_id, source)
        said = [*claims(compaction.claims_of(brain, source_id=source_id))]
        found += [*disagreeing(said, source), *_choices(said, source)]
    return sorted(found, key=surest_first)


def surest_first(one: Contradiction) -> tuple[float, str, str]:
    """What to sort contradictions by."""
    return -one.grade, one.stands.handle, one.outranked.handle


def _choices(said: Sequence[Claim], source: str) -> Iterator[Contradiction]:
    rules = [claim for claim in said if claim.rules and "instead of" not in claim.sentence]
    for claim in said:
        for one in parse(claim.sentence) if "instead of" in claim.sentence else ():
            for rule in rules if one.old and one.new else ():
                outranks = rule.side.authority > claim.side.authority
                if outranks and _names(rule.sentence, one.old) and not _names(rule.sentence, one.new):
                    reason = "one wants another than the other requires"
                    yield contradiction(source, "choice", reason, rule.side, claim.side)


def _names(sentence: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name.strip('`'))}(?![\w-])", sentence) is not None


def _superseded(brain: Brain, source_id: int, source: str) -> Iterator[Contradiction]:
    for old, said, new, says, state, weight, other in compaction.still_standing(brain, source_id=source_id):
        reason = "the later reverted the earlier" if state == "reverted" else "the one replaced the other"
        stands = Side(handle=new, statement=says, authority=other)
        outranked = Side(handle=old, statement=said, authority=weight)
        yield contradiction(source, "superseded", reason, stands, outranked)


def claims(rows: Iterable[tuple[Any, ...]]) -> Iterator[Claim]:
    """What the rows of claims.sql claim; a row that has no verb has no subject."""
    for _, handle, statement, excerpt, authority, since, type_, author, thread, ref in rows:
        frame, sentence = saying(statement, excerpt, type_, author, thread)
        if type_ == "doc" and _YEAR.search(frame):
            continue  # a report tells how things were then
        verb = _ENGLISH["verb"].search(sentence)
        subject, said = (sentence[: verb.start()], sentence[verb.start() :]) if verb else ("", "")
        words = normalised(_NUMBER.sub(" ", _NEGATION.sub(" ", said).replace("cannot", "can"))).split()
        yield Claim(
            Side(handle=handle, statement=statement, authority=authority),
            ref.partition("#")[0] if ref.startswith("doc:") else ref, since or "", sentence,
            subject=tuple(word for word in normalised(subject).split() if word not in _ARTICLES),
            words=frozenset(words) - _ARTICLES,
            negated=len(_NEGATION.findall(said)) % 2 == 1,
            numbers=tuple(sorted(_NUMBER.findall(said))),
            rules=type_ in ("directive", "outcome"),
        )  # fmt: skip


def disagreeing(found: Iterable[Claim], source: str) -> Iterator[Contradiction]:
    """The contradictions among the claims of one source."""
    speaking: defaultdict[tuple[str, ...], list[Claim]] = defaultdict(list)
    for claim in found:
        telling = bool(claim.numbers) + len(claim.words - _EMPTY) + sum(word not in _EMPTY for word in claim.subject)
        if claim.subject and telling >= LEAST_WORDS and not _ENGLISH["weighed"].search(claim.sentence):
            speaking[claim.subject].append(claim)
    for about in speaking.values():
        if 1 < len({claim.record for claim in about}) <= KNOWN_SUBJECT:
            for one, other in combinations(sorted(about, key=lambda claim: (claim.side.authority, claim.since)), 2):
                if one.record != other.record and (point := _point(one, other)):
                    yield contradiction(source, *point, other.side, one.side)


def _point(one: Claim, other: Claim) -> tuple[Ground, str] | None:
    ours, theirs = one.words - other.words, other.words - one.words
    if one.negated != other.negated:
        same = one.numbers == other.numbers and not (ours | theirs) - _AUXILIARY
        return ("negation", "one denies what the other says") if same else None
    if one.numbers != other.numbers:
        differ = len(one.numbers) == len(other.numbers) and len({*one.numbers} ^ {*other.numbers}) == 2
        return ("number", "they give another number for the same") if differ and not ours | theirs else None
    if len(ours) == len(theirs) == 1:
        (mine,), (yours,) = ours, theirs
        if _BINDING.get(mine) != _BINDING.get(yours) and {mine, yours} <= _BINDING.keys():
            return "choice", "one is more binding than the other"
        if frozenset((mine, yours)) in _OPPOSITE:
            return "negation", "one says the opposite of the other"
    return None


class Change(NamedTuple):
    """One thing that a title says was done.

    Attributes:
        what: stems of what it was done to.
        positive: whether it is there then.
        value: what it was set to; '' where it was given or taken.
    """

    scope: str
    what: frozenset[str]
    positive: bool = True
    value: str = ""


def change_in(title: str, stems: Callable[[str], Sequence[str]]) -> Change | None:
    """What *title* says was given, taken or set; None where it does not.

    >>> change_in("parser: drop lookahead_limit", lambda text: text.lower().split())
    Change(scope='parser', what=frozenset({'lookahead_limit'}), positive=False, value='')
    """
    scope, said = title_scope(bare_title(title))
    stated = next(iter(parse(said)), None)
    if stated and stated.op is Op.AMENDS and stated.new:
        what, value = _content(stated.subject, stems), quantity(stated.new)
        limits = value and len(what) > 1 and not _LIMITS.isdisjoint(split(stated.subject))
        return Change(scope, what, value=value) if limits else None
    if stated and stated.op in (*_GIVES, Op.REMOVES):
        positive = (stated.op in _GIVES) != (stated.certainty is Certainty.DENIED)
        what = _thing(said[stated.start :], stated.subject, stems)
        return Change(scope, what, positive) if what else None
    return None


def _thing(text: str, head: str, stems: Callable[[str], Sequence[str]]) -> frozenset[str]:
    """The stems of what something is done to, none where it is but some of it or could be anything."""
    specific, what = bool(_SPECIFIC.search(text)), _content(text, stems)
    if not _SOME.isdisjoint(split(text)) or (not specific and len(what - _VAGUE) < 2):
        return frozenset()
    named = specific and len(what - _KIND) > 1 and _content(head, stems) - _KIND
    return what - _KIND if named else what


def _content(text: str, stems: Callable[[str], Sequence[str]]) -> frozenset[str]:
    small = STOP_WORDS - {"no", "without"}
    return frozenset(stems(" ".join(word for word in text.split() if word.lower() not in small)))


class _Decision(NamedTuple):
    side: Side
    ref: str
    change: Change


def overtaken(brain: Brain, source_id: int, source: str) -> Iterator[Contradiction]:
    """What a later decision took back or set to something else."""
    stems = Stemmer()
    titles: list[frozenset[str]] = []
    given: defaultdict[frozenset[str], list[_Decision]] = defaultdict(list)
    set_: defaultdict[tuple[str, frozenset[str]], list[_Decision]] = defaultdict(list)
    for handle, statement, authority, _, title, ref, author in compaction.decisions_of(brain, source_id=source_id):
        titles.append(frozenset(stems.sequence(title)))
        change = None if is_machine(author) else change_in(title, stems.sequence)
        if change:
            decided = set_[change.scope, change.what] if change.value else given[change.what]
            side = Side(handle=handle, statement=statement, authority=authority)
            decided.append(_Decision(side, ref, change))

    def is_one(decided: Sequence[_Decision]) -> bool:
        named = sum(decided[-1].change.what <= title for title in titles)
        return named <= len(decided) + GENERIC

    for decided in given.values():
        last = decided[-1]
        against = [one for one in decided if one.change.positive != last.change.positive and _same_part(one, last)]
        if against and is_one(decided):
            reason = "the later brought back what the earlier took" if last.change.positive else _TOOK
            doubtful = last.change.scope != against[-1].change.scope
            yield contradiction(source, "superseded", reason, last.side, against[-1].side, doubtful=doubtful)
    for decided in set_.values():
        last = decided[-1]
        others = [one for one in decided if one.change.value != last.change.value]
        if others and (last.change.scope or is_one(decided)):
            yield contradiction(source, "number", "the later set another value", last.side, others[-1].side)


def _same_part(one: _Decision, other: _Decision) -> bool:
    here, there = one.change.scope, other.change.scope
    return one.ref != other.ref and (here == there or not (here and there))
