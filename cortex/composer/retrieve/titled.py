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
    found = {id_: one for id_, one in reader.records(ids).items() if _fits(one["title"], changes, thread)}
    shares = sorted(
        (_share(words, _done_to(one["title"], thread.done), stemmer), one["type"] != "commit",
         _share(words, one["title"], stemmer), one["id"])
        for one in found.values()
    )[::-1]  # fmt: skip
    least = SURE if shares[1:] or thread.alone else LEAST
    if not shares or shares[0][0] < least or shares[0][:3] in [one[:3] for one in shares[1:2]]:
        raise Unknown(certain=False)
    best = found[shares[0][-1]]
    if thread.alone and not _share(words, _done_to(best["title"], thread.done).split()[-1], stemmer):
        raise Unknown(certain=False)  # 'Add fan documentation' adds no fan
    return best


def _fits(title: str, changes: Sequence[Op], thread: Named) -> bool:
    ops = {one.op for one in parse(title)}
    alike = ENDS if thread.done in ENDS else {thread.done}
    added = thread.done == Op.ADDS and not thread.kind and ops.isdisjoint(ENDS)
    if thread.done and not (ops & alike or added):
        return False
    return bool(ops.intersection(changes)) or thread.done in ops or ops.isdisjoint(BACK)


def _done_to(title: str, done: str) -> str:
    """What *title* says was *done* to something, without verbs; all of it where it does not say so."""
    named = " ".join(one.subject or one.old for one in parse(title) if done and one.op == done)
    return " ".join(word for word in split(named) if word not in FORMS) or title


def _share(words: Sequence[str], title: str, stemmer: Stemmer) -> float:
    asked = tuple(stemmer.sequence(" ".join(words)))
    own = [*dict.fromkeys(stemmer.sequence(" ".join(word for word in split(title) if word not in STOP_WORDS)))]
    return sum(stem.startswith(asked) for stem in own) / max(1, len(own))
