"""Threads and commits that a question calls by what their titles say: 'the PR about push messages'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cortex.composer.query.intents import Named
from cortex.composer.query.presupposition import ENDS
from cortex.composer.retrieve.filters import Unknown
from cortex.language.changes import parse
from cortex.language.stems import Stemmer, split
from cortex.language.verbs import FORMS, Op
from cortex.language.words import STOP_WORDS
from cortex.substrate.lookups import Filter, list_records
from cortex.substrate.reading import Reader

MOST: Final = 40  # titles that are compared
SURE: Final = 0.5  # share of a title's words from which it is meant, where others hold the same words
LEAST: Final = 0.2  # share of the only title that holds the words
BACK: Final = (Op.REVERTS, Op.RELANDS)


def titled(reader: Reader, thread: Named, types: Sequence[str]) -> Mapping[str, Any]:
    """The one record whose title holds all words of *thread*, or stands out among those that do.

    What takes another back, or brings it back, is meant only where that is said.

    Raises:
        Unknown: none is, or several are.
    """
    stemmer = reader.brain.stemmer
    words = [word for word in split(thread.text) if word not in STOP_WORDS and word not in FORMS]
    changes = [FORMS[word].op for word in split(thread.text) if word in FORMS]
    if not words:
        raise Unknown(certain=False)
    terms = " AND ".join(f'"{word}"*' for word in words)
    ids, _ = list_records(reader, Filter(types=tuple(types), words=f"context: ({terms})"), limit=MOST)
    found = [one for one in reader.records(ids).values() if _fits(one["title"], changes, thread.done)]
    shares = sorted(((_share(words, one["title"], stemmer), one["id"], one) for one in found), reverse=True)
    if not shares or shares[0][0] < (SURE if shares[1:] else LEAST) or (shares[1:] and shares[0][0] == shares[1][0]):
        raise Unknown(certain=False)
    return shares[0][2]


def _fits(title: str, changes: Sequence[Op], done: str) -> bool:
    ops = {one.op for one in parse(title)}
    alike = ENDS if done in ENDS else {done}
    if done and not (ops & alike or (done == Op.ADDS and ops.isdisjoint(ENDS))):
        return False
    return bool(ops.intersection(changes)) or done in ops or ops.isdisjoint(BACK)


def _share(words: Sequence[str], title: str, stemmer: Stemmer) -> float:
    asked = tuple(stemmer.sequence(" ".join(words)))
    own = [*dict.fromkeys(stemmer.sequence(" ".join(word for word in split(title) if word not in STOP_WORDS)))]
    return sum(stem.startswith(asked) for stem in own) / max(1, len(own))
