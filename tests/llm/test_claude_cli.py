"""The tier of the Claude CLI, with a `claude` that answers, fails, babbles or hangs as the real one may."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from cortex.errors import TiersFailed, UnusableReply
from cortex.llm.model import TIMEOUT_S
from cortex.llm.tiers import Tiers
from tests.llm.conftest import Ports, ask, calls, setup, tier
from tests.llm.servers import Cli, install_claude, reply, result, serving
from tests.processes import runs
from tests.trees import until

Make = Callable[..., Tiers]
PLAIN_KEY = "of no known shape at all"


def claude(cli: Cli, **environment: str) -> object:
    given = {"PATH": os.environ["PATH"], **environment}
    return setup(tier("claude", program=str(cli.program), environment=given))


def test_the_structured_output_is_the_answer_and_the_cost_is_its_own(make: Make, tmp_path: Path, path: Path) -> None:
    cli = install_claude(tmp_path / "bin", result({"ports": [47120]}))
    done = make(claude(cli)).complete(ask(), run="r")
    assert done.answer == Ports(ports=[47120])
    assert (done.tier, done.input_tokens, done.output_tokens, done.cost_usd) == ("claude", 1000, 100, 0.0123)
    assert calls(path, "outcome, cost_usd") == [("answered", 0.0123)]


@pytest.mark.parametrize("count", ["-10**9", "10**30", "float('nan')", "float('inf')", "None", "'many'"])
def test_a_count_or_a_cost_that_can_be_none_is_taken_for_untold(
    count: str, make: Make, tmp_path: Path, path: Path
) -> None:
    said = f"told = {count}\n" + result({"ports": [47120]}).replace("0.0123", "told").replace(": 100}", ": told}")
    done = make(claude(install_claude(tmp_path / "bin", said))).complete(ask(), run="r")
    assert done.answer == Ports(ports=[47120])
    assert (done.input_tokens, done.output_tokens) == (1000, 0)
    assert 0.1 < done.cost_usd < 1, "the most it may have cost stands"
    assert calls(path, "outcome, cost_usd") == [("answered", done.cost_usd)]


def test_the_cli_is_a_plain_model_in_an_empty_folder(make: Make, tmp_path: Path) -> None:
    cli = install_claude(tmp_path / "bin", result({"ports": [1]}))
    make(claude(cli, CLAUDECODE="1", KEPT="yes")).complete(ask("What a record says.", max_tokens=700), run="r")
    (asked,) = cli.asked
    options = dict(zip(asked["arguments"], asked["arguments"][1:], strict=False))
    assert "-p" in asked["arguments"]
    assert (options["--model"], options["--output-format"]) == ("paid", "json")
    assert (options["--system-prompt"], options["--tools"], options["--setting-sources"]) == ("Name the ports.", "", "")
    assert '"ports"' in options["--json-schema"]
    assert float(options["--max-budget-usd"]) > 0
    assert asked["content"] == "What a record says.", (
        "it comes by standard input: nobody reads it in a list of processes"
    )
    assert asked["files"] == []
    assert asked["env"]["KEPT"] == "yes"
    assert asked["env"]["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "700"
    assert "CLAUDECODE" not in asked["env"]


@pytest.mark.parametrize(
    ("does", "reason", "attempts"),
    [
        (result("API Error: 529 Overloaded", is_error=True, total_cost_usd=None), "Overloaded", 3),
        ("sys.exit('error: unknown option')", "ended with 1 and said: error: unknown option", 3),
        ("print('Update available!')", "ended with 0 and said: Update available!", 3),
        ("print('[1, 2]')", r"said: \[1, 2\]", 3),
        ("", "said: nothing", 3),
        ("os.kill(os.getpid(), 9)", "ended with -9", 3),
    ],
    ids=["overloaded", "exit code", "prose", "a list", "silence", "killed"],
)
def test_what_the_cli_does_wrong_is_told(
    does: str, reason: str, attempts: int, make: Make, tmp_path: Path, path: Path
) -> None:
    cli = install_claude(tmp_path / "bin", does)
    tiers = make(claude(cli))
    with pytest.raises(TiersFailed, match=reason):
        tiers.complete(ask(), run="r")
    assert len(cli.asked) == attempts
    assert calls(path, "outcome, cost_usd > 0") == [("unknown", 1)] * attempts


@pytest.mark.parametrize(
    ("does", "attempts", "cost"),
    [
        (result("API Error: 529 Overloaded", is_error=True, api_error_status=529), 3, 0.0123),
        (result(subtype="error_max_budget_usd", errors=["Reached maximum budget ($0.1)"]), 1, 0.0123),
        (result("Invalid API key", is_error=True, api_error_status=401, total_cost_usd=0), 1, 0),
    ],
    ids=["overloaded", "its own budget", "a wrong key"],
)
def test_a_call_that_failed_cost_what_the_cli_says(
    does: str, attempts: int, cost: float, make: Make, tmp_path: Path, path: Path
) -> None:
    with pytest.raises(TiersFailed):
        make(claude(install_claude(tmp_path / "bin", does))).complete(ask(), run="r")
    assert calls(path, "outcome, cost_usd, input_tokens") == [("failed", cost, 1000)] * attempts


SIGNED_OUT = [
    result("Invalid API key · Please run /login", is_error=True, total_cost_usd=0) + "; sys.exit(1)",
    result("OAuth token has expired", is_error=True, total_cost_usd=0),
    "sys.exit('Not logged in · Please run /login')",
]


@pytest.mark.parametrize("does", SIGNED_OUT, ids=["as a result", "its token is old", "as text"])
def test_a_cli_that_is_signed_out_is_asked_once_eats_no_budget_and_is_followed_by_the_next(
    does: str, make: Make, tmp_path: Path, path: Path
) -> None:
    cli = install_claude(tmp_path / "bin", does)
    with serving(reply("openai", {"ports": [1]})) as server:
        made = setup(tier("claude", program=str(cli.program)), tier("openai", server.url), run=0.5)
        tiers = make(made)
        done = [tiers.complete(ask(), run="r").tier for _ in range(6)]
    assert done == ["openai"] * 6
    assert len(cli.asked) == 1
    assert calls(path, "outcome, cost_usd")[:2] == [("failed", 0), ("answered", 0.002)]


def test_a_record_that_speaks_of_logging_in_signs_nobody_out(make: Make, tmp_path: Path) -> None:
    cli = install_claude(tmp_path / "bin", result({"ports": [1]}, result="Please run /login"))
    assert make(claude(cli)).complete(ask(), run="r").answer.ports == [1]


@pytest.mark.parametrize("ends", [result({"ports": [1]}), "sys.exit(1)"], ids=["well", "badly"])
def test_what_the_cli_left_running_ends_with_it(ends: str, make: Make, tmp_path: Path) -> None:
    child = "import subprocess; grown = subprocess.Popen(['sleep', '60'])\n"
    does = f"{child}(here / 'pid').write_text(str(grown.pid))\n{ends}"
    tiers = make(claude(install_claude(tmp_path / "bin", does)))
    with suppress(TiersFailed):
        tiers.complete(ask(), run="r")
    pid = int((tmp_path / "bin" / "pid").read_text())
    until(lambda: not runs(pid))


@pytest.mark.parametrize("leak", ["sys.exit(f'bad key {key}')", "print(key * 9); sys.exit(1)"])
def test_what_lets_the_cli_in_never_reaches_a_reason(leak: str, make: Make, tmp_path: Path, path: Path) -> None:
    cli = install_claude(tmp_path / "bin", f"key = os.environ['ANTHROPIC_API_KEY']\n{leak}")
    with pytest.raises(TiersFailed) as failed:
        make(claude(cli, ANTHROPIC_API_KEY=PLAIN_KEY)).complete(ask(), run="r")
    assert "[REDACTED:key]" in str(failed.value)
    assert PLAIN_KEY[:4] not in str(failed.value) + str(calls(path, "reason"))


def test_a_cli_that_hangs_is_ended_with_all_it_started(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TIMEOUT_S, "A", 1)
    cli = install_claude(tmp_path / "bin", "")
    cli.program.write_text(f"#!/bin/sh\nsleep 60 &\necho $! >'{tmp_path}/pid'\nwait\n")  # there sooner than a Python
    with pytest.raises(TiersFailed, match="no reply within 1 s"):
        make(claude(cli)).complete(ask(), run="r")
    pid = int((tmp_path / "pid").read_text())
    until(lambda: not runs(pid))


def test_a_cli_that_is_gone_is_not_asked_again(make: Make, tmp_path: Path, path: Path) -> None:
    cli = install_claude(tmp_path / "bin", "")
    tiers = make(claude(cli))
    cli.program.unlink()
    with pytest.raises(TiersFailed, match=r"cannot run .*No such file"):
        tiers.complete(ask(), run="r")
    assert calls(path, "outcome, cost_usd") == [("failed", 0)]


@pytest.mark.parametrize(
    ("does", "problem"),
    [
        (result("I cannot.", stop_reason="refusal"), "refused"),
        (result('{"ports": [4', stop_reason="max_tokens"), "cut off"),
        (result("The ports are odd."), "not of the schema"),
    ],
    ids=["refused", "cut off", "prose"],
)
def test_a_reply_of_no_use_is_told(does: str, problem: str, make: Make, tmp_path: Path) -> None:
    cli = install_claude(tmp_path / "bin", does)
    tiers = make(claude(cli))
    with pytest.raises(UnusableReply, match=problem):
        tiers.complete(ask(), run="r")
    assert len(cli.asked) == 1
