"""Fields of configuration files: each value with its path of keys and the characters that state it.

The standard parsers read the values. Those that tell no places are asked for them a piece at a time.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple
from xml.parsers import expat

import yaml

from cortex.indexers.connectors.frontmatter import yaml_loader
from cortex.indexers.connectors.pages import Page, Span, line, line_count, lines_span, trimmed

DEEPEST: Final = 6  # keys from the top of a file to a field
MOST_FIELDS: Final = 20_000

_HEADER: Final = re.compile(r"\s*\[{1,2}([^\[\]]+)\]{1,2}\s*(?:#.*)?$")
_KEY: Final = re.compile(r"\"[^\"]*\"|'[^']*'|[\w-]+")
_KEYS: Final = re.compile(rf"\s*((?:{_KEY.pattern})(?:\s*\.\s*(?:{_KEY.pattern}))*)\s*=")
_TOML: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}\n]', re.DOTALL
)
_JSON_KEY: Final = re.compile(r"[\s,]*(?=\")")
_JSON_COLON: Final = re.compile(r"\s*:\s*")
_INI_SECTION: Final = re.compile(r"\[(?P<name>[^\]]+)\]")
_INI_KEY: Final = re.compile(r"(?P<key>[^\s=:#;\[][^=:]*?)\s*[=:]\s*(?P<value>.*)", re.DOTALL)
_RECIPE: Final = re.compile(r"@?(?P<name>[A-Za-z0-9][\w.-]*)\b[^:=#%]*:(?![=:])(?!.*:=)")


class Field(NamedTuple):
    """A value of a configuration file; a mapping is one, and so is each value in it."""

    path: tuple[str, ...]
    value: Any
    span: Span


def _toml(page: Page) -> Iterator[Field]:
    tomllib.loads(page.text)
    table: tuple[str, ...] = ()
    number, count = 0, line_count(page)
    while number < count:
        text, end = line(page, number), number + 1
        if text.lstrip().startswith("["):
            header = _HEADER.match(text)
            table = _keys(header[1]) if header else ("",)
        elif keys := _KEYS.match(text):
            depth, end = 0, count
            for token in _TOML.finditer(page.text, page.starts[number] + keys.end()):
                depth += (token[0] in "[{") - (token[0] in "]}")
                if token[0] == "\n" and depth <= 0:
                    end = line_of(page, token.start()) + 1
                    break
            value: Any = tomllib.loads(page.text[page.starts[number] : page.starts[end]])
            path: tuple[str, ...] = ()
            for _ in _keys(keys[1]):
                ((key, value),) = value.items()  # as parsed, for a quoted key may hold what ends another
                path += (key,)
            yield from _nested((*table, *path), value, trimmed(page, lines_span(page, number, end)))
        number = end


def _keys(text: str) -> tuple[str, ...]:
    return tuple(key[1:-1] if key[0] in "\"'" else key for key in _KEY.findall(text))


def _nested(path: tuple[str, ...], value: object, span: Span) -> Iterator[Field]:
    """The field and those in it, which stand in the same lines."""
    yield Field(path, value, span)
    if isinstance(value, dict) and len(path) < DEEPEST:
        for key, inner in value.items():
            yield from _nested((*path, str(key)), inner, span)


def _json(page: Page) -> Iterator[Field]:
    if isinstance(json.loads(page.text), dict):
        yield from _members(page.text, page.text.index("{") + 1, ())


def _members(text: str, at: int, above: tuple[str, ...]) -> Iterator[Field]:
    decode = json.JSONDecoder().raw_decode
    while found := _JSON_KEY.match(text, at):
        key, end = decode(text, found.end())
        colon = _JSON_COLON.match(text, end)
        begun = colon.end() if colon else end
        value, at = decode(text, begun)
        yield Field((*above, key), value, Span(found.end(), at))
        if isinstance(value, dict) and len(above) < 1:
            yield from _members(text, begun + 1, (*above, key))


def _ini(page: Page) -> Iterator[Field]:
    section, number = "", 0
    while number < line_count(page):
        text = line(page, number).rstrip()
        if header := _INI_SECTION.match(text):
            section = header["name"]
        elif key := _INI_KEY.match(text):
            end = number + 1
            while end < line_count(page) and (line(page, end)[:1] in " \t" or line(page, end)[:1] == "#"):
                end += 1
            span = trimmed(page, lines_span(page, number, end))
            value = _INI_KEY.match(page.text[span.start : span.end])
            yield Field((section, key["key"].strip()), value["value"].strip() if value else "", span)
            number = end - 1
        number += 1


def _yaml(page: Page) -> Iterator[Field]:
    return _nodes(page, (), yaml.compose(page.text, Loader=yaml_loader(page.text)), [MOST_FIELDS])


def _nodes(page: Page, path: tuple[str, ...], node: yaml.Node | None, left: list[int]) -> Iterator[Field]:
    if not isinstance(node, (yaml.MappingNode, yaml.SequenceNode)) or len(path) > DEEPEST:
        return
    pairs = node.value if isinstance(node, yaml.MappingNode) else [(None, one) for one in node.value]
    for place, (key, value) in enumerate(pairs):
        begun = value.start_mark if key is None else key.start_mark
        name = str(place) if key is None else str(key.value)
        span = trimmed(page, Span(begun.index, max(begun.index, value.end_mark.index)))
        yield Field((*path, name), _plain(value, left), span)
        yield from _nodes(page, (*path, name), value, left)


def _plain(node: yaml.Node, left: list[int], depth: int = 0) -> Any:  # noqa: ANN401
    left[0] -= 1
    if left[0] < 0:
        raise ValueError("too many fields")
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if depth > DEEPEST:
        return ""
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): _plain(value, left, depth + 1) for key, value in node.value}
    return [_plain(one, left, depth + 1) for one in node.value]


def _xml(page: Page) -> Iterator[Field]:
    """The elements without attributes; an entity of its own, which could grow without bound, is refused."""
    found: list[Field] = []
    open_: list[tuple[str, int, list[str], dict[str, Any]]] = []
    parser = expat.ParserCreate()

    def begin(name: str, _: object) -> None:
        open_.append((name.rpartition(":")[2], parser.CurrentLineNumber, [], {}))

    def end(_: str) -> None:
        path = tuple(one[0] for one in open_)
        name, first, texts, inner = open_.pop()
        value: Any = inner or "".join(texts).strip()
        if len(path) <= DEEPEST and len(found) < MOST_FIELDS:
            span = trimmed(page, lines_span(page, first - 1, parser.CurrentLineNumber))
            found.append(Field(path, value, span))
        if open_:
            above = open_[-1][3]
            above[name] = value if name not in above else [*listed(above[name]), value]

    def refuse(*_: object) -> None:
        raise ValueError("declares entities")

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = begin, end, refuse
    parser.CharacterDataHandler = lambda text: open_[-1][2].append(text)  # noqa: PLW0108  whichever is the last then
    parser.Parse(page.text, True)  # noqa: FBT003
    yield from found


def listed(value: object) -> list[Any]:
    """*value* where it is a list, else a list of it."""
    return value if isinstance(value, list) else [value]


def _python(page: Page) -> Iterator[Field]:
    """The keywords of a call of `setup`, and the functions that are sessions; nothing is run."""
    for node in ast.walk(ast.parse(page.text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setup"):
            for keyword in node.keywords:
                if keyword.arg and (value := _literal(keyword.value)) is not None:
                    yield Field((keyword.arg,), value, lines_span(page, keyword.lineno - 1, keyword.end_lineno or 0))
        elif isinstance(node, ast.FunctionDef) and any("session" in ast.unparse(one) for one in node.decorator_list):
            span = trimmed(page, lines_span(page, node.lineno - 1, node.end_lineno or node.lineno))
            calls = (one for one in ast.walk(node) if isinstance(one, ast.Call))
            runs = [one.args for one in calls if ast.unparse(one.func) == "session.run"]
            yield Field(("session", node.name), [[*map(_literal, words)] for words in runs], span)


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def _recipes(page: Page) -> Iterator[Field]:
    """The targets of a Makefile or a justfile with their indented lines."""
    number = 0
    while number < line_count(page):
        end = number + 1
        if recipe := _RECIPE.match(line(page, number)):
            while end < line_count(page) and (line(page, end)[:1] in " \t" or not line(page, end).strip()):
                end += 1
            span = trimmed(page, lines_span(page, number, end))
            below = min(span.end, page.starts[number + 1])
            yield Field((recipe["name"],), page.text[below : span.end], span)
        number = end


def _lines(page: Page) -> Iterator[Field]:
    for number in range(line_count(page)):
        span = trimmed(page, lines_span(page, number, number + 1))
        if span.end > span.start:
            yield Field((), page.text[span.start : span.end], span)


def _text(page: Page) -> Iterator[Field]:
    yield Field((), page.text, Span(0, len(page.text)))


_READERS: Final = (_toml, _json, _ini, _yaml, _xml, _python, _recipes, _lines, _text)
FORMATS: Final[Mapping[str, Callable[[Page], Iterator[Field]]]] = {one.__name__[1:]: one for one in _READERS}
"""By name, as `fields.toml` calls them. Each may raise ValueError, SyntaxError, RecursionError or yaml.YAMLError."""


def whole_lines(page: Page, span: Span) -> Span:
    """The lines that *span* stands in."""
    return trimmed(page, lines_span(page, line_of(page, span.start), line_of(page, max(span.start, span.end - 1)) + 1))


def line_of(page: Page, at: int) -> int:
    """The line, from 0, of the character *at*."""
    return bisect_right(page.starts, at) - 1
