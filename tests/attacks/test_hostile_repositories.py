"""Reading an untrusted repository runs nothing of it, and gives nothing away of what lies outside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from cortex.errors import CortexError, RepositoryElsewhere
from cortex.substrate.address import argument
from cortex.surfaces import evaluating, hooking
from cortex.surfaces.cli import cli
from cortex.surfaces.indexing import index, init
from tests.attacks.repositories import ATTACKS, FORGED, SECRET, Attack, Place, git, plain
from tests.brains import copied, image, open_new, place
from tests.sources import ROOT
from tests.trees import write

NOW = datetime(2026, 9, 1, tzinfo=UTC)
LIVE = {name: attack for name, attack in ATTACKS.items() if attack.plainly}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("plain")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        root, outside = plain(folder)
        open_new(folder / "brain.db").close()
        first, head = git(root, "rev-list", "--reverse", "HEAD").split()
        return Place(root, outside, folder / "ran", first, head, git(outside / "own", "rev-parse", "HEAD"))


def brain_of(template: Place) -> Path:
    return place(template.mark.with_name("brain.db"))


@pytest.fixture
def made(template: Place, tmp_path: Path) -> Callable[[Attack], Place]:
    def make(attack: Attack) -> Place:
        root, outside = tmp_path / "in" / "project", tmp_path / "in" / "outside"
        shutil.copytree(template.root, root)
        outside.symlink_to(template.outside)
        place = template._replace(root=root, mark=tmp_path / "ran")
        attack.make(place)
        place.mark.unlink(missing_ok=True)
        return place

    return make


def held(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def everything(folder: Path, brain: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], bytes]:
    """What is said of *folder* by all that reads a repository, and what is kept of it."""
    monkeypatch.chdir(folder)
    said = [evaluating.commit()]
    with open_new(brain) as opened:
        for step in (
            lambda: init(opened, folder, now=NOW),
            lambda: index(opened, folder, now=NOW),
            lambda: hooking.install(folder, brain, ["cortex"]),
            lambda: hooking.remove(folder),
        ):
            try:
                said.append(repr(step()))
            except CortexError as error:
                said.append(repr(error))
    said.append(CliRunner().invoke(cli, ["--db", argument(brain), "agent-hooks", "install", "--write"]).output)
    return said, image(brain)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_a_hostile_repository_runs_nothing_and_gives_nothing_away(
    attack: Attack, made: Callable[[Attack], Place], template: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, before = made(attack), held(template.outside)
    brain = copied(brain_of(template), tmp_path / "brain.db")
    said, kept = everything(place.root / attack.asked, brain, monkeypatch)
    assert not place.mark.exists()
    assert not [text for text in said if SECRET in text or FORGED in text]
    assert SECRET.encode() not in kept
    assert FORGED.encode() not in kept
    assert held(template.outside) == before
    assert [RepositoryElsewhere.__name__ in text for text in said[1:3]] == [attack.refused] * 2
    assert (b"turns" in kept or b"brass" in kept or b"second" in kept) is not attack.refused


@pytest.mark.parametrize("attack", LIVE.values(), ids=LIVE.keys())
def test_the_same_repository_gets_its_way_with_plain_git(attack: Attack, made: Callable[[Attack], Place]) -> None:
    place = made(attack)
    said = git(place.root / attack.asked, *attack.plainly)
    assert place.mark.exists() or any(word in said for word in (SECRET, FORGED, "note.md", "outcomes.jsonl"))


@pytest.mark.parametrize("name", [name for name in ATTACKS if "partial" in name or "promisor" in name])
def test_a_git_that_knows_no_way_to_fetch_nothing_runs_nothing_either(
    name: str, made: Callable[[Attack], Place], template: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Releases of git before 2.45 do not know GIT_NO_LAZY_FETCH."""
    old = tmp_path / "old" / "git"
    write(old.parent, {"git": f'#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec {shutil.which("git")} "$@"\n'})
    old.chmod(0o755)
    place = made(ATTACKS[name])
    monkeypatch.setenv("PATH", str(old.parent), prepend=os.pathsep)
    brain = copied(brain_of(template), tmp_path / "brain.db")
    everything(place.root / ATTACKS[name].asked, brain, monkeypatch)
    assert not place.mark.exists()


def test_an_eval_of_the_demo_inside_a_hostile_repository_runs_nothing_of_it(
    made: Callable[[Attack], Place], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = made(ATTACKS["fsmonitor"])
    ATTACKS["filter-clean"].make(hostile)
    monkeypatch.chdir(hostile.root)
    done = CliRunner().invoke(cli, ["--db", argument(place(tmp_path / "brain.db")), "eval", "--demo"])
    assert "demo.yaml" in done.output
    assert not hostile.mark.exists()


WORKERS = """
import asyncio, pathlib, sys
from cortex.indexers.processes import Processes
from cortex.substrate.address import located
from cortex.surfaces.encoding import Readers
from cortex.surfaces.http.workers import Workers

async def serve():
    workers = Workers(Readers(located(sys.argv[1], pathlib.Path())), 1)
    await workers.start()
    workers.close()

if __name__ == "__main__":
    with Processes(1) as indexing:
        assert indexing.submit(abs, -3).result() == 3
    asyncio.run(serve())
"""


def test_no_worker_imports_from_the_folder_that_it_is_started_in(template: Place, tmp_path: Path) -> None:
    mark = f"open({str(tmp_path / 'ran')!r}, 'w')\n"
    hostile = write(tmp_path / "hostile", dict.fromkeys(("multiprocessing.py", "json.py", "cortex.py"), mark))
    write(tmp_path, {"ours/program.py": WORKERS})
    command = [sys.executable, str(tmp_path / "ours/program.py"), argument(brain_of(template))]
    done = subprocess.run(command, cwd=hostile, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
    assert (done.returncode, (tmp_path / "ran").exists()) == (0, False)


def test_words_inside_the_folder_are_found_where_the_words_outside_are_looked_for(
    made: Callable[[Attack], Place], template: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = made(Attack(lambda p: (p.root / "README.md").write_text(f"# Engine\n\nIt is {SECRET}.\n")))
    brain = copied(brain_of(template), tmp_path / "brain.db")
    _, kept = everything(place.root, brain, monkeypatch)
    assert SECRET.encode() in kept


@pytest.mark.parametrize("name", ["--upload-pack=touch ran", "a\nb", "a:b", "$(touch ran)"])
def test_a_folder_of_any_name_is_read(
    name: str, made: Callable[[Attack], Place], template: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = made(Attack(lambda _: None))
    folder = place.root.rename(place.root.with_name(name))
    brain = copied(brain_of(template), tmp_path / "brain.db")
    said, kept = everything(folder, brain, monkeypatch)
    assert b"turns" in kept
    assert b"second" in kept
    assert "installed" in said[3]
    assert not place.mark.exists()
