"""Records as items of a list: how a question names them, and a sentence made of their stored fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cortex.composer.query.presupposition import ENDS
from cortex.composer.query.tags import Named
from cortex.composer.retrieve.filters import Unknown
from cortex.language.changes import parse
from cortex.language.stems import Stemmer, split
from cortex.language.verbs import FORMS, Op
from cortex.language.words import STOP_WORDS
from cortex.regex import regex
from cortex.substrate.lookups import Filter, has_issues, list_records, records_called
from cortex.substrate.quoting import label, quoted
from cortex.substrate.reading import Reader

_TITLE: Final = 120
_BESIDE: Final = regex(r"\([^()]*\)")


def named(record: Mapping[str, Any], *, source: str = "") -> str:
    """Name of *record*: 'PR #12', 'issue #9', 'commit 0a1b2c3', with *source* if given."""
    kind, _, key = record["ref"].partition(":")
    named = {"pull": f"PR #{key}", "issue": f"issue #{key}", "commit": f"commit {key[:7]}"}
    name = named.get(kind) or label(record["path"] if kind == "doc" else record["ref"])
    return f"{name} of {label(source)}" if source else name


def sentence(record: Mapping[str, Any], *, source: str = "") -> str:
    """*record* with author and state: 'PR #12 “Cache it” by ada, merged by bob on 2024-05-06'."""
    title = " ".join(record["title"].split())
    title = title if len(title) <= _TITLE else f"{title[:_TITLE].rsplit(' ', 1)[0]} …"
    lead = f"{named(record, source=source)} {quoted(title)}"
    parts = {"pull": _pull, "issue": _issue, "commit": _commit}.get(record["type"], _plain)(record)
    return ", ".join(part for part in (lead + parts[0], *parts[1:], *_taken_back(record)) if part)


def day(moment: str | None) -> str:
    """The day of *moment*, ISO 8601; '' where it is unknown."""
    return (moment or "")[: len("2024-05-06")]


def on(moment: str | None) -> str:
    """' on 2024-05-06'; '' where *moment* is unknown."""
    return f" on {day(moment)}" if moment else ""


def by(who: str) -> str:
    """' by ada'; '' for nobody."""
    return f" by {label(who)}" if who else ""


def _pull(record: Mapping[str, Any]) -> tuple[str, ...]:
    author = by(record["author"])
    if record["merged_at"] or record["state"] == "merged":
        return author, f"merged{by(record['merged_by'])}{on(record['merged_at'])}"
    if record["state"] == "open":
        return author, f"open since {day(record['created_at'])}" if record["created_at"] else "open", "not merged"
    return author, f"closed{by(record['closed_by'])}{on(record['closed_at'])} without being merged"


def _issue(record: Mapping[str, Any]) -> tuple[str, ...]:
    if record["state"] == "open":
        since = f"open since {day(record['created_at'])}" if record["created_at"] else "open"
        return "", since, f"reported{by(record['author'])}" if record["author"] else ""
    reported = f"reported{by(record['author'])}{on(record['created_at'])}" if record["author"] else ""
    how = record["state"].removeprefix("closed")
    return "", reported, f"closed{by(record['closed_by'])}{on(record['closed_at'])}{how}"


def _commit(record: Mapping[str, Any]) -> tuple[str, ...]:
    return (f"{by(record['author'])}{on(record['created_at'])}",)


def _plain(record: Mapping[str, Any]) -> tuple[str, ...]:
    return by(record["author"]), label(record["state"])


def _taken_back(record: Mapping[str, Any]) -> tuple[str, ...]:
    ends = {"reverted": record.get("reverted_by"), "superseded": record.get("superseded_by")}
    return tuple(f"{how} by {named({'ref': ref, 'path': ref})}" for how, ref in ends.items() if ref)


TITLES: Final = 40  # titles that are compared
SURE: Final = 0.5  # share of a title's words from which it is meant, where others hold the same words
LEAST: Final = 0.2  # share of the only title that holds the words
BACK: Final = (Op.REVERTS, Op.RELANDS)


def titled(reader: Reader, thread: Named, types: Sequence[str]) -> Mapping[str, Any]:
    """The record whose title matches *thread* best; it must contain all its words.

    What takes another back, or brings it back, is meant only where that is said.

    Raises:
        Unknown: none is, or several are.
    """
    stemmer = reader.brain.stemmer
    words = [word for word in split(thread.text) if word not in STOP_WORDS and word not in FORMS]
    changes = [FORMS[word].op for word in split(thread.text) if word in FORMS]
    if not words:
        raise Unknown(certain=False)
    asked = Filter(types=tuple(types), words=tuple((f"{word}*",) for word in words), titled=True)
    ids, _ = list_records(reader, asked, limit=TITLES)
    found = {id_: one for id_, one in reader.records(ids).items() if _fits(one["title"], changes, thread)}
    if thread.alone:  # 'Add fan documentation' adds no fan
        ends = {id_: _done_to(one["title"], thread.done).split()[-1:] for id_, one in found.items()}
        found = {id_: one for id_, one in found.items() if _share(words, " ".join(ends[id_]), stemmer)}
    shares = sorted(
        (_share(words, _done_to(one["title"], thread.done), stemmer), one["type"] != "commit",
         _share(words, one["title"], stemmer), one["id"])
        for one in found.values()
    )[::-1]  # fmt: skip
    least = SURE if shares[1:] or thread.alone else LEAST
    if not shares or shares[0][0] < least or shares[0][:3] in [one[:3] for one in shares[1:2]]:
        raise Unknown(certain=False)
    return found[shares[0][-1]]


def _fits(title: str, changes: Sequence[Op], thread: Named) -> bool:
    ops = {one.op for one in parse(title)}
    alike = ENDS if thread.done in ENDS else {thread.done}
    added = thread.done == Op.ADDS and not thread.kind and ops.isdisjoint(ENDS)
    if thread.done and not (ops & alike or added):
        return False
    return bool(ops.intersection(changes)) or thread.done in ops or ops.isdisjoint(BACK)


def _done_to(title: str, done: str) -> str:
    """The object of the operation *done* in *title*, without verbs; the whole title if it states none."""
    named = " ".join(one.subject or one.old for one in parse(title) if done and one.op == done)
    return " ".join(word for word in split(_BESIDE.sub(" ", named)) if word not in FORMS) or title


def _share(words: Sequence[str], title: str, stemmer: Stemmer) -> float:
    asked = tuple(stemmer.sequence(" ".join(words)))
    own = [*dict.fromkeys(stemmer.sequence(" ".join(word for word in split(title) if word not in STOP_WORDS)))]
    return sum(stem.startswith(asked) for stem in own) / max(1, len(own))


MOST: Final = 6  # items of a list
THREADS: Final = ("pull", "issue", "commit")

Items = tuple[tuple[int, str], ...]


def sentences(reader: Reader, ids: Sequence[int]) -> Items:
    """The records *ids* that existed at the time, each with its sentence."""
    records = reader.records(ids)
    return tuple((id_, sentence(records[id_], source=source_of(reader, records[id_]))) for id_ in ids if id_ in records)


def source_of(reader: Reader, record: Mapping[str, Any]) -> str:
    """The source of *record* if several are readable, else ''."""
    return str(record["source"]) if len(reader.sources) > 1 else ""


def called(reader: Reader, thread: Named, types: Sequence[str] = THREADS) -> list[Mapping[str, Any]]:
    """The records that *thread* names, the likeliest of each source, without later ones.

    Args:
        types: of a record that it calls by its title.

    Raises:
        Unknown: it names none.
    """
    if not thread.refs:
        return [titled(reader, thread, (thread.kind,) if thread.kind in THREADS else types)]
    found: dict[int, Mapping[str, Any]] = {}
    for ref in thread.refs:
        for record in reader.records(records_called(reader, [ref])).values():
            if was_there(reader, record):
                found.setdefault(record["source_id"], record)
    if not found:
        raise Unknown(certain=has_issues(reader))
    return [*found.values()]


def was_there(reader: Reader, record: Mapping[str, Any]) -> bool:
    """Whether *record* existed at the as-of time."""
    made = record["created_at"] or record["merged_at"] or ""
    return not reader.as_of or made <= reader.as_of
