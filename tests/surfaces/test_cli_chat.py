"""`cortex chat`: through a pipe, and at a real terminal with its keys."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from cortex.substrate.address import argument
from cortex.substrate.model import REFUSAL
from tests.surfaces.conftest import CORTEX, Ran

Cortex = Callable[..., Ran]
PINNED = "What did we decide to pin above the other retrieval rows?"
UNANSWERABLE = "How much does the team plan cost per seat?"
_HEEDING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
"""So that a suite which a shell runs in its background can be interrupted all the same."""
_CONTROLLED = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
"""Makes the terminal the one whose keys send this process signals."""

CTRL_C, CTRL_D, UP = b"\x03", b"\x04", b"\x1b[A"
pytestmark = pytest.mark.usefixtures("brain")


def chat(cortex: Cortex, *lines: str, options: tuple[str, ...] = ()) -> Ran:
    return cortex("chat", *options, stdin="".join(f"{each}\n" for each in lines))


def test_each_line_of_a_pipe_is_answered_as_ask_answers_it(cortex: Cortex) -> None:
    ran = chat(cortex, PINNED, "", UNANSWERABLE)
    first, second = (cortex("ask", each) for each in (PINNED, UNANSWERABLE))
    assert (ran.code, ran.out) == (0, f"{first.out}\n{second.out}\n".replace("--all", "/all"))
    assert ran.err.strip() == second.err.strip()


def test_a_question_that_names_nothing_is_asked_of_the_thread_of_the_last_answer(cortex: Cortex) -> None:
    ran = chat(cortex, PINNED, "who decided that?", "and who owns the eval harness?", options=("--json",))
    first, following, other = map(json.loads, ran.out.splitlines())
    top = first["citations"][0]["record"]
    assert following["question"] == f"who decided PR #{top['ref'].partition(':')[2]}?"
    assert following["citations"][0]["record"]["ref"] == top["ref"]
    assert f"asked: {following['question']}" in ran.err
    assert other["question"] == "and who owns the eval harness?"


def test_a_refusal_has_no_topic_and_the_one_before_it_stays(cortex: Cortex) -> None:
    alone, refused = (
        json.loads(line) for line in chat(cortex, "and why?", UNANSWERABLE, options=("--json",)).out.splitlines()
    )
    assert (alone["question"], refused["answer"]) == ("and why?", REFUSAL)
    *_, last = chat(cortex, PINNED, UNANSWERABLE, "and why?", options=("--json",)).out.splitlines()
    assert json.loads(last)["question"].endswith("#958?")


def test_sources_why_and_open_look_behind_the_last_answer(cortex: Cortex) -> None:
    lines = chat(cortex, PINNED, "/sources", "/why", "/open 2", "/open", options=("--json",)).out.splitlines()
    answer, sources, why, second, first = map(json.loads, lines)
    assert sources["sources"] == answer["citations"]
    expected = cortex("ask", PINNED, "--explain", "--json").json
    assert why | {"timings_ms": 0} == expected | {"timings_ms": 0}
    for opened, cited in ((first, answer["citations"][0]), (second, answer["citations"][1])):
        assert opened == cortex("show", cited["record"]["ref"], "--source", cited["source"], "--json").json


def test_of_a_refusal_they_show_what_came_nearest(cortex: Cortex) -> None:
    refused, sources, opened = map(
        json.loads, chat(cortex, UNANSWERABLE, "/sources", "/open 1", options=("--json",)).out.splitlines()
    )
    assert sources["refused"]
    assert sources["sources"] == refused["considered"]
    assert opened["record"]["ref"] == refused["considered"][0]["record"]["ref"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["/sources"], "there is no answer yet"),
        (["/why"], "ask something first"),
        ([PINNED, "/open 99"], "/open 99: the last answer has no such source; there are: 1 to"),
        ([PINNED, "/open x"], "/open x: the last answer has no such source"),
        (["/frob"], "there is no /frob; there are: /all, /sources, /why, /open, /help"),
        (["?!"], "the question has no words in it"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said_and_the_conversation_goes_on(cortex: Cortex, lines: list[str], said: str) -> None:
    ran = chat(cortex, *lines, PINNED)
    assert (ran.code, said in ran.err) == (1, True)
    assert cortex("ask", PINNED).out.replace("--all", "/all") in ran.out


def test_a_path_is_no_command_and_quit_ends_it(cortex: Cortex) -> None:
    ran = chat(cortex, "/docs/brain.md says what?", "/quit", "/frob")
    assert (ran.code, "/frob" in ran.err) == (0, False)
    assert ran.out


def test_any_bytes_are_a_question(cortex: Cortex) -> None:
    assert cortex("chat", stdin=b"who owns \xff\xfe the eval harness?\n").code == 0


def test_only_the_named_source_is_asked(cortex: Cortex) -> None:
    ran = chat(cortex, PINNED, options=("--json", "--source", "o8-labs/o8-runner"))
    assert {one["source"] for one in json.loads(ran.out)["citations"]} <= {"o8-labs/o8-runner"}


def test_without_a_brain_it_does_not_begin(cortex: Cortex, tmp_path: Path) -> None:
    assert cortex("chat", db=tmp_path / "none.db", stdin="why?\n").code == 3


class Terminal:
    """A conversation at a terminal."""

    def __init__(self, terminal: int, process: subprocess.Popen[bytes]) -> None:
        self._terminal, self._process, self.shown, self._unread = terminal, process, "", ""

    def type(self, keys: bytes) -> None:
        os.write(self._terminal, keys)

    def wait_for(self, text: str, *, pressing: bytes = b"") -> None:
        """Read until *text* was shown since what was last waited for, *pressing* keys again while nothing is."""
        end = time.monotonic() + 120
        while text not in self._unread:
            assert time.monotonic() < end, self._unread
            if select.select([self._terminal], [], [], 1)[0]:
                part = os.read(self._terminal, 65536).decode(errors="replace")
                self.shown += part
                self._unread += part
            else:
                self.type(pressing)
        self._unread = self._unread.partition(text)[2]

    def ends(self) -> int:
        """Its exit code, once it has ended by itself."""
        with suppress(OSError):  # Linux says so when the other end has closed
            while part := os.read(self._terminal, 65536):
                self.shown += part.decode(errors="replace")
        return self._process.wait(timeout=120)


@contextmanager
def at_terminal(brain: Path, home: Path, **environment: str) -> Iterator[Terminal]:
    ours, theirs = pty.openpty()
    given = {**os.environ, "CORTEX_HOME": str(home), "TERM": "xterm", **environment}
    command = [*CORTEX[:2], f"{_HEEDING}; {_CONTROLLED}; {CORTEX[2]}", "--db", argument(brain), "chat"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=given, start_new_session=True)
    os.close(theirs)
    try:
        yield Terminal(ours, process)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_at_a_terminal_ctrl_c_gives_up_a_line_and_ctrl_d_ends_it_and_what_was_typed_is_remembered(
    brain: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    with at_terminal(brain, home) as first:
        first.wait_for("cortex> ")
        first.type(b"half a quest")
        first.wait_for("half a quest")
        first.type(CTRL_C)  # Python's readline misses one that comes between its reading and its waiting
        first.wait_for("cortex> ", pressing=CTRL_C)
        first.type(b"/frob\n")
        first.wait_for("there is no /frob")
        first.type(b"who owns the eval harness?\n")
        first.wait_for("Sources")
        first.wait_for("cortex> ")
        first.type(CTRL_D)
        assert first.ends() == 0
    assert "Traceback" not in first.shown
    history = home / "chat_history"
    assert history.stat().st_mode & 0o777 == 0o600
    assert "who owns the eval harness?" in history.read_text("utf-8")
    with at_terminal(brain, home, NO_COLOR="1") as second:
        second.wait_for("cortex> ")
        second.type(UP + b"\n")
        second.wait_for("Sources")
        second.type(b"/quit\n")
        assert second.ends() == 0
    assert "who owns the eval harness?" in second.shown
    assert "\x1b[1m" in first.shown
    assert "\x1b[1m" not in second.shown
    assert "\x1b[2m" not in second.shown
