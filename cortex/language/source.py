"""Blocks of a `code` record's body: the source in it, and what stands in its docstring and comments, which is prose."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import groupby, pairwise
from typing import Final

from cortex.language.markdown import Block, BlockKind, Span, blocks
from cortex.regex import regex

LONG: Final = 80  # characters of a signature that is shown as it is
FIRST: Final = 2  # parameters that are shown where the question names none
CHARACTERS: Final = 300  # of source that is one block: a signature of many lines is several

_CALLED: Final = regex(r"((?:async )?[\w.]+)\((.*)\)((?: -> .*)?)$")
_PARAMETER: Final = regex(r"(?:[^,()\[\]{}]|\([^()]*\)|\[[^\]]*\]|\{[^}]*\})+")
_SAID: Final = regex(r"(?:\A|:[ \t]*(?:#[^\n]*)?\n)\s*[rRuU]?(\"\"\"|'''|\"|')")
_COMMENT: Final = regex(r"(?:^[ \t]*(?:#(?![!\[])|//)[^\n]*\n?)+|^[ \t]*/\*\*(?s:.)*?\*/[ \t]*\n?", re.M)
_MARKS: Final = regex(r"^[ \t]*(?:#+:?|//[/!]?|/\*\*|\*/|\*(?=[ \t]|$))[ \t]?|[ \t]*\*/[ \t]*$", re.M)
_EMPTY: Final = regex(r"\n[ \t]*(?:#+|//[/!]?|\*)?[ \t]*(?=\n)")
_ITEM: Final = regex(
    r"^[ \t]*(?::\w[^:\n]{0,60}:|\.\. \w|\*{0,2}\w+(?: ?\([^()\n]{1,60}\))?: |\w+ : |\w[^:\n]{0,60}:$)", re.M
)
"""What begins a part of a docstring that is about one parameter, one error, one version."""


def blocks_of(text: str, type_: str) -> Iterator[Block]:
    """The blocks of a record's body in order, as its type has them."""
    return _source_blocks(text) if type_ == "code" else blocks(text)


def stated(title: str, stems: Collection[str]) -> str:
    """What the *title* of code states of *stems*: the value of a constant, a message, parameters named so.

    >>> stated("a.f(path, mode='r') -> int", {"mode"}), stated("a.LIMIT = 9", {"limit"})
    ("mode='r' by default", '= 9')
    """
    if found := _CALLED.match(title):
        named = (one.strip() for one in _PARAMETER.findall(found[2]) if _begins(one, stems))
        return ", ".join(f"{one} by default" if "=" in one and not one.endswith("=None") else one for one in named)
    return title.partition(" ")[2]


def signature(title: str, stems: Collection[str]) -> str:
    """The *title* of code; of a long one with the parameters alone of which a word begins with one of *stems*.

    >>> signature("a.f(path, mode='r', *, " + ", ".join(f"x{n}=0" for n in range(20)) + ") -> int", {"mode"})
    "a.f(…, mode='r', …) -> int"
    """
    found = _CALLED.match(title) if len(title) > LONG else None
    if not found:
        return title
    every = _PARAMETER.findall(found[2])
    named = [one for one in every if _begins(one, stems)] or every[:FIRST]
    runs = groupby(every, lambda one: one in named)
    pieces = (piece.strip() for kept, run in runs for piece in (run if kept else "…"))
    return f"{found[1]}({', '.join(pieces)}){found[3]}"


def _begins(parameter: str, stems: Collection[str]) -> bool:
    words = parameter.partition("=")[0].strip("* ").lower().split("_")
    return any(word.startswith(stem) for word in words for stem in stems)


def said_in(prose: str) -> str:
    """*prose* of source without the marks of a comment."""
    return _MARKS.sub("", prose)


def _source_blocks(text: str) -> Iterator[Block]:
    """Of documented source what is said, and what stands below; its signature is the record's title."""
    if not (said := _SAID.search(text)):
        yield from _lines(text, Span(0, len(text)))
        return
    told, _, _ = text[said.end() :].partition(said[1])
    end = said.end() + len(told)
    yield from _prose(text, Span(said.end(), end))
    yield from _lines(text, Span(end + len(said[1]), len(text)))


def _lines(text: str, span: Span) -> Iterator[Block]:
    """Source with its comments apart."""
    at = span.start
    for found in _COMMENT.finditer(text, *span):
        yield from _code(text, Span(at, found.start()))
        empty = (one.end() for one in _EMPTY.finditer(text, *found.span()))
        cuts = [found.start(), *empty, found.end()]
        yield from (Block(start, end, BlockKind.PARAGRAPH) for start, end in pairwise(cuts))
        at = found.end()
    yield from _code(text, Span(at, span.end))


def _code(text: str, span: Span) -> Iterator[Block]:
    at = span.start
    while text[at : span.end].strip():
        border = text.rfind("\n", at, at + CHARACTERS) + 1 if span.end - at > CHARACTERS else span.end
        border = border if border > at else min(span.end, at + CHARACTERS)
        yield Block(at, border, BlockKind.CODE)
        at = border


def _prose(text: str, span: Span) -> Iterator[Block]:
    """The blocks of a docstring; its examples are left out, with what only announces them."""
    kept: list[Block] = []
    told, shown = text[span.start : span.end], False
    margin = min((_indent(line) for line in told.splitlines()[1:] if line.strip()), default=0)
    for block in blocks(told):
        part = told[block.start : block.end]
        shown = part.lstrip().startswith((">>>", ".. code")) or (shown and _indent(part) > margin)
        if not shown:
            kept += _items(part, block)
            shown = part.rstrip().endswith("::")
        elif kept and told[kept[-1].start : kept[-1].end].rstrip().endswith(":"):
            kept.pop()
    for block in kept:
        yield block._replace(start=span.start + block.start, end=span.start + block.end)


def _items(part: str, block: Block) -> Iterator[Block]:
    cuts = [0, *(found.start() for found in _ITEM.finditer(part) if found.start()), len(part)]
    return (block._replace(start=block.start + start, end=block.start + end) for start, end in pairwise(cuts))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
