"""What is asked of releases: the latest, when one was made, what changed in it, and which brought something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from cortex.composer.query.intents import Lookup
from cortex.composer.retrieve.filters import Unknown, all_of
from cortex.composer.retrieve.releases import Release, place_of, releases, titled
from cortex.composer.retrieve.stated import MOST, Items, called, source_of
from cortex.composer.retrieve.wording import day, named, on, sentence
from cortex.composer.values import Listed
from cortex.language.dates import Period
from cortex.substrate.lookups import Filter, list_records
from cortex.substrate.quoting import label, quoted
from cortex.substrate.reading import Reader

_PARTS: Final = 200  # parts of documents that are looked at for a topic


def tell_release(reader: Reader, asked: Lookup) -> Listed | None:
    """The releases that are asked for, or the parts of their notes; None where no changelog tells them."""
    slots, every = asked.slots, releases(reader)
    made = [one for one in every if not one.pending]
    final = [one for one in made if one.final] or made
    if not made:
        return None
    pick = slots["pick"]
    if pick == "every":
        period = slots.get("period") or Period("", "")
        inside = [one for one in final if not (period.after or period.before) or (one.day and _within(one.day, period))]
        return Listed(asked.intent, _tell(inside[:MOST]), len(inside), f"{len(inside)} in all: " if inside else "")
    if since := slots.get("since"):
        later = release_parts(one for one in final if one.place > place_of(since))
        return Listed(asked.intent, later, complete=False) if later else None
    chosen = _chosen(reader, pick, slots.get("version", ""), every, final)
    if not chosen:
        if pick == "version":
            raise Unknown(certain=True)
        return None
    if pick in ("changes", "next"):
        return Listed(asked.intent, release_parts(chosen), complete=False)
    told = bool(chosen[0].day or chosen[0].pending) or pick != "version"
    note = {"latest": ", the newest release", "first": ", the first release"}.get(pick, "")
    return Listed(asked.intent, _tell(chosen, note), 1, complete=told)


def _chosen(
    reader: Reader, pick: str, version: str, every: Sequence[Release], final: Sequence[Release]
) -> Sequence[Release]:
    place = place_of(version)
    match pick:
        case "next":
            return [one for one in every if one.pending]
        case "first":
            return final[-1:]
        case "previous":
            return [one for one in final if one.place < place][:1] if version else final[1:2]
        case _ if version:
            return [one for one in (*every, *titled(reader)) if one.version and one.place == place][:1]
        case _:
            return final[:1]


def _within(day_: str, period: Period) -> bool:
    return (not period.after or day_ >= period.after) and (not period.before or day_ < period.before)


def _tell(found: Iterable[Release], note: str = "") -> Items:
    return tuple((one.notes[0].id, _released(one) + note) for one in found)


def _released(one: Release) -> str:
    when = (
        "not released yet"
        if one.pending
        else f"released{on(one.day)}"
        if one.day
        else "released on a day that is not told"
    )
    where = label(one.notes[0].path) or quoted(one.notes[0].title)
    return f"{label(one.version) or 'next release'}, {when} ({where})"


def release_parts(found: Iterable[Release]) -> Items:
    """The parts of the notes of each release, the first releases' whole where they are many."""
    items = [
        (note.id, f"{_released(one)}{_under(note, one)}") for one in found for note in one.notes
    ]  # fmt: skip
    return tuple(items[:MOST])


def _under(note: Any, one: Release) -> str:  # noqa: ANN401
    heading = note.title.rsplit(" › ", 1)[-1]
    return "" if one.version in heading else f", {quoted(heading)}"


def tell_release_of(reader: Reader, asked: Lookup) -> Listed | None:
    """The release whose notes name the thread; else the first that was made after it was merged."""
    record = called(reader, asked.slots["thread"])[0]
    every = [one for one in releases(reader) if not one.pending]
    number = record["ref"].partition(":")[2]
    texts = reader.records([note.id for one in every for note in one.notes if note.type == "doc"])
    naming = re.compile(rf"(?:#|/pull/|/issues/|GH-){re.escape(number)}\b")
    told = sentence(record, source=source_of(reader, record))
    for one in every[::-1]:
        for note in one.notes:
            if note.id in texts and naming.search(texts[note.id]["body"]):
                return Listed(asked.intent, ((note.id, f"{named(record)} is in the notes of {_released(one)}"),), 1)
    merged = day(record["merged_at"] or (record["created_at"] if record["type"] == "commit" else ""))
    if not merged:
        if record["type"] == "pull":
            return Listed(asked.intent, ((record["id"], told),), 1)
        return None
    later = sorted((one for one in every if one.final and one.day >= merged), key=lambda one: one.day)
    if not later:
        return Listed(
            asked.intent, ((record["id"], f"{told}, no release is dated after that"),), 1, complete=bool(every)
        )
    stated = f"{told}; the first release dated after that is {_released(later[0])}"
    return Listed(
        asked.intent, ((record["id"], stated), (later[0].notes[0].id, _released(later[0]))), 2, complete=False
    )


def tell_releases_with(reader: Reader, asked: Lookup) -> Listed | None:
    """The releases whose notes hold all the words of a topic, the first before the later."""
    every = [one for one in releases(reader) if not one.pending]
    words = all_of(asked.slots["topic"])
    holding = {*list_records(reader, Filter(types=("doc",), words=words), limit=_PARTS)[0]} if words else set()
    found = [
        (note.id, f"{_released(one)}{_under(note, one)}")
        for one in every[::-1]
        for note in one.notes
        if note.id in holding
    ]
    return Listed(asked.intent, tuple(found[:MOST]), len(found), complete=False) if found else None
