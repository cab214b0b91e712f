"""Objects that others wrote, field by field: a wrong type is noted and never raises.

Of a JSON file of them a broken line costs only itself, a broken array what follows in it.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from io import BufferedReader
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from cortex.substrate.model import Skipped

BODY_LIMIT: Final = 2_000_000  # characters of a body; a record with a longer one is skipped
BODY_TOO_LONG = "body longer than 2 million characters"


def moment(text: str) -> datetime | None:
    """The time an ISO 8601 text names, in UTC, which is also taken where it names no zone; None when it is none."""
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


class Fields:
    """The fields of one object; `notes` gathers what was wrong with those that were read."""

    def __init__(self, row: Mapping[str, Any], *, where: str = "") -> None:
        self.row, self.where, self.notes = row, where, list[str]()

    def noted(self) -> Iterator[Skipped]:
        """What was wrong with them, of a record that is kept all the same."""
        return (Skipped(input=self.where, reason=note, kept=True) for note in self.notes)

    def expect(self, *names: str) -> None:
        """Note which of *names* are not there at all; null is an answer."""
        if missing := [name for name in names if name not in self.row]:
            self.notes.append(f"no {', '.join(missing)}")

    def text(self, name: str) -> str:
        """The text as it stands; a number is written out."""
        value = self.row.get(name)
        if isinstance(value, str):
            return value
        if value is None:
            return ""
        self.notes.append(f"{name} is not text")
        return str(value) if isinstance(value, int | float) else ""

    def line(self, name: str) -> str:
        """The text on one line."""
        text = self.text(name)
        return text if text.isprintable() else " ".join(text.split())

    def number(self, name: str) -> int | None:
        """A whole number from 1, also where it is written as text."""
        value = self.row.get(name)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
            value = int(value)
        return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 63 else None

    def time(self, name: str, *, within: str | None = None) -> datetime | None:
        """A time in UTC, of this object or of the one under *within*."""
        value = (self.row[within] if within else self.row).get(name)
        if value is None:
            return None
        found = moment(value) if isinstance(value, str) else None
        if found is None:
            self.notes.append(f"{name} is no date")
        return found

    def person(self, name: str) -> str:
        """A login or name, given as text or in an object."""
        value = self.row.get(name)
        if isinstance(value, Mapping):
            value = value.get("login") or value.get("name")
        if isinstance(value, str):
            return value
        if value is not None:
            self.notes.append(f"{name} is nobody")
        return ""

    def names(self, name: str, key: str) -> tuple[str, ...]:
        """The names in a list of texts or of objects that hold them under *key*, in their order."""
        value = self.row.get(name, ())
        if not isinstance(value, list | tuple):
            self.notes.append(f"{name} is not a list")
            return ()
        found = [item.get(key) if isinstance(item, Mapping) else item for item in value]
        kept = tuple(item for item in found if isinstance(item, str) and item)
        if len(kept) < len(found):
            self.notes.append(f"{name} holds what has no name")
        return kept

    def web(self, name: str) -> str:
        """An http address, '' for anything else."""
        value = self.row.get(name)
        return value if isinstance(value, str) and value.startswith(("https://", "http://")) else ""


ROW_LIMIT: Final = 8 << 20
"""Bytes of one line, or characters of one object in an array; a longer one is stepped over, never held."""

LINES: Final = (".jsonl", ".ndjson")  # endings of files with an object a line
SUFFIXES: Final = (*LINES, ".json")

BROKEN = "broken JSON"
NO_OBJECT = "not a JSON object"
TOO_DEEP = "nested too deeply"
TOO_LONG = "longer than 8 MB"

# Control characters inside strings are read, not refused: records replace what cannot be stored.
_DECODER = json.JSONDecoder(strict=False)
_BETWEEN = re.compile(r"[\s,\[\]\ufeff]*")
"""What stands between objects: pages written one after the other, `[…][…]` or `[[…],[…]]`, read as one list."""


class Row(NamedTuple):
    """One object and where it stood: 'issues.jsonl:17' is line 17, 'issues.json:17' the 17th object."""

    input: str
    value: dict[str, Any]


def rows(path: Path) -> Iterator[Row | Skipped]:
    """Every object of *path*: one a line in .jsonl and .ndjson, else of an array, arrays in an array, or alone."""
    try:
        with path.open("rb") as file:
            start = file.peek(3)[:3]
            if not start:
                yield Skipped(input=path.name, reason="empty file")
            elif start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
                yield Skipped(input=path.name, reason="UTF-16 where UTF-8 is expected")
            elif path.suffix.lower() in LINES:
                yield from _of_lines(file, path.name)
            else:
                yield from _of_array(file, path.name)
    except OSError as error:
        yield Skipped(input=path.name, reason=f"cannot be read: {error.strerror}")


def _of_lines(file: BufferedReader, name: str) -> Iterator[Row | Skipped]:
    for number in count(1):
        line = file.readline(ROW_LIMIT + 1)
        if not line:
            return
        if len(line) > ROW_LIMIT and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = file.readline(1 << 20)
            yield Skipped(input=f"{name}:{number}", reason=TOO_LONG)
        elif text := line.removeprefix(BOM_UTF8).strip():
            yield _row(f"{name}:{number}", text.decode(errors="surrogateescape"))


def _row(where: str, text: str) -> Row | Skipped:
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        return Skipped(input=where, reason=TOO_DEEP)
    except ValueError:  # broken, or an integer of more digits than Python converts
        return Skipped(input=where, reason=BROKEN)
    return _object(where, value)


def _of_array(file: BufferedReader, name: str) -> Iterator[Row | Skipped]:
    text, at = file.read().decode(errors="surrogateescape"), 0
    for number in count(1):
        between = _BETWEEN.match(text, at)
        begun = between.end() if between else at
        if begun == len(text):
            return
        where = f"{name}:{number}"
        try:
            value, at = _DECODER.raw_decode(text, begun)
        except (ValueError, RecursionError) as error:
            yield Skipped(input=where, reason=BROKEN if isinstance(error, ValueError) else TOO_DEEP)
            return
        yield Skipped(input=where, reason=TOO_LONG) if at - begun > ROW_LIMIT else _object(where, value)


def _object(where: str, value: object) -> Row | Skipped:
    return Row(where, value) if isinstance(value, dict) else Skipped(input=where, reason=NO_OBJECT)
