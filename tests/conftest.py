"""What holds for every test: nothing of the person who runs it leaks in, and hypothesis draws the same twice.

How fast the machine is decides nothing either, which hypothesis would have it do.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from cortex.substrate.brain import Brain, open_brain
from tests import postgres, warm
from tests.brains import SEEDS, open_demo, open_new

sys.dont_write_bytecode = False  # or every process that a test starts compiles all that it imports
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
gc.disable()  # until all is imported and collected: none of that is garbage

MEMORY = Path("/dev/shm")  # noqa: S108  each test gets a folder of its own there
ROOM = 6 * 2**30  # bytes: several times what all tests write
if (
    not os.environ.get("TMPDIR")
    and os.access(MEMORY, os.W_OK)
    and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    and shutil.disk_usage(MEMORY).free > ROOM
):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)  # no brain or repository of a test waits for a disk

settings.register_profile(
    "cortex",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("cortex")


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What takes a moment to make and is the same for every test, such as the encoder's table."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Folders for one test after the other, each until one has put something into it."""
    return [tmp_path_factory.mktemp("home")]


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """The demo project, indexed once for all tests that only ask."""
    with open_demo(tmp_path_factory.mktemp("demo") / "brain.db") as made:
        path = made.path
    with postgres.kept(path), open_brain(path, read_only=True) as brain:
        yield brain


@pytest.fixture(scope="session")
def demo_brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where a brain is that holds the demo project as a surface indexes it, made once for all tests."""
    from cortex.surfaces.indexing import index  # noqa: PLC0415  few tests need a surface

    with open_new(tmp_path_factory.mktemp("demo") / "brain.db") as brain:
        for name in ("o8", "o8-runner"):
            index(brain, export=SEEDS / name, now=datetime(2026, 9, 1, tzinfo=UTC))
    with postgres.kept(brain.path):
        yield brain.path


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    """A brain that holds nothing."""
    with open_new(tmp_path / "brain.db") as brain:
        yield brain


@pytest.fixture(autouse=True)
def _empty_home(shared_cache: Path, homes: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    if not homes[-1].is_dir() or os.listdir(homes[-1]):  # noqa: PTH208  each test pays for it
        homes.append(homes[0].with_name(f"home-{len(homes)}"))
        homes[-1].mkdir()
    monkeypatch.setenv("HOME", str(homes[-1]))
    for name in [name for name in os.environ if name.startswith(("CORTEX_", "GIT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CORTEX_CACHE", str(shared_cache))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what can only be of a file where a database stands for it."""
    if postgres.CHOSEN and (mark := item.get_closest_marker("of_a_file")):
        pytest.skip(f"of a file: {mark.args[0]}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """Let the next test have the databases of this one, and the next module those of its fixtures."""
    yield
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    if nextitem is None or nextitem.path != item.path:
        postgres.leave()
    elif folder is not None:
        postgres.leave(folder)


def pytest_sessionfinish() -> None:
    """Leave no database behind: a worker has no time to, and the process that started it does."""
    if not postgres.WORKER:
        postgres.drop()


def pytest_configure(config: pytest.Config) -> None:
    """Let all workers start their commands from one process."""
    if not postgres.WORKER and getattr(config.option, "numprocesses", None):
        os.environ[warm.SHARED] = warm.start()


def pytest_xdist_auto_num_workers() -> int:
    """More than there are cores, for tests wait for timeouts, servers and other processes."""
    return round(1.5 * (os.cpu_count() or 1))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for no doctests here: they are the package's."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that share a fixture of their module on one worker, which makes it once.

    The worker is chosen by the item's name: that xdist 3.8 writes a group of its own there, pytest 9.2 no longer sees.
    """
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        groups = sorted({str(mark.args[0]) for mark in item.iter_markers("xdist_group")})
        if not groups and _shares_a_fixture(item):
            groups = [item.path.stem]
        if groups and "@" not in item.nodeid:
            item._id = type(item._id).parse(f"{item.nodeid}@{'_'.join(groups)}")


def _shares_a_fixture(item: pytest.Item) -> bool:
    known = getattr(item, "_fixtureinfo", None)
    return known is not None and any(made[-1].scope == "module" for made in known.name2fixturedefs.values())


def pytest_collection_finish() -> None:
    """Look for garbage from here on, and not among what was imported."""
    gc.freeze()
    gc.enable()
