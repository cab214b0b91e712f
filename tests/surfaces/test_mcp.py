"""An agent's session with the brain: the SDK's own client over both transports."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from mcp import Client, MCPError, types

from cortex.errors import UnknownSource
from cortex.substrate.address import argument
from cortex.surfaces.contract import Operation, as_json, run
from cortex.surfaces.mcp_server import PREFIX
from cortex.surfaces.operations import every, named
from cortex.surfaces.schemas import asked_for, outline
from tests.brains import index_records, open_new, record
from tests.surfaces.conftest import Ran
from tests.surfaces.mcp_clients import call, on_http, on_stdio, unfenced
from tests.warm import program

Over = Callable[[Path, Callable[[Client], Awaitable[Any]]], Any]
TRANSPORTS = {"stdio": on_stdio, "http": on_http}
over_both = pytest.mark.parametrize("over", TRANSPORTS.values(), ids=TRANSPORTS.keys())

Tools = list[types.Tool]
Process = Callable[..., subprocess.CompletedProcess[str]]

LISTED = 8 * 1024  # bytes of the whole answer to tools/list, output schemas and hints too
MOST = 12
IN = {"source": "o8-labs/o8"}
GIVEN: dict[str, list[dict[str, Any]]] = {
    "ask": [{"question": "Who owns the eval harness?"}, {"question": "How much does the team plan cost per seat?"}],
    "search": [{"query": "lease"}],
    "get": [{"name": "issue:671"}, {"name": "issue:671@0-20"}, {"name": "issue:671", "thread": True}],
    "brief": [{"task": "retry a packet", "paths": ["packages/gateway"]}],
    "precedents": [{"task": "retry a packet"}],
    "owners": [{"subject": "eval harness"}, {"subject": "packages/gateway"}],
    "outcome_record": [{"title": "Retry", "status": "shipped", **IN}],
    "remember": [{"text": "Leases last 30 s.", "by": "ada", "where": "issue:671", **IN}],
    "compact": [{"dry_run": True}, {}, {"undo": 0}],
}
"""What each tool is called with to give every kind of result it has; what is undone is the run before."""


def text(of: types.CallToolResult | types.ReadResourceResult | types.GetPromptResult) -> str:
    """The one text in a result."""
    content = of.messages[0].content if isinstance(of, types.GetPromptResult) else None
    if content is None:
        (content,) = of.content if isinstance(of, types.CallToolResult) else of.contents  # type: ignore[union-attr, assignment]
    assert isinstance(content, types.TextContent | types.TextResourceContents)
    return content.text


async def _tools(client: Client) -> Tools:
    return (await client.list_tools()).tools


def names(tools: Tools) -> set[str]:
    return {tool.name for tool in tools}


@over_both
def test_a_session_lists_the_tools_asks_and_opens_what_is_cited(over: Over, brain: Path) -> None:
    async def session(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"cortex_ask", "cortex_brief", "cortex_get"} <= tools.keys()
        asked = await client.call_tool("cortex_ask", {"question": "Who owns the eval harness?"})
        assert not asked.is_error
        answered = asked.structured_content
        assert "pravnkilde" in answered["answer"]
        got = await client.call_tool("cortex_get", {"name": answered["citations"][0]["handle"]})
        assert got.structured_content["what"] in ("fact", "passage")
        dotted = await client.call_tool("cortex.search", {"query": "busy timeout", "limit": 2})
        assert len(dotted.structured_content["hits"]) == 2
        refused = await client.call_tool("cortex_ask", {"question": "How much does the team plan cost per seat?"})
        assert (refused.is_error, refused.structured_content["refused"]) == (False, True)

    over(brain, session)


@over_both
def test_a_question_that_names_nothing_follows_up_on_the_last_answer(over: Over, brain: Path) -> None:
    async def session(client: Client) -> list[str]:
        again = "and who decided that?"
        asked = [again, "Who owns the eval harness?", "thanks!", again]
        answers = [await client.call_tool("cortex_ask", {"question": one}) for one in asked]
        return [one.structured_content["question"] for one in answers]

    alone, _, thanks, followed = over(brain, session)
    assert (alone, thanks) == ("and who decided that?", "thanks!")
    assert followed != alone
    assert followed.startswith("and who decided")


def test_an_error_is_said_to_the_model_with_what_to_try(brain: Path) -> None:
    async def session(client: Client) -> list[types.CallToolResult]:
        return [
            await client.call_tool("cortex_get", {"name": "fact-000000000000"}),
            await client.call_tool("cortex_owners", {"path": "a.ts"}),
            await client.call_tool("cortex_forget", {}),
            await client.call_tool("cortex_index", {"path": "/"}),
            await client.call_tool("cortex_ask", {"question": "who?", "sources": ["nowhere"]}),
        ]

    unknown, wrong, missing, local, nowhere = results = on_http(brain, session, "agent")
    assert all(result.is_error for result in results)
    assert "handles look like fact-" in text(unknown)
    assert text(wrong) == "owners: path: there is no such parameter; owners takes subject (needed), sources, all"
    assert "there are: cortex_ask" in text(missing)
    assert "there is no operation 'cortex_index'" in text(local)
    assert "this brain holds: o8-labs/o8" in text(nowhere)


def test_facts_records_and_the_question_are_there_for_people_to_pick(brain: Path) -> None:
    async def session(client: Client) -> None:
        templates = (await client.list_resource_templates()).resource_templates
        assert [one.uri_template for one in templates] == [
            "cortex://fact/{handle}",
            "cortex://record/{ref}{?source,start}",
        ]
        assert "o8-labs/o8-runner" in text(await client.read_resource("cortex://sources"))
        read = await client.read_resource("cortex://record/issue:671?source=o8-labs%2Fo8")
        whole = json.loads(text(read))
        assert whole["record"]["ref"] == "issue:671"
        read = await client.read_resource("cortex://record/issue:671?source=o8-labs%2Fo8&start=20")
        assert json.loads(text(read))["body"] == whole["body"][20:]
        with pytest.raises(MCPError, match="cortex://fact/"):
            await client.read_resource("cortex://nonsense/1")
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["ask"]
        said = text(await client.get_prompt("ask", {"question": "Who owns the eval harness?"}))
        assert "pravnkilde" in said
        assert "ownership:.github/CODEOWNERS#5@" in said

    on_http(brain, session)


def test_an_agent_on_this_machine_may_write_and_a_remote_one_may_only_read(demo_brain: Path, tools: Tools) -> None:
    local, remote = on_http(demo_brain, _tools, "agent"), on_http(demo_brain, _tools, "remote")
    assert names(local) - names(remote) == {"cortex_remember", "cortex_outcome_record"}
    assert names(tools) - names(local) == {"cortex_compact"}


def test_what_a_client_records_is_its_own_whoever_it_says_it_speaks_for(brain: Path) -> None:
    async def session(client: Client) -> Any:  # noqa: ANN401
        said = {"title": "Retry", "status": "shipped", "author": "operator", "source": "o8-labs/o8"}
        return (await client.call_tool("cortex_outcome_record", said)).structured_content["outcome"]

    outcome = on_stdio(brain, session)
    assert (outcome["author"], outcome["recorded_by"]) == ("agent mcp, for operator", "agent mcp")


@over_both
def test_a_long_thread_is_read_in_parts_that_fit_a_model(over: Over, brain: Path) -> None:
    said = [
        record(f"comment:7#{number}", f"Remark {number}. " + "All of it again. " * 90) for number in range(100, 190)
    ]
    with open_new(brain) as opened:
        thread = [one.model_copy(update={"thread": "issue:7"}) for one in said]
        index_records(opened, record("issue:7", "A long one"), *thread, source="long")

    async def session(client: Client) -> list[types.CallToolResult]:
        asked = {"name": "issue:7", "sources": ["long"]}
        parts = [
            await client.call_tool("cortex_get", asked),
            await client.call_tool("cortex_get", asked | {"thread": True}),
        ]
        while (start := parts[-1].structured_content["next"]) is not None:
            parts.append(await client.call_tool("cortex_get", asked | {"thread": True, "start": start}))
        return parts

    whole, *parts = over(brain, session)
    for part in (whole, *parts):
        assert len(text(part)) < 25_000
        assert json.loads(text(part)) == part.structured_content
    assert whole.structured_content["left_out"]["comments"] + len(whole.structured_content["comments"]) == 90
    bodies = [one for part in parts for one in part.structured_content["comments"]]
    assert "".join(one["body"] for one in bodies) == "".join(one.body for one in said)
    assert [*dict.fromkeys(one["ref"] for one in bodies)] == [one.ref for one in said]


def test_a_brief_is_text_within_its_budget(brain: Path) -> None:
    async def session(client: Client) -> types.CallToolResult:
        return await client.call_tool("cortex_brief", {"task": "retry a packet when its lease expires", "budget": 800})

    briefed = on_http(brain, session)
    said = unfenced(text(briefed))
    assert said.startswith("Limited to o8-labs/o8.\n- ")
    assert briefed.structured_content["tokens"] == -(-len(said.encode()) // 4) <= 800


def test_a_server_kept_to_one_source_and_to_reading_does_no_more(brain: Path) -> None:
    async def session(client: Client) -> list[Any]:
        return [
            await client.call_tool("cortex_sources", {}),
            await client.call_tool("cortex_ask", {"question": "who?", "sources": ["o8-labs/o8"]}),
            await _tools(client),
        ]

    listed, asked, tools = on_stdio(brain, session, "--source", "o8-labs/o8-runner", "--may", "read")
    assert "cortex_remember" not in names(tools)
    assert [source["name"] for source in listed.structured_content["sources"]] == ["o8-labs/o8-runner"]
    assert asked.is_error
    assert text(asked).endswith("this brain holds: o8-labs/o8-runner")


def test_a_server_kept_to_a_source_that_is_none_says_so_at_once(brain: Path, process: Process) -> None:
    done = process("mcp", "run", "--source", "o8-labs/o9", "--source", "O8-Labs/O8", input="")
    said = "no source 'o8-labs/o9' here; this brain holds: o8-labs/o8, o8-labs/o8-runner\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"cortex: {said}")
    later = replace(call(brain, "agent"), sources=("o8-labs/o9",))  # it may be gone once a server runs
    with pytest.raises(UnknownSource, match="no source 'o8-labs/o9' here; index it first"):
        run(named("ask"), later, {"question": "Who owns the eval harness?"})


CUT_SHORT = json.dumps({
    "jsonrpc": "2.0", "id": 7, "method": "tools/call",
    "params": {"name": "cortex_search", "arguments": {"query": "lease \ud83d"}},
})  # fmt: skip
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (CUT_SHORT, {"id": 7}),
        ("garbage", {"id": None, "code": types.PARSE_ERROR}),
        ("[" * 100_000, {"id": None, "code": types.PARSE_ERROR}),
        ('{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', {"id": 7, "code": types.INVALID_REQUEST}),
    ],
    ids=["half an emoji", "garbage", "brackets", "no message"],
)  # fmt: skip
def test_every_line_that_is_sent_is_answered(line: str, answer: dict[str, object], brain: Path) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    sent = [json.dumps(hello), json.dumps(ready), "", line]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([program(), "--db", argument(brain), "mcp"], text=True, **pipes) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write("".join(f"{one}\n" for one in sent))
        server.stdin.flush()
        _, last = [json.loads(server.stdout.readline()) for _ in range(2)]
        server.communicate(timeout=60)
    assert {"id": last["id"]} | ({"code": last["error"]["code"]} if "error" in last else {}) == answer


def test_what_an_agent_asks_is_kept_where_questions_are_captured(cortex: Callable[..., Ran], brain: Path) -> None:
    async def session(client: Client) -> types.CallToolResult:
        return await client.call_tool("cortex_ask", {"question": "Who owns the eval harness?"})

    cortex("capture", "on")
    on_stdio(brain, session)
    (kept,) = cortex("capture", "list", "--json").json["captured"]
    assert kept["question"] == "Who owns the eval harness?"


@pytest.fixture(scope="module")
def tools(demo_brain: Path) -> Tools:
    listed: Tools = on_stdio(demo_brain, _tools, "--may", "admin")
    return listed


@pytest.mark.parametrize("may", ["read", "write", "admin"])
def test_the_tools_are_few_and_all_that_is_said_of_them_is_short(may: str, demo_brain: Path) -> None:
    async def session(client: Client) -> types.ListToolsResult:
        return await client.list_tools()

    listed = on_stdio(demo_brain, session, "--may", may)
    assert len(listed.tools) <= MOST
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True).encode()) <= LISTED


def test_every_tool_is_the_operation_it_is_named_after(tools: Tools) -> None:
    declared = {PREFIX + operation.name: operation for operation in every() if operation.tool}
    assert {tool.name for tool in tools} == declared.keys()
    for tool in tools:
        operation = declared[tool.name]
        assert tool.name.replace("_", "").isalnum()
        assert tool.annotations
        assert tool.annotations.read_only_hint is (operation.effect == "read")
        writes = tool.annotations.destructive_hint, tool.annotations.idempotent_hint
        assert writes == ((None, None) if operation.effect == "read" else (tool.name == "cortex_compact", True))
        declared_input = operation.input_schema("agent")
        assert tool.input_schema == asked_for(declared_input)
        assert tool.input_schema["properties"].keys() == declared_input["properties"].keys()
        assert tool.output_schema == outline(operation.output_schema())
        assert (tool.description or "").startswith(operation.summary)


TOOLS = [operation for operation in every() if operation.tool]


@pytest.mark.parametrize("operation", TOOLS, ids=lambda one: one.name)
def test_what_comes_back_is_valid_by_the_whole_schema_and_by_its_outline(
    operation: Operation[Any, Any], brain: Path
) -> None:
    schema = operation.output_schema()
    told = outline(schema)
    whole, outlined = (jsonschema.validators.validator_for(one)(one) for one in (schema, told))
    for held_to in (whole, outlined):
        held_to.check_schema(held_to.schema)
    content: dict[str, Any] = {}
    for given in GIVEN.get(operation.name, [{}]):
        asked = given | ({"undo": content["run"]} if "undo" in given else {})
        content = as_json(run(operation, call(brain, "operator"), asked), operation)
        for held_to in (whole, outlined):
            held_to.validate(content)
        for name in told["required"]:
            with pytest.raises(jsonschema.ValidationError):
                outlined.validate({key: value for key, value in content.items() if key != name})
        with pytest.raises(jsonschema.ValidationError):
            whole.validate(content | {told["required"][0]: ...})


def test_the_client_holds_every_result_to_what_it_was_listed_with(brain: Path) -> None:
    async def session(client: Client) -> None:
        await client.list_tools()
        for operation in TOOLS:
            content: Any = {}
            for given in GIVEN.get(operation.name, [{}]):
                asked = given | ({"undo": content["run"]} if "undo" in given else {})
                result = await client.call_tool(PREFIX + operation.name, asked)
                assert not result.is_error, text(result)
                content = result.structured_content

    on_stdio(brain, session, "--may", "admin")
