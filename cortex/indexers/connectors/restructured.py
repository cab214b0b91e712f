"""reStructuredText as docutils reads it: headings and blocks. No directive is run, no role looked up, no file opened.

Directives are read by their names alone, so that those of Sphinx and of a project's own extensions are read too; inline
markup is not parsed.

Source: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, cast

from docutils import nodes, utils
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser, states

from cortex.indexers.connectors.pages import CHANGES, LINE_END, NOTES, OBJECTS, PROSE, SHOWN, UNSEEN, Heading, Part
from cortex.language.markdown import BlockKind
from cortex.substrate.facts import as_words

_OPTION: Final = re.compile(r":[\w-]+:(?:[ ]|$)")
_LABEL: Final = re.compile(r"\.\. _[^:]+:")
_TAB: Final = 8
_MOST_CORNERS: Final = 20_000  # of drawn tables, each of which is looked at from all others
_QUIET: Final = 6  # a level of reports that there is not: nothing is reported, nothing ends the reading
_LONGEST_TITLE: Final = 200
_CODE: Final = re.compile(r"``([^`]+)``")


def parse(text: str) -> Iterable[Heading | Part]:
    """The headings and blocks of *text*; where it nests too deep to be read, its paragraphs.

    The first adornment met is level 1, the next new one level 2, and so on.
    """
    lines = [line.expandtabs(_TAB).rstrip() for line in LINE_END.split(text)]
    if text.count("+-") > _MOST_CORNERS:
        return _paragraphs(lines)
    document = utils.new_document("", _settings())
    machine = states.RSTStateMachine(state_classes=_STATES, initial_state="Body")
    try:
        machine.run(lines, document, inliner=cast("Any", _Inliner()))
    except RecursionError:
        return _paragraphs(lines)
    return _joined(_Reader(lines).blocks(document, 0))


def _joined(found: Iterator[Heading | Part]) -> list[Heading | Part]:
    """*found* with the lines that follow an item without a blank one and without its indent as part of it."""
    every: list[Heading | Part] = []
    for one in found:
        match every[-1:], one:
            case [Part(BlockKind.ITEM, _, end) as item], Part(BlockKind.PARAGRAPH, first) if first == end:
                every[-1] = item._replace(end=one.end)
            case _:
                every.append(one)
    return every


def _paragraphs(lines: Sequence[str]) -> Iterator[Part]:
    first = 0
    for number, line in enumerate([*lines, ""]):
        if not line:
            yield Part(BlockKind.PARAGRAPH, first, number)
            first = number + 1


@cache
def _settings() -> Any:  # noqa: ANN401  docutils makes the class
    settings = get_default_settings(Parser)
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.report_level = settings.halt_level = _QUIET
    settings.warning_stream = False
    return settings


class _Inliner:
    """Leaves inline markup as it is."""

    def init_customizations(self, settings: object) -> None:
        """Nothing to compile."""

    def parse(self, text: str, *_: object) -> tuple[list[Any], list[Any]]:
        return [nodes.Text(text)], []

    def adjust_uri(self, uri: str) -> str:
        return uri


def _begin(state: Any, machine: Any, debug: bool = False) -> None:  # noqa: ANN401, FBT001, FBT002  docutils' own
    states.RSTState.__init__(state, machine, debug)
    state.nested_sm_kwargs = {"state_classes": _STATES, "initial_state": "Body"}


def _titled(state: Any, title: str, _: str, style: str | tuple[str, str], line: int, __: object) -> None:  # noqa: ANN401
    """Note a title where it stands: sections that skip a level are sections too."""
    found = nodes.title(title)
    found.line, found["style"] = line, style
    state.parent += found


def _malformed(state: Any, block: Any, *_: object, **__: object) -> list[Any]:  # noqa: ANN401
    """A table that is none, shown as it is."""
    drawn = nodes.literal_block("\n".join(block))
    drawn.line = state.state_machine.abs_line_number() - len(block) + 1
    return [drawn]


def _option(state: Any, match: re.Match[str]) -> tuple[Any, bool]:  # noqa: ANN401
    line = state.state_machine.abs_line_number()
    item, blank_finish = cast("Any", states.Body).option_list_item(state, match)
    item.line = line
    return item, blank_finish


def _directive(state: Any, match: re.Match[str], **_: object) -> tuple[list[Any], bool]:  # noqa: ANN401
    """What stands in a directive, by its name; its argument is text of a note, and its options are none."""
    machine = state.state_machine
    found = nodes.container(name=match[1].rpartition(":")[2].lower())
    found.line = machine.abs_line_number()
    block, _, offset, blank_finish = machine.get_first_known_indented(match.end(), strip_top=0)
    found["end"] = machine.abs_line_number()
    found["argument"] = block[0] if block else ""
    at = 0 if found["name"] in NOTES and found["argument"] else 1
    while 0 < at < len(block) and _OPTION.match(block[at]):
        at += 1
    found["below"] = at + next((place for place, line in enumerate(block[at:]) if line), len(block))
    if found["name"] in NOTES | PROSE | OBJECTS and at < len(block):
        state.nested_parse(block[at:], offset + at, found)
    return [found], blank_finish


def _states() -> tuple[type, ...]:
    constructs = [
        (_directive if one is states.Body.directive else one, form) for one, form in states.Body.explicit.constructs
    ]
    own = {
        "__init__": _begin,
        "section": _titled,
        "malformed_table": _malformed,
        "option_list_item": _option,
        "directive": _directive,
        "explicit": cast("Any", states).Struct(patterns=states.Body.explicit.patterns, constructs=constructs),
        "nested_sm_cache": [],
    }
    return tuple(type(state.__name__, (state,), own) for state in states.state_classes)


_STATES: Final = _states()


class _Reader:
    """Walks a document's tree; `lines` are those of its text."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.levels: dict[object, int] = {}

    def blocks(self, parent: Any, depth: int, *, said: bool = True) -> Iterator[Heading | Part]:  # noqa: ANN401, C901
        """What stands in a node.

        Args:
            said: paragraphs are of the document; else they are fields, notes at its foot, or what it quotes.
        """
        for node in parent.children:
            match node.tagname:
                case "title":
                    yield self.heading(node)
                case "paragraph":
                    kind = BlockKind.PARAGRAPH if said else BlockKind.ASIDE
                    yield Part(kind, node.line - 1, node.line + node.rawsource.count("\n"), depth)
                case "literal_block" | "doctest_block" if node.line:  # before 0.22 not always known
                    yield Part(BlockKind.CODE, node.line - 1, node.line + node.rawsource.count("\n"), depth)
                case "bullet_list" | "enumerated_list":
                    for item in node.children:
                        yield from self.item(item, depth + 1)
                case "definition_list_item" | "option_list_item":
                    yield from self.defined(node, depth)
                case "table":
                    yield from self.rows(node, depth)
                case "container":
                    yield from self.directive(node, depth)
                case "definition_list" | "option_list" | "tip":
                    yield from self.blocks(node, depth)
                case "block_quote" | "field_list" | "field" | "field_body" | "footnote" | "citation" | "line_block":
                    yield from self.blocks(node, depth, said=False)
                case "line" if node.line:
                    yield Part(BlockKind.ASIDE, node.line - 1, node.line, depth)

    def heading(self, node: Any) -> Heading:  # noqa: ANN401
        """A heading with what is drawn around it and the labels above."""
        title = node.line - 1
        first = title - (len(node["style"]) - 1)
        above = first
        while above > 0 and (not self.lines[above - 1] or _LABEL.fullmatch(self.lines[above - 1])):
            above -= 1
            first = above if self.lines[above] else first
        level = self.levels.setdefault(node["style"], len(self.levels) + 1)
        text = as_words(_CODE.sub(r"`\1`", node.rawsource))[:_LONGEST_TITLE]
        return Heading(first, title + 2, level, text, title=title)

    def item(self, node: Any, depth: int) -> Iterator[Heading | Part]:  # noqa: ANN401
        for place, one in enumerate(self.blocks(node, depth)):
            begins = place == 0 and isinstance(one, Part) and one.kind is BlockKind.PARAGRAPH
            yield one._replace(kind=BlockKind.ITEM) if isinstance(one, Part) and begins else one

    def defined(self, node: Any, depth: int) -> Iterator[Heading | Part]:  # noqa: ANN401
        below = list(self.blocks(node.children[-1], depth + 1))
        if not below or below[0].first >= node.line:
            yield Part(BlockKind.TERM, node.line - 1, node.line, depth)
        yield from below

    def rows(self, table: Any, depth: int) -> Iterator[Part]:  # noqa: ANN401
        for row in table.findall(nodes.row):
            cells = [one for one in row.findall(nodes.paragraph) if one.rawsource]  # what is reported has none
            if cells:
                first, end = min(one.line for one in cells), max(one.line + one.rawsource.count("\n") for one in cells)
                kind = BlockKind.HEAD if isinstance(row.parent, nodes.thead) else BlockKind.ROW
                yield Part(kind, first - 1, end, depth)

    def directive(self, node: Any, depth: int) -> Iterator[Heading | Part]:  # noqa: ANN401
        name, first = node["name"], node.line - 1
        if name in CHANGES:
            yield Part(BlockKind.CHANGE, first, node["end"], depth)
        elif name in OBJECTS and node["argument"]:
            yield Part(BlockKind.TERM, first, first + 1, depth)
            yield from self.blocks(node, depth + 1)
        elif name in NOTES | PROSE | OBJECTS:
            yield from self.blocks(node, depth)
        elif first + node["below"] < node["end"] and name not in UNSEEN:
            yield Part(BlockKind.CODE, first + (node["below"] if name in SHOWN else 0), node["end"], depth)
