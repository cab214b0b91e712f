"""Understand a question: answer type, weighted terms, names, numbers and the time it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import takewhile
from typing import Final

from cortex.composer.query.types import is_recorded, type_of
from cortex.composer.query.weights import weigh
from cortex.composer.values import AnswerType, Query
from cortex.language.dates import dates
from cortex.language.identifiers import parts
from cortex.language.patterns import patterns
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.regex import regex
from cortex.substrate.encoder import Encoder
from cortex.substrate.model import QuestionClass
from cortex.substrate.reading import Reader
from cortex.substrate.search import query_terms

MOST_TERMS: Final = 64
THREADS: Final = ("issue", "pull", "request", "pr", "mr", "ticket")  # words that name a thread beside its number

LIMITS: Final = {"most": "maximum", "least": "minimum"}  # what 'at most' asks for, both words of which tell nothing

_PATH: Final = regex(
    r"(?<![\w/])/?(?:[\w.-]{1,99}+/)++[\w.-]*(?<![.])|(?<![\w./-])\.?[\w-]+(?:\.[\w-]+)*\.[a-z]{1,4}\b"
)
_HASH: Final = regex(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b")
_VERSION: Final = regex(r"\bv?\d+(?:\.\d+)+\b", re.I)
_NAME: Final = regex(
    r"(?<![.?!:] )(?<!^)(?<![\"'“‘(])\b"
    r"(?:[A-Z][\w-]*\w|[a-z]\w*[A-Z]\w*|\w+_\w+|[^\W\d]\w*\d\w*|\d+[^\W\d]\w*|v?\d+(?:\.\d+)+)"
)
_CALLED: Final = regex(r"\b([^\W\d][\w.]*)\(\)")
_LIMIT: Final = regex(r"\bat (most|least)\b", re.I)
_QUOTED: Final = regex(r"`([^`\n]{1,80})`|“([^”\n]{1,80})”|\"([^\"\n]{1,80})\"")
_SHOUTED: Final = 0.5  # share of a text's words written as names from which its capitals tell nothing


def understand(
    reader: Reader, text: str, stemmer: Stemmer, *, now: datetime | None = None, encoder: Encoder | None = None
) -> Query:
    """Understand *text*; any text is valid, and one without words has no terms.

    Args:
        now: the moment at which it is asked; `reader.as_of` goes before it.
    """
    today = date.fromisoformat(reader.as_of[:10]) if reader.as_of else now and now.date()
    called = _CALLED.findall(text)
    limits = [LIMITS[word.lower()] for word in _LIMIT.findall(text)]
    terms = _unique([*query_terms(_without_kind(text)), *split(" ".join(called)), *limits])[:MOST_TERMS]
    versions = [one.lower().lstrip("v") for one in _VERSION.findall(text)]
    whole = {*split(text), *limits}
    stems = [
        *dict.fromkeys(stemmer.sequence(" ".join([*(one for one in terms if one in whole), *map(parts, versions)])))
    ]
    type_ = type_of(text)
    names = (*_names(text), *(f"{name.rpartition('.')[2]}(" for name in called))
    weights = weigh(
        reader, terms, stems, stemmer, plain=_plain(reader, type_, terms), names=_unique(split(" ".join(names)))
    )
    times = [*dates(text, today)]
    numbers = _unique(map(int, _asking()["number"].findall(text)))
    thread = [*map(str, numbers), *(THREADS if numbers else ())]
    stop = {*stemmer.stem(word for word in split(_CALLED.sub(" ", text)) if word in STOP_WORDS).values()}
    named = frozenset(stemmer.sequence(" ".join(names))) & set(stems) - stop
    content = frozenset(stem for stem in stems if len(stem) > 1 and stem not in weights.everyday - named)
    class_: QuestionClass = "B" if _asking()["reasoning"].search(text) else "A"
    return Query(
        text=text,
        class_=class_,
        type=type_,
        terms=terms,
        weights=weights.idf,
        rows=weights.rows,
        related=weights.related,
        variant=weights.variant,
        forms=weights.forms,
        content=content,
        named=named,
        names=(*versions, *names),
        unseen=weights.unseen,
        numbers=numbers,
        decisions=_unique(map(int, _asking()["decision"].findall(text))),
        hashes=_unique(_HASH.findall(text)),
        paths=_unique(_PATH.findall(text)),
        days=_unique((one.after, one.before) for one in times),
        dates=frozenset(stemmer.sequence(" ".join(text[one.start : one.end] for one in times))),
        thread=frozenset(stemmer.sequence(" ".join(thread))),
        counted=_counted(text, stemmer),
        recorded=is_recorded(type_, text),
        kind=next((match.lastgroup or "" for match in _asking()["kind"].finditer(text)), ""),
        as_of=reader.as_of,
        vector=encoder.encode([text])[0] if encoder else b"",
        encoder=encoder.name if encoder else "",
        today=today,
    )


def _plain(reader: Reader, type_: AnswerType, terms: Iterable[str]) -> Iterator[str]:
    """Words of little weight: the project's own name, and the number in 'is it 20?'."""
    for source in reader.sources.values():
        yield from split(source)
    yield from (term for term in terms if type_ is AnswerType.YES_NO and term.isdecimal())


def _asking() -> Mapping[str, re.Pattern[str]]:
    return patterns("questions", "asking")


def _without_kind(text: str) -> str:
    plain = _asking()["amount"].sub(" ", _asking()["kind"].sub(" ", text))
    return plain if any(word not in STOP_WORDS for word in split(plain)) else text


def _names(text: str) -> tuple[str, ...]:
    names = _NAME.findall(text)
    names = [] if len(names) > _SHOUTED * len(text.split()) else names
    return _unique([*names, *("".join(one) for one in _QUOTED.findall(text))])


def _counted(text: str, stemmer: Stemmer) -> str:
    match = _asking()["counting"].search(text)
    noun = [*takewhile(lambda word: word not in STOP_WORDS, split(match[1]))] if match else []
    return next(iter(stemmer.sequence(noun[-1])), "") if noun else ""


def _unique(values: Iterable) -> tuple:  # type: ignore[type-arg]
    return tuple(dict.fromkeys(values))
