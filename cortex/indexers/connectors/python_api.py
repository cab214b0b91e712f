"""What Python source says of itself: modules, classes, functions, constants and messages, as `code` records.

The source is parsed, never imported or run. A `code` record is of no language: its ref is the file and the name,
`code:src/pkg/mod.py#Class.method`, its title the name with what it takes, its body a run of source as it stands.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, repeat
from typing import Final, NamedTuple

from cortex.indexers.connectors.pages import MOST, Page, Piece, cut, line, records_of, size_of
from cortex.language.patterns import patterns
from cortex.substrate.model import Record, Skipped

SHORT: Final = 700  # characters up to which an undocumented definition is kept whole
CUT: Final = 2_000  # characters of a class or a constant that are kept
LONGEST_LIST: Final = 100  # characters of a title that only lists names
FEWEST_WORDS: Final = 3  # of a message that tells something
NO_PYTHON: Final = "not parsed: no source of the Python that runs Cortex"

LONGEST_VALUE: Final = 30  # characters of a default, a value or what is returned
LONGEST: Final = 400

_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DEFINED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_INSIDE: Final = ("body", "handlers", "orelse", "finalbody", "cases")


def claims(path: str) -> bool:
    """Whether the file at *path* holds source that others call by its name: no tests, examples or generated code."""
    return path.endswith(".py") and not patterns("connectors", "code")["aside"].search(path)


def is_package(path: str) -> bool:
    """Whether the file at *path* says what a package exports."""
    return path.rpartition("/")[2] == "__init__.py" and claims(path)


def read(found: Page, public: Mapping[str, str], *, source: str) -> Iterator[Record | Skipped]:
    """A `code` record for whatever is documented, short, or states a value or a condition.

    Args:
        public: what names of other modules are called by those who import them, as `exports` tells.
    """
    try:
        pieces = [*islice(_pieces(found, _parsed(found), _Names(module_of(found.path), public)), MOST + 1)]
    except _NOT_READ:
        yield Skipped(input=found.path, reason=NO_PYTHON)
        return
    yield from records_of(found, pieces, source=source)


def exports(pages: Iterable[Page]) -> dict[str, str]:
    """By the full name of what packages import from their modules, the name it has in the package."""
    found: dict[str, str] = {}
    for page in pages:
        package, body = module_of(page.path), list[ast.stmt]()
        with suppress(*_NOT_READ):
            body = _parsed(page).body
        for one in body:
            if isinstance(one, ast.ImportFrom) and one.level < 2 and one.module:
                module = f"{package}.{one.module}" if one.level else one.module
                for alias in one.names if module.startswith(f"{package}.") else ():
                    found[f"{module}.{alias.name}"] = f"{package}.{alias.asname or alias.name}"
    return found


def module_of(path: str) -> str:
    """The name by which the module at *path* is imported: folders that only hold packages left off.

    >>> module_of("src/pkg/__init__.py"), module_of("pkg/a/b.py")
    ('pkg', 'pkg.a.b')
    """
    inside = patterns("connectors", "code")["above"].sub("", path.removesuffix(".py"))
    return inside.removesuffix("/__init__").replace("/", ".")


class _Names(NamedTuple):
    module: str
    public: Mapping[str, str]

    def of(self, name: str) -> str:
        """What *name* of this module is called by those who import it."""
        first, _, rest = name.partition(".")
        full, known = f"{self.module}.{first}", set[str]()
        while full not in known:
            known.add(full)
            module, _, last = full.rpartition(".")
            every = self.public.get(f"{module}.*", "") if last[:1] != "_" else ""
            full = self.public.get(full, every and f"{every[:-2]}.{last}") or full
        return f"{full}.{rest}" if rest else full


_NOT_READ: Final = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What no source of this Python, or an expression that nobody wrote by hand, raises."""


def _parsed(found: Page) -> ast.Module:
    with warnings.catch_warnings(action="ignore"):
        return ast.parse(found.text)


def _pieces(found: Page, tree: ast.Module, names: _Names) -> Iterator[Piece]:
    if patterns("connectors", "code")["made"].search(found.text[:SHORT]):
        return
    if said := _docstring(tree):
        yield Piece("", names.module, said.lineno, said.end_lineno or said.lineno)
    values = constants(tree.body)
    yield from _constants(found, tree.body, names)
    yield from _defined(found, tree.body, "", names, values)
    yield from _messages(tree.body, values, names)


def _defined(
    found: Page, body: Sequence[ast.AST], above: str, names: _Names, values: Mapping[str, str]
) -> Iterator[Piece]:
    """Classes with what stands in them, and functions, those under conditions too; none that stands in a function."""
    todo = [*reversed(body)]
    while todo:
        one = todo.pop()
        if not isinstance(one, _DEFINED):
            todo += [inner for name in reversed(_INSIDE) for inner in reversed(getattr(one, name, ()))]
            continue
        name = f"{above}.{one.name}" if above else one.name
        if last := _last_line(found, one, is_private=f".{name}".replace("__init__", "").find("._") >= 0):
            title = called(names.of(name), one, values, method=bool(above))
            yield Piece(name, title, _first_line(one), last, "" if _docstring(one) else "undocumented")
        if isinstance(one, ast.ClassDef):
            yield from _defined(found, one.body, name, names, values)


def _docstring(one: ast.Module | _Defined) -> ast.Constant | None:
    match one.body:
        case [ast.Expr(ast.Constant(str(said)) as first), *_] if said.strip():
            return first
    return None


def _first_line(one: _Defined) -> int:
    return min([one.lineno, *(decorator.lineno for decorator in one.decorator_list)])


def _last_line(found: Page, one: _Defined, *, is_private: bool) -> int:
    """The last line that is kept of a definition; 0 where it tells nothing."""
    said = _docstring(one)
    is_overload = any(ast.unparse(mark).rpartition(".")[2] == "overload" for mark in one.decorator_list)
    is_stub = len(one.body) == 1 and isinstance(one.body[0], ast.Expr) and isinstance(one.body[0].value, ast.Constant)
    if is_overload or (not said and (is_private or is_stub)):
        return 0
    first, end = _first_line(one), one.end_lineno or one.lineno
    if isinstance(one, ast.ClassDef):
        inner = next((_first_line(inner) - 1 for inner in one.body if isinstance(inner, _DEFINED)), end)
        return cut(found, first, inner, CUT) if said or inner == end else 0
    if said:
        return said.end_lineno or end
    if size_of(found, first, end) <= SHORT and one.name != "__init__":
        return end
    return max(one.lineno, one.body[0].lineno - 1) if one.args.defaults or any(one.args.kw_defaults) else 0


def _constants(found: Page, body: Sequence[ast.stmt], names: _Names) -> Iterator[Piece]:
    """Runs of constants, line below line, each with the comment above it."""
    runs: list[list[ast.stmt]] = []
    end = -1
    for one in body:
        is_constant = bool(constants([one]))
        if is_constant:
            runs += [] if one.lineno == end + 1 else [[]]
            runs[-1].append(one)
        end = one.end_lineno or -1 if is_constant else -1
    for run in runs:
        known, first = constants(run), run[0].lineno
        while first > 1 and line(found, first - 2).startswith("#"):
            first -= 1
        name, value = next(iter(known.items()))
        alone = f"{names.of(name)}{value and f' = {value}'}"
        title = shortened(alone if len(known) == 1 else f"{names.module}: {', '.join(known)}", LONGEST_LIST)
        yield Piece(name, title, first, cut(found, first, run[-1].end_lineno or first, CUT))


def _messages(body: Sequence[ast.stmt], values: Mapping[str, str], names: _Names) -> Iterator[Piece]:
    """What is raised with a message or asserted, each with the condition right above it."""
    todo: list[tuple[ast.AST, str, ast.AST | None]] = [(one, "", None) for one in reversed(body)]
    while todo:
        one, above, condition = todo.pop()
        if isinstance(one, (ast.Raise, ast.Assert)):
            given = one.exc if isinstance(one, ast.Raise) else one.msg
            told = "".join(_told(given, values)) if given else ""
            if len(told.split()) >= FEWEST_WORDS:
                title = f"{names.of(above) if above else names.module}: {told}"
                yield Piece(above, shortened(title), (condition or one).lineno, one.end_lineno or one.lineno)  # type: ignore[attr-defined]
            continue
        inside = f"{above}.{one.name}".lstrip(".") if isinstance(one, _DEFINED) else above
        for name in reversed(_INSIDE):
            inner = getattr(one, name, ())
            above_first = one if isinstance(one, ast.If) and name == "body" else None
            todo += [(each, inside, None if place else above_first) for place, each in reversed([*enumerate(inner)])]


def _told(given: ast.AST, values: Mapping[str, str]) -> Iterator[str]:
    """The texts in *given*, constants in it as their values."""
    match given:
        case ast.Constant(str(text)):
            yield text
        case ast.FormattedValue(value):
            yield values.get(ast.unparse(value)) or "…"
        case _:
            for inner in ast.iter_child_nodes(given):
                yield from _told(inner, values)


def called(name: str, one: _Defined, values: Mapping[str, str], *, method: bool) -> str:
    """*name* with what it takes: `click.launch(url, wait=False, locate=False) -> int`.

    A class takes what its `__init__` takes, which goes by the name of the class itself.

    Args:
        values: constants of the module, which stand as their values.
    """
    if isinstance(one, ast.ClassDef):
        made = (inner for inner in one.body if isinstance(inner, ast.FunctionDef) and inner.name == "__init__")
        return next((called(name, init, values, method=True) for init in made), name)
    if any(isinstance(mark, ast.Name) and mark.id.endswith("property") for mark in one.decorator_list):
        return f"{name}{_returned(one)}"
    given = _parameters(one.args, values)
    given = given[1:] if method and given and given[0] in ("self", "cls") else given
    lead = ("async " if isinstance(one, ast.AsyncFunctionDef) else "") + name.removesuffix(".__init__")
    room = LONGEST - len(lead)
    while given and len(", ".join(given)) > room:
        given = [*given[:-2], "…"] if given[-1] == "…" else [*given[:-1], "…"]
    return f"{lead}({', '.join(given)}){_returned(one) if one.name != '__init__' else ''}"


def _returned(one: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    told = ast.unparse(one.returns).strip("'\"") if one.returns else ""
    return f" -> {told}" if 0 < len(told) <= LONGEST_VALUE else ""


def _parameters(given: ast.arguments, values: Mapping[str, str]) -> list[str]:
    by_place = [*given.posonlyargs, *given.args]
    defaults = [*repeat(None, len(by_place) - len(given.defaults)), *given.defaults]
    taken = [_with(one.arg, default, values) for one, default in zip(by_place, defaults, strict=True)]
    only = [_with(one.arg, default, values) for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    first = len(given.posonlyargs)
    star = [f"*{given.vararg.arg if given.vararg else ''}"] if given.vararg or only else []
    end = [f"**{given.kwarg.arg}"] if given.kwarg else []
    return [*taken[:first], *(["/"] if first else []), *taken[first:], *star, *only, *end]


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
