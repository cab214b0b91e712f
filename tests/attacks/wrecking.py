"""What is done to a brain and a server from without: commands at once, damage to the file, bytes that are nearly HTTP.

Each gives a line for whatever got through.
"""

from __future__ import annotations

import os
import random
import socket
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from cortex.substrate.address import argument
from cortex.substrate.brain import open_brain
from cortex.substrate.verify import verify
from cortex.surfaces.cli import cli
from tests.brains import content, dump, indexes_agree, open_demo, place
from tests.sources import ROOT
from tests.surfaces.http_sites import serving
from tests.warm import program


def commands_at_once(count: int, at_once: int) -> list[str]:
    """Run commands that read, write, index, compact and verify one brain; all end well, and none loses a row."""
    notes = [f"Oil gear {number} on Fridays." for number in range(count)]
    seeds = str(ROOT / "seeds" / "o8")
    given: list[list[str]] = [
        ["ask", "Why did we move the runner to leases?"],
        ["index", "--github-export", seeds, "--source", "o8-labs/o8", "-q"],
        ["remember", "NOTE", "--by", "ada", "--where", "a meeting", "--source", "o8-labs/o8"],
        ["search", "runner lease"], ["brief", "retry jobs in the runner"], ["compact", "-q"], ["verify", "-q"],
        ["decisions"], ["status"],
    ]  # fmt: skip
    with TemporaryDirectory() as folder:
        path, home = place(Path(folder) / "brain.db"), Path(folder) / "home"
        home.mkdir()
        with open_demo(path) as brain:
            before = content(brain)["records"]

        def run(number: int) -> str:
            words = [notes[number] if word == "NOTE" else word for word in given[number % len(given)]]
            environment = os.environ | {"HOME": str(home), "CORTEX_HOME": str(home)}
            command = [program(), "--db", argument(path), *words]
            done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, check=False)
            return f"{words[0]} {done.returncode}: {done.stderr[-200:]}" if done.returncode else ""

        program()
        with ThreadPoolExecutor(at_once) as pool:
            through = [*filter(None, pool.map(run, range(count)))]
        with open_brain(path) as brain:
            bodies = {body for (body,) in brain.db.execute("select body from records")}
            after = content(brain)["records"]
            through += [note for note in notes[2 :: len(given)] if note not in bodies]
            through += [str(row[:2]) for row in before if row not in after]
            through += [] if verify(brain).holds and indexes_agree(brain) else ["the brain does not hold"]
    return through


def damaged(of_each: int) -> list[str]:
    """Cut and overwrite a brain: each command works or ends with one line, and `verify` finds what was lost."""
    through = []
    with TemporaryDirectory() as folder:
        whole, path = Path(folder) / "whole.db", Path(folder) / "damaged.db"
        open_demo(whole).close()
        rows = _rows(whole)
        for number, spoiled in enumerate(_spoiled(whole.read_bytes(), of_each)):
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
    return through


def _spoiled(image: bytes, of_each: int) -> Iterator[bytes]:
    """A third cut short, a third with a page of nothing or of chance, a third with some bytes changed."""
    chance, pages = random.Random(36), len(image) // 4096  # noqa: S311  no secret
    size = len(image)
    for length in (0, 4095, size // 2, 16, 100, 1, 4096, 5000, 8192, size // 3, size - 4096, size - 1)[:of_each]:
        yield image[:length]
    for number in range(of_each):
        at = 4096 * (number if number < 6 else chance.randrange(pages))
        yield image[:at] + (bytes(4096) if number % 2 else chance.randbytes(4096)) + image[at + 4096 :]
    for number in range(of_each):
        spoiled = bytearray(image)
        for _ in range(1 + 20 * number):
            spoiled[chance.randrange(100 if number < 4 else size)] = chance.randrange(256)
        yield bytes(spoiled)


def _rows(path: Path) -> Mapping[str, int]:
    with open_brain(path, read_only=True) as brain:
        return {name: len(rows) for name, rows in dump(brain).items()}


def raw_http(count: int) -> list[str]:
    """Send bytes that are nearly HTTP: each gets a reply below 500 or none, and the brain stays as it was."""
    chance, through = random.Random(1_000), []  # noqa: S311  no secret
    with TemporaryDirectory() as folder:
        path = place(Path(folder) / "brain.db")
        with open_demo(path) as brain:
            before = dump(brain)
        with serving(path) as site:
            for number, sent in enumerate(_nearly_http(chance, count)):
                reply = _reply(site.port, sent)
                status = reply[9:12]
                if reply and not (reply.startswith(b"HTTP/1.") and status.isdigit() and status < b"500"):
                    through.append(f"{number} {sent[:80]!r}: {reply[:80]!r}")
                if number % 50 == 49 and site.send("GET", "/readyz").status != 200:
                    through.append(f"{number}: not ready")
        with open_brain(path) as brain:
            through += [] if dump(brain) == before else ["the brain changed"]
    return through


def _nearly_http(chance: random.Random, count: int) -> Iterator[bytes]:
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
    for number in range(count):
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
