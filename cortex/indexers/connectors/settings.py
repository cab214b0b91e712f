"""Settings of tools and of continuous integration: the sections of configuration files, as `code` records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import yaml

from cortex.indexers.connectors import manifests
from cortex.indexers.connectors.manifests.fields import FORMATS, Field, line_of
from cortex.indexers.connectors.pages import Page, Piece, records_of
from cortex.regex import regex
from cortex.substrate.model import Record, Skipped

_Part = tuple[list[str], int, int]  # keys, first line and last line
MOST: Final = 20  # lines of a section
LONGEST: Final = 20_000  # characters of a file that somebody wrote
_FILE: Final = regex(
    r"(?:\.github/(?:workflows/)?|\.circleci/|\.config/)?(?!\.pre-commit-hooks|action\.)[^/]+\.(?:toml|ini|cfg|ya?ml)"
    r"|\.(?:coveragerc|flake8|pylintrc|editorconfig)"
)


def claims(path: str) -> bool:
    """Whether the file at *path* holds settings of the project, by its name."""
    return _FILE.fullmatch(path) is not None


def read(found: Page, *, source: str) -> Iterator[Record | Skipped]:
    """A record for each section of at most `MOST` lines; what its format does not allow, or is too long, is skipped."""
    ending = found.path.rpartition(".")[2]
    format_ = {"toml": "toml", "yml": "yaml", "yaml": "yaml"}.get(ending, "ini")
    if len(found.text) > LONGEST:
        yield Skipped(input=found.path, reason=f"settings of more than {LONGEST:,} characters")
        return
    try:
        fields = [*FORMATS[format_](found)]
    except (ValueError, SyntaxError, RecursionError, MemoryError, yaml.YAMLError):
        if not manifests.claims(found.path):  # which say so
            yield Skipped(input=found.path, reason=f"not valid {format_.upper()}")
        return
    parts = _nodes(found, fields) if format_ == "yaml" else _tables(found, fields)
    named = [(".".join(keys), first + 1, last + 1) for keys, first, last in parts]
    sections = [Piece(name, f"{found.path}: settings {name}".rstrip(), first, last) for name, first, last in named]
    yield from records_of(found, sections, source=source)


def _nodes(found: Page, fields: list[Field]) -> Iterable[_Part]:
    """The largest parts of a tree that are short enough, neighbours of one parent together."""
    parts: list[_Part] = []
    for field in fields:
        first, last = _lines(found, field)
        above = [one for one in field.path[:-1] if not one.isdecimal()]
        if (parts and first <= parts[-1][2]) or last - first >= MOST:
            continue
        if parts and parts[-1][0] == above and last - parts[-1][1] < MOST:
            parts[-1] = above, parts[-1][1], last
        else:
            parts.append((above, first, last))
    return parts


def _tables(found: Page, fields: list[Field]) -> Iterable[_Part]:
    """The keys of a table together, as many as are short enough."""
    for table, some in groupby(fields, lambda one: (one.path[:-1], line_of(found, one.span.start) // MOST)):
        lines = [_lines(found, one) for one in some]
        yield [*table[0]], lines[0][0], lines[-1][1]


def _lines(found: Page, field: Field) -> tuple[int, int]:
    return line_of(found, field.span.start), line_of(found, max(field.span.start, field.span.end - 1))
