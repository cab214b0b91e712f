"""AsciiDoc as Markdown, line by line: headings, lists, terms, quotations; listings and tables whole, as code.

Source: https://docs.asciidoctor.org/asciidoc/latest/blocks/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cortex.indexers.connectors.pages import LINE_END

_HEADING: Final = re.compile(r"[=#]{1,6}(?=[ \t]+\S)")
_ID: Final = re.compile(r"\[\[([^\],]+)[^\]]*\]\]|\[#([\w-]+)[^\]]*\]")
_SHOWN: Final = re.compile(r"-{4,}|\.{4,}|\|===|[,:!]===|```.*")
_UNSAID: Final = re.compile(r"/{4,}|\+{4,}")
_QUOTE: Final = re.compile(r"_{4,}")
_ITEM: Final = re.compile(r"[ \t]*(?:(\*{1,6}|-)|(\.{1,6}|\d{1,3}\.))[ \t]+(?=\S)")
_TERM: Final = re.compile(r"[ \t]*\S.*?[^:](?:::+|;;)")
_NOTHING: Final = re.compile(r":!?[\w-]+!?:.*|\[.*\]|//.*|\w+::\S*\[.*\]|'{3,}|<{3,}|\.\w.*|\+|--|={4,}|\*{4,}")


def as_markdown(text: str) -> str:
    """*text* with as many lines, in the marks of Markdown; attributes, macros and comments are blank."""
    return "\n".join(_translated(line.rstrip() for line in LINE_END.split(text)))


def _translated(lines: Iterator[str]) -> Iterator[str]:
    closing, quote, above = "", "", ""
    for line in lines:
        if closing:
            ends, kept = line == closing, not _UNSAID.fullmatch(closing)
            yield "~~~~" if kept and ends else line * kept
            closing = "" if ends else closing
        elif _SHOWN.fullmatch(line) or _UNSAID.fullmatch(line):
            closing = "```" if line[0] == "`" else line
            yield "~~~~" if _SHOWN.fullmatch(line) else ""
        elif _QUOTE.fullmatch(line):
            quote = "" if quote else "> "
            yield ""
        elif heading := _HEADING.match(line):
            given = _ID.fullmatch(above)
            yield f"{'#' * heading.end()}{line[heading.end() :]}{f' {{#{given[1] or given[2]}}}' if given else ''}"
        elif _NOTHING.fullmatch(line):
            yield ""
        elif item := _ITEM.match(line):
            depth = len(item[1] or item[2]) if (item[1] or item[2])[0] in "*." else 1
            yield f"{quote}{'   ' * (depth - 1)}{'1.' if item[2] else '-'} {line[item.end() :]}"
        else:
            yield f": {line.lstrip()}" if line and _TERM.fullmatch(above) else quote + line
        above = line
