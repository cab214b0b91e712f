"""Lookups of releases: the latest, a date, the changes, and the release with a change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from cortex.composer.query.intents import Lookup
from cortex.composer.query.presupposition import ENDS
from cortex.composer.query.tags import Named
from cortex.composer.retrieve.filters import Unknown, all_of
from cortex.composer.retrieve.profile import sources_called
from cortex.composer.retrieve.stated import MOST, THREADS, Items, called, named, sentence, sentences, source_of
from cortex.composer.retrieve.threads import tell_thread
from cortex.composer.values import Listed
from cortex.language.changelogs import place_of
from cortex.language.dates import Period
from cortex.language.markdown import Span
from cortex.language.patterns import patterns
from cortex.language.stems import split
from cortex.language.verbs import FORMS, Op
from cortex.language.words import STOP_WORDS
from cortex.substrate.lookups import Filter, list_records, records_called
from cortex.substrate.quoting import label, quoted, titled
from cortex.substrate.reading import Reader
from cortex.substrate.releases import Entry, Release, entries_of, release_notes, releases

ROOM: Final = 1_200  # characters of the entries that are told
NAMED: Final = 40  # names of code that are looked at
_PARTS: Final = 1_000  # parts of documents that are looked at for a topic
_SAYING: Final = 2  # entries that are told to say the same

_NAME: Final = re.compile(r"--?\w[\w-]*|\w+(?:[._]\w+)+|[a-z]+[A-Z]\w*")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")


class _Writing(NamedTuple):
    """A list under construction: items, and the spans they quote, by index."""

    items: list[tuple[int, str]]
    quotes: dict[int, Span]

    def add(self, record: int, text: str, span: Span | None = None) -> None:
        if span:
            self.quotes[len(self.items)] = span
        self.items.append((record, text))

    def listed(self, intent: str, *, complete: bool = True) -> Listed | None:
        items = tuple(self.items)
        return Listed(intent, items, complete=complete, quotes=self.quotes) if items else None


def tell_release(reader: Reader, asked: Lookup) -> Listed | None:
    """The releases asked for, or the entries of their notes; None if there are none."""
    slots = asked.slots
    pick, version, since = slots["pick"], slots.get("version", ""), slots.get("since", "")
    named = sources_called(reader, str(slots.get("project", "")))
    every = [one for one in releases(reader, titles=bool(version or since)) if one.notes[0].source_id in named]
    made = [one for one in every if not one.pending]
    final = [one for one in made if one.final] or made
    if not made:
        return None
    if pick == "every":
        period = slots.get("period") or Period("", "")
        until = period.before
        inside = [one for one in final if period.after <= one.day and (not until or "" < one.day < until)]
        items = tuple((one.notes[0].id, _released(one)) for one in inside[:MOST])
        return Listed(asked.intent, items, f"{len(inside)} in all: " if inside else "")
    chosen = _chosen(pick, version, every, final)
    if since:
        later = [one for one in final if place_of(since) < one.place]
        chosen = [one for one in later if not version or one.place <= place_of(version)]
    if not chosen:
        if pick == "version" or version or since:
            raise Unknown(certain=pick == "version")
        return None
    if pick in ("changes", "next"):
        return _contents(reader, asked, chosen, final)
    note = {"latest": ", the newest release", "first": ", the first release"}.get(pick, "")
    complete = bool(chosen[0].day or chosen[0].pending) or pick != "version"
    return Listed(asked.intent, ((chosen[0].notes[0].id, _released(chosen[0]) + note),), complete=complete)


def _chosen(pick: str, version: str, every: Sequence[Release], final: Sequence[Release]) -> Sequence[Release]:
    place = place_of(version)
    match pick:
        case "next":
            return [one for one in every if one.pending]
        case "first":
            return final[-1:]
        case "previous":
            return [one for one in final if one.place < place][:1] if version else final[1:2]
        case _ if version:
            return [one for one in every if one.version and one.place == place][:1]
        case _:
            return final[:1]


def _released(one: Release) -> str:
    note = one.notes[0]
    when = "not released yet" if one.pending else f"released {one.day[:10] or 'on a day that is not told'}"
    where = f"tag {label(note.path)}" if note.type == "release" else label(note.path) or quoted(note.title)
    return f"{label(one.version) or 'next release'}, {when} ({where})"


def tell_since_release(reader: Reader, asked: Lookup) -> Listed | None:
    """The entries of the next release, else what landed since the newest one."""
    every = releases(reader)
    made = [one for one in every if one.final and not one.pending]
    pending = [one for one in every if one.pending]
    if pending and (found := _contents(reader, asked, pending, made)) and found.quotes:
        return found
    if not made:
        return None
    told = _Writing(_landed(reader, made[0].day, "", f" since {_released(made[0])}"), {})
    if not told.items:
        told.add(made[0].notes[0].id, f"{_released(made[0])}, the newest release; nothing landed since")
    return told.listed(asked.intent)


def _contents(reader: Reader, asked: Lookup, chosen: Sequence[Release], final: Sequence[Release]) -> Listed | None:
    """The entries of each release, cut to fit; else what landed before it."""
    told = _Writing([], {})
    done = asked.slots.get("done", "")
    for one in chosen[:MOST]:
        every = [entry for _, entry in entries_of(reader, [one])]
        some = [entry for entry in every if done and entry.tells(done)] or every
        kept = _fitting(some, ROOM // len(chosen[:MOST]))
        cut = f", {len(kept)} of {len(some)} entries" if len(kept) < len(some) else ""
        lead, heading = f"{_released(one)}{cut}:", ""
        for entry in kept:
            under = f"{titled(entry.label)}:" if entry.label not in ("", heading) else ""
            told.add(entry.note.id, f"{lead} {under}".strip(), entry.span)
            lead, heading = "", entry.label
        before = next((other for other in final if other.place < one.place), None)
        if not kept and before and one.day:
            told.add(one.notes[0].id, lead)
            most = max(1, MOST // len(chosen))
            told.items.extend(_landed(reader, before.day, one.day, f" since {label(before.version)}", most))
    return told.listed(asked.intent)


def _fitting(found: Sequence[Entry], room: int) -> Sequence[Entry]:
    size = 0
    for place, one in enumerate(found):
        size += len(one.text)
        if place and size > room:
            return found[:place]
    return found


def _landed(reader: Reader, after: str, until: str, since: str, most: int = MOST) -> list[tuple[int, str]]:
    """Pull requests merged between two times and commits without one, without release commits."""
    wanted = Filter(types=("pull", "commit"), dated="landed", since=f"{after}~", until=f"{until}~" if until else "")
    ids, total = list_records(reader, wanted, limit=4 * MOST)
    titles = {note.id for note in release_notes(reader)}
    found = [*sentences(reader, [id_ for id_ in ids if id_ not in titles][:most])]
    total -= len(titles.intersection(ids))
    return [(id_, f"{total} in all{since}: {text}" if not place else text) for place, (id_, text) in enumerate(found)]


def tell_release_of(reader: Reader, asked: Lookup) -> Listed | None:
    """The release whose notes name the thread, else the first one after it was merged."""
    thread = asked.slots["thread"]
    record = called(reader, thread, THREADS[::2] if thread.done else THREADS)[0]
    every = releases(reader)
    naming = re.compile(rf"(?:#|/pull/|/issues/|GH-|[:}}]`){re.escape(record['ref'].partition(':')[2])}\b")
    for one, entry in entries_of(reader, every[::-1]):
        if naming.search(entry.text):
            stated = ((entry.note.id, f"{named(record)} is in the notes of {_released(one)}:"),)
            return Listed(asked.intent, stated, quotes={0: entry.span})
    told = sentence(record, source=source_of(reader, record))
    merged = record["merged_at"] or (record["created_at"] if record["type"] == "commit" else "")
    if not merged:
        return Listed(asked.intent, ((record["id"], told),)) if record["type"] == "pull" else None
    later = [one for one in every if one.final and one.day and one.day >= merged[: len(one.day)]]
    if not later:
        none = f"{told}, no release is dated after that"
        return Listed(asked.intent, ((record["id"], none),), complete=bool(every))
    first = min(later, key=lambda one: one.day)
    dated = f"{told}; the first release dated after that is {_released(first)}"
    items = ((record["id"], dated), (first.notes[0].id, _released(first)))
    return Listed(asked.intent, items, complete=first.notes[0].type == "release", sure=False)


def tell_releases_with(reader: Reader, asked: Lookup) -> Listed | None:
    """The release entries on a topic, oldest first; else the change itself."""
    topic, done = asked.slots["topic"], asked.slots.get("done", "")
    found = _saying(reader, topic, done)
    if done == Op.ADDS and not found.items and (since := _since(reader, topic)):
        return Listed(asked.intent, (since,))
    if isinstance(done, Op) and not found.items:
        return tell_release_of(reader, asked._replace(slots={"thread": Named((), topic, done=done)}))
    return found.listed(asked.intent, complete=bool(done))


def _since(reader: Reader, topic: str) -> tuple[int, str] | None:
    """What the documentation of a name of code says: the version that brought it."""
    words = {word for word in split(topic) if word not in STOP_WORDS and word not in FORMS}
    if not words:
        return None
    ids, _ = list_records(reader, Filter(types=("code",), words=all_of(" ".join(words))), limit=NAMED)
    for id_, record in reader.records(ids).items():
        name = record["title"].partition("(")[0]
        found = patterns("releases", "releases")["since"].search(record["body"])
        if found and words <= {*split(name)} and split(name)[-1] in words:
            return id_, f"{titled(name)}: added in {label(found['version'])} ({label(record['path'])})"
    return None


def tell_change(reader: Reader, asked: Lookup) -> Listed | None:
    """The pull request or commit that made a change; for 'when', the release entry first.

    Where no title says that it did it, it is the last pull request that the entry names.
    """
    slots, when = asked.slots, asked.intent == "date"
    threads = _threads(reader, asked, alone="kind" not in slots)
    if "kind" in slots or (threads and not when):
        return Listed(asked.intent, threads) if threads else None
    found = _saying(reader, slots["thread"].text, slots["done"], pending=bool(threads))
    threads = threads or _named_in(reader, found)
    if not threads and (when or not found.items):
        threads = _threads(reader, asked, alone=False)
    return _Writing([*(found.items if when else ()), *threads], found.quotes if when else {}).listed(asked.intent)


def _threads(reader: Reader, asked: Lookup, *, alone: bool) -> Items:
    thread = asked.slots["thread"]._replace(alone=alone)
    try:
        return tell_thread(reader, asked._replace(slots={**asked.slots, "thread": thread})).items
    except Unknown:
        return ()


def _named_in(reader: Reader, found: _Writing) -> Items:
    from cortex.indexers.references import references  # noqa: PLC0415  other questions do not wait for its patterns

    for (id_, _), span in zip(found.items, found.quotes.values(), strict=True):
        links = [link.to_ref for link in references(reader.records([id_])[id_]["body"][slice(*span)])]
        pulls = [f"pull:{ref[1:]}" for ref in links if ref.startswith("#")]
        if ids := [id_ for ref in pulls[::-1] for id_ in records_called(reader, [ref])]:
            return sentences(reader, ids[:1])
    return ()


def _saying(reader: Reader, topic: str, done: str, *, pending: bool = True) -> _Writing:
    """The first entries about *topic* with the operation *done*; '' for any.

    Args:
        pending: also of releases yet to come.
    """
    words = [word for word in split(topic) if word not in STOP_WORDS and word not in FORMS] or split(topic)
    holding = {*list_records(reader, Filter(types=("doc",), words=all_of(" ".join(words))), limit=_PARTS)[0]}
    stemmer, found = reader.brain.stemmer, _Writing([], {})
    stems = {*stemmer.stem(words).values()}
    every = [one for one in releases(reader)[::-1] if pending or not one.pending]
    told = [
        (one, entry)
        for one, entry in entries_of(reader, every, among=holding)
        if stems <= {*stemmer.sequence(f"{entry.label} {entry.text}")}
    ]
    names = _NAME.findall(topic)  # as written, where an entry writes them so
    told = [one for one in told if all(name in one[1].text for name in names)] or told
    exact = [one for one in told if not done or one[1].tells(done)]
    told = exact or [one for one in told if done in ENDS and not one[1].ops.isdisjoint(ENDS)]
    numbers = [rf"(?<![\d.]){re.escape(number)}(?!\d)" for number in _NUMBER.findall(topic)]
    exact = [one for one in told if all(re.search(rf"{each}(?!\.\d)", one[1].text) for each in numbers)]
    told = exact or [one for one in told if all(re.search(each, one[1].text) for each in numbers)]
    for one, entry in told[:_SAYING]:
        under = f" {titled(entry.label)}:" if entry.label else ""
        found.add(entry.note.id, f"{_released(one)}:{under}", entry.span)
    return found
