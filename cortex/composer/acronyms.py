"""Acronyms as the rows themselves explain them: 'post-compromise security (PCS)', 'PCS (post-compromise security)'.

Source: Schwartz and Hearst 2003, "A simple algorithm for identifying abbreviation definitions in biomedical text", here
by the initials of whole words alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from cortex.composer.question import Question, idf
from cortex.composer.synonyms import MOST_VARIED
from cortex.language.stems import Stemmer, split
from cortex.language.words import STOP_WORDS
from cortex.substrate.brain import Brain
from cortex.substrate.search_plan import quoted
from cortex.substrate.statements import sql

LETTERS: Final = (2, 6)
"""Of an acronym, fewest and most."""

LOOKED_AT: Final = 100
"""Passages in which an acronym may be explained."""

COMMON: Final = 0.02
"""Share of the passages that hold an acronym from which everybody writes it, and nobody explains it."""

MOST_WORDS: Final = 200
MOST_ACRONYMS: Final = 8
"""Of a question that are looked at: whoever pastes a page asks nothing of its acronyms."""

REACH: Final = 120
"""Characters that may say what an acronym stands for."""

_ACRONYM: Final = re.compile(r"\b[A-Z](?:[A-Z0-9]|[a-z](?=[A-Z])){1,6}(?=s?\b)")
_SMALL: Final = frozenset("a an and at by for from in of on or over per the to via with".split())


def with_acronyms(brain: Brain, question: Question, stemmer: Stemmer, *, sources: Sequence[int]) -> Question:
    """*question* with what stands for its acronyms, and with the acronyms of its phrases, as rows of *sources* say."""
    varied: list[str] = []
    related = dict(question.related)
    for short, words in _learned(brain, question, stemmer, sources):
        stems = stemmer.stem([short, *words])
        if short in stems and stems[short] in question.weights:
            varied += words
            longest = max(words, key=len)
            related[stems[short]] = related.get(stems[short], frozenset()) | {stems[longest]}
        else:
            varied.append(short)
            for word in words:
                related[stems[word]] = related.get(stems[word], frozenset()) | {stems[short]}
    new = [word for word in dict.fromkeys(varied) if word not in question.terms]
    if not new:
        return question
    return replace(question, related=related, variant=(*new, *question.variant)[:MOST_VARIED])


def _learned(
    brain: Brain, question: Question, stemmer: Stemmer, sources: Sequence[int]
) -> Iterator[tuple[str, list[str]]]:
    yield from _long_forms(brain, question, stemmer, sources)
    yield from _short_forms(brain, question, stemmer, sources)


def _long_forms(
    brain: Brain, question: Question, stemmer: Stemmer, sources: Sequence[int]
) -> Iterator[tuple[str, list[str]]]:
    """Each acronym of the question and the words it stands for, lower case."""
    acronyms = [*dict.fromkeys(_ACRONYM.findall(question.text))][:MOST_ACRONYMS]
    stems = stemmer.stem(acronym.lower() for acronym in acronyms)
    rare = idf(_most(question), question.rows)
    for acronym in acronyms:
        if question.weights.get(stems.get(acronym.lower(), ""), 0.0) < rare:
            continue
        for text in _passages(brain, quoted(acronym), sources):
            if words := explained(acronym, text):
                yield acronym.lower(), words
                break


def _short_forms(
    brain: Brain, question: Question, stemmer: Stemmer, sources: Sequence[int]
) -> Iterator[tuple[str, list[str]]]:
    """Each run of the question's words that has an acronym, and that."""
    words = split(question.text)[:MOST_WORDS]
    runs = {}
    for start in range(len(words)):
        for end in range(start + LETTERS[0], min(len(words), start + LETTERS[1]) + 1):
            run = words[start:end]
            if run[0] in STOP_WORDS or run[-1] in STOP_WORDS:
                continue
            telling = [word for word in run if word not in _SMALL]
            if len(telling) >= LETTERS[0]:
                runs["".join([word[0] for word in telling])] = telling
    if not runs:
        return
    stems = stemmer.stem(runs)
    wanted = json.dumps(sorted({*stems.values()}))
    known = dict(brain.db.execute(sql("term_weights"), {"index_name": "records_fts", "terms": wanted}))
    for short, run in runs.items():
        if not 0 < known.get(stems.get(short, ""), 0) <= _most(question) or short in question.terms:
            continue
        match = " AND ".join(quoted(word) for word in (short, *run))
        for text in _passages(brain, match, sources):
            if [word.lower() for word in explained(short.upper(), text)] == run:
                yield short, run
                break


def _passages(brain: Brain, match: str, sources: Sequence[int]) -> list[str]:
    given = {"match": match, "sources": json.dumps([*sources]), "limit": LOOKED_AT}
    return [text for (text,) in brain.db.execute(sql("passages_with"), given)]


def _most(question: Question) -> int:
    """In how many passages an acronym may stand."""
    return max(LOOKED_AT, int(COMMON * question.rows))


def explained(acronym: str, text: str) -> list[str]:
    """The words, lower case and without the small ones, that *text* says *acronym* stands for; none where it does not.

    >>> explained("PCS", "Updates give post-compromise security (PCS) to a group.")
    ['post', 'compromise', 'security']
    """
    if acronym not in text:
        return []
    short = re.escape(acronym)
    for found in re.finditer(rf"\({short}s?[),;]|\b{short}s?\s+\(([^()\n]{{3,{REACH}}})\)", text):
        said = found[1] or text[max(0, found.start() - REACH) : found.start()]
        telling = [word for word in split(said) if word not in _SMALL]
        words = telling if found[1] else telling[-len(acronym) :]
        if "".join(word[0] for word in words) == acronym.lower():
            return words
    return []
