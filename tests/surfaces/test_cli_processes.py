"""What only whole processes show: terminals, pipes, signals, full disks, and two writers at once."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.substrate.address import argument
from cortex.surfaces.indexing import index
from tests.brains import open_new, place
from tests.surfaces.conftest import NOW, SEEDS, Ran
from tests.tables import walk
from tests.warm import program

Process = Callable[..., "subprocess.CompletedProcess[str]"]
Cortex = Callable[..., Ran]
INDEX = ("index", "--github-export", SEEDS / "o8")


def held(path: Path) -> list[tuple[str, ...]]:
    """What a brain knows, without the times and numbers of the runs that brought it."""
    with open_new(path) as brain:
        facts = "select handle, statement, excerpt from facts order by handle"
        records = "select ref, type, body, '' from records order by ref"
        return [*brain.db.execute(facts), *brain.db.execute(records)]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, ...]]:
    """What a brain knows that one process made, and nothing disturbed."""
    path = tmp_path_factory.mktemp("alone") / "brain.db"
    with open_new(path) as brain:
        index(brain, export=SEEDS / "o8", now=NOW)
    return held(path)


@pytest.mark.usefixtures("brain")
def test_an_ascii_terminal_gets_what_it_can_show(process: Process, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"}
    (tmp_path / "ledger.jsonl").write_text('{"title": "Émoji 🎉 \x1b[31m 東京", "status": "shipped"}\n', "utf-8")
    process("outcome", "import", tmp_path / "ledger.jsonl", "--source", "o8-labs/o8")
    for command in (("outcome", "list"), ("ask", "why 🎉?")):
        done = process(*command, anew=True, env=environment)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False)
        assert process(*command, "--json", anew=True, env=environment).stdout.isascii()
    assert "\x1b" not in process("outcome", "list").stdout


def on_a_terminal(*arguments: object, **environment: str) -> str:
    """What a command writes to a terminal, both streams."""
    ours, theirs = os.openpty()
    command = [program(), *map(str, arguments)]
    running = subprocess.Popen(command, stdout=theirs, stderr=theirs, env={**os.environ, **environment})
    os.close(theirs)
    written = b""
    with contextlib.suppress(OSError):  # Linux says so when the other end has closed
        while part := os.read(ours, 65536):
            written += part
    os.close(ours)
    assert running.wait(timeout=180) == 0
    return written.decode()


@pytest.mark.usefixtures("brain")
def test_a_reader_that_leaves_early_costs_no_traceback(process: Process) -> None:
    rows = "".join(f'{{"id": {n}, "question": "who owns the eval harness?"}}\n' for n in range(40))
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        done = process("ask", "--batch", "-", input=rows, capture_output=False, stdout=closed, stderr=subprocess.PIPE)
    assert done.stderr == ""
    assert done.returncode == 141


@pytest.mark.of_a_file("may be read-only")
def test_a_brain_in_a_folder_that_takes_no_writes_can_be_asked(process: Process, brain: Path, tmp_path: Path) -> None:
    brain.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        asked = process("ask", "Who owns the eval harness?", "--json")
        verified = process("verify", "--json")
        indexed = process(*INDEX)
    finally:
        tmp_path.chmod(0o700)
    assert asked.returncode == verified.returncode == 0
    if os.geteuid():  # nothing is read-only to root
        assert indexed.returncode == 3
        assert "Traceback" not in indexed.stderr


def test_two_processes_may_index_the_same_brain_at_once(
    cortex: Cortex, tmp_path: Path, alone: list[tuple[str, ...]]
) -> None:
    command = [program(), "--db", argument(place(tmp_path / "brain.db")), *map(str, INDEX), "-q"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ended = [(one.communicate(timeout=180), one.returncode) for one in both]
    assert [code for _, code in ended] == [0, 0], ended
    assert cortex("verify", "-q").code == 0
    assert held(tmp_path / "brain.db") == alone


@pytest.mark.parametrize("after_s", [0.05, 0.35])
def test_a_kill_loses_nothing_and_repeats_nothing(
    cortex: Cortex, tmp_path: Path, after_s: float, alone: list[tuple[str, ...]]
) -> None:
    command = [program(), "--db", argument(place(tmp_path / "brain.db")), *map(str, INDEX), "-q"]
    killed = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(after_s)
    killed.kill()
    killed.communicate()
    assert cortex(*INDEX).code == 0
    assert cortex("verify", "-q").code == 0
    assert held(tmp_path / "brain.db") == alone


@walk("module", ["click", "pydantic", "cortex.surfaces.options"])
def test_an_interrupt_while_the_program_is_imported_is_the_same_line(module: str) -> None:
    interrupting = f"""
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in its background
sys.meta_path.insert(0, Interrupting())
from cortex.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", interrupting], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "cortex: interrupted; what was committed stays, run it again to go on\n"


def test_the_package_can_be_run_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "cortex", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("cortex 0.")


@pytest.mark.of_a_file("a limit of what the process may write is a full disk")
def test_a_full_disk_is_one_clear_line_and_the_brain_still_opens(
    process: Process, cortex: Cortex, tmp_path: Path
) -> None:
    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    done = process(*INDEX, "-q", anew=True, preexec_fn=limited)
    assert done.returncode == 1
    (complaint,) = done.stderr.splitlines()
    assert complaint.startswith(f"cortex: cannot write {tmp_path / 'brain.db'}: no room on its disk")
    assert cortex(*INDEX).code == 0
    assert cortex("verify", "-q").code == 0


def test_a_killed_copy_goes_on_and_holds_the_same(cortex: Cortex, brain: Path, tmp_path: Path) -> None:
    copy = place(tmp_path / "copy.db")
    command = [program(), "copy", argument(brain), argument(copy), "-q"]
    killed = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.4)
    killed.kill()
    killed.communicate()
    done = cortex("copy", argument(brain), argument(copy), "--json")
    assert (done.code, done.json["differing"]) == (0, [])
    assert cortex("--db", argument(copy), "verify", "-q").code == 0
    assert held(copy) == held(brain)
    with open_new(brain) as held_brain:
        held_brain.db.execute("update facts set touched_at = '2030-01-01T00:00:00Z' where id = 1")
    again = cortex("copy", argument(brain), argument(copy))
    assert again.code == 1
    assert "facts" in again.out
