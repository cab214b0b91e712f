"""`cortex index --watch`: documents are in the brain a moment after they are saved, until Ctrl-C."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from cortex.substrate.address import argument
from tests.brains import place
from tests.surfaces.conftest import CORTEX, Ran
from tests.trees import write
from tests.warm import program

Cortex = Callable[..., Ran]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal")
PATIENCE_S = 120


class Watcher:
    """A running `cortex index --watch`, and the lines it prints."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: queue.Queue[str] = queue.Queue()
        self.remarks: queue.Queue[str] = queue.Queue()
        for stream, into in ((process.stdout, self.lines), (process.stderr, self.remarks)):
            Thread(
                target=lambda stream=stream, into=into: [into.put(line) for line in stream or ()], daemon=True
            ).start()

    def next(self) -> Any:  # noqa: ANN401  whatever the document holds
        """The next document it prints."""
        return json.loads(self.lines.get(timeout=PATIENCE_S))

    def origins(self, enough: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        """What became of the origins, in as many documents as it takes: what is saved together may be seen apart."""
        found: list[dict[str, Any]] = []
        while not enough(found):
            found += self.next()["origins"]
        return found

    def until(self, said: str) -> None:
        """Wait until it says so."""
        while said not in self.remarks.get(timeout=PATIENCE_S):
            pass

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE_S)


@contextmanager
def watching(root: Path, brain: Path) -> Iterator[Watcher]:
    command = [program(), "--db", argument(brain), "index", str(root), "--watch", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            found = Watcher(process)
            found.next()
            found.until("watching ")
            yield found
        finally:
            process.kill()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    return write(made, {"a.md": "# A\n\nThe runner must be started before the board.\n"})


def test_what_is_saved_is_indexed_and_ctrl_c_ends_it_cleanly(root: Path, tmp_path: Path, cortex: Cortex) -> None:
    with watching(root, place(tmp_path / "brain.db")) as found:
        write(root, {"a.md": "# A\n\nThe runner must be started before the board, and never after.\n"})
        assert found.next()["changed"]
        write(root, {"notes.txt": "not read", "b/c.md": "# C\n\nLogs must be kept for 30 days.\n"})
        (root / "a.md").unlink()
        found.origins(lambda seen: sum(one["gone"] for one in seen) == sum(one["added"] for one in seen) == 1)
        assert found.interrupt() == 0
        found.until("stopped watching")
    assert "Logs must be kept" in cortex("search", "logs kept days").out
    assert cortex("verify").code == 0


def test_a_folder_that_is_renamed_moved_in_or_moved_out_is_noticed(root: Path, tmp_path: Path, cortex: Cortex) -> None:
    write(
        root,
        {"sub/deep/c.md": "# C\n\nLogs must be kept for 30 days.\n", "sub/d.md": "# D\n\nDisks must be checked.\n"},
    )
    write(tmp_path, {"elsewhere/e.md": "# E\n\nAlarms must be answered within 5 minutes.\n"})

    def moved(seen: list[dict[str, Any]]) -> tuple[int, int]:
        return sum(one["added"] for one in seen), sum(one["gone"] for one in seen)

    with watching(root, place(tmp_path / "brain.db")) as found:
        (root / "sub").rename(root / "other")
        found.origins(lambda seen: moved(seen) == (2, 2))
        (tmp_path / "elsewhere").rename(root / "new")
        found.origins(lambda seen: moved(seen) == (1, 0))
        (root / "new").rename(tmp_path / "away")
        found.origins(lambda seen: moved(seen) == (0, 1))
        (root / "other" / "deep").rename(root / "deep")
        found.origins(lambda seen: moved(seen) == (1, 1))
        assert found.interrupt() == 0
    assert "deep/c.md" in cortex("search", "logs kept days").out


def test_what_comes_at_once_is_one_change(root: Path, tmp_path: Path) -> None:
    with watching(root, place(tmp_path / "brain.db")) as found:
        for number in range(20):
            write(root, {f"{number}.md": f"# {number}\n\nThe queue must hold {number} jobs.\n"})
        found.origins(lambda seen: sum(one["added"] for one in seen) == 20)
        assert found.interrupt() == 0
        assert found.lines.empty()


def test_what_fails_is_told_and_the_next_change_tries_again(root: Path, tmp_path: Path) -> None:
    with watching(root, place(tmp_path / "brain.db")) as found:
        (root / "a.md").unlink()
        found.until("nothing to index")
        write(root, {"a.md": "# A\n\nThe queue must be drained first.\n"})
        assert found.next()["changed"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--github", "ada/parser"], "--watch watches a folder, and none was named"), (["nowhere"], "no such folder")],
)
def test_what_cannot_be_watched_is_said(arguments: list[str], said: str, cortex: Cortex) -> None:
    done = cortex("index", *arguments, "--watch")
    assert done.code == 2
    assert said in done.complaint


def test_without_watchfiles_one_line_says_what_to_install(root: Path, tmp_path: Path) -> None:
    (tmp_path / "watchfiles.py").write_text("raise ImportError('not here')\n", "utf-8")
    done = subprocess.run(
        [*CORTEX, "--db", argument(place(tmp_path / "brain.db")), "index", str(root), "--watch"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "cortex: cortex index --watch needs the extra 'watch'; pip install 'cortex-project-memory[watch]'"
    ]
