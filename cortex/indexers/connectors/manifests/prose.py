"""What texts state of a project: its license, what it is for, how to report a vulnerability, which commands to run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from cortex.indexers.connectors.manifests.fields import Field
from cortex.indexers.connectors.manifests.forms import File, Rule, Stated
from cortex.indexers.connectors.manifests.workflows import as_steps
from cortex.indexers.connectors.outline import document, has_text
from cortex.indexers.connectors.pages import Page, Span, line_count, lines_span, trimmed
from cortex.language.commands import command_of, is_own, purpose_of
from cortex.language.markdown import Block
from cortex.language.patterns import patterns
from cortex.language.project import license_of

_PROSE: Final = patterns("project", "prose")
_NO_PROSE: Final = patterns("connectors", "outline")["no_prose"]

OPENING: Final = 1_500  # characters of a license that name it
LONGEST: Final = 500  # characters of a paragraph
FEWEST: Final = 4  # words of a paragraph that says something
LATE: Final = 120  # characters of a paragraph after which its address is late
MOST: Final = 8  # commands of a kind in one document
SHORTEST: Final = 3  # letters of a part of a name that tells
_PARAGRAPH: Final = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")
_INTRODUCED: Final = re.compile(rf"{_PARAGRAPH.pattern}(?:(?<=:)\s*\n\s*{_PARAGRAPH.pattern})?")
_SEEN: Final = re.compile(r"\S")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_MARKUP: Final = re.compile(
    r"<(?:mailto:)?([\w.+-]+@[\w.-]+|https?://[^>\s]+)>|<[^>]*>|!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"
    r"|\*{1,3}|(?<!\w)_|_(?!\w)|`+|^>\s?",
    re.M,
)
_LINK: Final = re.compile(r"\[([^\]]*)\]\((?:mailto:)?([^)\s]+)\)|`([^`<]*)<([^>]+)>`_")
_REMARK: Final = re.compile(r"\s+#\s.*")
_CODE: Final = re.compile(r"(?<![`:])`([^`\n]+)`(?![`_])")  # and no link or role of reStructuredText
_LETTERS: Final = re.compile(r"[^\W_]+")


def identified(_: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """The license that a text is, from the lines that name it; and whose the work is."""
    text, page = file.page.text, file.page
    if name := license_of(text):
        end = first.end() if (first := _PARAGRAPH.search(text)) else 0
        yield Stated(rule.property, name, trimmed(page, Span(0, min(max(end, 1), OPENING))))
    holder = _PROSE["copyright"].search(text[:OPENING])
    if holder and name:
        yield Stated("copyright", _plain(holder["who"]), trimmed(page, Span(*holder.span())))


def paragraph(_: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """The first paragraph that is no heading, badge or list."""
    parsed = document(file.page)
    for section in parsed.sections[:3]:
        if has_text(file.page, section):
            span = lines_span(file.page, max(section.first, section.heading[1]), section.end)
            if found := _first(file.page, span, parsed.blocks):
                yield Stated(rule.property, _plain(file.page.text[found.start : found.end]), found)
                return


def _first(page: Page, span: Span, blocks: Iterable[Block]) -> Span | None:
    text = bare = page.text[span.start : span.end]
    for code in (one for one in blocks if one.is_code and span.start <= one.start < span.end):
        first, end = code.start - span.start, code.end - span.start
        bare = bare[:first] + _SEEN.sub(" ", bare[first:end]) + bare[end:]
    bare = _NO_PROSE.sub(lambda found: _SEEN.sub(" ", found[0]), bare)
    for one in _PARAGRAPH.finditer(bare):
        told = _plain(text[one.start() : one.end()])
        if len(_WORD.findall(told)) >= FEWEST and told[0] not in "-*|=+~#" and not told.startswith(("..", "1.")):
            return _span(page, one, span.start)
    return None


def _span(page: Page, found: re.Match[str], at: int = 0) -> Span:
    """As much of a paragraph as is told, of a text that begins at the character *at*."""
    return trimmed(page, Span(at + found.start(), at + min(found.end(), found.start() + LONGEST)))


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(lambda found: found[1] or found[2] or "", text).split())


def contact(_: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """The paragraph that tells how to report, the address first where it stands late in it."""
    text = file.page.text
    told = [one for one in _INTRODUCED.finditer(text) if _PROSE["report"].search(one[0]) and one[0][0] not in "#|"]
    told.sort(key=lambda one: _PROSE["address"].search(one[0]) is None)
    for one in told[:1]:
        span = _span(file.page, one)
        linked = _LINK.sub(lambda link: f"{link[1] or link[3]} ({link[2] or link[4]})", text[slice(*span)])
        shown = _plain(linked)
        address = _PROSE["address"].search(shown)
        lead = f"{address[0].rstrip('.,;)')}: " if address and address.start() > LATE else ""
        yield Stated(rule.property, lead + shown, span)


def documented(_: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """The commands that a document shows, in blocks of code or between marks; how it is installed where the rule says.

    The steps of a build, which follow each other in a block, are stated as one.
    """
    page, in_code, told, block = file.page, False, set[tuple[str, str]](), list[Stated]()
    for number in range(line_count(page)):
        span = trimmed(page, lines_span(page, number, number + 1))
        line = page.text[span.start : span.end]
        fence = line.lstrip().startswith(("```", "~~~"))
        in_code ^= fence
        is_code = in_code or fence or line.startswith(("    ", "\t", "$"))
        if not is_code:
            yield from as_steps(block)
            block = []
        for shown in [line] if is_code else _CODE.findall(line):
            does, command = _purpose(shown, rule, file), _REMARK.sub("", command_of(shown))
            if does and (does, command) not in told and sum(kind == does for kind, _ in told) < MOST:
                told.add((does, command))
                yield from () if is_code else (Stated(does, command, span),)
                block += [Stated(does, command, span)] * is_code
    yield from as_steps(block)


def _purpose(line: str, rule: Rule, file: File) -> str:
    """What the command on *line* is for; how to install counts of the project alone, and where the rule says."""
    does, command = purpose_of(line), command_of(line)
    if does != "install":
        shows = does in ("lint", "test") and command.split()[:1] == [file.source.rpartition("/")[2].lower()]
        return "" if shows else does  # how the project itself is used
    if is_own(command) or not rule.argument:
        return "develop" if is_own(command) else ""
    # What holds no part of the project's name or of the document's title is what that needs.
    said = "".join(_LETTERS.findall(command.lower()))
    named = f"{file.source.rpartition('/')[2]} {document(file.page).sections[0].titles[0]}".lower()
    return does * any(part in said for part in _LETTERS.findall(named) if len(part) >= SHORTEST)


def place(_: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """Where a document of this kind stands."""
    if first := _PARAGRAPH.search(file.page.text):
        yield Stated(rule.property, file.page.path, _span(file.page, first))
