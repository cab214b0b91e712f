"""Python signatures and values as a title shows them: short, on one line, without annotations."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Final

LONGEST_VALUE: Final = 30  # characters of a default, a value or what is returned
LONGEST: Final = 400

_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def is_overload(one: _Defined) -> bool:
    """Whether *one* only declares what a later definition takes."""
    return any(ast.unparse(mark).rpartition(".")[2] == "overload" for mark in one.decorator_list)


def called(name: str, one: _Defined, values: Mapping[str, str], *, method: bool) -> str:
    """*name* with what it takes: `click.launch(url, wait=False, locate=False) -> int`.

    A class takes what its `__init__` takes, which goes by the name of the class itself.

    Args:
        values: constants of the module, which stand as their values.
    """
    if isinstance(one, ast.ClassDef):
        made = [inner for inner in one.body if isinstance(inner, ast.FunctionDef) and inner.name == "__init__"]
        return called(name, made[0], values, method=True) if made else name
    if any(isinstance(mark, ast.Name) and mark.id.endswith("property") for mark in one.decorator_list):
        return f"{name}{_returned(one)}"
    given = [*_parameters(one.args, values)]
    given = given[1:] if method and given and given[0] in ("self", "cls") else given
    lead = ("async " if isinstance(one, ast.AsyncFunctionDef) else "") + name.removesuffix(".__init__")
    room = LONGEST - len(lead)
    while given and len(", ".join(given)) > room:
        given = [*given[:-2], "…"] if given[-1] == "…" else [*given[:-1], "…"]
    return f"{lead}({', '.join(given)}){_returned(one) if one.name != '__init__' else ''}"


def _returned(one: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    told = ast.unparse(one.returns).strip("'\"") if one.returns else ""
    return f" -> {told}" if 0 < len(told) <= LONGEST_VALUE else ""


def _parameters(given: ast.arguments, values: Mapping[str, str]) -> Iterator[str]:
    by_place = [*given.posonlyargs, *given.args]
    defaults = [*repeat(None, len(by_place) - len(given.defaults)), *given.defaults]
    for place, (one, default) in enumerate(zip(by_place, defaults, strict=True), 1):
        yield _with(one.arg, default, values)
        if place == len(given.posonlyargs):
            yield "/"
    if given.vararg or given.kwonlyargs:
        yield f"*{given.vararg.arg if given.vararg else ''}"
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _with(one.arg, default, values)
    if given.kwarg:
        yield f"**{given.kwarg.arg}"


def _with(name: str, default: ast.expr | None, values: Mapping[str, str]) -> str:
    told = _written(default) if default else ""
    return f"{name}={values.get(told) or told or '…'}" if default else name


def _written(value: ast.expr) -> str:
    """*value* as written, shortened; '' for what takes more than a line."""
    is_long = value.end_lineno != value.lineno or (value.end_col_offset or 0) - value.col_offset > LONGEST
    return "" if is_long else shortened(ast.unparse(value), LONGEST_VALUE)


def constants(body: Sequence[ast.stmt]) -> Mapping[str, str]:
    """The constants that *body* assigns, by name, each with its value as written: capitals, or a plain value.

    One that is made by a call has none.
    """
    found = {}
    for one in body:
        if not isinstance(one, (ast.Assign, ast.AnnAssign)):
            continue
        target, value = one.targets[0] if isinstance(one, ast.Assign) else one.target, one.value
        if isinstance(target, ast.Name) and value and target.id != "__all__":
            plain = isinstance(value, ast.Constant) and value.value not in (None, "")
            made = isinstance(value, ast.Call)
            if plain or (target.id.isupper() and len(target.id) > 1 and not (made and target.id[0] == "_")):
                found[target.id] = "" if made else _written(value)
    return found


def shortened(text: str, most: int = LONGEST) -> str:
    """*text* on one line, its end left off beyond *most* characters."""
    told = " ".join(text.split())
    return told if len(told) <= most else f"{told[: most - 1]}…"
