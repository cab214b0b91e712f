"""The APIs' tiers through the official clients, against servers that speak their wire formats."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.errors import TiersFailed, UnusableReply
from cortex.llm.model import TIMEOUT_S
from cortex.llm.tiers import Tiers
from tests.llm.conftest import Ports, Watch, ask, calls, setup, tier
from tests.llm.servers import Api, Asked, Hangs, Says, failure, in_turn, reply, serving

Make = Callable[..., Tiers]

APIS: list[Api] = ["anthropic", "openai"]
each_api = pytest.mark.parametrize("api", APIS)
FINE = {"ports": [47120, 47121]}


@each_api
def test_a_reply_is_validated_priced_and_written_down(api: Api, make: Make, path: Path) -> None:
    with serving(reply(api, FINE)) as server:
        done = make(setup(tier(api, server.url))).complete(ask(), run="index:1")
    assert done.answer == Ports(ports=[47120, 47121])
    assert (done.tier, done.model, done.input_tokens, done.output_tokens) == (api, "paid", 1000, 100)
    assert done.cost_usd == pytest.approx(1000 / 1e6 + 100 * 10 / 1e6)
    assert calls(path, "run, purpose, tier, class, outcome, input_tokens, output_tokens, cost_usd") == [
        ("index:1", "docs", api, "A", "answered", 1000, 100, pytest.approx(0.002))
    ]


def test_the_anthropic_request_asks_for_the_schema(make: Make) -> None:
    with serving(reply("anthropic", FINE)) as server:
        make(setup(tier("anthropic", server.url))).complete(ask(max_tokens=500), run="r")
    (asked,) = server.asked
    assert asked.path == "/v1/messages"
    assert "sk-test" in " ".join(asked.headers.values())
    assert (asked.body["model"], asked.body["max_tokens"], asked.system) == ("paid", 500, "Name the ports.")
    assert asked.body["messages"] == [{"role": "user", "content": "Which ports?"}]
    assert asked.body["output_config"]["format"]["type"] == "json_schema"
    assert asked.body["output_config"]["format"]["schema"]["required"] == ["ports"]


def test_the_openai_request_asks_for_the_schema(make: Make) -> None:
    with serving(reply("openai", FINE)) as server:
        make(setup(tier("openai", f"{server.url}/v1"))).complete(ask(max_tokens=500), run="r")
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == "Bearer sk-test"
    assert (asked.body["model"], asked.body["max_tokens"]) == ("paid", 500)
    assert [message["role"] for message in asked.body["messages"]] == ["system", "user"]
    shape = asked.body["response_format"]["json_schema"]
    assert (shape["strict"], shape["schema"]["required"], shape["schema"]["additionalProperties"]) == (
        True, ["ports"], False,
    )  # fmt: skip


@each_api
def test_plain_text_comes_back_as_it_is(api: Api, make: Make) -> None:
    with serving(reply(api, "Odd ones.")) as server:
        done = make(setup(tier(api, server.url))).complete(ask(answer=str), run="r")
    assert done.answer == "Odd ones."
    assert not {"output_config", "response_format"} & server.asked[0].body.keys()


@each_api
def test_class_b_goes_to_the_large_model(api: Api, make: Make) -> None:
    with serving(reply(api, FINE)) as server:
        made = tier(api, server.url, small="free", large="paid")
        make(setup(made)).complete(ask(class_="B"), run="r")
    assert server.asked[0].body["model"] == "paid"


@each_api
@pytest.mark.parametrize(
    ("headers", "waited"),
    [
        ({"retry_after": "7"}, 7),
        ({"retry_after_ms": "250"}, 0.25),
        ({"retry_after": "Sat, 21 Nov 2026 09:30:40 GMT"}, 40),
    ],
    ids=["seconds", "milliseconds", "date"],
)
def test_a_429_is_waited_out_for_as_long_as_it_says(
    api: Api, headers: dict[str, str], waited: float, make: Make, watch: Watch, path: Path
) -> None:
    limited = failure(api, 429, "rate_limit_error", "Number of requests has exceeded your rate limit", **headers)
    with serving(in_turn(limited, reply(api, FINE))) as server:
        done = make(setup(tier(api, server.url))).complete(ask(), run="r")
    assert done.answer.ports
    assert watch.slept == [waited]
    assert calls(path, "outcome, cost_usd > 0") == [("failed", 0), ("answered", 1)]


@each_api
@pytest.mark.parametrize(
    "broken",
    [
        lambda api: failure(api, 529, "overloaded_error", "Overloaded"),
        lambda api: failure(api, 500, "api_error", "Internal server error"),
        lambda _: Says(502, b"<html>Bad Gateway</html>", {"content-type": "text/html"}),
        lambda api: reply(api, FINE)._replace(cut_after=60),
        lambda _: Says(200, b'{"id": "msg_01", "conte', {}),
        lambda _: Says(200, b"<html>Sign in to the hotel's network</html>", {"content-type": "text/html"}),
        lambda _: Says(200, b'{"ok": true}'),
        lambda _: Says(200, b"[]"),
    ],
    ids=["529", "500", "502 of a proxy", "cut connection", "half a document", "a page", "another API", "a list"],
)
def test_what_breaks_once_is_tried_again(
    api: Api, broken: Callable[[Api], Says], make: Make, watch: Watch, path: Path
) -> None:
    with serving(in_turn(broken(api), reply(api, FINE))) as server:
        done = make(setup(tier(api, server.url))).complete(ask(), run="r")
    assert done.answer.ports
    assert len(server.asked) == 2
    assert [0.3 < pause < 0.7 for pause in watch.slept] == [True]
    assert len(calls(path)) == 2


@each_api
def test_what_stays_broken_is_tried_three_times_and_told(api: Api, make: Make, watch: Watch) -> None:
    with serving(failure(api, 529, "overloaded_error", "Overloaded")) as server:
        tiers = make(setup(tier(api, server.url)))
        with pytest.raises(TiersFailed, match=r"HTTP 529: .*Overloaded"):
            tiers.complete(ask(), run="r")
    assert len(server.asked) == 3
    assert watch.slept == sorted(watch.slept)
    assert len(watch.slept) == 2


@each_api
@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_what_another_attempt_cannot_mend_is_not_tried_again(api: Api, status: int, make: Make) -> None:
    with serving(failure(api, status, "invalid_request_error", "no such thing")) as server:
        tiers = make(setup(tier(api, server.url)))
        with pytest.raises(TiersFailed, match=f"HTTP {status}: .*no such thing"):
            tiers.complete(ask(), run="r")
    assert len(server.asked) == 1


TOO_LONG = [
    (400, "prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error"),
    (400, "This model's maximum context length is 4096 tokens", "context_length_exceeded"),
    (400, "the request exceeds the available context size", "invalid_request_error"),
    (413, "Request exceeds the maximum size", "request_too_large"),
]


@each_api
@pytest.mark.parametrize(("status", "said", "kind"), TOO_LONG, ids=["tokens", "context", "size", "413"])
def test_what_is_too_long_for_every_tier_is_told_as_that(
    api: Api, status: int, said: str, kind: str, make: Make, path: Path
) -> None:
    with serving(failure(api, status, kind, said)) as server:
        tiers = make(setup(tier(api, server.url)))
        with pytest.raises(UnusableReply, match=f"HTTP {status}") as failed:
            tiers.complete(ask(), run="r")
    assert failed.value.too_long
    assert len(server.asked) == 1
    assert calls(path, "outcome, cost_usd") == [("failed", 0)]


def test_what_is_too_long_for_one_tier_is_read_by_the_next(make: Make) -> None:
    refused = failure("openai", 400, "context_length_exceeded", "maximum context length is 4096 tokens")
    with serving(refused) as first, serving(reply("anthropic", FINE)) as second:
        done = make(setup(tier("openai", first.url), tier("anthropic", second.url))).complete(ask(), run="r")
    assert done.tier == "anthropic"


@each_api
def test_a_server_that_says_so_is_not_asked_again(api: Api, make: Make) -> None:
    with serving(failure(api, 500, "api_error", "No.", x_should_retry="false")) as server:
        tiers = make(setup(tier(api, server.url)))
        with pytest.raises(TiersFailed):
            tiers.complete(ask(), run="r")
    assert len(server.asked) == 1


@each_api
def test_nobody_listening_costs_nothing(api: Api, make: Make, path: Path) -> None:
    with socket.socket() as bound:  # so that nobody else listens there
        bound.bind(("127.0.0.1", 0))
        tiers = make(setup(tier(api, f"http://127.0.0.1:{bound.getsockname()[1]}")))
        with pytest.raises(TiersFailed, match="no connection"):
            tiers.complete(ask(), run="r")
    assert calls(path, "outcome, cost_usd") == [("failed", 0)] * 3


@each_api
@pytest.mark.parametrize("slow", ["hangs", "drips"])
def test_a_call_ends_when_its_time_is_up_however_the_server_stalls(
    api: Api, slow: str, make: Make, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stalls = Hangs() if slow == "hangs" else reply(api, FINE)._replace(drip_s=0.05)
    with serving(in_turn(reply(api, FINE), stalls)) as server:
        tiers = make(setup(tier(api, server.url)))
        tiers.complete(ask(), run="r")  # the first takes longer, for all that is imported
        monkeypatch.setitem(TIMEOUT_S, "A", 1)
        with pytest.raises(TiersFailed, match=r"no reply within 1 s"):
            tiers.complete(ask(), run="r")
        tiers.close()
    assert len(server.asked) == 2
    _, (outcome, cost) = calls(path, "outcome, cost_usd")
    assert outcome == "unknown"
    assert cost > 0.08, "nobody said what it cost: the most it may have stands"


@each_api
@pytest.mark.parametrize(
    ("content", "stop", "problem"),
    [
        ('{"ports": [47120', "max_tokens", "cut off"),
        ("I can't help with that.", "refusal", "refused"),
        ("Ports: 47120", "", "not of the schema"),
        ('{"ports": "all"}', "", "ports: Input should be a valid"),
        ('{"ports": [1], "also": 2}', "", "also: Extra inputs"),
    ],
    ids=["cut off", "refused", "prose", "another type", "more than asked"],
)
def test_a_reply_of_no_use_is_told_paid_and_not_repeated(
    api: Api, content: str, stop: str, problem: str, make: Make, path: Path
) -> None:
    with serving(reply(api, content, stop=stop)) as server:
        tiers = make(setup(tier(api, server.url)))
        with pytest.raises(UnusableReply, match=problem):
            tiers.complete(ask(), run="r")
    assert len(server.asked) == 1
    assert calls(path, "outcome, round(cost_usd, 6)") == [("unusable", 0.002)]


def said_200(**body: object) -> Says:
    return Says(200, json.dumps(body).encode())


@pytest.mark.parametrize(
    "limited",
    [
        said_200(error={"code": 429, "message": "Rate limited upstream"}),
        said_200(id="gen-1", choices=None, error={"code": 429, "message": "Rate limited upstream"}),
        said_200(id="gen-1", choices=[], error={"code": "rate_limit_exceeded", "message": "Rate limited upstream"}),
        said_200(id="gen-1", choices=[{"error": {"code": 429, "message": "Rate limited upstream"}, "message": {}}]),
    ],
    ids=["alone", "beside null", "by name", "of a choice"],
)
def test_an_error_that_comes_as_a_success_is_one_waited_for_and_not_paid(
    limited: Says, make: Make, watch: Watch, path: Path
) -> None:
    limited = limited._replace(headers={"retry-after": "7"})
    with serving(in_turn(limited, reply("openai", FINE))) as server:
        done = make(setup(tier("openai", server.url))).complete(ask(), run="r")
    assert done.answer.ports
    assert watch.slept == [7]
    (failed, cost, reason), (answered, *_) = calls(path, "outcome, cost_usd, reason")
    assert (failed, cost, answered) == ("failed", 0, "answered")
    assert reason.startswith("HTTP 429: ")
    assert "Rate limited upstream" in reason


def test_an_error_that_comes_as_a_success_and_that_a_person_mends_is_not_asked_for_again(make: Make) -> None:
    with serving(said_200(error={"code": 402, "message": "Insufficient credits"})) as server:
        tiers = make(setup(tier("openai", server.url)))
        with pytest.raises(TiersFailed, match="HTTP 402: Insufficient credits"):
            tiers.complete(ask(), run="r")
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("knows", "asked"),
    [({"json_object"}, ["json_schema", "json_object"]), (set(), ["json_schema", "json_object", None])],
    ids=["an object", "none"],
)
def test_an_endpoint_without_schemas_is_asked_in_words_and_not_refused_twice(
    knows: set[str], asked: list[str | None], make: Make, path: Path
) -> None:
    def behave(one: Asked) -> Says | Hangs:
        shape = one.body.get("response_format", {}).get("type")
        if shape in knows | {None}:
            return reply("openai", FINE)
        return failure("openai", 400, "invalid_request_error", f"'response_format.type' {shape} is not supported")

    with serving(behave) as server:
        tiers = make(setup(tier("openai", server.url)))
        assert tiers.complete(ask(), run="r").answer.ports
        assert tiers.complete(ask(), run="r").answer.ports
    shapes = [one.body.get("response_format", {}).get("type") for one in server.asked]
    assert shapes == [*asked, asked[-1]]
    assert '"ports"' in server.asked[-1].system, "the schema stands in the prompt"
    assert calls(path) == ["answered", "answered"]


@pytest.mark.parametrize(
    "before", ["<think>\nWhich? {1}\n</think>\n\n", "I look at it.\n</think>\n", "<think></think>```json\n"],
    ids=["both ends", "opened by the template", "then a fence"],
)  # fmt: skip
def test_what_a_model_thought_aloud_is_no_answer(before: str, make: Make) -> None:
    after = "\n```" if before.endswith("json\n") else ""
    with serving(reply("openai", f'{before}{{"ports": [1]}}{after}')) as server:
        assert make(setup(tier("openai", server.url))).complete(ask(), run="r").answer.ports == [1]


def test_an_endpoint_that_counts_no_tokens_is_taken_to_cost_the_most(make: Make, path: Path) -> None:
    says = reply("openai", FINE)
    with serving(says._replace(body=says.body.replace(b'"usage"', b'"unused"'))) as server:
        done = make(setup(tier("openai", server.url))).complete(ask(), run="r")
    assert done.cost_usd > 0.08
    assert calls(path, "cost_usd") == [done.cost_usd]


ABSURD = [-(10**9), 10**30, 10**8 + 1, float("nan"), float("inf"), None, "many", [1]]


@each_api
def test_a_reply_is_kept_however_absurdly_its_tokens_are_counted(api: Api, make: Make, path: Path) -> None:
    names = ("input_tokens", "output_tokens") if api == "anthropic" else ("prompt_tokens", "completion_tokens")
    body = json.loads(reply(api, FINE).body)
    counted = [body | {"usage": body["usage"] | {name: count}} for name in names for count in ABSURD]
    with serving(in_turn(*(Says(200, json.dumps(one).encode()) for one in counted))) as server:
        tiers = make(setup(tier(api, server.url)))
        done = [tiers.complete(ask(), run="r") for _ in counted]
    assert [one.answer for one in done] == [Ports(ports=FINE["ports"])] * len(counted)
    assert min(one.cost_usd for one in done) > 0.08, "nobody said what it cost: the most it may have stands"
    assert len(server.asked) == len(counted)
    assert calls(path, "outcome, cost_usd") == [("answered", one.cost_usd) for one in done]


KEY = "sk-ant-api03-" + "x7Kq" * 8


@each_api
@pytest.mark.parametrize("said", ["invalid x-api-key ", "invalid x-api-key " + "x" * 145], ids=["whole", "cut"])
@pytest.mark.parametrize("key", [KEY, "of no known shape"], ids=["known", "unknown"])
@pytest.mark.parametrize("status", [401, 500, 200])
def test_a_key_never_reaches_a_reason(
    api: Api, said: str, key: str, status: int, make: Make, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    says = reply(api, {said + " " + key: 1}) if status == 200 else failure(api, status, "error", f"{said} {key}")
    with caplog.at_level(logging.INFO, "cortex.llm"), serving(says) as server:
        tiers = make(setup(tier(api, server.url, key=key)))
        with pytest.raises((TiersFailed, UnusableReply)) as failed:
            tiers.complete(ask(), run="r")
    assert bool(caplog.messages) == (status != 200)
    for shown in (str(calls(path, "reason")), caplog.text, str(failed.value)):
        assert key[:4] not in shown
    assert key not in repr(tier(api, server.url, key=key))
