"""Workflows and tasks: on which systems and versions a job runs, what makes a release, what commands are for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from textwrap import shorten
from typing import Any, Final

from cortex.indexers.connectors.manifests.fields import Field, listed, whole_lines
from cortex.indexers.connectors.manifests.forms import SHOWN, File, Rule, Stated, one_line, tools_named
from cortex.indexers.connectors.pages import Span
from cortex.language.commands import command_of, is_hook, is_own, purpose_of, purpose_of_task
from cortex.language.dates import spoken_cron
from cortex.language.patterns import words
from cortex.language.project import tech_of

MOST: Final = 60  # values of one axis
_COVERAGE: Final = re.compile(r"--(?:cov-)?fail-under[= ](\d+)")
_SILENT: Final = ("#", "$(info", "@echo", "echo", "export ", "set ", "if ", "fi", "@#")
_TEMPLATE: Final = re.compile(r"\s?\{\{?posargs.*|(?<!\$)\{\{.*?\}\}|(?<!\$)\{(?P<name>\w+)\}")
_VALUE: Final = re.compile(r"\$\{(?:\{\s*(?:[\w-]+\.)*)?([\w-]+)[^{}]*\}\}?")  # which the workflow or the shell puts in
_MATRIX: Final = re.compile(r"\$\{\{\s*matrix\.([\w.-]+)\s*(?:\|\|\s*'([^']*)'\s*)?\}\}")
_CALLED: Final = re.compile(r"\.github/workflows/([\w-]+)\.ya?ml")

Axes = Mapping[str, list[str]]


def job(field: Field, _: Rule, file: File) -> Iterator[Stated]:
    """The systems that a job runs on, and the versions that it runs with: those of a matrix, or of its steps."""
    if not isinstance(field.value, dict):
        return
    found = file.fields.get((*field.path, "strategy", "matrix"))
    axes = _axes(found.value) if found else {}
    runs_on = file.fields.get((*field.path, "runs-on"))
    if runs_on and (systems := _resolved(runs_on.value, axes)):
        span = found.span if found and "matrix." in str(runs_on.value) else runs_on.span
        yield Stated("ci platforms", ", ".join(systems), span)
    steps = [one for one in listed(field.value.get("steps")) if isinstance(one, dict)]
    run = [line for one in steps for line in str(one.get("run", "")).splitlines()]
    if found or any(purpose_of(line) == "test" for line in run):
        for of, (values, span) in _versions(field, steps, axes, found, file).items():
            yield Stated("ci versions", ", ".join(values), span, of)


def _versions(
    field: Field, steps: list[dict[str, Any]], axes: Axes, matrix: Field | None, file: File
) -> dict[str, tuple[list[str], Span]]:
    found: dict[str, tuple[list[str], Span]] = {}
    for place, step in enumerate(steps):
        given = step.get("with")
        for name, value in given.items() if isinstance(given, dict) else ():
            stated = file.fields.get((*field.path, "steps", str(place), "with", name))
            values = _resolved(value, axes)
            if name.endswith("version") and (of := tech_of(name)) and values and stated:
                found[of] = values, matrix.span if matrix and "matrix." in str(value) else stated.span
    for name, values in axes.items() if matrix else ():
        tech, is_system = tech_of(name), name.lower() in words("project", "systems")
        of = tech or re.sub(r"[-_]?versions?$", "", name, flags=re.I)
        if matrix and values and of not in found and not is_system and (tech or of != name):
            found[of] = values, matrix.span
    return found


def _axes(matrix: object) -> dict[str, list[str]]:
    """Each axis of a matrix with its values, and 'axis.key' with those in its combinations; single ones come last."""
    axes: dict[str, list[str]] = {}
    rows = [matrix, *listed(matrix.get("include"))] if isinstance(matrix, dict) else []
    axis_values = (axis for row in rows if isinstance(row, dict) for axis in row.items())
    for name, value in (axis for axis in axis_values if axis[0] not in ("include", "exclude")):
        for one in listed(value)[:MOST]:
            keyed = {f"{name}.{key}": inner for key, inner in one.items()} if isinstance(one, dict) else {name: one}
            for key, told in keyed.items():
                known = axes.setdefault(key, [])
                known += [str(told)] if str(told) not in known and "${{" not in str(told) else []
    return axes


def _resolved(value: object, axes: Axes) -> list[str]:
    """The values of *value*, an axis of the matrix in it spelled out; none where it is anything else computed."""
    found: list[str] = []
    for one in map(str, listed(value)):
        axis = _MATRIX.search(one)
        named = [*axes.get(axis[1], ()), *filter(None, (axis[2],))] if axis else []
        found += [one.replace(axis[0], each) for each in named] if axis else [one]
    return [one for one in dict.fromkeys(found) if one and "${{" not in one and not one.startswith("{")]


def trigger(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """What starts a workflow; of one that publishes that is how a release is made."""
    told = listed(field.value)
    if isinstance(field.value, dict):
        told = []
        for name, given in field.value.items():
            pairs = given.items() if isinstance(given, dict) else ()
            of = [f"{key} {' '.join(map(str, listed(one)))}" for key, one in pairs if isinstance(one, (str, list))]
            told.append(f"{name} ({'; '.join(of)})" if of else name)
    events = ", ".join(one for one in told if isinstance(one, str) and one[:1].isalpha())
    if events:
        yield Stated("workflow", f"runs on {events}", field.span, _name(file))
    steps = [str(one.value) for path, one in file.fields.items() if path[-1] in ("run", "uses")]
    called = (found[1] for one in steps if (found := _CALLED.search(one)))
    does = [purpose_of(line) for one in steps for line in one.splitlines()]
    does += [purpose_of(name) or purpose_of_task(name) for name in called]
    if "release" in does:
        yield Stated(rule.property, f"{file.page.path} runs on {events}", field.span)


def _name(file: File) -> str:
    name = file.fields.get(("name",))
    return str(name.value) if name else file.page.path.rpartition("/")[2].partition(".")[0]


def scheduled(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """When a workflow runs, as its line tells and in plain words."""
    spoken = spoken_cron(str(field.value))
    yield Stated(rule.property, f"cron {field.value}{f' ({spoken})' if spoken else ''}", field.span, _name(file))


def updated(field: Field, rule: Rule, file: File) -> Iterator[Stated]:
    """How often dependencies of a kind are looked after."""
    of = file.fields.get((*field.path[:2], "package-ecosystem"))
    yield Stated(rule.property, str(field.value), field.span, f"Dependabot's updates{f' of {of.value}' if of else ''}")


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
    behind = shorten(one_line(_filled(command_of(runs))), SHOWN, placeholder=" …")
    if does and does != "install":
        yield Stated(does, f"{shown} ({behind})" if behind and behind != shown else shown, field.span)
    elif rule.key and not does:
        needs = file.page.text[field.span.start : field.span.end].partition("\n")[0].partition(":")[2]
        yield Stated("task", one_line(_filled(" && ".join(commands)) or needs), field.span, shown)
    yield from tools_named("\n".join(commands), field.span)


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
    at, text = field.span.start, file.page.text
    for line in filter(None, (line.strip() for one in listed(field.value) for line in str(one).splitlines())):
        found = text.find(line, at, field.span.end)
        at = found + len(line) if found >= 0 else at
        # A line that the file breaks stands in all of the field.
        span = whole_lines(file.page, Span(found, at)) if found >= 0 else field.span
        if line[0] == "#":
            continue
        if (does := purpose_of(line)) and does not in ("install", "develop"):
            yield Stated(does, one_line(_filled(command_of(line))), span)
        if least := _COVERAGE.search(line):
            yield Stated("coverage", f"{least[1]}%", span)
        yield from tools_named(line, span)
