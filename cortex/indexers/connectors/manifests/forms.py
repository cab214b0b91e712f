"""Forms: what a field of a configuration file states, in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from textwrap import shorten
from typing import Any, Final, NamedTuple

from cortex.indexers.connectors.manifests.fields import Field, listed, whole_lines
from cortex.indexers.connectors.pages import Page, Span, lines_span, trimmed
from cortex.language.commands import command_of, is_hook, is_own, purpose_of, purpose_of_task, tools_in
from cortex.language.project import property_of_address, spoken_range, tech_of

LONGEST: Final = 600  # characters of a value
SHOWN: Final = 100  # characters of a command behind the task that runs it
_CLASSIFIERS: Final = {"License ::": "license", "Operating System ::": "platforms", "Development Status ::": "status"}
_VERSION: Final = re.compile(r"\d+\.\d+")
_COVERAGE: Final = re.compile(r"--(?:cov-)?fail-under[= ](\d+)")
_NAME: Final = re.compile(r"(?:github:)?([\w-]+/[\w.-]+)")
_URL: Final = re.compile(r"\s*\((?:https?:)?[^)]*\)")
_APART: Final = re.compile(r"[\n;]+|,(?![^{]*\})\s*(?=[A-Za-z{])")
_MARKS: Final = re.compile(r"[\"'`]+|\.freeze|%w\[")
_SILENT: Final = ("#", "$(info", "@echo", "echo", "export ", "set ", "if ", "fi", "@#")
_TEMPLATE: Final = re.compile(r"\s?\{\{?posargs.*|(?<!\$)\{\{.*?\}\}|(?<!\$)\{(?P<name>\w+)\}")
_VALUE: Final = re.compile(r"\$\{(?:\{\s*(?:[\w-]+\.)*)?([\w-]+)[^{}]*\}\}?")  # which the workflow or the shell puts in


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
        yield Stated(rule.property, _line(str(field.value)), field.span, rule.argument)


def items(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """A list, one a line or apart by commas; of the open key, where there is one."""
    value = _APART.split(field.value) if isinstance(field.value, str) else field.value
    if shown := [_requirement(one) for one in value if one] if isinstance(value, list) else []:
        yield Stated(rule.property, _line(", ".join(shown)), field.span, rule.key)


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
        yield Stated(property_, _line(f"{rule.key} {spec}".strip().replace(", ", ",")), field.span, rule.argument)


def percent(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """A share in percent."""
    yield Stated(rule.property, f"{field.value}%", field.span)


def key(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """The key alone."""
    yield Stated(rule.property, rule.key, field.span)


def keys(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """The keys of a mapping; of a text that stands in its place, the name of the package."""
    name = file.fields.get(("name",))
    value = [*field.value] if isinstance(field.value, dict) else [str(name.value) if name else ""]
    yield from items(field._replace(value=value), rule, file)


def licensed(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """A license by its name; a reference to a file is none."""
    values = [one.get("text", one.get("type", "")) if isinstance(one, dict) else one for one in listed(field.value)]
    names = [_line(one) for one in values if isinstance(one, str) and one.strip() and len(one) < SHOWN]
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
        yield Stated(rule.property, _line(", ".join(filter(None, named))), field.span)


def unquoted(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """Words of a program without its quotation marks."""
    yield Stated(rule.property, _line(re.sub(r",\s*(?=[<>=~!])", " ", _MARKS.sub("", field.value))), field.span)


def scripts(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """The names before the functions that they start; those of groups of entry points only where they are programs."""
    groups_ = field.value.items() if isinstance(field.value, dict) else [("scripts", field.value)]
    lines = (one for name, value in groups_ if name.endswith("scripts") for one in listed(value))
    if found := [one.partition("=")[0].strip() for text in lines for one in str(text).splitlines() if "=" in one]:
        yield Stated(rule.property, _line(", ".join(found)), field.span)


def manager(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """A program and its version, without its hash."""
    yield from text(field._replace(value=str(field.value).partition("+")[0]), rule, file)


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
        yield Stated(rule.property, _line(found), field.span)


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
        yield Stated(name, ", ".join(shown), _around(file.page, field.span, lines), of)


def _around(page: Page, span: Span, texts: list[str]) -> Span:
    """The lines within *span* from the first of *texts* to the last."""
    places = [(at, at + len(one)) for one in texts if (at := page.text.find(one, span.start, span.end)) >= 0]
    return whole_lines(page, Span(min(places)[0], max(end for _, end in places))) if places else span


def names(field: Field, _: Rule, __: File) -> Iterator[Stated]:
    """The tools that a value names; an address by its last part, for whose it is names none."""
    value = str(field.value)
    return _tools(value.rstrip("/").rpartition("/")[2] if "://" in value else value, field.span)


def _tools(text: str, span: Span) -> Iterator[Stated]:
    return (Stated(kind, ", ".join(tools), span) for kind, tools in tools_in(text).items())


def section(field: Field, _: Rule, file: File) -> Iterator[Stated]:
    """The tool that a table of settings is of, from the line that begins the table."""
    name = field.path[field.path[0] == "tool"].removeprefix("tool:")
    start = max(file.page.text.rfind(mark, 0, field.span.start) + 1 for mark in ("\n[", "\n\n"))
    return _tools(name, trimmed(file.page, Span(start, field.span.end)))


def configured(_: Field, __: Rule, file: File) -> Iterator[Stated]:
    """The tool whose configuration the file is."""
    return _tools(file.page.path.lstrip(".").split(".")[0], trimmed(file.page, lines_span(file.page, 0, 1)))


def task(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """What a task is for, by its name, else by its commands, or what it runs; and the tools it runs."""
    commands = _commands(field.value)
    name = rule.key or rule.argument
    does = rule.property or purpose_of_task(name.rpartition("/")[2] if "/" in name else name)
    done = [*filter(None, map(purpose_of, commands))]
    does = does or next((one for one in done if one == "release"), done[0] if done else "")
    if rule.argument.startswith("npm") and is_hook(name):
        does = ""  # nobody runs it: npm does, before or after another
    if name == "install" and commands:  # of the program, or of what the work on it needs
        does = "develop" if "develop" in done or any(map(is_own, commands)) else ""
    runs = next((one for one in commands if purpose_of(one) == does), commands[0] if commands else "")
    shown = rule.argument.replace("{}", rule.key) or rule.key
    behind = shorten(_line(_filled(command_of(runs))), SHOWN, placeholder=" …")
    if does and does != "install":
        yield Stated(does, f"{shown} ({behind})" if behind and behind != shown else shown, field.span)
    elif rule.key and not does:
        needs = file.page.text[field.span.start : field.span.end].partition("\n")[0].partition(":")[2]
        yield Stated("task", _line(_filled(" && ".join(commands)) or needs), field.span, shown)
    yield from _tools("\n".join(commands), field.span)


def _commands(value: Any) -> list[str]:  # noqa: ANN401
    """The lines of a recipe, or the commands of a list, each of which may be a list of words."""
    if isinstance(value, dict):
        value = next((value[name] for name in ("cmds", "cmd", "script", "shell") if name in value), "")
    if isinstance(value, list):
        return [" ".join(one for one in listed(words) if isinstance(one, str)) for words in value]
    lines = [line.strip() for line in str(value).splitlines()]
    return [line for line in lines if line and not line.startswith(_SILENT)]


def _filled(command: str) -> str:
    """*command* without what a tool puts into it from its own arguments, and with names for other values.

    >>> [_filled(one) for one in ("tox -e ${{ matrix.tox }} {posargs}", "release create ${TAG}", "pytest {root}/owl")]
    ['tox -e <tox>', 'release create <TAG>', 'pytest <root>/owl']
    """
    return _VALUE.sub(r"<\1>", _TEMPLATE.sub(lambda found: f"<{found['name']}>" if found["name"] else "", command))


def run(field: Field, _: Rule, file: File) -> Iterator[Stated]:
    """The lines of a script that do something known, and the tools they run."""
    return as_steps(_run(field, file))


def as_steps(stated: Iterable[Stated]) -> Iterator[Stated]:
    """*stated*, with the steps of a build that follow each other as one."""
    for does, some in groupby(stated, lambda one: one.property):
        first, *others = some
        if does == "build" and others:
            value, end = " && ".join(one.value for one in (first, *others)), others[-1].span.end
            yield first._replace(value=value, span=Span(first.span.start, max(first.span.end, end)))
        else:
            yield from (first, *others)


def _run(field: Field, file: File) -> Iterator[Stated]:
    for line, span in ((line, span) for line, span in _lines_of(field, file.page) if line[0] != "#"):
        if (does := purpose_of(line)) and does not in ("install", "develop"):
            yield Stated(does, _line(_filled(command_of(line))), span)
        if least := _COVERAGE.search(line):
            yield Stated("coverage", f"{least[1]}%", span)
        yield from _tools(line, span)


def _lines_of(field: Field, page: Page) -> Iterator[tuple[str, Span]]:
    """The lines of a script with where they stand; a line that the file breaks stands in all of the field."""
    at = field.span.start
    for line in filter(None, (line.strip() for one in listed(field.value) for line in str(one).splitlines())):
        found = page.text.find(line, at, field.span.end)
        at = found + len(line) if found >= 0 else at
        yield line, whole_lines(page, Span(found, at)) if found >= 0 else field.span


def funding(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """Where a project can be paid, by the service."""
    if names := ", ".join(str(one) for one in listed(field.value) if one):
        yield Stated(rule.property, _line(names if "://" in names else f"{rule.key}: {names}"), field.span)


def _requirement(value: object) -> str:
    if isinstance(value, dict):
        group = value.get("include-group")
        return str(next(iter(value.values()), "")) if group is None else f"group {group}"
    return " ".join(str(value).split()).replace(", ", ",")


def _line(value: str) -> str:
    return " ".join(value.split())[:LONGEST].strip()


def maven(field: Field, _: Rule, __: File) -> Iterator[Stated]:
    """A dependency by its group, name and version; one for tests is for development."""
    for one in (one for one in listed(field.value) if isinstance(one, dict) and one.get("artifactId")):
        name = ":".join(str(one[part]) for part in ("groupId", "artifactId", "version") if one.get(part))
        tests = one.get("scope") == "test"
        yield Stated("development dependencies" if tests else "dependencies", _line(name), field.span, "test" * tests)


def pinned(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """A version of what the file is of."""
    yield Stated(rule.property, str(field.value), field.span, rule.of or "Node.js")
