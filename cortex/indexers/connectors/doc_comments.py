"""What source in other languages than Python says of itself: declarations with a documentation comment above them.

Read by lines, never compiled: a comment in the form that a language keeps for documentation, and the first line of
what it stands above. A `code` record as `python_api` makes them, its ref the file and the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from cortex.indexers.connectors.pages import MOST, Page, Piece, records_of
from cortex.indexers.connectors.python_api import SHORT, shortened
from cortex.language.patterns import patterns
from cortex.substrate.model import Record, Skipped

ENDINGS: Final = frozenset(
    "c cc cpp cs cts dart go h hh hpp java js jsx kt kts m mjs mts php rs scala swift ts tsx zig".split()
)
FEWEST_WORDS: Final = 3  # of a comment that says something
LONGEST: Final = 400  # characters of a line that somebody wrote
DECLARED: Final = 20  # lines of a declaration or an attribute at most
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")
_BLOCK: Final = re.compile(r"\s*/\*\*(?!/)")
_ATTRIBUTE: Final = re.compile(r"\s*(?:#!?\[|@\w)")
_DIRECTIVE: Final = re.compile(r"\s*//(?:\w+:\w|\s*nolint)")
_KEYWORDS: Final = frozenset(
    "abstract async class const data declare def default define enum export extern final fn for func function if impl"
    " import inline interface internal let mod namespace open override package private protected pub public readonly"
    " return sealed static struct switch trait type typedef union unsafe use val var virtual void while".split()
)
_CALLED: Final = re.compile(r"(?<![\w$])([A-Za-z_$~]\w*)(?:<[^()]*>|\[[^()\]]*\])?\(")
_FUNCTION: Final = re.compile(r"\b(?:fn|fun|function)\s+([A-Za-z_$]\w*)")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*")
_BEFORE: Final = re.compile(r"\bpub\([^)]*\)|<[^<>]*>|\b(?:extends|implements)\b.*|[=:{;,(].*")
"""What stands around the name that is declared."""

_PACKAGE: Final = re.compile(r"package (\w+)", re.M)
_HOLDS: Final = re.compile(
    r"\s*(?:(?:pub(?:\([^)]*\))?|export|default|declare|abstract|public|private|protected|final|static|data|sealed|open|unsafe|typedef)\s+)*"
    r"(?:struct|enum|trait|union|class|interface|impl(?:<[^>]*>)?(?:\s+[\w:<>, ]+\s+for)?|type|object|record|protocol"
    r"|extension)\s+(\w+)"
)
_RECEIVER: Final = re.compile(r"func \((?:\w+\s+)?\*?(\w+)")
_VALUE: Final = re.compile(r"[^=!<>]=(?![=>])\s*([^,;{}()]{1,40}?)\s*[,;]?\s*$")


def claims(path: str) -> bool:
    """Whether the file at *path* holds source that others call by its name: no tests, examples or generated code."""
    ending = path.rpartition(".")[2].lower()
    return ending in ENDINGS and not patterns("connectors", "code")["aside"].search(path)


def read(found: Page, *, source: str) -> Iterator[Record | Skipped]:
    """A `code` record for whatever is documented."""
    if patterns("connectors", "code")["made"].search(found.text[:SHORT]):
        return
    yield from records_of(found, [*islice(_pieces(found), MOST + 1)], source=source)


def _pieces(found: Page) -> Iterator[Piece]:
    lines = [line if len(line) <= LONGEST else "" for line in found.text.splitlines()]
    # In Go every comment right above a declaration is its documentation.
    mark = "//" if found.path.lower().endswith(".go") else "///"
    inside: list[tuple[int, str]] = []
    at = 0
    while at < len(lines):
        last = _comment(lines, at, mark)
        if last == at:
            _leave(inside, lines[at])
            if (opens := _HOLDS.match(lines[at])) and "{" in lines[at] and "}" not in lines[at]:
                inside.append((_indent(lines[at]), opens[1]))
            at += 1
            continue
        head = last
        while head < len(lines) and (_ATTRIBUTE.match(lines[head]) or _DIRECTIVE.match(lines[head])):
            head = _closing(lines, head) + 1
        piece = _piece(found, lines, at, head, inside) if head < len(lines) else None
        told = " ".join(lines[at:last])
        # In Go a name begins with a capital where those who import a package may call it.
        called = mark == "///" or (piece and all(part[:1].isupper() for part in piece.name.split(".") if part))
        if piece and called and len(_WORDS.findall(told)) >= FEWEST_WORDS:
            yield piece
        at = last


def _comment(lines: Sequence[str], at: int, mark: str) -> int:
    """The line after the comment that begins at line *at*; *at* where none does."""
    if _BLOCK.match(lines[at]):
        return next((n + 1 for n in range(at, len(lines)) if "*/" in lines[n]), len(lines))
    last = at
    while last < len(lines) and lines[last].lstrip().startswith((mark, "//!")) and not _DIRECTIVE.match(lines[last]):
        last += 1
    return last


def _piece(found: Page, lines: Sequence[str], first: int, head: int, inside: list[tuple[int, str]]) -> Piece | None:
    """The declaration whose comment begins at line *first* and that begins at line *head*."""
    said, above = lines[head], lines[head - 1].lstrip()
    package = _PACKAGE.search(found.text) if found.path.endswith(".go") else None
    module = package[1] if package else PurePosixPath(found.path).stem
    if above.startswith("//!") or (package and said.startswith("package ")):
        return Piece("", module, first + 1, head)
    _leave(inside, said)
    called = _FUNCTION.search(said) or _CALLED.search(said)
    called = called if called and called[1] not in _KEYWORDS and "=" not in said[: called.start()] else None
    names = [called[1]] if called else [one for one in _NAME.findall(_BEFORE.sub("", said)) if one not in _KEYWORDS]
    if not names:
        return None
    receiver = _RECEIVER.match(said)
    of = [receiver[1]] if receiver else [held for _, held in inside]
    last = _closing(lines, head)
    name = ".".join([*of, names[0] if package else names[-1]])
    value = _VALUE.search(said)
    takes = f"({_taken(lines[head : last + 1], called[1])})" if called else f" = {value[1]}" if value else ""
    return Piece(name, shortened(f"{module}.{name}{takes}" if package else f"{name}{takes}"), first + 1, last + 1)


def _closing(lines: Sequence[str], at: int) -> int:
    """The line on which the brackets of a declaration are closed."""
    opened = 0
    for place in range(at, min(at + DECLARED, len(lines))):
        opened += sum(lines[place].count(sign) for sign in "[(") - sum(lines[place].count(sign) for sign in "])")
        if opened <= 0:
            return place
    return at


def _taken(declared: Sequence[str], name: str) -> str:
    """The parameters of the declaration of *name*, between the first brackets that are no part of a type's."""
    text = " ".join(line.strip() for line in declared)
    begun, depth, types = 0, 0, 0
    for place in range(text.index(name) + len(name), len(text)):
        sign = text[place]
        types += (sign == "<") - (sign == ">" and text[place - 1] not in "-=") if not depth else 0
        if not types and sign in "()":
            begun = begun or place + 1
            depth += 1 if sign == "(" else -1
            if depth == 0:
                return text[begun:place].strip().rstrip(",")
    return "…"


def _leave(inside: list[tuple[int, str]], line: str) -> None:
    while line.strip() and inside and _indent(line) <= inside[-1][0]:
        inside.pop()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
