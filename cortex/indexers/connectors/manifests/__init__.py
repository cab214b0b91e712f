"""Manifests, workflows, tasks and licenses: what a project states of itself, one record a property."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, Final, NamedTuple
from xml.parsers import expat

import yaml

from cortex.indexers.connectors.manifests import forms, prose, workflows
from cortex.indexers.connectors.manifests.fields import FORMATS, Field, line_of, listed
from cortex.indexers.connectors.manifests.forms import File, Form, Rule, Stated
from cortex.indexers.connectors.pages import Page, Span, record_of
from cortex.language.project import properties, tech_of
from cortex.packaged import files
from cortex.substrate.model import Record, Skipped

MAX_CHARACTERS: Final = 300_000
MOST: Final = 300  # records of one file
WORKFLOWS: Final = ".github/workflows/"
VARIED: Final = ("build", "test")  # what a workflow does again and again with other options
APART: Final = 3  # lines between two statements of a list that are one record
LONGEST: Final = 900  # characters of a value
LONGEST_BODY: Final = 3_000
_ABOUT_ALL: Final = ("", ".github", "docs", "doc", "scripts", "script", "bin", "LICENSES", ".circleci")

_FORMS: Final[Mapping[str, Form]] = {
    name: form for module in (forms, workflows, prose) for name, form in vars(module).items() if callable(form)
}


class _Kind(NamedTuple):
    path: re.Pattern[str]
    format: str
    state: Mapping[tuple[str, ...], str]
    match: tuple[tuple[re.Pattern[str], str], ...]
    of: str = ""
    beside: bool = False
    whole: bool = False
    lacking: Mapping[str, list[str]] = {}


class _Table(NamedTuple):
    apart: re.Pattern[str]
    of_parts: frozenset[str]
    kinds: tuple[_Kind, ...]


@cache
def _table() -> _Table:
    read_ = tomllib.loads((files("cortex.indexers.connectors.manifests") / "fields.toml").read_text("utf-8"))
    return _Table(re.compile(read_["apart"]), frozenset(read_["of_parts"]), tuple(map(_kind, read_["file"])))


def _kind(row: Mapping[str, Any]) -> _Kind:
    state = {tuple(path.split(".")) if path else (): stated for path, stated in row.get("state", {}).items()}
    match = tuple((re.compile(pattern), stated) for pattern, stated in row.get("match", {}).items())
    return _Kind(**{**row, "path": re.compile(row["path"]), "state": state, "match": match})


def _kinds(path: str) -> Iterator[_Kind]:
    table = _table()
    apart = table.apart.search(path) is not None
    found = [kind for kind in table.kinds if kind.path.fullmatch(path) and (not apart or (kind.beside and kind.whole))]
    yield from (kind for kind in found if kind.beside or kind is found[0])


def claims(path: str) -> bool:
    """Whether the file at *path* states something of its project, by its name."""
    return next(_kinds(path), None) is not None


def read(found: Page, *, source: str) -> Iterator[Record | Skipped]:
    """A `project` record for each property that the file states: `project:pyproject.toml#license`.

    Its title is what it states, its labels are the property and what that is of, and its body the lines that state it.
    """
    if len(found.text) > MAX_CHARACTERS:
        yield Skipped(input=found.path, reason=f"longer than {MAX_CHARACTERS:,} characters")
        return
    counted: dict[str, int] = {}
    for kind in _kinds(found.path):
        try:
            stated = [*_joined(found, _stated(found, kind, source))][:MOST]
        except (ValueError, SyntaxError, RecursionError, MemoryError, expat.ExpatError, yaml.YAMLError):
            yield Skipped(input=found.path, reason=f"not valid {kind.format.upper()}")
            continue
        part = "" if kind.whole else part_of(found.path)
        for one in stated if not part else (one for one in stated if one.property in _table().of_parts):
            number = counted[one.property] = counted.get(one.property, 0) + 1
            heading = properties()[one.property].headed(one.of)
            ref = f"project:{found.path}#{one.property.replace(' ', '-')}" + (f"~{number}" if number > 1 else "")
            title = " ".join(f"{heading}{f' of {part}' if part else ''}: {one.value}".split())
            labels = (one.property, one.of) if one.of else (one.property,)
            record = record_of(found, one.span, source=source, type="project", ref=ref, title=title, labels=labels)
            yield record.model_copy(update={"body": record.body[:LONGEST_BODY].rstrip()})


def _stated(found: Page, kind: _Kind, source: str) -> Iterator[Stated]:
    all_ = [*FORMATS[kind.format](found)]
    file = File(found, {one.path: one for one in all_}, source)
    of = kind.of or tech_of(found.path)
    stated = [
        one
        for field in all_
        for rule, form, value in _rules(field, kind, of, found.path)
        for one in form(field._replace(value=value), rule, file)
    ]
    yield from stated
    dynamic = [name for one in all_ if one.path[-1:] == ("dynamic",) for name in listed(one.value)]
    for property_, beside in kind.lacking.items():
        if property_ not in dynamic and not any(one.property == property_ for one in stated):
            empty = [one.span for one in all_ if one.path[-1:] == (property_,)]
            begun = [one.span for one in all_ if ".".join(one.path) in beside]
            begun += [one.span for one in stated if one.property in beside]
            yield from (Stated(property_, "none", span) for span in [*empty, *begun][: bool(begun)])


def _rules(field: Field, kind: _Kind, of: str, file: str) -> Iterator[tuple[Rule, Form, Any]]:
    for path, stated in kind.state.items():
        if len(path) == len(field.path) and all(map(fnmatchcase, field.path, path)):
            open_ = [key for key, pattern in zip(field.path, path, strict=True) if "*" in pattern]
            key = open_[-1] if open_ else "" if path else file
            yield *_rule(stated, of, key.removeprefix("testenv:")), field.value
            return
    for pattern, stated in kind.match:
        if match := pattern.fullmatch(str(field.value).strip()):
            yield *_rule(stated, of, match.groupdict().get("key") or ""), match["value"]
            return


def _rule(stated: str, of: str, key: str) -> tuple[Rule, Form]:
    property_, _, rest = stated.partition(":")
    form, _, argument = rest.partition(":")
    return Rule(property_, argument, of, key), _FORMS[form or "text"]


def _joined(found: Page, stated: Iterable[Stated]) -> Iterator[Stated]:
    """Each statement once, of a workflow whatever its options; those of a list that stand near each other as one."""
    said: set[tuple[str, str, str]] = set()
    varied = VARIED if found.path.startswith(WORKFLOWS) else ()
    open_: dict[tuple[str, str], Stated] = {}
    for one in stated:
        key = (one.property, one.of)
        value = one.value.partition(" -")[0] if one.property in varied else one.value
        if not value or (*key, value) in said:
            continue
        said.add((*key, value))
        last = open_.get(key)
        lines = line_of(found, one.span.start) - line_of(found, max(last.span.start, last.span.end - 1)) if last else 0
        if last and properties()[one.property].joins and abs(lines) <= APART:
            values = list(dict.fromkeys([*last.value.split(", "), *one.value.split(", ")]))
            open_[key] = last._replace(
                value=", ".join(values)[:LONGEST],
                span=Span(min(last.span.start, one.span.start), max(last.span.end, one.span.end)),
            )
            continue
        if last:
            yield last
        open_[key] = one
    yield from open_.values()


def part_of(path: str) -> str:
    """The folder of the part of a project that the file at *path* states something of; '' where that is the whole."""
    folder = path.rpartition("/")[0]
    return "" if folder.split("/")[0] in _ABOUT_ALL else folder
