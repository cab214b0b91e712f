"""AsciiDoc: headings and blocks, by the lines that begin and delimit them. Inline markup is not parsed.

Source: https://docs.asciidoctor.org/asciidoc/latest/blocks/
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from typing import Final

from cortex.indexers.connectors.pages import LINE_END
from cortex.indexers.connectors.parts import Heading, Part
from cortex.language.markdown import BlockKind
from cortex.substrate.facts import plain

_HEADING: Final = re.compile(r"(?P<level>={1,6}|#{1,6})[ \t]+(?P<text>\S.*)")
_ID: Final = re.compile(r"\[\[(?P<old>[^\],]+)[^\]]*\]\]|\[#(?P<id>[\w-]+)[^\]]*\]")
_DELIMITER: Final = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|```.*|[|,:!]===)$")
_ITEM: Final = re.compile(r"[ \t]*(?P<mark>\*{1,6}|-|\.{1,6}|\d{1,3}\.)[ \t]+\S")
_TERM: Final = re.compile(r"[ \t]*\S.*?[^:](?:::+|;;)")
_NOTHING: Final = re.compile(r":!?[\w-]+!?:.*|\[.*\]|//.*|\w+::\S*\[.*\]|'{3,}|<{3,}|\.\w.*|\+")
_CODE: Final = "-.`"
_UNSAID: Final = "/+"


def parse(text: str) -> Iterator[Heading | Part]:
    """The headings and blocks of *text*: listings and tables whole, attributes, macros and comments left out."""
    return _Lines([line.rstrip() for line in LINE_END.split(text)]).blocks()


class _Lines:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.quoted = ""  # what a quotation that is open is closed by
        self.marks: list[str] = []  # of the lists that are open
        self.term = False

    def blocks(self) -> Iterator[Heading | Part]:
        number = 0
        while number < len(self.lines):
            line = self.lines[number]
            if not line:
                number += 1
            elif _DELIMITER.fullmatch(line) and line != self.quoted:
                number = yield from self.delimited(number)
            elif line == self.quoted:
                self.quoted, number = "", number + 1
            elif (heading := _HEADING.fullmatch(line)) and not self.quoted:
                self.marks, self.term = [], False
                yield Heading(number, number + 1, len(heading["level"]), plain(heading["text"]), self.id_above(number))
                number += 1
            elif _NOTHING.fullmatch(line):
                number += 1
            else:
                number = yield from self.paragraph(number)

    def id_above(self, number: int) -> str:
        """The anchor that stands on the line above a heading."""
        given = _ID.fullmatch(self.lines[number - 1]) if number else None
        return (given["old"] or given["id"]) if given else ""

    def delimited(self, number: int) -> Generator[Part, None, int]:
        """Read what a delimiter opens; returns the line to go on at."""
        mark = self.lines[number]
        if not number or self.lines[number - 1] != "+":
            self.marks, self.term = [], False
        closing = "```" if mark[0] == "`" else mark
        end = next((at for at in range(number + 1, len(self.lines)) if self.lines[at] == closing), len(self.lines))
        if mark[0] in "|,:!":
            yield from self.rows(number + 1, end)
        elif mark[0] in _CODE and mark != "--":
            yield Part(BlockKind.CODE, number, end + 1, self.depth)
        elif mark[0] == "_":
            self.quoted = mark
            return number + 1
        elif mark[0] not in _UNSAID:
            return number + 1
        return end + 1

    @property
    def depth(self) -> int:
        return len(self.marks) + self.term

    def rows(self, first: int, end: int) -> Iterator[Part]:
        """The rows of a table; the first is its head where a blank line follows it."""
        begins = [at for at in range(first, end) if self.lines[at].startswith("|")]
        for at, after in pairwise([*begins, end]):
            head = at == begins[0] and after > at + 1 and not self.lines[at + 1]
            yield Part(BlockKind.HEAD if head else BlockKind.ROW, at, after, self.depth)

    def paragraph(self, number: int) -> Generator[Part, None, int]:
        """Read a paragraph, an item or a term; returns the line after it."""
        line, end = self.lines[number], number + 1
        item, above = _ITEM.match(line), self.lines[number - 1] if number else ""
        if not item and _TERM.fullmatch(line):
            self.marks, self.term = [], False
            yield Part(BlockKind.TERM, number, end)
            self.term = True
            return end
        while end < len(self.lines) and self.lines[end] and not self.begins(end):
            end += 1
        if item:
            self.marks = self.marks[: self.marks.index(item["mark"])] if item["mark"] in self.marks else self.marks
            self.marks.append(item["mark"])
        elif above != "+" and not (self.term and above.endswith((":", ";"))) and not line[0].isspace():
            self.marks, self.term = [], False
        shown = line[0].isspace() and not self.term
        kind = BlockKind.ITEM if item else BlockKind.CODE if shown else BlockKind.PARAGRAPH
        yield Part(BlockKind.ASIDE if self.quoted else kind, number, end, self.depth)
        return end

    def begins(self, number: int) -> bool:
        """Whether a line ends the paragraph above it."""
        line = self.lines[number]
        return any(form.fullmatch(line) for form in (_DELIMITER, _NOTHING, _TERM)) or _ITEM.match(line) is not None
