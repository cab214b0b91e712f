"""Forms: what a field of a configuration file states, in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from cortex.indexers.connectors.manifests.fields import Field, listed, whole_lines
from cortex.indexers.connectors.pages import Page, Span, lines_span, trimmed
from cortex.language.commands import tools_in
from cortex.language.project import property_of_address, spoken_range, tech_of

LONGEST: Final = 600  # characters of a value
SHOWN: Final = 100  # characters of a command behind the task that runs it
_CLASSIFIERS: Final = {"License ::": "license", "Operating System ::": "platforms", "Development Status ::": "status"}
_VERSION: Final = re.compile(r"\d+\.\d+")
_NAME: Final = re.compile(r"(?:github:)?([\w-]+/[\w.-]+)")
_URL: Final = re.compile(r"\s*\((?:https?:)?[^)]*\)")
_APART: Final = re.compile(r"[\n;]+|,(?![^{]*\})\s*(?=[A-Za-z{])")
_MARKS: Final = re.compile(r"[\"'`]+|\.freeze|%w\[")


class Stated(NamedTuple):
    """What some lines of a file state: a property, of what, and its value in plain words."""

    property: str
    value: str
    span: Span
    of: str = ""


class Rule(NamedTuple):
    """How a field is read.

    Attributes:
        of: whose versions the file states.
        key: the part of the field's path that the pattern left open.
    """

    property: str
    argument: str
    of: str
    key: str


class File(NamedTuple):
    """A file with all of its fields, and the source that it is of."""

    page: Page
    fields: Mapping[tuple[str, ...], Field]
    source: str


Form = Callable[[Field, Rule, File], Iterator[Stated]]


def text(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """The value as it stands."""
    if isinstance(field.value, (str, int)) and not isinstance(field.value, bool) and str(field.value).strip():
        yield Stated(rule.property, one_line(str(field.value)), field.span, rule.argument)


def value(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """What `VALUES` makes of the value, by the argument."""
    told, of = VALUES[rule.argument](field, rule)
    yield Stated(rule.property, one_line(told), field.span, of)


VALUES: Final[Mapping[str, Callable[[Field, Rule], tuple[str, str]]]] = {
    "percent": lambda field, _: (f"{field.value}%", ""),
    "key": lambda _, rule: (rule.key, ""),
    "unhashed": lambda field, _: (str(field.value).partition("+")[0], ""),
    "unquoted": lambda field, _: (re.sub(r",\s*(?=[<>=~!])", " ", _MARKS.sub("", field.value)), ""),
    "pinned": lambda field, rule: (str(field.value), rule.of or "Node.js"),
}


def items(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """A list, one a line or apart by commas; of the argument or the open key, where there is one."""
    value = _APART.split(field.value) if isinstance(field.value, str) else field.value
    shown = []
    for one in (one for one in value if one) if isinstance(value, list) else ():
        if isinstance(one, dict):
            shown.append("group " * ("include-group" in one) + str(next(iter(one.values()), "")))
        else:
            shown.append(" ".join(str(one).split()).replace(", ", ","))
    if shown:
        yield Stated(rule.property, one_line(", ".join(shown)), field.span, rule.argument or rule.key)


def groups(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """A list for each key."""
    for key, value in field.value.items() if isinstance(field.value, dict) else ():
        yield from items(field._replace(value=value), rule._replace(key=key), file)


def requirement(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """A package with the versions that are asked for; an optional one states another property."""
    spec = field.value.get("version", "") if isinstance(field.value, dict) else field.value
    optional = isinstance(field.value, dict) and str(field.value.get("optional", "")) == "True"
    if isinstance(spec, str) and "workspace" not in rule.key and len(field.path) <= 4 and rule.key != "version":
        spec = "" if spec == "*" else spec
        property_ = "optional dependencies" if optional else rule.property
        yield Stated(property_, one_line(f"{rule.key} {spec}".strip().replace(", ", ",")), field.span, rule.argument)


def keys(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """The keys of a mapping; of a text that stands in its place, the name of the package."""
    name = file.fields.get(("name",))
    value = [*field.value] if isinstance(field.value, dict) else [str(name.value) if name else ""]
    yield from items(field._replace(value=value), rule, file)


def licensed(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """A license by its name; a reference to a file is none."""
    values = [one.get("text", one.get("type", "")) if isinstance(one, dict) else one for one in listed(field.value)]
    names = [one_line(one) for one in values if isinstance(one, str) and one.strip() and len(one) < SHOWN]
    names = [one for one in names if not one.upper().startswith(("SEE LICENSE", "UNLICENSED"))]
    if names:
        yield Stated(rule.property, " OR ".join(names), field.span)


def versions(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """A range of versions of the language that the file is of."""
    value = ",".join(map(str, listed(field.value))).replace("_", ".")
    spec = re.sub(r"[\"' ]+", "", value)
    spec = spec.removeprefix("1.") if rule.of == "Java" else spec
    if spec and "${" not in spec:
        yield Stated(rule.property, spoken_range(spec), field.span, rule.of)


def engine(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """A range of versions of the program that the key names."""
    if isinstance(field.value, str):
        yield from versions(field, rule._replace(of=tech_of(rule.key) or rule.key), file)


def people(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """Names with the addresses given."""
    named = []
    for one in listed(field.value):
        given = {"name": _URL.sub("", one)} if isinstance(one, str) else one if isinstance(one, dict) else {}
        name, mail = given.get("name", ""), given.get("email", "")
        named.append(f"{name} <{mail}>" if name and mail else str(name or mail))
    if any(named):
        yield Stated(rule.property, one_line(", ".join(filter(None, named))), field.span)


def scripts(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """The names before the functions that they start; those of groups of entry points only where they are programs."""
    groups_ = field.value.items() if isinstance(field.value, dict) else [("scripts", field.value)]
    lines = (one for name, value in groups_ if name.endswith("scripts") for one in listed(value))
    if found := [one.partition("=")[0].strip() for text in lines for one in str(text).splitlines() if "=" in one]:
        yield Stated(rule.property, one_line(", ".join(found)), field.span)


def program(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """The program that a main file makes: called as its folder, or as the project where it stands at the top."""
    folder, _, name = file.page.path.rpartition("/")
    stem = name.partition(".")[0]
    called = stem if stem != "main" else file.source.rpartition("/")[2] if folder in ("", "src") else folder
    yield Stated(rule.property, called.rpartition("/")[2], field.span)


def url(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """An address, or the first of several."""
    first = next(iter(listed(field.value)), "")
    found = first.get("url", "") if isinstance(first, dict) else first
    if isinstance(found, str) and found.strip():
        yield Stated(rule.property, one_line(found), field.span)


def repository(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """The address of a repository, which may be given by its name at GitHub."""
    for one in url(field, rule, file):
        name = _NAME.fullmatch(one.value)
        plain = one.value.removeprefix("git+").removesuffix(".git")
        yield one._replace(value=f"https://github.com/{name[1]}" if name else plain)


def address(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """An address that a label names; one at a host of repositories is a repository too."""
    for one in url(field, rule, file):
        if found := property_of_address(rule.key):
            yield one._replace(property=found)
        if found == "homepage" and re.match(r"https?://(?:github|gitlab|codeberg)\.\w+/[^/]+/[^/]+/?$", one.value):
            yield one._replace(property="repository")


def addresses(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """Labelled addresses: a mapping, or lines of 'label = address'."""
    value = field.value
    if isinstance(value, str):
        value = dict(re.findall(r"([^\n=]+?)\s*=\s*(\S+)", value))
    for label, one in value.items() if isinstance(value, dict) else ():
        yield from address(field._replace(value=one), rule._replace(key=str(label)), file)


def contact_link(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """An address with its label as its name."""
    label = field.value.get("name", "") if isinstance(field.value, dict) else ""
    yield from address(field, rule._replace(key=str(label)), file)


def classifiers(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """The license, platforms, versions and status that classifiers of PyPI name, each from its own lines."""
    value = field.value if isinstance(field.value, list) else str(field.value).splitlines()
    found: dict[tuple[str, str], list[str]] = {}
    for one in map(str.strip, map(str, value)):
        last = one.rpartition(" :: ")[2]
        if one.startswith("Programming Language :: ") and _VERSION.fullmatch(last):
            found.setdefault(("named versions", rule.of), []).append(one)
        elif one.startswith("Programming Language :: Python :: Implementation ::") and last != "CPython":
            found.setdefault(("platforms", ""), []).append(one)
        elif name := next((name for start, name in _CLASSIFIERS.items() if one.startswith(start)), ""):
            found.setdefault((name, ""), []).append(one)
    for (name, of), lines in found.items():
        shown = [one.rpartition(" :: ")[2] for one in lines]
        begun = {one: at for one in lines if (at := file.page.text.find(one, *field.span)) >= 0}
        ends = [at + len(one) for one, at in begun.items()]
        span = whole_lines(file.page, Span(min(begun.values()), max(ends))) if begun else field.span
        yield Stated(name, ", ".join(shown), span, of)


def names(field: Field, _: Rule, __: File) -> Iterator[Stated]:
    """The tools that a value names; an address by its last part, for whose it is names none."""
    value = str(field.value)
    return tools_named(value.rstrip("/").rpartition("/")[2] if "://" in value else value, field.span)


def tools_named(text: str, span: Span) -> Iterator[Stated]:
    """The tools that *text* names, by their kind."""
    return (Stated(kind, ", ".join(tools), span) for kind, tools in tools_in(text).items())


def section(field: Field, _: Rule, file: File) -> Iterator[Stated]:
    """The tool that a table of settings is of, from the line that begins the table."""
    name = field.path[field.path[0] == "tool"].removeprefix("tool:")
    start = max(file.page.text.rfind(mark, 0, field.span.start) + 1 for mark in ("\n[", "\n\n"))
    return tools_named(name, trimmed(file.page, Span(start, field.span.end)))


def configured(_: Field, __: Rule, file: File) -> Iterator[Stated]:
    """The tool whose configuration the file is."""
    return tools_named(file.page.path.lstrip(".").split(".")[0], trimmed(file.page, lines_span(file.page, 0, 1)))


def funding(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """Where a project can be paid, by the service."""
    if names := ", ".join(str(one) for one in listed(field.value) if one):
        yield Stated(rule.property, one_line(names if "://" in names else f"{rule.key}: {names}"), field.span)


def one_line(value: str) -> str:
    """*value* without its line breaks, its end left off."""
    return " ".join(value.split())[:LONGEST].strip()


def maven(field: Field, _: Rule, __: File) -> Iterator[Stated]:
    """A dependency by its group, name and version; one for tests is for development."""
    for one in (one for one in listed(field.value) if isinstance(one, dict) and one.get("artifactId")):
        name = ":".join(str(one[part]) for part in ("groupId", "artifactId", "version") if one.get(part))
        of = "test" if one.get("scope") == "test" else ""
        yield Stated("development dependencies" if of else "dependencies", one_line(name), field.span, of)
