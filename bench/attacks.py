"""Every attack that is kept, counted: python bench/attacks.py [DATA, which it does not need] [--only NAME] [--write].

Runs the tests of each class, whose tables hold the attacks, and what is too long for a test: commands at once, damaged
brains and raw HTTP. `bench/kills.py`, `bench/fuzz.py`, `bench/memory.py`, `bench/redacting.py` and `bench/sequences.py`
measure the rest on pages of their own.
"""

from __future__ import annotations

import argparse
import logging
import os
import platform
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from click.testing import CliRunner

ROOT: Final = Path(__file__).parent.parent
RESULTS: Final = Path(__file__).parent / "results" / "attacks.md"
COMMANDS, AT_ONCE, DAMAGED, RAW = 255, 51, 36, 1_000

sys.path.insert(0, str(ROOT))
from cortex.substrate.brain import open_brain  # noqa: E402
from cortex.substrate.verify import verify  # noqa: E402
from cortex.surfaces.cli import cli  # noqa: E402
from tests.attacks import repositories, test_forgery, test_outsiders, test_shares  # noqa: E402
from tests.attacks.secret_contexts import CONTEXTS, SEEDS  # noqa: E402
from tests.brains import content, dump, index_demo, indexes_agree, open_new  # noqa: E402
from tests.surfaces.http_sites import serving  # noqa: E402
from tests.surfaces.test_http_hostile import REQUESTS  # noqa: E402
from tests.warm import program  # noqa: E402

HEAD: Final = """# Attacks

What was tried and what got through, by `python bench/attacks.py --write`. Python {python}, {cpus} × {machine}.
Measured apart: [kills](kills.md), [memory and time of a record](memory.md), [sequences with undo](sequences.md),
[secrets](redacting.md) and [fuzzed questions](fuzz.md).

| attack | tried | got through | s |
|---|---:|---:|---:|
"""


class Tried(NamedTuple):
    """How many attacks there were, and which got through."""

    attacks: int
    through: list[str]


def of_tests(*paths: str, of: int = 0) -> Tried:
    """Run the tests in *paths*, which hold *of* attacks or one each; a test that fails is one that got through."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", f"--junitxml={report}"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        subprocess.run(
            [*command, *(f"tests/{path}" for path in paths)],
            cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        cases = [*ET.parse(report).getroot().iter("testcase")]  # noqa: S314  our own
    ran = [one for one in cases if one.find("skipped") is None]
    through = [one.get("name", "") for one in ran if one.find("failure") is not None or one.find("error") is not None]
    return Tried((of or len(ran)) if ran else 0, through)


def pumps() -> Tried:
    """Pump every repetition of every pattern."""
    done = subprocess.run([sys.executable, "-m", "tests.attacks.pumps"], cwd=ROOT, check=True, capture_output=True)
    *slow, count = done.stdout.decode().splitlines()
    return Tried(int(count), slow)


def commands_at_once() -> Tried:
    """Run commands that read, write, index, compact and verify one brain; all end well, and none loses a row."""
    notes = [f"Oil gear {number} on Fridays." for number in range(COMMANDS)]
    seeds = str(ROOT / "seeds" / "o8")
    given: list[list[str]] = [
        ["ask", "Why did we move the runner to leases?"],
        ["index", "--github-export", seeds, "--source", "o8-labs/o8", "-q"],
        ["remember", "NOTE", "--by", "ada", "--where", "a meeting", "--source", "o8-labs/o8"],
        ["search", "runner lease"], ["brief", "retry jobs in the runner"], ["compact", "-q"], ["verify", "-q"],
        ["decisions"], ["status"],
    ]  # fmt: skip
    with TemporaryDirectory() as folder:
        path, home = Path(folder) / "brain.db", Path(folder) / "home"
        home.mkdir()
        with open_new(path) as brain:
            index_demo(brain)
            before = content(brain)["records"]

        def run(number: int) -> str:
            words = [notes[number] if word == "NOTE" else word for word in given[number % len(given)]]
            environment = os.environ | {"HOME": str(home), "CORTEX_HOME": str(home)}
            command = [program(), "--db", str(path), *words]
            done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, check=False)
            return f"{words[0]} {done.returncode}: {done.stderr[-200:]}" if done.returncode else ""

        program()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            through = [*filter(None, pool.map(run, range(COMMANDS)))]
        with open_brain(path) as brain:
            bodies = {body for (body,) in brain.db.execute("select body from records")}
            after = content(brain)["records"]
            through += [note for note in notes[2 :: len(given)] if note not in bodies]
            through += [str(row[:2]) for row in before if row not in after]
            through += [] if verify(brain).holds and indexes_agree(brain) else ["the brain does not hold"]
    return Tried(COMMANDS, through)


def damaged() -> Tried:
    """Cut and overwrite a brain: each command works or ends with one line, and `verify` finds what was lost."""
    through = []
    with TemporaryDirectory() as folder:
        whole, path = Path(folder) / "whole.db", Path(folder) / "damaged.db"
        with open_new(whole) as brain:
            index_demo(brain)
            brain.db.execute("pragma wal_checkpoint(truncate)")
        rows = _rows(whole)
        for number, spoiled in enumerate(_spoiled(whole.read_bytes())):
            for left in Path(folder).glob("damaged.db*"):
                left.unlink()
            path.write_bytes(spoiled)
            for command in (
                ["ask", "Why leases?"],
                ["status"],
                ["verify"],
                ["doctor"],
                ["remember", "Oil it.", "--by=x"],
            ):
                done = CliRunner().invoke(cli, ["--db", str(path), *command, "-q"], env={"HOME": folder})
                if command == ["verify"] and done.exit_code == 0 and _rows(path) != rows:
                    through.append(f"{number}: verify finds nothing")
                if done.exception and not isinstance(done.exception, SystemExit):
                    through.append(f"{number} {command[0]}: {done.exception!r}")
    return Tried(DAMAGED, through)


def _spoiled(image: bytes) -> Iterator[bytes]:
    """A third cut short, a third with a page of nothing or of chance, a third with some bytes changed."""
    chance, pages = random.Random(36), len(image) // 4096  # noqa: S311  no secret
    size = len(image)
    for length in (0, 1, 16, 100, 4095, 4096, 5000, 8192, size // 3, size // 2, size - 4096, size - 1):
        yield image[:length]
    for number in range(12):
        at = 4096 * (number if number < 6 else chance.randrange(pages))
        yield image[:at] + (bytes(4096) if number % 2 else chance.randbytes(4096)) + image[at + 4096 :]
    for number in range(12):
        spoiled = bytearray(image)
        for _ in range(1 + 20 * number):
            spoiled[chance.randrange(100 if number < 4 else size)] = chance.randrange(256)
        yield bytes(spoiled)


def _rows(path: Path) -> Mapping[str, int]:
    with open_brain(path, read_only=True) as brain:
        return {name: len(rows) for name, rows in dump(brain).items()}


def raw_http() -> Tried:
    """Send bytes that are nearly HTTP: each gets a reply below 500 or none, and the brain stays as it was."""
    chance, through = random.Random(1_000), []  # noqa: S311  no secret
    with TemporaryDirectory() as folder:
        path = Path(folder) / "brain.db"
        with open_new(path) as brain:
            index_demo(brain)
            before = dump(brain)
        with serving(path) as site:
            for number, sent in enumerate(_nearly_http(chance)):
                reply = _reply(site.port, sent)
                status = reply[9:12]
                if reply and not (reply.startswith(b"HTTP/1.") and status.isdigit() and status < b"500"):
                    through.append(f"{number} {sent[:80]!r}: {reply[:80]!r}")
                if number % 50 == 49 and site.send("GET", "/readyz").status != 200:
                    through.append(f"{number}: not ready")
        with open_brain(path) as brain:
            through += [] if dump(brain) == before else ["the brain changed"]
    return Tried(RAW, through)


def _nearly_http(chance: random.Random) -> Iterator[bytes]:
    body = b'{"question": "Why leases?"}'
    heads = (b"Host: 127.0.0.1", b"Content-Type: application/json", b"Content-Length: %d" % len(body), b"Accept: */*")
    odd = (
        b"Content-Length: -1", b"Content-Length: 99999999999999999999", b"Content-Length: 5\r\nContent-Length: 6",
        b"Transfer-Encoding: chunked", b"Transfer-Encoding: xchunked, chunked", b" folded: x", b"No colon", b": x",
        b"X: " + b"a" * 70_000, b"Host: evil.example", b"Host:", b"X\0Y: z", b"Authorization: Bearer \xff\xfe",
        b"Expect: 100-continue", b"Upgrade: websocket\r\nConnection: Upgrade", b"Connection: close, te", b"X: \rY: z",
        b"Authorization: Basic " + b"A" * 5_000, b"Cookie: " + b"a=b;" * 5_000, b"Content-Encoding: gzip",
    )  # fmt: skip
    lines = (
        b"POST /v1/ask HTTP/1.1", b"POST /v1/search HTTP/1.1", b"GET /v1/status HTTP/1.1", b"GET / HTTP/1.1",
        b"POST /mcp HTTP/1.1", b"GET /../../etc/passwd HTTP/1.1", b"POST /v1/ask HTTP/9.9", b"POST /v1/ask", b"",
        b"GET http://evil.example/ HTTP/1.1", b"CONNECT a:1 HTTP/1.1", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0", b"GET /" + b"a" * 70_000 + b" HTTP/1.1", b"GET /%00%ff%zz HTTP/1.1",
        b"POST  /v1/ask  HTTP/1.1",
    )  # fmt: skip
    for number in range(RAW):
        kept = heads if number % 2 else chance.sample(heads, 3)
        head = [chance.choice((*lines[:4], *lines)), *kept, *chance.sample(odd, number // 2 % 2)]
        text = b"\r\n".join(head) + b"\r\n\r\n" + chance.choice((body, b"", b"5\r\nhello\r\n", b"ffffffffff\r\n", b"{"))
        for _ in range(chance.choice((0, 0, 1, 3))):
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice((b"", b"\0", b"\n", b"\r", b"\xff", chance.randbytes(3))) + text[at + 1 :]
        yield text


def _reply(port: int, sent: bytes) -> bytes:
    """What comes back, until the server closes or is silent."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        reply = b""
        with suppress(OSError):
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            while part := client.recv(65_536):
                reply += part
        return reply


ATTACKS: Final[Mapping[str, Callable[[], Tried]]] = {
    "hostile repositories, each indexed, initialised, hooked and evaluated: executions and leaks": partial(
        of_tests, "attacks/test_hostile_repositories.py", "attacks/test_one_runner.py", of=len(repositories.ATTACKS)
    ),
    "forged statements, on every surface": partial(of_tests, "attacks/test_forgery.py", of=len(test_forgery.FORGED)),
    "stories of outsiders' decisions listed as verified": partial(
        of_tests, "attacks/test_outsiders.py", of=len(test_outsiders.ATTACKS)
    ),
    "records and requests of no bound": partial(of_tests, "attacks/test_bounds.py"),
    "words of another source told by scores, of two oracles": partial(
        of_tests, "attacks/test_oracle.py", "attacks/test_shares.py", of=2 * len(test_shares.HIDDEN)
    ),
    "what else a token is told": partial(of_tests, "attacks/test_tokens.py"),
    "invisible text": partial(of_tests, "attacks/test_invisible.py"),
    "compactions undone": partial(
        of_tests, "compactor/test_undoing.py", "compactor/test_reviving.py", "attacks/test_sequences.py"
    ),
    "secrets in other contexts (1.5 % of them are missed)": partial(
        of_tests, "attacks/test_secrets.py", of=len(CONTEXTS) * len(SEEDS)
    ),
    "patterns pumped": pumps,
    "kills of a compaction": partial(of_tests, "compactor/test_kills.py"),
    f"commands on one brain, {AT_ONCE} at once": commands_at_once,
    "damaged brains": damaged,
    "foreign and refused files": partial(of_tests, "substrate/test_brain.py"),
    "hostile HTTP requests": partial(of_tests, "surfaces/test_http_hostile.py", of=len(REQUESTS)),
    "raw HTTP": raw_http,
    "the page, full of markup and script": partial(of_tests, "surfaces/test_page.py"),
}


def main() -> None:
    """Run, print, and write where asked; fails where an attack got through."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", nargs="?", help="not needed")
    options.add_argument("--only", default="", help="attacks with this in their name")
    options.add_argument("--write", action="store_true", help=f"keep the result in {RESULTS.name}")
    given = options.parse_args()
    logging.disable()
    lines, failed = [], False
    for name, attack in ATTACKS.items():
        if given.only in name:
            started = time.perf_counter()
            tried = attack()
            failed |= bool(tried.through)
            took = time.perf_counter() - started
            lines.append(f"| {name} | {tried.attacks or 'not run'} | {len(tried.through)} | {took:.0f} |")
            print(lines[-1], *tried.through[:20], sep="\n  ", flush=True)
    head = HEAD.format(python=platform.python_version(), cpus=os.cpu_count(), machine=platform.machine())
    if given.write and not given.only:
        RESULTS.write_text(head + "\n".join(lines) + "\n", "utf-8")
    sys.exit(failed)


if __name__ == "__main__":
    main()
