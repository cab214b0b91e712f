"""Loopback servers that speak the wire formats of the APIs, and a `claude` that speaks as the CLI does."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Literal, NamedTuple

Api = Literal["anthropic", "openai"]


class Says(NamedTuple):
    """A response."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}
    drip_s: float = 0  # seconds between bytes
    cut_after: int | None = None  # bytes, of as many as are promised


class Hangs(NamedTuple):
    """No response, until the server is closed."""


class Asked(NamedTuple):
    """What a server was asked."""

    path: str
    headers: Mapping[str, str]
    body: Any

    @property
    def system(self) -> str:
        if "system" in self.body:
            return str(self.body["system"])
        return str(self.body["messages"][0]["content"])

    @property
    def content(self) -> str:
        return str(self.body["messages"][-1]["content"])


Behaviour = Callable[[Asked], Says | Hangs]


class Server:
    """A model behind an API: `behave` says what to answer; `asked` keeps what it was asked, in order."""

    def __init__(self, behave: Behaviour) -> None:
        self.behave = behave
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self.closed = Event()
        self._at_once = 0
        self._lock = Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self.closed.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def answer(self, asked: Asked) -> Says | Hangs:
        with self._lock:
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return self.behave(asked)
        finally:
            with self._lock:
                self._at_once -= 1

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        return type("Handler", (_Handler,), {"to": self})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or a body waits 40 ms for the client to acknowledge the headers
    to: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        says = self.to.answer(Asked(self.path, headers, json.loads(body)))
        self.close_connection = isinstance(says, Hangs) or says.cut_after is not None
        if isinstance(says, Hangs):
            self.to.closed.wait(120)
            return
        self.send_response(says.status)
        for name, value in {"content-type": "application/json", **says.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(says.body)))
        self.end_headers()
        with suppress(OSError):  # the client has had enough
            self._write(says)

    def _write(self, says: Says) -> None:
        if not says.drip_s:
            self.wfile.write(says.body[: says.cut_after])
            return
        for at in range(len(says.body)):
            self.wfile.write(says.body[at : at + 1])
            if self.to.closed.wait(says.drip_s):
                return

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(behave: Behaviour | Says | Hangs) -> Iterator[Server]:
    server = Server(behave if callable(behave) else lambda _: behave)
    try:
        yield server
    finally:
        server.close()


def in_turn(*says: Says | Hangs) -> Behaviour:
    """Each of *says* once, the last one from then on."""
    left = list(says)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def reply(api: Api, content: object, *, stop: str = "", tokens: tuple[int, int] = (1000, 100)) -> Says:
    """What the API answers where a model said *content*: text, or what is JSON then."""
    text = content if isinstance(content, str) else json.dumps(content)
    body = (_message if api == "anthropic" else _completion)(text, stop, tokens)
    return Says(200, json.dumps(body).encode())


def _message(text: str, stop: str, tokens: tuple[int, int]) -> dict[str, Any]:
    # platform.claude.com/docs/en/api/messages
    return {
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5-20251001",
        "content": [
            {"type": "thinking", "thinking": "The ports are named.", "signature": "c2ln"},
            {"type": "text", "text": text},
        ],
        "stop_reason": stop or "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens[0] - 30,
            "cache_creation_input_tokens": 10,
            "cache_read_input_tokens": 20,
            "output_tokens": tokens[1],
            "service_tier": "standard",
        },
    }


def _completion(text: str, stop: str, tokens: tuple[int, int]) -> dict[str, Any]:
    # platform.openai.com/docs/api-reference/chat/object
    refused = stop == "refusal"
    return {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "gpt-4.1-2025-04-14",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": None if refused else text,
                    "refusal": text if refused else None,
                    "annotations": [],
                },
                "logprobs": None,
                "finish_reason": {"max_tokens": "length", "refusal": "stop"}.get(stop, stop or "stop"),
            }
        ],
        "usage": {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        },
        "service_tier": "default",
    }


def failure(api: Api, status: int, kind: str, message: str, **headers: str) -> Says:
    """What the API answers where it does not serve."""
    error: dict[str, Any] = {"type": kind, "message": message}
    if api == "anthropic":
        body = {"type": "error", "error": error, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy"}
    else:
        body = {"error": {**error, "param": None, "code": kind}}
    return Says(status, json.dumps(body).encode(), {name.replace("_", "-"): value for name, value in headers.items()})


CLAUDE = """#!{python}
import json, os, sys, time
from pathlib import Path
here = Path({folder!r})
asked = {{"arguments": sys.argv[1:], "content": sys.stdin.read(), "files": os.listdir("."), "env": dict(os.environ)}}
with (here / "asked.jsonl").open("a") as log:
    log.write(json.dumps(asked) + "\\n")
{does}
"""


class Cli(NamedTuple):
    """A `claude` on a PATH of its own, and what it was asked."""

    program: Path

    @property
    def asked(self) -> list[dict[str, Any]]:
        log = self.program.parent / "asked.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def install_claude(folder: Path, does: str) -> Cli:
    """A program `claude` in *folder* that does what the Python in *does* says."""
    folder.mkdir(exist_ok=True)
    program = folder / "claude"
    program.write_text(CLAUDE.format(python=sys.executable, folder=str(folder), does=does))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return Cli(program)


def result(content: object = None, **fields: object) -> str:
    """Python that prints what `claude -p --output-format json` does at its end."""
    message: dict[str, Any] = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "duration_ms": 1998,
        "duration_api_ms": 1976,
        "num_turns": 1,
        "result": content if isinstance(content, str) else "",
        "stop_reason": "end_turn",
        "session_id": "0e639165-79b1-4bd4-bb0f-4cb4c15115d4",
        "total_cost_usd": 0.0123,
        "usage": {"input_tokens": 3, "cache_read_input_tokens": 997, "output_tokens": 100},
        "permission_denials": [],
    }
    if content is not None and not isinstance(content, str):
        message["structured_output"] = content
    return f"print(json.dumps({message | fields!r}))"
