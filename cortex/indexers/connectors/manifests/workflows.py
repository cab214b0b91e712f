"""Workflows: on which systems and versions a job runs, and what makes a release."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cortex.indexers.connectors.manifests.fields import Field, listed
from cortex.indexers.connectors.manifests.forms import File, Rule, Stated
from cortex.indexers.connectors.pages import Span
from cortex.language.commands import purpose_of, purpose_of_task
from cortex.language.dates import spoken_cron
from cortex.language.patterns import words
from cortex.language.project import tech_of

MOST: Final = 60  # values of one axis
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
    value = field.value
    told = [f"{name}{_of(given)}" for name, given in value.items()] if isinstance(value, dict) else listed(value)
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


def _of(given: object) -> str:
    pairs = given.items() if isinstance(given, dict) else ()
    told = [f"{name} {' '.join(map(str, listed(value)))}" for name, value in pairs if isinstance(value, (str, list))]
    return f" ({'; '.join(told)})" if told else ""


def versions_listed(field: Field, rule: Rule, _: File) -> Iterator[Stated]:
    """The versions of the argument that a configuration lists."""
    if values := [str(one) for one in listed(field.value) if isinstance(one, str)]:
        yield Stated(rule.property, ", ".join(values[:MOST]), field.span, rule.argument)
