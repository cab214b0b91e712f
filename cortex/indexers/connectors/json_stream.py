"""The values inside a JSON array of any size, without loading it."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from io import BufferedReader
from typing import Any, Final

BROKEN = "broken JSON"
TOO_DEEP = "nested too deeply"
TOO_LONG = "longer than 8 MB"

_WINDOW: Final = 1 << 18
_BETWEEN = re.compile(r"[\s,\[\]\ufeff]*")
_JUNK = re.compile(r'[^\s,\[\]{"]+|[\s\S]')
_OUTSIDE = re.compile(r'["{}]')
_INSIDE = re.compile(r'["\\]')


def values(file: BufferedReader, *, decoder: json.JSONDecoder, limit: int) -> Iterator[tuple[Any, str]]:
    """Each value between the brackets and commas of *file*, nested arrays flattened, and what was wrong with it.

    Brackets are not counted, so pages written one after the other (`[…][…]`, `[[…],[…]]`) read as one list, and so
    does an array that was cut off. A value that is broken or longer than *limit* characters is stepped over. Bytes
    that are no UTF-8 arrive as lone surrogates.
    """
    window = _Window(file)
    while window.at_value():
        yield _next(window, decoder, limit)


def _next(window: _Window, decoder: json.JSONDecoder, limit: int) -> tuple[Any, str]:
    while True:
        problem = BROKEN
        try:
            value, window.at = decoder.raw_decode(window.text, window.at)
        except RecursionError:
            problem = TOO_DEEP
        except ValueError:
            if window.left < limit and window.grow():
                continue
        else:
            return value, ""
        window.drop_passed()
        return None, TOO_LONG if window.step_over() > limit else problem


class _Window:
    """The part of a file's text that is held; `at` is where the next value starts."""

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self.text, self.at, self._ended = "", 0, False

    @property
    def left(self) -> int:
        return len(self.text) - self.at

    def grow(self) -> bool:
        """Read on, doubling what is held so that a long value is not parsed again and again; False at the end."""
        if self._ended:
            return False
        chunk = self._file.read(max(_WINDOW, self.left))
        self._ended = not chunk
        self.text, self.at = self.text[self.at :] + self._decode(chunk, self._ended), 0
        return not self._ended

    def drop_passed(self) -> None:
        """Forget what was read once it is much: an error counts the lines from the start of the text to its place."""
        if self.at > _WINDOW:
            self.text, self.at = self.text[self.at :], 0

    def at_value(self) -> bool:
        """Move to the next value; False when there is none."""
        while True:
            match = _BETWEEN.match(self.text, self.at)
            self.at = match.end() if match else self.at
            if self.left:
                return True
            if not self.grow():
                return self.left > 0

    def step_over(self) -> int:
        """Move behind the value that starts here, by its braces and quotes alone; its length in characters."""
        if self.text[self.at] not in '{"':
            junk = _JUNK.match(self.text, self.at)
            length = len(junk[0]) if junk else 1
            self.at += length
            return length
        length, depth, quoted = 0, 0, False
        while mark := self._find(_INSIDE if quoted else _OUTSIDE):
            length += mark[1]
            if mark[0] == "\\":
                length += self._skip_one()
            elif mark[0] == '"':
                quoted = not quoted
            else:
                depth += 1 if mark[0] == "{" else -1
            if depth <= 0 and not quoted:
                break
        return length

    def _find(self, pattern: re.Pattern[str]) -> tuple[str, int] | None:
        """The next character that matches and how far behind it that is; moves behind it."""
        passed = 0
        while True:
            if match := pattern.search(self.text, self.at):
                passed += match.end() - self.at
                self.at = match.end()
                return match[0], passed
            passed += self.left
            self.at = len(self.text)
            if not self.grow() and not self.left:
                return None

    def _skip_one(self) -> int:
        if not self.left and not self.grow() and not self.left:
            return 0
        self.at += 1
        return 1
