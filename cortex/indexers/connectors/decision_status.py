"""What decision records say of themselves: status, date, who decided, and which decision replaced which.

A decision that an accepted one supersedes is superseded, whether or not its own file was edited to say so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final, NamedTuple

from cortex.indexers.connectors.frontmatter import as_time, text_field, time_field
from cortex.indexers.connectors.markdown import plain
from cortex.indexers.connectors.outline import Document
from cortex.indexers.connectors.pages import line
from cortex.language.dates import dates
from cortex.language.patterns import patterns
from cortex.language.sentences import sentences

_ENGLISH: Final = patterns("connectors", "decision_status")

_STRUCK = re.compile(r"~~[^~\n]*~~")
_FIELD: Final = _ENGLISH["field"]
_SUPERSEDED_BY: Final = _ENGLISH["superseded_by"]
_AMENDED_BY: Final = _ENGLISH["amended_by"]
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)")
_FILE_NAME: Final = _ENGLISH["file_name"]
_LONGEST_LINE = 1_000
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"(?<![\w.])(?:adr[\s#_-]*)?(\d{1,5})(?![\w-]*\d)", re.IGNORECASE)
_FILE_NUMBER = re.compile(r"(?:adr[-_ ]?)?(\d{1,5})(?=\D|$)", re.IGNORECASE)
_FILE_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?=\D)")


class Stated(NamedTuple):
    """What is known of one decision."""

    path: str
    state: str
    """proposed, accepted, superseded, deprecated or rejected; its own word where it is another; '' where none is"""
    author: str
    created_at: datetime | None
    supersedes: tuple[str, ...]
    """as written; once resolved, paths of the decisions"""
    superseded_by: tuple[str, ...]
    amends: tuple[str, ...] = ()
    """what still stands but for a part of it, as with `supersedes`"""
    amended_by: tuple[str, ...] = ()


Standing = Mapping[str, Stated]
_Names = Sequence[str]


def stated(parsed: Document) -> Stated:
    """What a decision says of itself, in its front matter, its opening lines and its sections on that."""
    lines = list(_lines_about_itself(parsed))
    fields = _fields(parsed, lines)
    status = fields.get("status") or fields.get("state") or ""
    file = _FILE_DAY.match(PurePosixPath(parsed.page.path).name)
    named = [f"{name.replace('-', ' ')} {fields[name]}" for name in _RELATED if name in fields]
    all_lines = [status, *lines, *named]
    ended = [reference for named in ended_by(parsed) for reference in _references(named)]
    stated_lines = [line for line in all_lines if not re.search(r"\bpartial", line, re.IGNORECASE)]
    return Stated(
        path=parsed.page.path,
        state=_state(status),
        author=next((fields[name] for name in _DECIDERS if fields.get(name)), ""),
        created_at=(
            time_field(parsed.front, "date", "created", "decided")
            or as_time(fields.get("date", ""))
            or (as_time("-".join(file.groups())) if file else None)
            or _made(parsed, lines)
        ),
        supersedes=tuple(dict.fromkeys((*_named(_ENGLISH["supersedes"], stated_lines), *ended))),
        superseded_by=tuple(_named(_SUPERSEDED_BY, stated_lines)),
        amends=tuple(dict.fromkeys(_named(_ENGLISH["amends"], all_lines))),
        amended_by=tuple(dict.fromkeys(_named(_AMENDED_BY, all_lines))),
    )


def is_field(text: str) -> bool:
    """Whether *text* is a line about the decision, such as `Status: accepted`, and no part of what was decided."""
    return _FIELD.match(text) is not None


def resolve(decisions: Sequence[Stated]) -> Standing:
    """Every decision by its path, with the paths of those it supersedes, whichever of the two says so.

    One that is only proposed, or was rejected, supersedes nothing.
    """
    index: dict[str, str] = {}
    for own in decisions:
        file, index[own.path] = PurePosixPath(own.path), own.path
        if number := _FILE_NUMBER.match(file.name):
            index.setdefault(f"{file.parent}/#{int(number[1])}", own.path)
        index.setdefault(f"{file.parent}/{file.stem}", own.path)
    newer = _older(index, ((own.path, own.supersedes, own.superseded_by) for own in decisions))
    amending = _older(index, ((own.path, own.amends, own.amended_by) for own in decisions))
    live = {own.path for own in decisions if own.state in {"", "accepted"}}
    dead = {older for path, olders in newer.items() if path in live for older in olders}
    return {
        own.path: own._replace(
            state="superseded" if own.path in dead and own.path in live else own.state,
            supersedes=() if own.state in {"proposed", "rejected"} else tuple(newer.get(own.path, ())),
            amends=tuple(amending.get(own.path, ())) if own.path in live else (),
        )
        for own in decisions
    }


def _older(index: Mapping[str, str], named: Iterable[tuple[str, _Names, _Names]]) -> Mapping[str, Mapping[str, None]]:
    """Those that each decision replaced or amended, by their paths, from what each names as older and as newer."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for own, olders, newers in named:
        named_older = ((own, _find(index, own, name)) for name in olders)
        named_newer = ((_find(index, own, name), own) for name in newers)
        for newer, older in chain(named_older, named_newer):
            if newer and older and newer != older:
                found[newer][older] = None
    return found


_RELATED = ("supersedes", "superseded-by", "amends", "amended-by")
_DECIDERS = ("deciders", "decider", "decision-makers", "decision-maker", "decided by", "authors", "author")


def _lines_about_itself(parsed: Document) -> Iterator[str]:
    for place, section in enumerate(parsed.sections):
        about = _ENGLISH["about_itself"].match(section.titles[-1]) if place else None
        name = about[1].lower() if about else ""
        if about and name == "status" and (rest := section.titles[-1][about.end() :].strip(" :")):
            yield f"status: {rest}"
        for number in range(section.heading[1], section.end) if name or not place else ():
            text = line(parsed.page, number).strip()[:_LONGEST_LINE]
            if text and not text.startswith("<!--"):
                named = name in {"status", "date", "deciders", "decider"} and not _FIELD.match(text)
                yield f"{name}: {text}" if named else text


def _fields(parsed: Document, lines: Sequence[str]) -> dict[str, str]:
    """The fields a decision states, by their names; of several statuses the last, as a history is written."""
    fields: dict[str, str] = {}
    for text in lines:
        field = _FIELD.match(text)
        if field and (value := field["value"].strip(" *_|")):
            name = re.sub(r"^decision[- ](?!maker)", "", field["name"].lower()).replace("_", "-")
            if name != "status" or not fields.get(name) or _ENGLISH["state"].search(value):
                fields[name] = value
    for name in ("status", "state", *_DECIDERS, *_RELATED):
        joined = name.replace("-", "" if name in _RELATED else " ")
        if value := text_field(parsed.front, name, name.replace("-", "_"), joined):
            fields[name] = value
    return fields


def _state(status: str) -> str:
    status = _ENGLISH["not_yet"].sub("proposed", _STRUCK.sub("", status).strip(" *_~") or status)
    found = _ENGLISH["state"].search(status)
    if found and found.lastgroup:
        return found.lastgroup
    if _AMENDED_BY.search(status):
        return "accepted"
    return re.split(r"[^\w\s-]", plain(status).lower().strip("*_ "), maxsplit=1)[0].strip()[:40]


def _made(parsed: Document, lines: Sequence[str]) -> datetime | None:
    fields = [field for field in map(_FIELD.match, lines) if field]
    said = [field["value"] for field in fields if field["name"].lower().endswith(("status", "state"))]
    said.append(text_field(parsed.front, "status", "state"))
    own = (_ENGLISH["not_yet"].sub("", _SUPERSEDED_BY.sub("", text)) for text in said)
    before, after = _ENGLISH["made_before"].search, _ENGLISH["made_after"].match
    days = [day for text in own for day in dates(text) if before(text, 0, day.start) or after(text, day.end)]
    return next((as_time(day.after) for day in reversed(days) if day.is_day), None)


def _named(relation: re.Pattern[str], lines: Sequence[str]) -> Iterator[str]:
    for found in filter(None, map(relation.search, dict.fromkeys(lines))):
        yield from _references(found["which"])


def _references(text: str) -> list[str]:
    """What *text* names: link targets, else numbers and file names."""
    if targets := [target for link in _LINK.findall(text) if (target := link.partition("#")[0])]:
        return targets
    return [*_NUMBER.findall(_DAY.sub("", _FILE_NAME.sub("", text))), *_FILE_NAME.findall(text)]


def _find(index: Mapping[str, str], path: str, named: str) -> str | None:
    folder = PurePosixPath(path).parent
    if named.isdecimal():
        return index.get(f"{folder}/#{int(named)}")
    target = normpath(f"{folder}/{named}")
    return index.get(target) or index.get(f"{folder}/{PurePosixPath(named).stem}")


_SENTENCES: Final = patterns("connectors", "decision_sentences")

_CLAUSE: Final = re.compile(r"(?<=;)\s+")


def ended_by(parsed: Document) -> Iterator[str]:
    """How *parsed* names each decision that it says no longer holds, where it says so of the whole of it."""
    for number, section in enumerate(parsed.sections):
        if number and not any(_SENTENCES["decides"].match(title) for title in section.titles[1:]):
            continue
        lines = (line(parsed.page, at) for at in range(section.heading[1], section.end))
        text = "".join(lines)
        for said in (part for span in sentences(text) for part in _CLAUSE.split(" ".join(text[slice(*span)].split()))):
            found = _SENTENCES["stopped"].match(said) or _SENTENCES["replaces"].match(said)
            if found and not _SENTENCES["only_if"].search(said):
                yield found["which"]
