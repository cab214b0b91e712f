"""GitHub's REST API on loopback, as an export folder would look through it: its shapes, pages, limits and failures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

Row = dict[str, Any]
Fault = Callable[["Handler"], bool]
"""Answers instead of the server; whether it did."""

_OF_PULLS = ("merged", "merged_at", "merged_by", "merge_commit_sha", "draft", "base", "head", "additions", "deletions")
_OF_EXPORTS = ("kind", "issue_number", "is_pull", "repo")


class GitHubServer:
    """What the handler answers from, and what it was asked.

    Attributes:
        faults: by the number of the request, from 1, what goes wrong with it.
        asked: path and query of every request that came.
        statuses: how each was answered.
        endless: every page names a next one, whose rows are those of the last.
    """

    def __init__(self, folder: Path, name: str, *, token: str = "", address: str = "") -> None:
        self.name, self.token, self.address = name, token, address
        self.renamed_from = ""
        self.read(folder)
        self.faults: dict[int, Fault] = {}
        self.asked: list[str] = []
        self.statuses: list[int] = []
        self.endless = False
        self.released = Event()
        self.stalled = Event()

    def read(self, folder: Path) -> None:
        """Answer from what *folder* holds now."""
        self.issues, self.pulls, self.comments = (
            _rows(folder / f"{one}.jsonl") for one in ("issues", "pulls", "comments")
        )

    def listed(self, path: str) -> list[Row] | Row | None:  # noqa: PLR0911  a case each
        """All rows of *path*, or the one it names."""
        root = f"/repos/{self.name}"
        if path == "/repositories/1":
            path = root
        match path.removeprefix(root).strip("/").split("/") if path.startswith(root) else []:
            case [""]:
                return {"id": 1, "full_name": self.name, "has_issues": True}
            case ["issues"]:
                return [*map(self._issue, self.issues), *map(self._listed_pull, self.pulls)]
            case ["issues", "comments"]:
                return [self._comment(row) for row in self.comments if row["kind"] == "issue_comment"]
            case ["pulls", "comments"]:
                return [self._comment(row) for row in self.comments if row["kind"] == "review_comment"]
            case ["issues" | "pulls", "comments", identity]:
                return next((self._comment(row) for row in self.comments if str(row["id"]) == identity), None)
            case ["issues", number]:
                every = [*map(self._issue, self.issues), *map(self._listed_pull, self.pulls)]
                return next((row for row in every if str(row["number"]) == number), None)
            case ["pulls", number]:
                return next((self._pull(row) for row in self.pulls if str(row["number"]) == number), None)
            case ["pulls", number, "reviews"]:
                return self._reviews(number)
        return None

    def _reviews(self, number: str) -> list[Row]:
        of_it = [row for row in self.comments if row["kind"] == "review" and str(row["issue_number"]) == number]
        url = {"pull_request_url": self._url("pulls", number)}
        return [_without(row, "created_at", "updated_at") | url for row in of_it]

    def _issue(self, row: Row) -> Row:
        return {**_without(row), "url": self._url("issues", row["number"])}

    def _pull(self, row: Row) -> Row:
        return {**_without(row), "url": self._url("pulls", row["number"])}

    def _listed_pull(self, row: Row) -> Row:
        return {
            **_without(row, *_OF_PULLS), "url": self._url("issues", row["number"]),
            "pull_request": {"url": self._url("pulls", row["number"]), "merged_at": row["merged_at"]},
        }  # fmt: skip

    def _comment(self, row: Row) -> Row:
        under = "pull_request_url" if row["kind"] == "review_comment" else "issue_url"
        of = "pulls" if row["kind"] == "review_comment" else "issues"
        return {**_without(row), under: self._url(of, row["issue_number"])}

    def _url(self, *parts: object) -> str:
        return "/".join([f"{self.address}/repos/{self.name}", *map(str, parts)])


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def _without(row: Row, *names: str) -> Row:
    return {name: value for name, value in row.items() if name not in (*_OF_EXPORTS, *names)}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # an answer is one write, for a second one would wait for the first to be acknowledged
    state: GitHubServer

    def do_GET(self) -> None:
        self.state.asked.append(self.path)
        fault = self.state.faults.get(len(self.state.asked))
        if fault and fault(self):
            return
        if self.state.token and self.headers.get("Authorization") != f"token {self.state.token}":
            self.say(401, {"message": "Bad credentials"})
            return
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        found = self.state.listed(parts.path)
        if self.state.renamed_from and f"{parts.path}/".startswith(f"/repos/{self.state.renamed_from}/"):
            self.say(301, {"message": "Moved"}, {"Location": f"{self.state.address}/repositories/1"})
        elif found is None:
            self.say(404, {"message": "Not Found"})
        elif isinstance(found, dict):
            self.say(200, found)
        else:
            self._page(parts.path, asked, found)

    def _page(self, path: str, asked: dict[str, str], rows: list[Row]) -> None:
        if "sort" in asked:
            assert asked["direction"] == "asc"
            rows = sorted(rows, key=lambda row: row[f"{asked['sort']}_at"])
        rows = [row for row in rows if row.get("updated_at", "") >= asked.get("since", "")]
        if path.endswith("/issues") and asked.get("state") != "all":
            rows = [row for row in rows if row["state"] == "open"]
        size, page = int(asked.get("per_page", 30)), int(asked.get("page", 1))
        pages = {"next": page + 1, "last": -(-len(rows) // size)}
        links = (
            f'<{self.state.address}{path}?{urlencode({**asked, "page": number})}>; rel="{name}"'
            for name, number in pages.items()
        )
        more = {"Link": ", ".join(links)} if len(rows) > page * size or self.state.endless else {}
        if self.state.endless:
            page = 1 + (page - 1) % (pages["last"] or 1)
        self.say(200, rows[(page - 1) * size : page * size], more)

    def say(self, status: int, content: object, headers: dict[str, str] | None = None) -> None:
        body = json.dumps(content).encode()
        etag = f'W/"{sha1(body, usedforsecurity=False).hexdigest()}"'
        if status == 200 and self.headers.get("If-None-Match") == etag:
            status, body = 304, b""
        self.state.statuses.append(status)
        self.send_response_only(status)
        sent = {
            "Date": self.date_time_string(),
            "Content-Type": "application/json; charset=utf-8",
            "Content-Length": str(len(body)),
            "ETag": etag,
        }
        for name, value in (sent | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  http.server's name
        pass


def refuse(status: int, message: str, **headers: str) -> Fault:
    """Answers with *status*, *message* and *headers*, '_' standing for '-'."""

    def fault(handler: Handler) -> bool:
        handler.say(status, {"message": message}, {name.replace("_", "-"): value for name, value in headers.items()})
        return True

    return fault


def other(content: object) -> Fault:
    """Answers what nobody asked for, and calls it a success."""

    def fault(handler: Handler) -> bool:
        handler.say(200, content)
        return True

    return fault


def cut(handler: Handler) -> bool:
    """Promises more than it sends, and hangs up in the middle of a word."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'[{"id": 1, "bo')
    handler.close_connection = True
    return True


def broken(handler: Handler) -> bool:
    """Sends all it promised, which is no JSON."""
    body = b'[{"id": 1, "body": "it en'
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
    return True


def stall(handler: Handler) -> bool:
    """Says nothing until it is released."""
    handler.state.stalled.set()
    handler.state.released.wait(120)
    handler.close_connection = True
    return True


@contextmanager
def serving(folder: Path, name: str, *, token: str = "") -> Iterator[GitHubServer]:
    """GitHub's API for the repository that *folder* is an export of."""
    state = GitHubServer(folder, name, token=token)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"state": state}))
    server.daemon_threads = True
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        state.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
