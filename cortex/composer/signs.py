"""Single signs that rows answer a question however unlikely the model finds that, or do not however likely."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise
from typing import Final

from cortex.composer.answer_types import KNOWN_BY_FORM, asks, gives
from cortex.composer.beside import files_reason, heads_reason
from cortex.composer.candidates import DECIDED
from cortex.composer.defining import defines
from cortex.composer.ordered import CITED, Ordered, is_of_day
from cortex.composer.question import Question, stands_in, stands_in_each
from cortex.composer.rows import STANDING, Row, is_decision
from cortex.composer.saying import BETWEEN_SENTENCES, likest, said_by_each
from cortex.composer.steps import asks_steps
from cortex.language.stems import Stemmer, split

ENOUGH: Final = 0.85
"""Share of the words of a query, which asks nothing, that one row has to cover."""

WHOLE: Final = 2
"""Words that a question is about of which one sentence with its title has all: the model has seen few so short."""

FEWEST: Final = 3
"""Everyday words that ask something; fewer are a greeting or a sigh, unless a sentence has all of them."""

SHORT: Final = 3
LARGE: Final = 2000
"""Words of a question that is so short that a brain of so many passages has them all in some sentence, by chance."""

TOGETHER: Final = 4
"""How many words further on the second of two stands at most that say one thing."""

MOST: Final = 0.5
"""Share of what a question is about: of the strong answers that said no more of it .48 were right, of all .74."""

SAID: Final = 0.55
"""Likeness to the question of a sentence that has all it is about, where some sentence has that by chance."""

_IDENTIFIER: Final = re.compile(r"\w_\w|[a-z][A-Z]")
_VERSION: Final = re.compile(r"v\d+(?:\.\d+)+", re.I)
_TITLED: Final = ("issue", "pull", "comment")
"""Types of records whose title says what they are about; that of an event says who told it."""

_ASKS: Final = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.I)


def answers(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether some sign says that *ordered*, best first, answer the question."""
    return (
        _is_told(question, ordered, stemmer)
        or _is_headed(question, ordered, stemmer)
        or _is_about(question, ordered, stemmer)
        or _is_replaced(question, ordered)
        or _is_dated(question, ordered, stemmer)
        or _are_named(question, ordered)
    )


def asks_nothing(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether the question has but a few everyday words, and no row tells by itself what it asks."""
    if question.content or len(question.weights) >= FEWEST:
        return False
    told = _are_named(question, ordered) or _is_dated(question, ordered, stemmer) or _is_called(question, ordered)
    return not (told or _is_said(question, ordered, stemmer))


def has_more_than_date(question: Question, row: Ordered) -> bool:
    """Whether a row has a word of what is asked beside a date; of that date, where it but says the same.

    So has what is of that date any everyday word of a question of no others, and a decision what was decided. Any row
    has where nothing else is asked, or no date is named.
    """
    asked = question.undated
    if asked is question or question.numbers or not asked.content.isdisjoint(row.holds):
        return True
    said = asked.about if asked.content else asked.near
    tells = not said.isdisjoint(row.holds) or (not DECIDED.isdisjoint(asked.stems) and is_decision(row.fused.row))
    return tells and is_of_day(question, row)


def _is_called(question: Question, ordered: Sequence[Ordered]) -> bool:
    """Whether a document is headed by the very words of what is asked for, 'on call', or says of whom they are so."""
    asked = split(question.term)
    if len(asked) < WHOLE:
        return False
    for row in (one.fused.row for one in ordered[:CITED] if one.fused.row.type in STANDING):
        if split(row.title.rpartition(" › ")[2]) == asked:
            return True
        sentences = (one for one in BETWEEN_SENTENCES.split(row.text) if gives(question.type, one) and not asks(one))
        if any(f" {' '.join(asked)} " in f" {' '.join(split(one))} " for one in sentences):
            return True
    return False


def _is_said(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether one sentence has everything that is asked about: 'what is the rate limit?'."""
    asks = len(question.weights) > 1 and ("?" in question.text or _ASKS.search(question.text))
    return bool(asks) and any(likest(question, one, stemmer) > 0.999 for one in ordered[:CITED])


def _is_dated(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether a document's sentence says when that is which is asked for, in all the question's words: 'We meet on …'.

    It stands under a heading that has one of them, or begins with what is asked for.
    """
    if question.type != "date" or not question.weights:
        return False
    for row in (one.fused.row for one in ordered[:CITED] if one.fused.row.type in STANDING):
        sentences = [one for one in BETWEEN_SENTENCES.split(row.text) if gives("date", one) and not asks(one)]
        headed = bool(stands_in(question, row.title, stemmer))
        for sentence, stems in zip(sentences, stands_in_each(question, sentences, stemmer), strict=True):
            if question.stems <= stems and (headed or defines(question.term, sentence)):
                return True
    return False


def _are_named(question: Question, ordered: Sequence[Ordered]) -> bool:
    """Whether a document names those who are asked for by what they are: 'Led by three maintainers: Ada and Bob'."""
    if question.type != "person" or not question.term:
        return False
    named = re.compile(
        rf"(?i:\b{re.escape(question.term.removesuffix('s'))}s?\b[^.:\n]{{0,20}}(?::|–|\bare\b|\bis\b))\s*@?[A-ZÀ-Þ]"
    )
    return any(one.fused.row.type in STANDING and named.search(one.fused.row.text) for one in ordered[:CITED])


def _is_told(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether one sentence with its title has all that the question is about; of a mere query, one row."""
    if not (_ASKS.search(question.text) or "?" in question.text):
        return max(one.fused.covered for one in ordered) >= ENOUGH
    about = question.content
    if not about or (len(about) < WHOLE and not (len(question.stems) > 1 or question.type in KNOWN_BY_FORM)):
        return False
    if question.rows >= LARGE and all(likest(question, one, stemmer) < SAID for one in ordered[:CITED]):
        return False
    needed = about if len(about) >= WHOLE else question.stems
    return any(
        needed <= held
        for one in ordered[:CITED]
        if len(question.stems) > 1 or one.fused.row.type in STANDING
        for held in said_by_each(question, one, stemmer, giving=True)
    )


def is_told_first(question: Question, first: Ordered, stemmer: Stemmer) -> bool:
    """Whether a sentence of the first row, with its title, has more than `MOST` of what the question is about.

    Words that say the same count, and of an identifier only the whole, which the row has to have. What but everyday
    words ask is told for sure by no more than what says how things are.
    """
    if not are_written((name for name in question.names if _IDENTIFIER.search(name)), [first.fused.row]):
        return False
    about = question.content
    if not about:
        return first.fused.row.type in STANDING
    near = {stem: {stem} | question.related.get(stem, frozenset()) for stem in about}
    told = said_by_each(question, first, stemmer)
    return any(sum(not near[stem].isdisjoint(held) for stem in about) > MOST * len(about) for held in told)


def _is_about(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether the first row of a small project is titled by all that an everyday question is about.

    'T7 drifts' is what 'Is T7 fixed?' and 'What is wrong with T7?' are about.
    """
    if question.rows >= LARGE or len(question.stems) > SHORT or question.type not in ("text", "yes/no"):
        return False
    if ordered[0].fused.row.type not in (*_TITLED, *STANDING):
        return False
    if not question.content or (question.term and {*stemmer.sequence(question.term)} <= question.content):
        return False  # of what is to be told what it is no title tells that
    return question.content <= stands_in(question, ordered[0].fused.row.title, stemmer)


def _is_headed(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether a part of a document is headed by what the question is about, and holds what it asks for.

    Or says what the thing is whose meaning is asked for, or the one step: 'flash: `make flash`'.
    """
    step = _step(question, stemmer) if asks_steps(question) and len(question.content) == 1 else ""
    for one in ordered[:CITED]:
        row = one.fused.row
        if defines(question.term, row.text) or (step and row.type in STANDING and defines(step, row.text)):
            return True
        headline = row.title.rpartition(" › ")[2]
        told = heads_reason(question, headline, stemmer) or files_reason(question, row, stemmer)
        if row.type in STANDING and question.type == "reason" and told:
            return True
        heading = {*stemmer.sequence(headline)}
        about = question.content
        if row.type in STANDING and about and about <= heading <= question.stems:
            return question.type not in KNOWN_BY_FORM or gives(question.type, row.text)
    return False


def _step(question: Question, stemmer: Stemmer) -> str:
    """The word for what is to be done, which alone is out of the ordinary."""
    return next((word for word, stem in stemmer.stem(question.terms).items() if stem in question.content), "")


def _is_replaced(question: Question, ordered: Sequence[Ordered]) -> bool:
    """Whether it asks if something is still so, and what was decided of it is there with what superseded that."""
    if not asks_if_still(question) or not question.content:
        return False
    pairs = pairwise(ordered[:CITED])
    return any(newer.moved == "supersedes" and question.content <= old.holds for newer, old in pairs)


def asks_if_still(question: Question) -> bool:
    """Whether it asks if something is so now, of which what somebody said tells how it was then."""
    return question.latest and question.type == "yes/no"


def are_apart(question: Question, ordered: Sequence[Ordered], stemmer: Stemmer) -> bool:
    """Whether what a short question is about stands together nowhere: 'payment' here and 'provider' there.

    Under a heading that has the one a sentence may have the other.
    """
    said = stemmer.sequence(question.text)
    asked = [(place, stem) for place, stem in enumerate(said) if stem in question.weights and not stem.isdecimal()]
    pairs = [
        (first, second)
        for (place, first), (next_, second) in pairwise(asked)
        if first != second and len(question.content & {first, second}) + (next_ == place + 1) >= WHOLE
    ]
    if len(question.weights) > SHORT or question.rows < LARGE or not pairs or question.numbers:
        return False
    pair = max(pairs, key=lambda pair: question.weights[pair[0]] + question.weights[pair[1]])
    first, second = ({stem} | question.related.get(stem, frozenset()) for stem in pair)
    for one in ordered[:CITED]:
        row = one.fused.row
        titled = stemmer.sequence(row.title)
        stands = row.type in STANDING or (row.type, row.state) == ("pull", "merged")
        if stands and any(question.stems <= held for held in said_by_each(question, one, stemmer)):
            return False
        if _together(first, second, titled):
            return False
        for sentence in map(stemmer.sequence, BETWEEN_SENTENCES.split(row.text)):
            if _together(first, second, sentence):
                return False
            if row.type in STANDING and any(
                not mine.isdisjoint(titled) and not its.isdisjoint(sentence)
                for mine, its in ((first, second), (second, first))
            ):
                return False
    return True


def _together(first: AbstractSet[str], second: AbstractSet[str], stems: Sequence[str]) -> bool:
    places = [[place for place, stem in enumerate(stems) if stem in wanted] for wanted in (first, second)]
    return any(abs(one - other) <= TOGETHER for one in places[0] for other in places[1])


def are_written(names: Iterable[str], rows: Iterable[Row]) -> bool:
    """Whether each of *names* stands in one of *rows*: 'highs' is no 'HiGHS', though one stem is of both."""
    told = "\n".join(f"{row.title}\n{row.text}" for row in rows).lower()
    return all(re.search(_written(name), told) for name in names)


@lru_cache(256)
def _written(name: str) -> str:
    """What finds *name* in lower case, also in several words, or as one, or of many: 'S-57', 's57', 'S 57s'."""
    bare = name[1:] if _VERSION.fullmatch(name) else name.removesuffix("s") or name
    pieces = re.split(r"[\W_]+", bare.lower())
    said = r"[\W_]{0,2}".join(map(re.escape, pieces))
    return rf"(?<![^\W_v]){said}(?:['’]?s)?(?![^\W_])"
