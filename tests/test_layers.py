"""Imports go down only; below the surfaces nothing reads the settings, the clock or the environment."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from tests.sources import ROOT, dotted, imports, imports_of, modules, parsed
from tests.tables import walk

LAYERS = (
    "packaged", "regex", "errors", "language", "substrate", "llm", "indexers", "composer", "brief", "compactor",
    "evals", "surfaces",
)  # fmt: skip
TOP = len(LAYERS)


def height(module: str) -> int:
    """How high *module* stands; the package itself and its loose modules stand over every layer."""
    _, _, inner = module.partition(".")
    layer, _, _ = inner.partition(".")
    return LAYERS.index(layer) if layer in LAYERS else TOP


def climbs(module: str, imported: str) -> bool:
    """Whether importing *imported* from *module* goes up, or past the settings, which only surfaces read."""
    if not f"{imported}.".startswith("cortex."):
        return False
    if imported.startswith("cortex.settings"):
        return height(module) < LAYERS.index("surfaces")
    return height(imported) > height(module)


def test_imports_go_down_only() -> None:
    imports = [(path, name, line) for path in modules().values() for name, line in imports_of(path)]
    assert [f"{path}:{line} imports {name}" for path, name, line in imports if climbs(dotted(path), name)] == []


@walk(
    ("module", "statement", "climbing"),
    [
        ("cortex.substrate.brain", "from cortex.errors import BrainBusy", False),
        ("cortex.errors", "from cortex.substrate import model", True),
        ("cortex.language.words", "from cortex.substrate.search import query_terms", True),
        ("cortex.substrate.search", "from cortex.language.words import STOP_WORDS", False),
        ("cortex.indexers.run", "import cortex.composer.ask", True),
        ("cortex.indexers.run", "from cortex import composer", True),
        ("cortex.indexers.run", "from ..composer import ask", True),
        ("cortex.indexers.run", "from . import docs", False),
        ("cortex.indexers.run", "def run():\n    from cortex.surfaces import cli", True),
        ("cortex.indexers.run", "import_module('cortex.evals.asking')", True),
        ("cortex.composer.ask", "from cortex import ask", True),
        ("cortex.evals.asking", "from cortex.settings import Settings", True),
        ("cortex.surfaces.cli", "from cortex.settings import Settings", False),
        ("cortex", "from cortex.composer.pipeline import ask", False),
        ("cortex.substrate.brain", "import sqlite3", False),
    ],
)
def test_an_import_upwards_is_seen_however_it_is_written(module: str, statement: str, *, climbing: bool) -> None:
    assert any(climbs(module, name) for name, _ in imports(ast.parse(statement), module)) is climbing


class _AtOnce(ast.NodeTransformer):
    """Leaves out what a module does only when it is called."""

    def visit_FunctionDef(self, _: ast.FunctionDef) -> ast.Pass:
        return ast.Pass()

    def visit_AsyncFunctionDef(self, _: ast.AsyncFunctionDef) -> ast.Pass:
        return ast.Pass()


def needed(path: Path) -> set[str]:
    """The modules of the package that are imported while that at *path* is."""
    tree = _AtOnce().visit(ast.parse(path.read_text("utf-8")))
    known, here = modules(), dotted(path) if path.is_relative_to(ROOT) else ""
    named = [name for name, _ in imports(tree, here, package=path.name == "__init__.py")]
    return {name if name in known else name.rpartition(".")[0] for name in named} & known.keys() - {here}


def test_no_module_is_imported_for_its_own_import_so_that_any_may_come_first() -> None:
    order = TopologicalSorter({name: needed(path) for name, path in modules().items()})
    assert len([*order.static_order()]) == len(modules())


def test_what_a_module_needs_at_once_is_seen_and_what_a_function_does_is_not(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("from cortex.errors import BadInput\n\ndef later():\n    import cortex.settings\n", "utf-8")
    assert needed(module) == {"cortex.errors"}


def test_every_module_belongs_to_a_layer() -> None:
    loose = {name for name in modules() if height(name) == TOP}
    assert loose <= {"cortex", "cortex.settings", "cortex.packaged", "cortex.__main__"}


AMBIENT = {
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
    ("time", "time"),
    ("time", "time_ns"),
    ("os", "environ"),
    ("os", "getenv"),
    ("uuid", "uuid1"),
    ("uuid", "uuid4"),
    ("secrets", "token_hex"),
}


# A program that is started gets the environment it would have had; nothing is decided by it here.
PASSED_ON = {"cortex.indexers.connectors.git_command": {"os.environ"}, "cortex.indexers.processes": {"os.environ"}}


def ambient(tree: ast.Module) -> list[tuple[str, int]]:
    """Where a module reads a clock, the environment or chance."""
    attributes = [
        n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name | ast.Attribute)
    ]
    return [
        (f"{owner}.{n.attr}", n.lineno)
        for n in attributes
        if ((owner := _last(n.value)), n.attr) in AMBIENT or owner == "random"
    ]


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _below_surfaces() -> list[Path]:
    return [path for name, path in modules().items() if height(name) < LAYERS.index("surfaces")]


def test_time_chance_and_environment_are_arguments_below_the_surfaces() -> None:
    read = {dotted(path): ambient(parsed(path)) for path in _below_surfaces()}
    assert {module: {name for name, _ in found} for module, found in read.items() if found} == PASSED_ON


@walk(
    ("statement", "found"),
    [
        ("datetime.now(UTC)", "datetime.now"),
        ("datetime.datetime.now()", "datetime.now"),
        ("os.environ['HOME']", "os.environ"),
        ("random.random()", "random.random"),
        ("time.time()", "time.time"),
    ],
)
def test_a_reading_of_the_ambient_is_seen(statement: str, found: str) -> None:
    assert ambient(ast.parse(statement)) == [(found, 1)]


def test_a_stopwatch_is_no_clock() -> None:
    assert ambient(ast.parse("time.perf_counter()")) == []
