"""Ctrl-C while models are waited for: the end comes at once, what is done stays, and one line says so."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from cortex.substrate.address import argument, is_database
from tests.brains import open_new, place
from tests.llm.servers import Asked, Hangs, Says, Server, install_claude, serving
from tests.sources import ROOT
from tests.surfaces.conftest import INTERRUPTIBLE
from tests.surfaces.test_cli_models import BUDGET, INDEX, at, model
from tests.trees import until
from tests.warm import program

AT_ONCE_S: Final = 20
"""Nothing that is waited for here ends before 30 s; a machine that does nothing else needs less than one."""

SAID: Final = "cortex: interrupted; what was committed stays, run it again to go on"

LOOKUP: Final = """
import socket, time
from pathlib import Path
ask = socket.getaddrinfo
def slowly(host, *rest, **named):
    if b"slow" in (host if isinstance(host, bytes) else str(host).encode()):
        Path({asked!r}).touch()
        time.sleep(40)
    return ask(host, *rest, **named)
socket.getaddrinfo = slowly
"""

BEGUN: Final = """
import sqlite3
from pathlib import Path
connect = sqlite3.connect
def traced(*arguments, **named):
    db = connect(*arguments, **named)
    db.set_trace_callback(lambda said: "begin immediate" in said and Path({asked!r}).touch())
    return db
sqlite3.connect = traced
"""


def interrupted(*arguments: object, once: Callable[[], bool], **environment: str) -> tuple[int, list[str]]:
    """Run a command, interrupt it once something is true, and see it end at once: its exit code, its words."""
    command = [*(INTERRUPTIBLE if "PYTHONPATH" in environment else [program()]), *map(str, arguments)]
    process = subprocess.Popen(
        command, env={**os.environ, "NO_PROXY": "127.0.0.1", "PYTHONFAULTHANDLER": "1", **environment}, cwd=ROOT,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until(lambda: once() or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    try:
        _, said = process.communicate(timeout=AT_ONCE_S)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)  # which tells where each thread is
        pytest.fail(f"not ended after {AT_ONCE_S} s:\n{process.communicate()[1]}")
    return process.returncode, said.splitlines()


def test_what_was_answered_stays_and_the_rest_is_free_for_the_next_run(tmp_path: Path) -> None:
    server: Server

    def behave(asked: Asked) -> Says | Hangs:
        return model(asked) if len(server.asked) <= 6 else Hangs()

    path = place(tmp_path / "brain.db")
    with serving(behave) as server:
        code, said = interrupted(
            "--db", argument(path), *INDEX, "-q", "--distiller", "model", once=lambda: len(server.asked) > 9,
            **at(server.url),
        )  # fmt: skip
    assert (code, said) == (130, [SAID])
    with open_new(path) as brain:
        jobs = dict(brain.db.execute("select state, count(*) from facts_queue group by state").fetchall())
        made = brain.db.execute("select count(*) from facts where path in ('docs', 'comments')").fetchone()
    assert set(jobs) == {"done", "pending"}
    assert jobs["done"] >= 6
    assert made[0] >= 6


def test_a_brain_that_somebody_else_writes_to_is_not_waited_for(brain: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "one.md").write_text("# One\n\nEvery job must have an owner.\n", "utf-8")
    locked = tmp_path / "locked"
    (tmp_path / "sitecustomize.py").write_text(BEGUN.format(asked=str(locked)), "utf-8")
    with open_new(brain) as held, held.transaction() as db:
        waits = partial(db.execute, "select 1 from pg_locks where not granted")
        code, said = interrupted(
            "--db", argument(brain), "index", tmp_path / "notes", "-q",
            once=lambda: waits().fetchone() is not None if is_database(brain) else locked.exists(),
            PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}",
        )  # fmt: skip
    assert (code, said) == (130, [SAID])


@pytest.mark.parametrize("leaves", ["", "subprocess.Popen(['sleep', '40'], start_new_session=True)"], ids=["", "child"])
def test_a_claude_that_thinks_is_not_waited_for_whatever_it_leaves_behind(leaves: str, tmp_path: Path) -> None:
    cli = install_claude(tmp_path / "bin", f"import subprocess\n{leaves}\ntime.sleep(40)")
    code, said = interrupted(
        "--db", argument(place(tmp_path / "brain.db")), *INDEX, "-q", "--distiller", "model",
        once=lambda: len(cli.asked) > 0,
        PATH=f"{cli.program.parent}{os.pathsep}{os.environ['PATH']}", CORTEX_CLAUDE_SMALL="haiku", **BUDGET,
    )  # fmt: skip
    assert (code, said) == (130, [SAID])


def test_a_name_server_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    (tmp_path / "sitecustomize.py").write_text(LOOKUP.format(asked=str(asked)), "utf-8")
    code, said = interrupted(
        "--db", argument(place(tmp_path / "brain.db")), *INDEX, "-q", "--distiller", "model", once=asked.exists,
        PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}", **at("https://slow.invalid"),
    )  # fmt: skip
    assert (code, said) == (130, [SAID])


def test_an_answer_that_a_model_words_is_not_waited_for(brain: Path) -> None:
    with serving(Hangs()) as server:
        code, said = interrupted(
            "--db", argument(brain), "ask", "Why are the top facts pinned above everything else?", "--composer",
            "model", once=lambda: bool(server.asked), **at(server.url, CORTEX_ANTHROPIC_LARGE="claude-opus-4-5"),
        )  # fmt: skip
    assert (code, said) == (130, [SAID])
