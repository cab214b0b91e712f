"""HTML, notebooks, manuals and AsciiDoc as Markdown; what frames a page, and what running a notebook gave, is left out.

Source: https://docs.asciidoctor.org/asciidoc/latest/blocks/
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

from cortex.indexers.connectors.pages import LINE_END, Page, page

_UNREAD: Final = frozenset("nav template svg head footer form button noscript iframe object select".split())
_BLOCKS: Final = frozenset(
    "p div section article main aside header h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tr pre blockquote figure "
    "figcaption details summary br hr body address".split()
)
_CELLS: Final = ("td", "th")
_ROWS: Final = ("tr", "table")
_WITHIN: Final = ("p", "div", "section")
_HOLDERS: Final = ("li", "dd", "blockquote")  # whose first paragraph is theirs
_LISTS: Final = ("ul", "ol")
_BESIDE: Final = (("li", "li"), ("tr", "tr"), ("dt", "dd"), ("dd", "dd"))  # of which no blank line parts the second
_TEMPLATE: Final = re.compile(r"\{%|\{\{|<%|<\?php")
_HIDDEN: Final = re.compile(r"(?is)<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)")
_NO_TAG: Final = re.compile(r"<(?![^<>]{1,1000}>)")
"""What html.parser would look for the end of from everywhere."""
_DEEPEST: Final = 6
_MOST_TAGS: Final = 100_000


def hypertext(found: Page) -> Page | str:
    r"""The text of a page of HTML, each line with its number in the file; or why there is none.

    >>> hypertext(page("a.html", "<nav>Top</nav><h2>Ports</h2><p>Use <code>80</code>.<ul><li>One<li>Two</ul>")).text
    '## Ports\n\nUse `80`.\n\n- One\n- Two'
    """
    if _TEMPLATE.search(found.text):
        return "a template, no page"
    if found.text.count("<") > _MOST_TAGS:
        return f"more than {_MOST_TAGS:,} tags"
    reader = _Reader()
    reader.feed(_NO_TAG.sub(" ", _HIDDEN.sub(lambda hidden: "\n" * hidden[0].count("\n"), found.text)))
    reader.close()
    reader.end("")
    text = "\n".join(reader.lines)
    return page(found.path, text)._replace(lines=tuple(reader.numbers)) if text.strip() else "a page without text"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.numbers: list[int] = []
        self._text: list[str] = []
        self._line = 1  # on which the text of the block begins
        self._unread, self._opened = "", 0
        self._block = self._last = ""
        self._lists = self._rows = 0
        self._in_row = False

    def handle_starttag(self, tag: str, _: object) -> None:
        """Begin a block, or note what is not read."""
        if self._unread:
            self._opened += tag == self._unread
        elif tag in _UNREAD:
            self._unread, self._opened = tag, 1
        elif tag == "code" and self._block != "pre":
            self._text.append("`")
        elif tag in _CELLS or (tag in _BLOCKS and self._in_row and tag not in _ROWS):
            self._text.append("\0" if tag in _CELLS else " ")
        elif tag in _BLOCKS and (tag not in _WITHIN or self._block not in _HOLDERS or any(map(str.strip, self._text))):
            self.end(self._block if tag == "br" else tag)
            self._lists += tag in _LISTS
            self._rows = 0 if tag == "table" else self._rows

    def handle_endtag(self, tag: str) -> None:
        """End a block, or what is not read."""
        if self._unread:
            self._opened -= tag == self._unread
            self._unread = self._unread if self._opened > 0 and tag not in ("body", "html") else ""
        elif tag == "code" and self._block != "pre":
            self._text.append("`")
        elif tag in _BLOCKS and (not self._in_row or tag in _ROWS):
            self.end("")
            self._lists = max(0, self._lists - (tag in _LISTS))

    def handle_data(self, data: str) -> None:
        """Keep what is read."""
        if not self._unread and data:
            if not any(map(str.strip, self._text)):
                self._line = self.getpos()[0] + data[: len(data) - len(data.lstrip())].count("\n")
            self._text.append(data)

    def end(self, following: str) -> None:
        """Write the block that ends here."""
        block, text = self._block, "".join(self._text)
        self._block, self._text = following, []
        if self._in_row:
            cells = [" ".join(cell.split()).replace("|", "/") for cell in text.split("\0")[1:]]
            row = [f"| {' | '.join(cells)} |"] if any(cells) else []
            self._rows += len(row)
            # Below a table's first row stands what parts the head from the others.
            self._write("tr", [*row, "|" + "---|" * len(cells)] if row and self._rows == 1 else row)
        elif block == "pre" and text.strip():
            self._write(block, ["```", *text.strip("\n").splitlines(), "```"])
        elif said := " ".join(text.split()):
            item = "  " * (min(max(self._lists, 1), _DEEPEST) - 1) + "- "
            mark = {"li": item, "dd": ": ", "blockquote": "> "}.get(block, "")
            mark = "#" * int(block[1:]) + " " if block[:1] == "h" and block[1:].isdecimal() else mark
            self._write(block, [mark + said])
        self._in_row = following == "tr"

    def _write(self, block: str, lines: list[str]) -> None:
        beside = (self._last, block) in _BESIDE
        for line in ["", *lines] if self.lines and lines and not beside else lines:
            self.lines.append(line)
            self.numbers.append(self._line)
        self._last = block if lines else self._last


_FENCE: Final = re.compile(r"`{3,}")


def notebook(found: Page) -> Page | str:
    r"""The text of a notebook, or why there is none; its lines are none of the file's.

    >>> notebook(page("a.ipynb", '{"cells": [{"cell_type": "code", "source": ["1 +\\n", "1"]}]}')).text
    '```python\n1 +\n1\n```'
    """
    try:
        content = json.loads(found.text)
    except (ValueError, RecursionError):
        return "not valid JSON"
    cells, texts = content.get("cells") if isinstance(content, dict) else None, list[str]()
    for cell in (one for one in cells if isinstance(one, dict)) if isinstance(cells, list) else ():
        lines = cell.get("source")
        source = "".join(line for line in (lines if isinstance(lines, list) else [lines]) if isinstance(line, str))
        fence = "`" * max((len(ticks) + 1 for ticks in _FENCE.findall(source)), default=3)
        if source.strip():
            texts.append(f"{fence}python\n{source}\n{fence}" if cell.get("cell_type") == "code" else source)
    text = "\n\n".join(texts)
    return page(found.path, text)._replace(lines=()) if text else "a notebook without text"


_HEADING: Final = re.compile(r"[=#]{1,6}(?=[ \t]+\S)")
_ID: Final = re.compile(r"\[\[([^\],]+)[^\]]*\]\]|\[#([\w-]+)[^\]]*\]")
_SHOWN: Final = re.compile(r"-{4,}|\.{4,}|\|===|[,:!]===|```.*")
_UNSAID: Final = re.compile(r"/{4,}|\+{4,}")
_QUOTE: Final = re.compile(r"_{4,}")
_ITEM: Final = re.compile(r"[ \t]*(?:(\*{1,6}|-)|(\.{1,6}|\d{1,3}\.))[ \t]+(?=\S)")
_TERM: Final = re.compile(r"[ \t]*\S.*?[^:](?:::+|;;)")
_NOTHING: Final = re.compile(r":!?[\w-]+!?:.*|\[.*\]|//.*|\w+::\S*\[.*\]|'{3,}|<{3,}|\.\w.*|\+|--|={4,}|\*{4,}")


def asciidoc(text: str) -> Iterator[str]:
    """The lines of *text*, as many, in the marks of Markdown; attributes, macros and comments are blank."""
    closing, quote, above = "", "", ""
    for line in map(str.rstrip, LINE_END.split(text)):
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


_MANUAL: Final = re.compile(r"(?m)^\.(?:TH|Dt)\s+\S")
_MACRO: Final = re.compile(r"[.'][ \t]*([A-Za-z]{1,3})\b[ \t]*(.*)")
_ESCAPE: Final = re.compile(r"\\(?:f(?:\[\w*\]|\(\w\w|\w)|s[-+]?\d{1,2}|[&|^/,%]|\((\w\w)|\[(\w+)\]|(.))")
_SIGNS: Final = dict(zip("bu aq dq lq rq em en hy ti e".split(), "•'\"“”—–-~\\", strict=True))
_ARGUMENT: Final = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
_HEADS: Final = {"TH": "#", "DT": "#", "SH": "##", "SS": "###"}
_VERBATIM: Final = frozenset(("NF", "FI", "EX", "EE"))


def manual(found: Page) -> Page | str:
    r"""A page of a manual in roff, line for line, in the marks of Markdown; or why it is none.

    >>> manual(page("a.1", ".TH A 1\n.SH OPTIONS\n.TP\n.B \\-j, \\-\\-jobs\nHow many at once.\n.IP\nAt most 8.")).text
    '# A\n## OPTIONS\n\n- -j, --jobs\n  How many at once.\n\n  At most 8.'
    """
    return page(found.path, "\n".join(_typeset(found.text))) if _MANUAL.search(found.text) else "data, no prose"


def _typeset(text: str) -> Iterator[str]:
    lead, marked = "", False
    for line in LINE_END.split(text):
        macro = _MACRO.match(line)
        name, given = (macro[1].upper(), macro[2]) if macro else ("", "")
        told = [plain.replace('""', '"') or word for plain, word in _ARGUMENT.findall(given)]
        if line.startswith((".\\", "'\\")) or (line.startswith(".") and not macro):
            yield ""
        elif name in _HEADS:
            lead = ""
            yield f"{_HEADS[name]} {_unescaped(told[0] if name in ('TH', 'DT') and told else ' '.join(told))}"
        elif name in _VERBATIM:
            yield f"{lead}```"
        elif name in ("TP", "IT", "IP"):
            term = _unescaped(" ".join(told) if name == "IT" else told[0] if name == "IP" and told else "")
            term = term if any(map(str.isalnum, term)) or term[:1] in "{-" else ""
            lead, marked = "  ", not term and (name == "TP" or bool(told))
            yield f"- {term}" if term else ""
        elif not macro or name in ("B", "I", "BR", "RB", "IR", "RI", "BI", "IB", "SM", "SB", "NM"):
            joined = ("" if len(name) == 2 and name not in ("SM", "SB", "NM") else " ").join(told) if macro else line
            said = _unescaped(joined).strip()
            yield f"{'- ' if marked and said else lead}{said}" if said else ""
            marked = marked and not said
        else:
            lead = "" if name in ("P", "PP", "LP") else lead
            yield ""


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _SIGNS.get(found[1] or found[2] or found[3] or "", found[3] or ""), text)
