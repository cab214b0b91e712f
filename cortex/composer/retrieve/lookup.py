"""Run lookups of stored fields: who merged #12, open issues with a label, the latest release."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from types import MappingProxyType
from typing import Final

from cortex.composer.query.intents import Lookup, likely, matches
from cortex.composer.query.tags import Kind
from cortex.composer.retrieve.filters import Unknown, filter_of, repository_path
from cortex.composer.retrieve.profile import project_names, tell_profile
from cortex.composer.retrieve.release_lookup import (
    tell_change,
    tell_release,
    tell_release_of,
    tell_releases_with,
    tell_since_release,
)
from cortex.composer.retrieve.stated import MOST, sentences
from cortex.composer.retrieve.threads import tell_links, tell_thread
from cortex.composer.values import Listed, Query
from cortex.language.stems import split
from cortex.language.words import STOP_WORDS
from cortex.substrate.lookups import Filter, count_by, list_records, records_called
from cortex.substrate.owners import Owner, owner_lines, owners_of
from cortex.substrate.quoting import label
from cortex.substrate.reading import Reader

SHORTEST: Final = 3  # letters of a folder's name that a longer word may begin with


def look_up(reader: Reader, text: str, *, today: date | None, query: Query | None = None) -> Listed | None:
    """Answer *text* from stored fields; None if it is no lookup or the fields are unknown.

    Args:
        query: of *text*, for what it is likely to ask where no template matches.

    Returns:
        Without items and complete where what it names is not there: nothing else can answer it.
    """
    projects = project_names(reader)
    for asked in chain(matches(text, today=today, projects=projects), _likely(query, projects)):
        try:
            found = _RUNS[asked.run](reader, asked)
        except Unknown as unknown:
            if unknown.certain:
                return Listed(asked.intent, ())
        else:
            if found is not None:
                return found
    return None


def _likely(query: Query | None, projects: Collection[str]) -> Iterator[Lookup]:
    """What is tried after the templates, and worked out only then."""
    if query and (asked := likely(query, projects=projects)):
        yield asked


def _records(reader: Reader, asked: Lookup) -> Listed | None:
    slots, counted = asked.slots, asked.intent == "count"
    wanted, exact = filter_of(reader, slots, changes="changes" in slots)
    order = "order" in slots
    if not counted and not order and wanted == Filter(types=wanted.types):
        return None
    kind = slots.get("kind")
    one = order and not (isinstance(kind, Kind) and kind.plural)
    limit = min(MOST, int(slots.get("few", 1 if one else MOST)))
    ids, total = list_records(reader, wanted, limit=limit)
    if not ids and "changes" in slots and not kind:
        wanted = wanted._replace(types=("commit",), states=(), dated="")
        ids, total = list_records(reader, wanted, limit=limit)
    if not (ids or exact):
        return None
    lead = f"{total} in all: " if counted or (total > len(ids) and not order) else ""
    return Listed(asked.intent, sentences(reader, ids), lead if ids else "", exact)


def _most(reader: Reader, asked: Lookup) -> Listed:
    slots = asked.slots
    deed, kind = slots.get("deed", "author"), slots.get("kind")
    wanted, _ = filter_of(reader, {**slots, "kind": kind or Kind("commit", plural=True)}, changes=False)
    role = {"merger": "merged_by", "closer": "closed_by"}.get(deed, "author")
    found = count_by(reader, wanted, role)
    if not found:
        raise Unknown(certain=True)
    noun = {"pull": "pull requests", "issue": "issues"}.get(wanted.types[0], "commits")
    done = {"merged_by": " merged", "closed_by": " closed"}.get(role, "")
    items = [
        (id_, f"{label(who)}: {often} {noun if often > 1 else noun[:-1]}{done}") for who, often, id_ in found[:MOST]
    ]
    return Listed(asked.intent, tuple(items))


def _owner(reader: Reader, asked: Lookup) -> Listed | None:
    written = str(asked.slots.get("path") or asked.slots["topic"])
    paths = repository_path(reader, written)
    lines = [
        one for path in paths or [written.strip("/")] for one in owners_of(reader.brain, path, sources=reader.sources)
    ]
    if not paths and "/" not in written and not any(written.strip("/") in one.of.split("/") for one in lines):
        lines = [one for one in owner_lines(reader.brain, sources=reader.sources) if _speaks_of(one, written)]
    return _owner_lines(reader, asked, lines[:1] if len(reader.sources) == 1 else lines, of=written) if lines else None


def _speaks_of(line: Owner, written: str) -> bool:
    """Whether each word of *written* matches the line's path or area by prefix: 'simulator', 'sim'."""
    asked, own = ([word for word in split(text) if word not in STOP_WORDS] for text in (written, line.of))
    return bool(asked) and all(any(_begin_alike(word, one) for one in own) for word in asked)


def _begin_alike(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    return len(short) >= SHORTEST and long.startswith((short, short.removesuffix("s")))


def _owned(reader: Reader, asked: Lookup) -> Listed | None:
    who = asked.slots["owner"].lower()
    lines = [one for one in owner_lines(reader.brain, sources=reader.sources) if who in map(str.lower, one.who)]
    return _owner_lines(reader, asked, lines) if lines else None


def _owner_lines(reader: Reader, asked: Lookup, lines: Sequence[Owner], of: str = "") -> Listed:
    items: list[tuple[int, str]] = []
    for one in lines:
        ids = [
            id_
            for id_, record in reader.records(records_called(reader, [one.ref])).items()
            if record["source"] == one.source
        ]
        who = ", ".join(label(name if "@" in name else f"@{name}") for name in one.who) or "nobody"
        pattern = label(one.of.rsplit(" › ", 1)[-1])
        what = f"{label(of)}, as {pattern}," if of and of.strip("/") != pattern.strip("/") else pattern
        line = f" line {one.line}" if one.line else ""
        items += [(id_, f"{what} is owned by {who} ({label(one.path)}{line})") for id_ in ids]
    return Listed(asked.intent, tuple(items[:MOST]))


def _files(reader: Reader, asked: Lookup) -> Listed | None:
    from cortex.composer.retrieve.whereabouts import tell_files  # noqa: PLC0415  other questions do not wait for it

    return tell_files(reader, asked)


_RUNS: Final[Mapping[str, Callable[[Reader, Lookup], Listed | None]]] = MappingProxyType(
    {
        "records": _records,
        "thread": tell_thread,
        "linked": tell_links,
        "most": _most,
        "owner": _owner,
        "owned": _owned,
        "release": tell_release,
        "since_release": tell_since_release,
        "released_in": tell_release_of,
        "release_with": tell_releases_with,
        "profile": tell_profile,
        "change": tell_change,
        "files": _files,
    }
)
