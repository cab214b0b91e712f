"""The HTTP interface: every operation by its route, tokens, limits, headers, log, metrics, and an orderly end."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import signal
import socket
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, date, datetime
from importlib import import_module
from itertools import islice, product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from cortex.evals.capture import captured, switch
from cortex.settings import Settings
from cortex.substrate.access import Grant, create_token, revoke_token
from cortex.substrate.address import argument, located
from cortex.substrate.brain import Brain
from cortex.substrate.ledger import ledger_path, open_ledger
from cortex.surfaces.commands.serving import listening_at
from cortex.surfaces.contract import as_json, run
from cortex.surfaces.http import gate, patience, routes, server, workers
from cortex.surfaces.http.answering import Asked, Who, call_of, perform
from cortex.surfaces.http.app import _bug
from cortex.surfaces.http.server import HERE, Options, Server
from cortex.surfaces.operations import every
from tests.brains import copied, forget, nowhere, open_new
from tests.surfaces.http_sites import JSON, Site, serving
from tests.surfaces.mcp_clients import call
from tests.surfaces.test_contract import SAID
from tests.trees import until
from tests.warm import program

NOW = datetime(2026, 9, 1, tzinfo=UTC)
QUESTION = "Which runner issue is live resource usage of a packet blocked on?"
GRANTS: tuple[Grant, ...] = ("read", "write", "admin")
REMOTE = [operation for operation in every() if not operation.local]
OFFERED = [operation.name for operation in REMOTE]
THREADS_OR_PROCESSES = pytest.mark.parametrize("answers", ["own", "pooled"], ids=["threads", "processes"])


def with_tokens(path: Path) -> Path:
    """Let tokens of each grant, of none and of one source call the brain at *path*."""
    with open_new(path) as brain:
        for grant in GRANTS:
            create_token(brain, grant, f"token of {grant}", grants=[grant], sources=None, now=NOW)
        create_token(brain, "none", "token of none", grants=[], sources=None, now=NOW)
        create_token(brain, "runner", "token of runner", grants=["read"], sources=["o8-labs/o8-runner"], now=NOW)
    return path


@pytest.fixture(scope="module")
def site(demo_brain: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    path = copied(demo_brain, tmp_path_factory.mktemp("http") / "brain.db")
    with serving(with_tokens(path), open=False, origins=("https://board.example",)) as site:
        yield site


@pytest.fixture(scope="module")
def site_for_all(demo_brain: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that needs no token for anything."""
    path = copied(demo_brain, tmp_path_factory.mktemp("open") / "brain.db")
    with serving(path, may=frozenset({"read", "write", "admin"})) as site:
        yield site


@pytest.fixture(scope="module")
def pooled(demo_brain: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server whose questions are answered in processes."""
    path = copied(demo_brain, tmp_path_factory.mktemp("pooled") / "brain.db")
    with serving(path, processes=2) as site:
        yield site


@pytest.fixture
def answering(answers: str, request: pytest.FixtureRequest) -> Site:
    site: Site = request.getfixturevalue(answers)
    return site


@pytest.fixture
def own(brain: Path) -> Iterator[Site]:
    """A server of the test's own, that needs no token."""
    with serving(brain) as site:
        yield site


GIVEN: dict[str, dict[str, Any]] = SAID | {
    "ask": {"question": QUESTION},
    "remember": {"text": "Deploy on Mondays.", "by": "ada", "where": "the meeting", "source": "o8-labs/o8"},
    "compact": {"dry_run": True},
    "review_approve": {"ref": "outcome:pull-430"},
    "review_merge": {"ref": "outcome:pull-1061", "into": "fact-44ba6e964096"},
    "forget": {"name": "fact-44ba6e964096", "undo": True},
    "source_remove": {"name": "o8-labs/o8"},
    "source_rename": {"name": "o8-labs/o8", "to": "o8-labs/o8"},
    "source_archive": {"name": "o8-labs/o8", "undo": True},
}
"""What to call each operation with, where it cannot be called with nothing."""


def test_an_operation_called_over_http_is_the_operation(site_for_all: Site) -> None:
    for operation in REMOTE:
        reply = site_for_all.call(operation.name, **GIVEN.get(operation.name, {}))
        assert reply.status == 200, (operation.name, reply.body)
        assert reply.json.keys() <= _names(operation.output_schema()), operation.name


def _names(schema: dict[str, Any]) -> set[str]:
    variants = [schema, *schema.get("$defs", {}).values()]
    return {name for one in variants for name in one.get("properties", {})}


def test_a_read_over_http_says_what_the_contract_says(site: Site) -> None:
    over_http = site.call("search", bearer="read", query="packet").json
    (search,) = (one for one in every() if one.name == "search")
    who = Who("test", frozenset({"read"}), None)
    asked = Asked("search", {"query": "packet"}, who, site.server.path, site.server.settings, NOW)
    assert over_http == as_json(run(search, call_of(asked), asked.given), search)


def test_a_token_is_refused_what_its_scope_does_not_name(site: Site) -> None:
    for operation, grant in product(REMOTE, GRANTS):
        given = {**GIVEN.get(operation.name, {}), "no such parameter": 1}
        reply = site.call(operation.name, bearer=grant, **given)
        expected = (422, "BadParameter") if operation.effect == grant else (403, "NotAllowed")
        assert (reply.status, reply.error) == expected, (operation.name, grant)


def test_nobody_calls_without_a_token_where_one_is_needed(brain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "GUESSES", len(OFFERED))
    with serving(with_tokens(brain), open=False) as site:
        for name in OFFERED:
            reply = site.call(name, **GIVEN.get(name, {}))
            assert (name, reply.status, reply.error) == (name, 401, "TokenNeeded")
            assert reply.headers["www-authenticate"] == "Bearer"


def test_a_revoked_token_is_refused_at_once(brain: Path) -> None:
    with serving(with_tokens(brain), open=False) as site:
        assert site.call("sources", bearer="read").status == 200
        with open_new(brain) as opened:
            revoke_token(opened, "read", now=NOW)
        assert site.call("sources", bearer="read").status == 401


def test_a_token_of_one_source_sees_no_other(site: Site) -> None:
    listed = site.call("sources", bearer="runner").json["sources"]
    assert [one["name"] for one in listed] == ["o8-labs/o8-runner"]
    found = site.call("facts", bearer="runner", limit=500).json["facts"]
    assert {one["source"] for one in found} == {"o8-labs/o8-runner"}
    assert site.call("evals", bearer="runner").status == 403
    assert site.call("compactions", bearer="runner").json == {"compactions": []}


def test_who_reads_waits_for_no_write_and_who_writes_waits_in_a_line_that_ends(
    brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "PATIENCE_S", 1.0)
    monkeypatch.setattr(workers, "IN_LINE", 3)
    note = {"text": "Leases are renewed twice.", "by": "ada", "where": "a call", "source": "o8-labs/o8"}
    with serving(with_tokens(brain), open=False) as site, ThreadPoolExecutor(16) as callers:
        with open_new(brain) as held, held.transaction():  # as an index run in another process holds it
            writes = [callers.submit(site.call, "remember", bearer="write", **note) for _ in range(workers.WRITING + 5)]
            turned_away = [one.result() for one in islice(as_completed(writes), 5)]
            read = [site.call("sources", bearer="read").status, site.call("sources", bearer="nobody").status]
            ready = site.send("GET", "/readyz").status
        written = [one.result() for one in writes if one.result() not in turned_away]
    assert (read, ready) == ([200, 401], 200)
    assert {one.error for one in turned_away} == {"TooManyWrites"}
    assert {(one.status, one.headers["retry-after"]) for one in turned_away} == {(503, "1")}
    assert [one.status for one in written] == [200] * workers.WRITING


def test_a_token_may_send_so_many_requests_a_minute(brain: Path) -> None:
    with serving(with_tokens(brain), open=False, rate=3) as site:
        replies = [site.call("sources", bearer="read") for _ in range(5)]
        assert [one.status for one in replies] == [200, 200, 200, 429, 429]
        assert int(replies[-1].headers["retry-after"]) >= 1
        assert site.call("remember", bearer="write").status == 422  # another's share is its own


def test_an_address_may_guess_only_so_often(brain: Path) -> None:
    with serving(with_tokens(brain), open=False) as site:
        replies = [site.call("sources", bearer=f"guess {n}").status for n in range(40)]
        assert replies[:30] == [401] * 30
        assert 429 in replies[30:]  # one every two seconds is free again
        assert site.call("sources", bearer="read").status == 200  # it may come through the same proxy


def test_what_a_token_records_is_its_own_whoever_it_says_it_speaks_for(brain: Path) -> None:
    with serving(with_tokens(brain), open=False) as site:
        made = site.call("remember", bearer="write", **GIVEN["remember"] | {"text": "Ship it.", "by": "operator"}).json
    assert (made["author"], made["recorded_by"], made["authority"]) == ("token write, for operator", "token write", 0.6)


def test_without_a_token_one_may_do_here_what_an_agent_may(own: Site) -> None:
    agent = call(own.server.path, "agent")
    refused = [name for name in OFFERED if own.call(name, **GIVEN.get(name, {})).status == 403]
    assert refused == [operation.name for operation in REMOTE if not agent.allows(operation)]


@pytest.mark.parametrize("operation", ["ask", "get", "brief"])
def test_no_error_tells_whether_a_folder_was_guessed(own: Site, operation: str) -> None:
    """The folder the brain is in, one that is there, and one that is not: the same is said of each."""
    asked: dict[str, dict[str, Any]] = {
        "ask": {"question": QUESTION}, "get": {"name": "pull:1"}, "brief": {"task": "packets"}
    }  # fmt: skip
    sent = asked[operation]
    told = set()
    for folder in (own.server.path.parent, Path("/etc"), Path("/not/there")):
        reply = own.call(operation, **sent | {"sources": [f"{folder}/project"]})
        told.add((reply.status, reply.body.decode().replace(str(folder), "FOLDER")))
        named = own.call("get", name=f"{folder}/project/brain.db")
        told.add((named.status, named.body.decode().replace(str(folder), "FOLDER")))
    assert len(told) == 2
    assert all("FOLDER" in body for _, body in told)


@THREADS_OR_PROCESSES
def test_what_is_asked_over_http_is_kept_where_questions_are_captured(answering: Site) -> None:
    with open_ledger(ledger_path(answering.server.path)) as ledger:
        switch(ledger, on=True, now=NOW)
        answering.call("ask", question=QUESTION)
        answering.call("ask", question="Who owns the eval harness?")
        switch(ledger, on=False, now=NOW)
        assert [one.question for one in captured(ledger)] == ["Who owns the eval harness?", QUESTION]


def test_a_question_that_cannot_be_kept_is_answered_and_the_log_says_so(own: Site) -> None:
    ledger_path(own.server.path).write_text("these are notes, not a ledger; " * 9)
    assert own.call("ask", question=QUESTION).status == 200
    remark, line = own.lines(2)
    assert "the question was not captured" in remark["remark"]
    assert str(own.server.path.parent) not in remark["remark"]
    assert line["result"] == "answered"


def test_a_page_elsewhere_calls_where_it_may(site: Site) -> None:
    asks = {"origin": "https://board.example", "access-control-request-method": "POST",
            "access-control-request-headers": "authorization,content-type"}  # fmt: skip
    leave = site.send("OPTIONS", "/v1/ask", None, asks)
    assert leave.status == 200
    assert leave.headers["access-control-allow-origin"] == "https://board.example"
    ours = site.send("GET", "/healthz", None, {"origin": site.url})
    assert ours.status == 200


def test_a_page_elsewhere_may_send_what_the_sdks_client_sends(site: Site) -> None:
    sent: set[str] = set()

    async def note(request: httpx2.Request) -> None:
        sent.update(request.headers.keys())

    assert anyio.run(_tools, f"{site.url}/mcp", "token of read", note)
    asked = sent - {"host", "connection", "content-length", "accept-encoding", "user-agent"}  # the browser's own
    assert "mcp-protocol-version" in asked
    asks = {"origin": "https://board.example", "access-control-request-method": "POST",
            "access-control-request-headers": ",".join(sorted(asked))}  # fmt: skip
    leave = site.send("OPTIONS", "/mcp", None, asks)
    assert (leave.status, leave.headers["access-control-allow-origin"]) == (200, "https://board.example")
    refused = site.send("POST", "/v1/ask", "{}", {**JSON, "origin": "https://board.example"})
    assert "www-authenticate" in refused.headers["access-control-expose-headers"]


def test_every_response_says_that_nothing_else_may_run(site: Site) -> None:
    for path in ("/", "/web/app.js", "/healthz", "/nothing"):
        policy = site.send("GET", path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy


def test_no_file_of_the_page_names_another_server() -> None:
    named = re.compile(r"https?://(?!www\.w3\.org/2000/svg)[\w.]+")
    for path in (Path(routes.__file__).parents[1] / "web").iterdir():
        assert named.findall(path.read_text("utf-8")) == []


def test_a_server_is_up_without_a_brain_and_not_ready(tmp_path: Path) -> None:
    path = nowhere(tmp_path / "none.db")
    with serving(path) as site:
        assert site.send("GET", "/healthz").json == {"status": "up"}
        ready = site.send("GET", "/readyz")
        assert (ready.status, ready.json) == (503, {"ready": False, "problem": "BrainMissing"})
        reply = site.call("ask", question=QUESTION)
        assert (reply.status, reply.error) == (503, "BrainMissing")
        assert argument(path) not in reply.body.decode()


def test_a_client_is_not_told_where_a_database_is(tmp_path: Path) -> None:
    with serving(located("postgresql://127.0.0.1:1/hidden", tmp_path)) as site:
        reply = site.call("sources")
    assert (reply.status, reply.error) == (503, "BrainFailed")
    assert not {"hidden", "127.0.0.1"} & {*re.findall(r"[\w.]+", reply.body.decode())}


def test_a_brain_that_is_made_anew_is_read_anew(brain: Path, own: Site) -> None:
    assert own.call("sources").json["sources"]
    forget(brain)
    open_new(brain).close()
    assert own.call("sources").json["sources"] == []


def test_the_log_has_shapes_and_no_words(own: Site) -> None:
    own.call("ask", question=QUESTION, sources=["o8-labs/o8"])
    line = own.lines()[-1]
    assert line.pop("ms") > 0
    assert line.pop("bytes") > 100
    assert line == {
        "method": "POST", "route": "ask", "asked": {"question": f"text {len(QUESTION)}", "sources": "list 1"},
        "result": "answered", "status": 200,
    }  # fmt: skip
    assert "resource" not in own.log.getvalue()


def test_what_is_warned_of_while_it_answers_is_a_line_of_the_log_like_any_other(own: Site) -> None:
    @contextmanager
    def lent() -> Iterator[Brain]:
        logging.getLogger("cortex.composer.compose.model").warning("worded by nobody")
        with own.server.readers.lent() as brain:
            yield brain

    asked = own.server.asked("ask", {"question": QUESTION}, HERE)
    assert perform(asked, lent).remarks == ("worded by nobody",)
    assert perform(asked, own.server.readers.lent).remarks == ()


def test_the_log_names_no_method_but_those_of_http(own: Site) -> None:
    for method in ("GET", "SECRETWORD"):
        own.send(method, "/healthz")
    assert [line["method"] for line in own.lines(2)] == ["GET", "?"]


def test_what_is_recorded_from_elsewhere_was_not_read(brain: Path) -> None:
    with serving(brain, open=True) as site:
        before = site.call("sources").json
        kept = site.call("remember", text="Deploy on Mondays.", by="ada", where="a meeting", source="o8-labs/o8")
        assert kept.status == 200
        after = site.call("sources").json
    dates = [[one["indexed_at"] for one in found["sources"]] for found in (before, after)]
    assert dates[0] == dates[1]
    assert all(dates[0])


def test_the_metrics_count_by_operation(own: Site) -> None:
    own.call("ask", question=QUESTION)
    own.call("ask", question="How much does the team plan cost per seat?")
    own.call("ask")
    own.send("GET", "/made/up/path")
    text = own.send("GET", "/metrics").body.decode()
    assert 'cortex_requests_total{route="ask",status="200"} 2.0' in text
    assert 'cortex_requests_total{route="ask",status="422"} 1.0' in text
    assert 'cortex_answers_total{result="refused"} 1.0' in text
    assert "made" not in text


def test_the_metrics_need_a_reader_of_every_source(site: Site) -> None:
    statuses = {}
    for name in ("read", "write", "none", "runner"):
        statuses[name] = site.send("GET", "/metrics", None, {"authorization": f"Bearer token of {name}"}).status
    assert statuses == {"read": 200, "write": 403, "none": 403, "runner": 403}


def test_the_interface_describes_every_route_and_all_its_references_stand(site: Site) -> None:
    document = site.send("GET", "/openapi.json").json
    assert document == routes.document()
    assert [path.removeprefix("/v1/") for path in document["paths"]] == OFFERED
    schemas = document["components"]["schemas"]
    pointed = re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', json.dumps(document))
    assert pointed
    assert set(pointed) <= schemas.keys()
    assert "$defs" not in json.dumps(document)


def test_mcp_over_http_serves_whoever_the_token_is(site: Site) -> None:
    def names(token: str) -> set[str]:
        return anyio.run(_tools, f"{site.url}/mcp", token)

    assert "cortex_ask" in names("token of read")
    assert not names("token of none")
    assert "cortex_remember" in names("token of write")
    assert "cortex_ask" not in names("token of write")


async def _tools(url: str, token: str, *noting: Callable[[httpx2.Request], Awaitable[None]]) -> set[str]:
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, event_hooks={"request": [*noting]}) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        return {tool.name for tool in (await client.list_tools()).tools}


@THREADS_OR_PROCESSES
def test_mcp_over_http_answers_as_the_route_does(answering: Site) -> None:
    async def session(url: str) -> tuple[Any, Any]:
        async with Client(f"{url}/mcp") as client:
            asked = await client.call_tool("cortex_ask", {"question": QUESTION})
            return asked, await client.call_tool("cortex_ask", {"question": QUESTION, "sources": ["nowhere"]})

    asked, nowhere = anyio.run(session, answering.url)
    over_http = answering.call("ask", question=QUESTION).json
    assert asked.structured_content["answer"] == over_http["answer"]
    assert nowhere.is_error
    assert "this brain holds: o8-labs/o8" in nowhere.content[0].text


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_mcp_over_http_keeps_the_topic_of_each_session_apart(brain: Path, mode: str) -> None:
    async def session(url: str) -> tuple[list[str], list[str]]:
        async def ask(client: Client, question: str) -> str:
            answer = (await client.call_tool("cortex_ask", {"question": question})).structured_content
            assert answer is not None
            return str(answer["question"])

        names = ("ada", "ada") if mode == "legacy" else ("ada", "bob")  # a session of the older protocol has a name
        ada, bob = (types.Implementation(name=name, version="1") for name in names)
        async with Client(url, mode=mode, client_info=ada) as first, Client(url, mode=mode, client_info=bob) as second:
            questions = QUESTION, "and why?"
            return [await ask(first, one) for one in questions], [await ask(second, one) for one in questions[1:]]

    with serving(brain, processes=0) as site:
        (_, followed), alone = anyio.run(session, f"{site.url}/mcp")
    assert followed != "and why?"
    assert alone == ["and why?"]


def test_mcp_over_http_says_nothing_of_where_the_brain_is(tmp_path: Path) -> None:
    async def session(url: str) -> Any:  # noqa: ANN401
        async with Client(f"{url}/mcp") as client:
            return await client.call_tool("cortex_ask", {"question": QUESTION})

    with serving(tmp_path / "none.db") as site:
        said = anyio.run(session, site.url)
    assert said.is_error
    assert "no brain" in said.content[0].text
    assert str(tmp_path) not in said.content[0].text


def test_mcp_over_http_needs_a_token_too(site: Site) -> None:
    reply = site.send("POST", "/mcp", "{}", JSON)
    assert (reply.status, reply.error) == (401, "TokenNeeded")


def test_processes_answer_many_at_once_and_as_threads_do(pooled: Site) -> None:
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: pooled.call("ask", question=QUESTION), range(16)))
    assert {one.status for one in replies} == {200}
    assert len({one.json["answer"] for one in replies}) == 1
    assert pooled.call("ask", question="?").error == "EmptyQuestion"


def test_processes_without_a_brain_say_so_and_answer_once_there_is_one(demo_brain: Path, tmp_path: Path) -> None:
    path = nowhere(tmp_path / "brain.db")
    with serving(path, processes=1) as site:
        assert site.call("ask", question=QUESTION).error == "BrainMissing"
        copied(demo_brain, path)
        assert not site.call("ask", question=QUESTION).json["refused"]


def test_the_same_question_asked_at_once_is_answered_once(brain: Path) -> None:
    with serving(brain) as site, ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda _: site.call("ask", question=QUESTION), range(16)))
        assert {one.status for one in replies} == {200}
        assert len({json.dumps(one.json["timings_ms"]) for one in replies}) < 16
        told = site.call("ask", question=QUESTION).json["timings_ms"]
        assert site.call("ask", question=QUESTION).json["timings_ms"] != told  # nothing is kept


def test_a_process_that_is_killed_is_replaced(pooled: Site) -> None:
    assert pooled.call("sources").status == 200
    pool = pooled.server.workers.pool
    assert pool
    assert pool._pool
    worker, _ = pool._pool._processes.values()
    worker.kill()
    worker.join()
    assert pooled.call("sources").status == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /he",
        b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /he",
    ],
    ids=["nothing", "half a head", "half a body", "half a second request"],
)
def test_a_client_who_takes_for_ever_is_hung_up_on(own: Site, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(patience, "PATIENCE_S", 0.2)
    with socket.create_connection(("127.0.0.1", own.port), timeout=15) as client:
        client.sendall(sent)
        while client.recv(1000):  # until it ends; a server that waits on makes this time out
            pass
    if b"POST" in sent:
        assert own.lines()[-1]["status"] == 499
    assert "bug" not in own.log.getvalue()


def ask_on_and_on(client: socket.socket) -> None:
    while True:
        client.sendall(b"GET /web/app.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)


def test_a_client_who_reads_nothing_is_hung_up_on(own: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PATIENCE_S", 0.2)
    client = socket.create_connection(("127.0.0.1", own.port), timeout=15)
    with client, pytest.raises(ConnectionError):  # a server that waits on makes this time out
        ask_on_and_on(client)
    assert own.call("sources").status == 200
    assert "bug" not in own.log.getvalue()


def test_a_client_who_reads_slowly_gets_all_of_it(own: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    length = int(own.send("GET", "/web/app.css").headers["content-length"])
    asked, looks, got, look = 100, 0, [0], patience.Patience._look

    def look_and_let_read(self: patience.Patience, *before: object) -> None:
        nonlocal looks
        look(self, *before)
        with suppress(BlockingIOError):
            got.extend(len(at_once.recv(65_536)) for _ in range(4))
        looks += 1

    monkeypatch.setattr(patience.Patience, "_look", look_and_let_read)
    monkeypatch.setattr(patience, "PATIENCE_S", 1)
    with socket.socket() as client, client.dup() as at_once:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32_768)
        client.settimeout(15)
        client.connect(("127.0.0.1", own.port))
        at_once.settimeout(0)
        client.sendall(b"GET /web/app.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * (asked - 1))
        client.sendall(b"GET /web/app.css HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        monkeypatch.setattr(patience, "PATIENCE_S", 0.01)
        until(lambda: looks >= 10)  # it reads no more than that between two of them
        while read := len(client.recv(65_536)):
            got.append(read)
    assert sum(got) > asked * length


def test_who_keeps_many_connections_open_keeps_nobody_else_out(own: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "OPEN_AT_ONCE", 8)
    with ExitStack() as kept:
        crowd = [kept.enter_context(socket.create_connection(("127.0.0.1", own.port), timeout=15)) for _ in range(30)]
        for one in crowd:
            with suppress(ConnectionError):
                one.sendall(b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\n")
        assert {own.call("sources").status for _ in range(5)} == {200}
        with suppress(ConnectionError):
            assert crowd[0].recv(1) == b""
    assert (own.server.metrics.registry.get_sample_value("cortex_hung_up_total", {"why": "many"}) or 0) >= 22


def test_a_request_that_is_being_answered_gives_way_to_none(brain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "OPEN_AT_ONCE", 2)
    note = {"text": "Leases are renewed twice.", "by": "ada", "where": "a call", "source": "o8-labs/o8"}
    with serving(brain) as site, ThreadPoolExecutor() as callers:
        with open_new(brain) as held, held.transaction():
            waiting = callers.submit(site.call, "remember", **note)
            until(lambda: site.server.metrics.registry.get_sample_value("cortex_requests_open") == 1)
            with ExitStack() as kept:
                for _ in range(8):
                    kept.enter_context(socket.create_connection(("127.0.0.1", site.port), timeout=15))
                assert site.send("GET", "/healthz").status == 200
        assert waiting.result().status == 200


def test_more_requests_than_can_be_answered_are_told_to_come_again(
    brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "AT_ONCE", 1)
    note = {"text": "Leases are renewed twice.", "by": "ada", "where": "a call", "source": "o8-labs/o8"}
    with serving(brain) as site, ThreadPoolExecutor() as callers:
        with open_new(brain) as held, held.transaction():
            waiting = callers.submit(site.call, "remember", **note)
            until(lambda: site.server.metrics.registry.get_sample_value("cortex_requests_open") == 1)
            refused, health = site.call("sources"), site.send("GET", "/healthz")
        assert waiting.result().status == 200
    assert (refused.status, refused.error, refused.headers["retry-after"]) == (503, "TooBusy", "1")
    assert health.status == 200


def test_streams_that_would_never_end_are_not_begun(own: Site) -> None:
    reply = own.send("GET", "/mcp", headers={"accept": "text/event-stream"})
    assert (reply.status, reply.headers["allow"]) == (405, "POST")


def test_who_waits_for_an_answer_is_not_hung_up_on(own: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PATIENCE_S", 0.001)
    assert own.call("ask", question=QUESTION).status == 200


def test_no_packet_waits_for_another_to_be_acknowledged() -> None:
    async def switched_off() -> bool:
        accepted: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
        with listening_at("127.0.0.1", 0) as listening:
            server = await asyncio.start_server(lambda _, writer: accepted.put_nowait(writer), sock=listening)
            _, client = await asyncio.open_connection(*listening.getsockname())
            writer = await accepted.get()
            found = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for each in (client, writer):
                each.close()
                await each.wait_closed()
            server.close()
            await server.wait_closed()
        return bool(found)

    assert asyncio.run(switched_off())


def test_what_fails_in_another_process_is_logged_with_where_and_nothing_it_quotes(brain: Path) -> None:
    log = io.StringIO()
    server = Server(brain, Settings(db=brain), Options(processes=0), log=log)
    forged = 'x\nTraceback (most recent call last):\n  File "secret", line 1, in x\n'
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
        pytest.raises(ValueError, match="secret") as bug,
    ):
        pool.submit(date.fromisoformat, forged).result()
    with pytest.raises(ModuleNotFoundError) as missing, ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(import_module, "cortex.surfaces.nothing").result()
    for error, place in ((bug.value, "process.py"), (missing.value, "importlib")):
        assert asyncio.run(_bug(server, None, error)).status_code == 500
        line = json.loads(log.getvalue().splitlines()[-1])
        assert any(place in one for one in line["at"])
        assert not any("secret" in one or "test_http" in one for one in line["at"])


@pytest.fixture
def started(brain: Path) -> Iterator[Callable[..., tuple[subprocess.Popen[str], str]]]:
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> tuple[subprocess.Popen[str], str]:
        command = [program(), "--db", argument(brain), "--json", "serve", "--port", "0", "--processes", "1", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        running.append(process)
        assert process.stdout
        return process, json.loads(process.stdout.readline())["url"]

    yield start
    for process in running:
        process.kill()
        process.communicate()


def test_whoever_presses_ctrl_c_is_told_that_it_stopped(brain: Path) -> None:
    command = [program(), "--db", argument(brain), "serve", "--port", "0", "--processes", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        told = process.stderr.readline()
        assert "stop it with Ctrl-C" in told
        (url,) = re.findall(r"http://[\w.:]+", told)
        assert httpx2.get(f"{url}/healthz", timeout=180).status_code == 200
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=180)[1]
    assert (process.returncode, said.splitlines()[-1]) == (0, "stopped")


def test_the_command_serves_and_ends_in_good_order(started: Callable[..., tuple[subprocess.Popen[str], str]]) -> None:
    process, url = started()
    assert httpx2.get(f"{url}/readyz", timeout=180).json() == {"ready": True, "problem": ""}
    process.send_signal(signal.SIGTERM)
    assert process.wait(180) in (0, -signal.SIGTERM)
