"""Requests that mean harm get what `hostile.toml` says, and leave the brain and the server as they were."""

from __future__ import annotations

import hmac
import json
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from cortex.settings import Settings
from cortex.substrate.access import create_token
from cortex.substrate.brain import open_brain
from tests.brains import content, copied, open_new
from tests.surfaces.http_sites import JSON, Reply, Site, serving
from tests.tables import walk

NOW = datetime(2026, 9, 1, tzinfo=UTC)
SECRET = "between us"  # noqa: S105
REQUESTS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "hostile.toml").read_text("utf-8"))["request"]
TOKENS = {"reader": (["read"], None), "none": ([], None), "other": (["read", "admin"], ["o8-labs/o8-runner"])}


@pytest.fixture(scope="module")
def site(demo_brain: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    path = copied(demo_brain, tmp_path_factory.mktemp("hostile") / "brain.db")
    with open_new(path) as brain:
        for name, (grants, sources) in TOKENS.items():
            create_token(brain, name, f"token of {name}", grants=grants, sources=sources, now=NOW)  # type: ignore[arg-type]
    with serving(path, Settings(db=path, github_webhook_secret=SecretStr(SECRET))) as site:
        yield site


def body_of(request: dict[str, Any]) -> bytes:
    body = request.get("body", "")
    if isinstance(body, str):
        return body.replace("@9", "9" * 5000).encode()
    if "repeat" in body:
        return str(body["repeat"]).encode() * int(body["times"])
    return json.dumps(body).replace("@words", "packet lease " * 7_500).encode()


def headers_of(request: dict[str, Any], path: str, body: bytes) -> dict[str, str]:
    headers: dict[str, str] = dict(JSON) if path.startswith("/v1/") else {}
    if "token" in request:
        headers["authorization"] = f"Bearer token of {request['token']}"
    if request.get("signed"):
        headers["x-hub-signature-256"] = "sha256=" + hmac.new(SECRET.encode(), body, sha256).hexdigest()
    headers.update(request.get("headers", {}))
    return headers


@pytest.fixture(scope="module")
def replies(site: Site) -> dict[str, tuple[Reply, int]]:
    """What each of them got, all of them sent in their order, and with what status the server was ready after it."""
    replies = {}
    for request in REQUESTS:
        method, path = request.get("send", "POST /v1/ask").split(" ", 1)
        body = body_of(request)
        reply = site.send(method, path, body, headers_of(request, path, body))
        replies[request["name"]] = reply, site.send("GET", "/readyz").status
    return replies


@walk("request_", REQUESTS, ids=[one["name"] for one in REQUESTS])
def test_a_hostile_request_gets_what_the_table_says(
    site: Site, replies: dict[str, tuple[Reply, int]], request_: dict[str, Any]
) -> None:
    reply, ready = replies[request_["name"]]
    assert reply.status == request_["gets"], reply.body[:300]
    assert request_.get("says", "") in reply.body.decode()
    assert reply.headers["x-content-type-options"] == "nosniff"
    if reply.body:
        assert reply.headers["content-type"] == "application/json"
    assert str(site.server.path.parent) not in reply.body.decode()
    assert ready == 200


def test_there_are_forty_of_them_at_least() -> None:
    assert len({one["name"] for one in REQUESTS}) == len(REQUESTS) >= 40


@pytest.mark.usefixtures("replies")
def test_after_all_of_them_the_brain_holds_one_issue_more(site: Site, demo_brain: Path) -> None:
    with open_brain(demo_brain) as before, open_brain(site.server.path) as after:
        was, is_ = content(before)["records"], content(after)["records"]
    assert [row[:2] for row in is_ if row not in was] == [("o8-labs/o8", "issue:9001")]
    assert [row for row in was if row not in is_] == []


@pytest.mark.usefixtures("replies")
def test_the_log_holds_no_word_of_what_was_sent(site: Site) -> None:
    site.lines(2 * len(REQUESTS))
    logged = site.log.getvalue()
    assert '"status": 413' in logged
    for word in ("parser", "mallory", "evil", "drop table", "cortex_guess", "/etc/passwd"):
        assert word not in logged
