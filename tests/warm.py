"""A `cortex` that starts in milliseconds: a process that has imported all of it forks for each start.

With `-c` and a script it is a Python that has imported Cortex, and runs that. Each start is a process of its own, with
the streams, folder, environment, arguments, signals and exit code that it was started with. How a process starts from
nothing is for `test_startup.py` and `test_cli_processes.py`.
"""

from __future__ import annotations

import ast
import atexit
import gc
import importlib
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

ROOT = Path(__file__).parents[1]

LAUNCHER = """#!{python} -IS
import _signal as signal, _socket as socket, array, os, sys  # their wrappers take as long to import as all else
warm = socket.socket(socket.AF_UNIX)
warm.connect({address!r})
asked = ascii((sys.argv[1:], os.getcwd(), dict(os.environ))).encode()
streams = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))]
warm.sendmsg([len(asked).to_bytes(8, "big")], streams)
warm.sendall(asked)
pid = int.from_bytes(warm.recv(8), "big")
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _: os.kill(pid, number))
code = int.from_bytes(warm.recv(8), "big", signed=True)
if code < 0:
    if -code in (signal.SIGINT, signal.SIGTERM):
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
"""
"""The program: hands its streams over, passes signals on, and ends as the process does that was forked for it."""


SHARED = "WARM_CORTEX"
"""Names the program of the process that started this one, if that has one."""


@cache
def program() -> str:
    """The file of the program, for this process and what it starts."""
    launcher = Path(os.environ.get(SHARED) or start())
    end = time.monotonic() + 120
    while not launcher.with_name("ready").exists():
        assert time.monotonic() < end, "it never came up"
        time.sleep(0.01)
    return str(launcher)


def start() -> str:
    """The file of a program that will be ready in a moment, and is until this process ends."""
    folder = Path(mkdtemp(prefix="cortex-warm-"))
    address, launcher = str(folder / "socket"), folder / "cortex"
    serving = [sys.executable, "-c", f"from tests.warm import serve; serve({address!r})"]
    warm = subprocess.Popen(serving, stdin=subprocess.PIPE, cwd=ROOT)
    atexit.register(shutil.rmtree, folder)
    atexit.register(warm.communicate)
    launcher.write_text(LAUNCHER.format(python=sys.executable, address=address), "utf-8")
    launcher.chmod(0o755)
    return str(launcher)


def serve(address: str) -> None:
    """Import every module of Cortex, then fork for each launcher that connects, until standard input ends."""
    sys.path[:] = [str(ROOT), *filter(None, sys.path)]
    for name in ("cortex.surfaces", "cortex.evals", "cortex.compactor", "cortex.composer", "cortex.indexers"):
        for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
            importlib.import_module(module.name)
    _use()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen(64)
        Path(address).with_name("ready").touch()
        while True:
            ready, _, _ = select.select([listening, sys.stdin], [], [])
            if sys.stdin in ready:
                return
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:  # those that attended, and have ended
                    pass
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _attend(connection)
            connection.close()


def _use() -> None:
    """Index the demo and ask, or each start would compile its patterns and build its tables anew."""
    from cortex.brief.brief import brief  # noqa: PLC0415
    from cortex.composer.pipeline import ask  # noqa: PLC0415
    from cortex.substrate.model import Scope  # noqa: PLC0415
    from tests.brains import NOW, index_demo, open_file  # noqa: PLC0415

    with TemporaryDirectory() as folder, open_file(Path(folder) / "brain.db") as brain:
        index_demo(brain)
        for question in ("Why did we move the runner to leases?", "Who owns the eval harness?"):
            ask(brain, question, scope=Scope(), now=NOW)
        brief(brain, "Retry jobs in the runner", (), budget=1200, scope=Scope(), now=NOW)


def _attend(connection: socket.socket) -> None:
    """Fork once more, tell how that process ended, and end it where whoever started it is gone."""
    length, streams, *_ = socket.recv_fds(connection, 8, 3)
    asked = connection.recv(int.from_bytes(length, "big"), socket.MSG_WAITALL)
    ends, alive = os.pipe()
    child = os.fork()
    if child == 0:
        connection.close()
        os.close(ends)
        arguments, folder, environment = ast.literal_eval(asked.decode())
        _become(arguments, folder, environment, streams)
    for descriptor in (alive, *streams):
        os.close(descriptor)
    with suppress(OSError):
        connection.sendall(child.to_bytes(8, "big"))
    ready, _, _ = select.select([ends, connection.fileno()], [], [])
    if ends not in ready:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with suppress(OSError):
        connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(8, "big", signed=True))
    os._exit(0)


def _become(arguments: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> None:
    from cortex.__main__ import _end, main  # noqa: PLC0415

    for descriptor, stream in enumerate(streams):
        os.dup2(stream, descriptor)
        os.close(stream)
    sys.argv = ["cortex", *arguments]
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin, sys.stdout, sys.stderr = (
        open(descriptor, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        for descriptor, mode, errors in ((0, "r", "strict"), (1, "w", "strict"), (2, "w", "backslashreplace"))
    )
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in its background
    if arguments[:1] == ["-c"]:
        sys.argv = ["-c", *arguments[2:]]
        codes: list[int] = []
        atexit.register(_end, codes)  # as `main` does, or Python takes apart all that was imported
        exec(arguments[1], {"__name__": "__main__"})  # noqa: S102  a test's own
        codes.append(0)
        sys.exit()
    main()
