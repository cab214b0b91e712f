"""The checkout as its tests read it: modules, what they import, and the files beside them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "cortex"


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    return {dotted(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def parsed(path: Path) -> ast.Module:
    """The tree of the module at *path*, which nobody changes."""
    return ast.parse(path.read_text("utf-8"))


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(tree: ast.Module, module: str, *, package: bool = False) -> Iterator[tuple[str, int]]:
    """What *module* imports, and on which line; inside functions and type-checking blocks too.

    `from a import b` gives 'a.b': only an importer knows whether b is a module or a name in one.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".") if package else module.split(".")[:-1]
            start = ".".join(above[: len(above) - node.level + 1]) if node.level else ""
            origin = ".".join(part for part in (start, node.module) if part)
            yield from ((f"{origin}.{alias.name}", node.lineno) for alias in node.names)
        elif isinstance(node, ast.Call) and _name(node.func) in {"import_module", "__import__", "find_spec"}:
            yield from (
                (a.value, node.lineno) for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
            )


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def imports_of(path: Path) -> list[tuple[str, int]]:
    return list(imports(parsed(path), dotted(path), package=path.name == "__init__.py"))
