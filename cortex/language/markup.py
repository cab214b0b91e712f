"""What a reader sees of Markdown, MyST and reStructuredText: words and code, without labels, options and targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from cortex.language.markdown import Block, BlockKind, blocks
from cortex.language.patterns import words
from cortex.regex import regex

UNSEEN: Final = "\u200b"  # stands for each character of markup within a line; a quotation leaves it off

_FENCE: Final = regex(r"[ ]*(?P<mark>`{3,}|~{3,}|:{3,})(?:\{(?P<name>[\w:.-]+)\})?")
_DIRECTIVE: Final = regex(r"[ \t]*(?P<mark>\.\.[ \t]+)(?:\|[^|\n]+\|[ \t]+)?(?P<name>[\w:.+-]+?)(?P<end>::)(?:[ \t]|$)")
_COMMENT: Final = regex(r"[ \t]*(?:\.\.(?:[ \t]|$)|__[ \t])")
_OPTION: Final = regex(r"[ \t]*(?::[\w-]+:(?:[ \t]|$)|---[ \t]*$|[\w-]+:[ \t])")
_ADORNMENT: Final = regex(r"([!-/:-@\[-`{-~])\1{2,}$")
_TARGET: Final = regex(r"[ ]{0,3}(?:\([\w-]+\)=|\[[^\]\n]{1,80}\]:[ ]+\S+.*)\s*$")
_TAG: Final = regex(
    r"(`+)[^`\n]*\1|</?(?:a|p|div|br|img|h[1-6]|b|i|em|strong|sub|sup|details|summary|table|tr|td|th|tbody|thead|span"
    r"|center|kbd|ul|ol|li|picture|source|hr|font|small|u|pre|blockquote)(?:\s[^<>]{0,300})?/?>|!\[[^\]\n]*\]\([^()\n]*\)",
    re.I,
)
_MARKED: Final = regex(
    r"(?P<role>\{[a-zA-Z][\w:.+-]*\}|(?<![\w`]):[a-zA-Z][\w:.+-]*:)(?P<mark>`)(?P<cut>[~!]?)(?P<text>[^`<\n]+)"
    r"(?P<to>\s<[^>`\n]*>)?(?P<close>`)"
    r"|(?<![`\w])(?P<open>`)(?P<label>[^`<]+?)(?P<at>\s<[^>`]*>)?(?P<end>`__?)(?!\w)"
    r"|\](?P<reference>\[[^\]\n]{0,80}\])"
)


class Shown(NamedTuple):
    """A text as it is read.

    Attributes:
        text: each character where it was, with markup blank.
        blocks: in order, code and headings among them.
    """

    text: str
    blocks: tuple[Block, ...]


@lru_cache(64)
def shown(text: str, path: str = "") -> Shown:
    r"""*text* of the file at *path* as it is read.

    >>> found = shown(".. _top:\n\nTop\n***\n\nCall :func:`~a.b` so::\n\n    b()\n", "a.rst")
    >>> " ".join(found.text.replace(UNSEEN, "").split()), [block.kind.value for block in found.blocks]
    ('Call `a.b` so: b()', ['paragraph', 'code'])
    """
    page = _Page(text.splitlines(keepends=True))
    if ".rst" in path:
        page.restructured(0, len(page.lines))
    elif "```" in text or "~~~" in text or ":::" in text or "]:" in text or ")=" in text:
        page.markdown()
    starts = [0]
    for line in page.lines:
        starts.append(starts[-1] + len(line))
    spans = [(starts[first], starts[end]) for first, end in sorted(page.code)]
    read = "".join(page.lines)
    pieces, found, at = [], [], 0
    for start, end in [*spans, (len(read), len(read))]:
        piece = _inline(read[at:start])
        found += [one._replace(start=at + one.start, end=at + one.end) for one in blocks(piece)]
        if end > start:
            found.append(Block(start, end, BlockKind.CODE, found[-1].headings if found else ()))
        pieces += [piece, read[start:end]]
        at = end
    return Shown("".join(pieces), tuple(found))


def _inline(text: str) -> str:
    if "<" in text or "![" in text:
        text = _TAG.sub(lambda tag: tag[0] if tag[1] else _blank(tag[0]), text)
    return _MARKED.sub(_unmarked, text) if "`" in text or "][" in text else text


def _unmarked(found: re.Match[str]) -> str:
    """The words of a role, of a link or of a reference, each character where it was."""
    name = "text" if found["text"] else "label"
    if not found[name]:
        return f"]{UNSEEN * len(found['reference'])}"
    start, end = found.start(name) - found.start(), found.end(name) - found.start()
    told = found[name]
    tick = "`" if found["role"] and not found["to"] and re.search(r"[^\W\d]", told) and " " not in told else UNSEEN
    return f"{UNSEEN * (start - 1)}{tick}{told}{tick}{UNSEEN * (len(found[0]) - end - 1)}"


def _blank(text: str) -> str:
    return "".join(one if one == "\n" else " " for one in text)


class _Page:
    """The lines of a text while its markup is taken off; `code` are lines that are shown and not said."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.code = lines, []  # type: list[str], list[tuple[int, int]]

    def markdown(self) -> None:
        """Take off directives in fences, what is labelled and where references lead."""
        number = 0
        while number < len(self.lines):
            fence = _FENCE.match(self.lines[number])
            if fence and (fence["name"] or fence["mark"][0] != ":"):
                number = self._fenced(number, fence)
            else:
                if _TARGET.match(self.lines[number]):
                    self._hide(number, number + 1)
                number += 1

    def _fenced(self, number: int, fence: re.Match[str]) -> int:
        """Read the fence that opens at line *number*; returns the line after it, or its first where that is read on."""
        mark, name = fence["mark"], (fence["name"] or "").rpartition(":")[2]
        closes = (at for at in range(number + 1, len(self.lines)) if self.lines[at].strip().startswith(mark))
        close = next(closes, len(self.lines))
        if not name or (name not in words("markup", "prose") and name not in words("markup", "unseen") and name != "eval-rst"):
            if name:
                self._without_options(number + 1, close)
            return close + 1
        if name in words("markup", "unseen"):
            self._hide(number, close + 1)
            return close + 1
        self._hide(number, number + 1)
        self._hide(close, close + 1)
        first = self._without_options(number + 1, close)
        if name != "eval-rst":
            return first
        self.restructured(first, close)
        return close + 1

    def restructured(self, first: int, end: int) -> None:
        """Take off titles, labels and directives of reStructuredText, and note what is code."""
        number = first
        while number < end:
            line = self.lines[number].rstrip()
            if not line:
                number += 1
            elif directive := _DIRECTIVE.match(line):
                number = self._directed(number, end, directive)
            elif _COMMENT.match(line):
                number = self._hide(number, self._dedented(number, end))
            elif line.lstrip().startswith(">>> "):
                number = self._literal(number, next((at for at in range(number, end) if not self.lines[at].strip()), end))
            elif (after := self._titled(number, end)) > number:
                number = self._hide(number, after)
            else:
                number = self._paragraph(number, end)

    def _directed(self, number: int, end: int, directive: re.Match[str]) -> int:
        name, after = directive["name"].rpartition(":")[2].lower(), self._dedented(number, end)
        if name in words("markup", "prose"):
            line = self.lines[number]
            parts = line[: directive.start("mark")], line[directive.start("name") : directive.start("end")], line[directive.end("end") :]
            gap = directive.start("name") - directive.start("mark")
            said = parts[1] if parts[2].strip() else " " * len(parts[1])
            self.lines[number] = f"{parts[0]}{' ' * gap}{said}  {parts[2]}"
            self._without_options(number + 1, after)
            return number + 1
        if name in words("markup", "unseen"):
            return self._hide(number, after)
        self._hide(number, number + 1)
        return self._literal(self._without_options(number + 1, after), after)

    def _paragraph(self, number: int, end: int) -> int:
        """Pass a paragraph; what is indented below one that ends in '::' is code."""
        margin = self._indent(number)
        while number + 1 < end and self.lines[number + 1].strip() and not _COMMENT.match(self.lines[number + 1]):
            number += 1
            margin = min(margin, self._indent(number))
        line = self.lines[number]
        number += 1
        if not line.rstrip().endswith("::"):
            return number
        cut = len(line.rstrip())
        said = line[: cut - 1] if line[: cut - 2].rstrip() == line[: cut - 2] != "" else line[: cut - 2] + " "
        self.lines[number - 1] = f"{said} {line[cut:]}"
        below = next((at for at in range(number, end) if self.lines[at].strip()), end)
        if below == end or self._indent(below) <= margin:
            return number
        return self._literal(below, next((at for at in range(below, end) if self.lines[at].strip() and self._indent(at) <= margin), end))

    def _titled(self, number: int, end: int) -> int:
        """The line after a title with what is drawn below it, and above; *number* where none begins."""
        over = bool(_ADORNMENT.match(self.lines[number].strip()))
        under = number + 1 + over
        if under < end and _ADORNMENT.match(self.lines[under].strip()) and self.lines[under - 1].strip():
            return under + 1
        return number + over

    def _literal(self, first: int, end: int) -> int:
        if any(line.strip() for line in self.lines[first:end]):
            last = next(at for at in range(end - 1, first - 1, -1) if self.lines[at].strip())
            first = next(at for at in range(first, end) if self.lines[at].strip())
            self.code.append((first, last + 1))
        return end

    def _without_options(self, first: int, end: int) -> int:
        while first < end and _OPTION.match(self.lines[first]):
            first = self._hide(first, first + 1)
        return first

    def _dedented(self, number: int, end: int) -> int:
        """The line after what is indented below line *number*."""
        margin = self._indent(number)
        return next((at for at in range(number + 1, end) if self.lines[at].strip() and self._indent(at) <= margin), end)

    def _hide(self, first: int, end: int) -> int:
        self.lines[first:end] = map(_blank, self.lines[first:end])
        return end

    def _indent(self, number: int) -> int:
        line = self.lines[number]
        return len(line) - len(line.lstrip())


def lines_of(code: str) -> Iterator[str]:
    """The lines of a block of code, without fences and the indent they share."""
    lines = [line for line in code.expandtabs(4).splitlines() if not line.lstrip().startswith(("```", "~~~"))]
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return (line[margin:] for line in lines)
