"""The objects of a JSON file: a broken line costs only itself, a broken array what follows in it."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from io import BufferedReader
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from cortex.substrate.model import Skipped

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
