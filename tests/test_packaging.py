"""What a person gets who installs Cortex: everything it needs, nothing of ours, and little of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator, Mapping
from email import message_from_string
from email.message import Message
from functools import cache
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.sources import PACKAGE, ROOT, imports_of, modules
from tests.tables import walk

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
MEGABYTE = 1_000_000


def run(*command: str | Path, **environment: str) -> str:
    """What *command* prints, run outside the checkout and with nothing of this environment on its path."""
    bare = {"PATH": os.defpath, "HOME": os.environ["HOME"], **environment}
    done = subprocess.run(command, env=bare, cwd=bare["HOME"], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(*arguments: str | Path) -> str:
    return run(sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", *arguments)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    pip("wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture(scope="module")
def metadata(wheel: Path, names: list[str]) -> Message:
    (path,) = (name for name in names if name.endswith(".dist-info/METADATA"))
    with zipfile.ZipFile(wheel) as archive:
        return message_from_string(archive.read(path).decode())


def closure(requirements: list[str]) -> Iterator[Distribution]:
    """The distributions that installing *requirements* brings, without extras, each once."""
    seen: set[str] = set()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in seen or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        found = distribution(name)
        yield found
        waiting += [Requirement(line) for line in found.requires or ()]


@pytest.fixture(scope="module")
def dependencies(metadata: Message) -> list[Distribution]:
    return list(closure(metadata.get_all("Requires-Dist", [])))


@pytest.fixture(scope="module")
def installed(wheel: Path, dependencies: list[Distribution], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a new environment that holds the wheel and what it asks for, linked from here, and nothing else."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False, symlinks=True)
    (site,) = home.glob("lib/python*/site-packages")
    for dependency in dependencies:
        for top in {file.parts[0] for file in dependency.files or () if file.parts[0] != ".."} - {"__pycache__"}:
            (site / top).symlink_to(str(dependency.locate_file(top)))
    pip("--python", home / "bin" / "python", "install", "--no-deps", "--no-index", "--no-compile", wheel)
    return home / "bin"


def test_an_installed_cortex_runs_without_development_dependencies(installed: Path) -> None:
    assert run(installed / "cortex", "--help").startswith("Usage: cortex")


def test_an_installed_cortex_makes_a_brain(installed: Path, tmp_path: Path) -> None:
    program = "import sys; from cortex.substrate.brain import open_brain; open_brain(sys.argv[1]).close()"
    run(installed / "python", "-c", program, tmp_path / "brain.db")
    assert (tmp_path / "brain.db").stat().st_size


EACH = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"


OF_AN_EXTRA = re.compile(
    r"cortex\.(?:surfaces\.(?:http(?:\..+)?|mcp_(?:local|server))|substrate\.(?:signs|postgres\..+))"
)
"""What nothing imports but what says which extra it needs."""


def test_every_module_imports_where_only_the_base_is_installed(installed: Path) -> None:
    names = [name for name in modules() if not OF_AN_EXTRA.fullmatch(name)]
    run(installed / "python", "-W", "error", "-c", EACH, *names)


@pytest.mark.parametrize("command", ["mcp", "serve"])
def test_a_command_whose_extra_is_missing_says_which(installed: Path, command: str) -> None:
    done = subprocess.run([installed / "cortex", command], capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 2
    (said,) = done.stderr.splitlines()
    assert said.endswith("pip install 'cortex-project-memory[serve]'")


@pytest.mark.parametrize("absent", ["pytest", "hatchling", "mypy", "numpy"])
def test_the_new_environment_is_empty_of_the_rest(installed: Path, absent: str) -> None:
    found = f"import importlib.util as i; print(i.find_spec({absent!r}))"
    assert run(installed / "python", "-c", found) == "None\n"


def test_the_base_is_small(dependencies: list[Distribution]) -> None:
    sizes = {d.name: sum(path.stat().st_size for path in _files(d)) for d in dependencies}
    assert sum(sizes.values()) < 60 * MEGABYTE, sizes
    assert not {"numpy", "torch", "openai", "anthropic"} & {canonicalize_name(name) for name in sizes}


def _files(found: Distribution) -> Iterator[Path]:
    paths = (Path(str(found.locate_file(file))) for file in found.files or ())
    return (path for path in paths if path.is_file())


def test_the_wheel_holds_the_whole_package_and_the_demo_project(names: list[str]) -> None:
    files = (path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc")
    ours = {path.relative_to(ROOT).as_posix() for path in files}
    seeds = [path.relative_to(ROOT / "seeds") for path in (ROOT / "seeds").rglob("*") if path.is_file()]
    demo = {f"cortex/_demo/{path.as_posix()}" for path in seeds}
    assert {"cortex/py.typed", "cortex/_demo/o8/pulls.jsonl"} <= ours | demo
    assert (ours | demo) - set(names) == set()


def test_the_wheel_holds_nothing_else(names: list[str]) -> None:
    assert {name.split("/")[0].removesuffix(".dist-info") for name in names} == {
        "cortex",
        f"{PROJECT['name'].replace('-', '_')}-{PROJECT['version']}",
    }


@cache
def owners() -> Mapping[str, list[str]]:
    """The distributions that bring each top-level name."""
    return packages_distributions()


def owners_of(top: str) -> set[str]:
    """The distributions that bring *top*; one that is not installed here is taken to be called as what it brings."""
    return {canonicalize_name(owner) for owner in owners().get(top, [top])}


def declared() -> set[str]:
    extras = [line for extra in PROJECT.get("optional-dependencies", {}).values() for line in extra]
    return {canonicalize_name(Requirement(line).name) for line in [*PROJECT["dependencies"], *extras]}


def test_every_import_is_of_a_declared_dependency() -> None:
    """One that happens to be there because another needs it would go when that one changes its mind."""
    tops = {(name.split(".")[0], module) for module, path in modules().items() for name, _ in imports_of(path)}
    others = sorted((top, module) for top, module in tops if top not in {*sys.stdlib_module_names, "cortex"})
    assert [one for one in others if not declared() & owners_of(one[0])] == []


def test_every_dependency_is_imported_somewhere() -> None:
    tops = {name.split(".")[0] for path in modules().values() for name, _ in imports_of(path)}
    used = {owner for top in tops for owner in owners_of(top)}
    assert declared() - used == set()


PIN = re.compile(
    r"^(?P<name>[a-z0-9.-]+)==(?P<version>\S+)(?: ; [^\\]+?)?(?P<hashes>(?: \\\n    --hash=sha256:[0-9a-f]{64})+)$",
    re.M,
)


def pins(lock: Path) -> dict[str, str]:
    return {found["name"]: found["version"] for found in PIN.finditer(lock.read_text("utf-8"))}


@walk("lock", LOCKS, ids=lambda path: path.stem)
def test_a_lock_is_pins_with_hashes_and_nothing_else(lock: Path) -> None:
    """No address of an index, no host, no folder: where packages come from is the business of who installs."""
    assert PIN.sub("", lock.read_text("utf-8")).strip() == ""
    assert pins(lock)


def test_every_dependency_is_locked(metadata: Message, dependencies: list[Distribution]) -> None:
    base = pins(ROOT / "requirements" / "base.txt")
    assert {canonicalize_name(found.name) for found in dependencies} - set(base) == set()
    for line in metadata.get_all("Requires-Dist", []):
        requirement = Requirement(line)
        if requirement.marker is None:
            assert requirement.specifier.contains(base[canonicalize_name(requirement.name)]), line


def test_development_adds_to_the_base_and_changes_none_of_it() -> None:
    base, dev = (pins(ROOT / "requirements" / f"{name}.txt") for name in ("base", "dev"))
    assert base.items() <= dev.items()
