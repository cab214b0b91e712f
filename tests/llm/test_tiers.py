"""Budgets, order, breakers and calls in flight."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from cortex.errors import BadInput, BudgetSpent, NoModel, TiersFailed
from cortex.llm.breaker import REST_S, THRESHOLD
from cortex.llm.model import Request
from cortex.llm.setup import Price, Setup, Tier, price_of, read_prices, seats, standings
from cortex.llm.spending import spent, worst_cost
from cortex.llm.tiers import Tiers
from cortex.substrate.brain import open_brain
from tests.llm.conftest import NOW, PRICES, Watch, ask, calls, setup, tier
from tests.llm.servers import Hangs, Says, failure, in_turn, install_claude, reply, result, serving
from tests.tables import walk
from tests.trees import until

Make = Callable[..., Tiers]
FINE = {"ports": [1]}


@pytest.mark.parametrize(
    ("run", "day"), [(0, 0), (10, 0), (0, 10)], ids=["neither", "no budget of a day", "no budget of a run"]
)
def test_without_a_budget_nothing_is_made_that_could_call(
    run: float, day: float, make: Make, path: Path, tmp_path: Path
) -> None:
    cli = install_claude(tmp_path / "bin", result(FINE))
    with serving(reply("anthropic", FINE)) as server:
        paid = [tier("claude", program=str(cli.program)), tier("anthropic", server.url), tier("openai", server.url)]
        before = threading.active_count()
        tiers = make(setup(*paid, run=run, day=day))
        assert not tiers.ready("A")
        with pytest.raises(NoModel, match="cortex tiers"):
            tiers.submit(ask(), run="r")
    assert threading.active_count() - before <= 0
    assert (server.asked, cli.asked, calls(path)) == ([], [], [])


def test_by_default_no_client_is_even_imported() -> None:
    program = (
        "import sys; from pathlib import Path; from datetime import datetime, UTC\n"
        "from cortex.llm.setup import Setup; from cortex.llm.tiers import Tiers\n"
        "tiers = Tiers(Setup(), Path('none.db'), clock=lambda: datetime.now(UTC), key=b'k')\n"
        "print(tiers.ready('A'), tiers.ready('B'), {'anthropic', 'openai', 'httpx2'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=180)
    assert done.stdout.strip() == "False False set()"


def test_what_is_free_needs_no_budget_and_what_nobody_priced_is_never_called(make: Make) -> None:
    with serving(reply("openai", FINE)) as server:
        local = tier("openai", server.url, small="free", large="unpriced", key=None)
        tiers = make(setup(local, run=0, day=0))
        assert tiers.complete(ask(), run="r").cost_usd == 0
        assert not tiers.ready("B")
    assert "authorization" not in server.asked[0].headers or "sk-" not in server.asked[0].headers["authorization"]


def complete_all(tiers: Tiers, request: Request[Any], runs: Iterable[str]) -> None:
    for run in runs:
        tiers.complete(request, run=run)


def test_a_run_stops_at_its_budget_and_says_so(make: Make, path: Path) -> None:
    request = ask(max_tokens=100)
    with serving(reply("anthropic", FINE, tokens=(100, 90))) as server:
        made = setup(tier("anthropic", server.url))
        worst = worst_cost(seats(made)[0], request)
        tiers = make(made.model_copy(update={"budget_run_usd": 3 * worst}))
        with pytest.raises(BudgetSpent, match=r"the budget of the run, \$0\.\d+, does not cover a call of up to"):
            complete_all(tiers, request, ["index:1"] * 100)
        tiers.complete(request, run="index:2")
    assert len(server.asked) == len(calls(path)) < 100
    of_run = sum(cost for run, cost in calls(path, "run, cost_usd") if run == "index:1")
    assert 2 * worst < of_run <= 3 * worst


def test_a_day_has_a_budget_over_all_runs_and_the_next_day_another(path: Path) -> None:
    request, now = ask(max_tokens=100), [NOW]
    with serving(reply("anthropic", FINE, tokens=(100, 100))) as server:
        made = setup(tier("anthropic", server.url), day=0.004)
        with Tiers(made, path, clock=lambda: now[0], key=b"k") as tiers:
            with pytest.raises(BudgetSpent, match="the budget of the day"):
                complete_all(tiers, request, [f"ask:{n}" for n in range(100)])
            now[0] += timedelta(days=1)
            tiers.complete(request, run="ask:tomorrow")
    with open_brain(path, read_only=True) as brain:
        (yesterday,) = spent(brain, since=NOW)
        (today,) = spent(brain, since=now[0])
    assert (today.calls, today.answered) == (1, 1)
    assert today.cost_usd == pytest.approx(0.0011)
    assert 0.002 < yesterday.cost_usd - today.cost_usd <= 0.004


def test_calls_in_flight_are_counted_at_the_most_they_may_cost(make: Make, path: Path) -> None:
    request = ask(max_tokens=100)
    with serving(Hangs()) as server:
        made = setup(tier("anthropic", server.url))
        worst = worst_cost(seats(made)[0], request)
        tiers = make(made.model_copy(update={"budget_run_usd": 2.5 * worst}))
        futures = [tiers.submit(request, run="r") for _ in range(3)]
        until(lambda: len(server.asked) == 2)
        assert not wait(futures, timeout=0.3, return_when=FIRST_COMPLETED).done, "the third waits for one of the others"
        tiers.close()
    assert len(server.asked) == 2
    assert calls(path, "outcome, cost_usd") == [("open", worst)] * 2


@pytest.mark.parametrize("room", [1.5, 3.5], ids=["for one", "for three"])
def test_what_finds_no_room_waits_for_a_settlement(room: float, make: Make, path: Path) -> None:
    request = ask(max_tokens=1000)
    with serving(reply("anthropic", FINE, tokens=(100, 1))) as server:
        made = setup(tier("anthropic", server.url))
        worst = worst_cost(seats(made)[0], request)
        tiers = make(made.model_copy(update={"budget_run_usd": room * worst}))
        futures = [tiers.submit(request, run="r") for _ in range(20)]
        assert {future.result(timeout=180).cost_usd for future in futures} == {0.00011}
    assert calls(path) == ["answered"] * 20
    assert server.most_at_once <= room


def test_what_will_find_no_room_whatever_is_settled_waits_for_nothing(make: Make) -> None:
    with serving(Hangs()) as server:
        made = setup(tier("anthropic", server.url))
        small, large = ask(max_tokens=100), ask(max_tokens=9000)
        tiers = make(made.model_copy(update={"budget_day_usd": 2 * worst_cost(seats(made)[0], small)}))
        tiers.submit(small, run="r")
        with pytest.raises(BudgetSpent, match="no more calls can be paid: anthropic: the budget of the day"):
            tiers.submit(large, run="r").result(timeout=60)


def test_where_the_last_call_in_flight_cost_too_much_the_one_that_waits_is_told(make: Make, path: Path) -> None:
    request = ask(max_tokens=100)
    with serving(reply("anthropic", FINE, tokens=(100, 90))) as server:
        made = setup(tier("anthropic", server.url))
        worst = worst_cost(seats(made)[0], request)
        tiers = make(made.model_copy(update={"budget_run_usd": 1.5 * worst}))
        futures = [tiers.submit(request, run="r") for _ in range(4)]
        told = [future.exception(timeout=180) for future in futures]
    assert [type(one) for one in told if one] == [BudgetSpent] * (4 - len(calls(path)))
    assert calls(path) == ["answered"]


def test_a_tier_that_fails_is_followed_by_the_next_and_the_reason_is_logged(
    make: Make, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cli = install_claude(tmp_path / "bin", result("Please run /login", is_error=True, api_error_status=401))
    overloaded = failure("anthropic", 529, "overloaded_error", "Overloaded")
    with (
        caplog.at_level(logging.WARNING, "cortex.llm"),
        serving(overloaded) as busy,
        serving(reply("openai", FINE)) as up,
    ):
        order = tier("claude", program=str(cli.program)), tier("anthropic", busy.url), tier("openai", up.url)
        done = make(setup(*order)).complete(ask(), run="r")
    assert done.tier == "openai"
    assert [reason.partition(":")[0] for reason in done.passed_over] == ["claude", "anthropic"]
    assert ["/login" in caplog.messages[0], "HTTP 529" in caplog.messages[1]] == [True, True]


def test_where_the_dear_tier_is_beyond_the_budget_the_free_one_answers(make: Make) -> None:
    with serving(reply("anthropic", FINE)) as dear, serving(reply("openai", FINE)) as free:
        order = tier("anthropic", dear.url), tier("openai", free.url, small="free")
        done = make(setup(*order, run=0.0001)).complete(ask(), run="r")
    assert (done.tier, dear.asked) == ("openai", [])
    assert "the budget of the run" in done.passed_over[0]


def test_a_tier_that_keeps_failing_rests_and_is_then_tried_by_one_call(make: Make, watch: Watch) -> None:
    with serving(failure("anthropic", 500, "api_error", "Internal server error")) as server:
        tiers = make(setup(tier("anthropic", server.url)))
        for _ in range(4):
            with pytest.raises(TiersFailed):
                tiers.complete(ask(), run="r")
        assert len(server.asked) == THRESHOLD
        with pytest.raises(TiersFailed, match=r"resting for \d+ s more: HTTP 500"):
            tiers.complete(ask(), run="r")
        watch.now += REST_S
        with pytest.raises(TiersFailed):
            tiers.complete(ask(), run="r")
        assert len(server.asked) == THRESHOLD + 1
        server.behave = in_turn(reply("anthropic", FINE))
        watch.now += REST_S
        for _ in range(3):
            tiers.complete(ask(), run="r")
        assert len(server.asked) == THRESHOLD + 4


def test_a_tier_that_asks_for_an_hour_gets_it(make: Make, watch: Watch) -> None:
    limited = failure("anthropic", 429, "rate_limit_error", "Daily limit", retry_after="3600")
    with serving(limited) as busy, serving(reply("openai", FINE)) as up:
        tiers = make(setup(tier("anthropic", busy.url), tier("openai", up.url)))
        assert tiers.complete(ask(), run="r").tier == "openai"
        watch.now += 3599
        assert "resting for 1 s more" in tiers.complete(ask(), run="r").passed_over[0]
        watch.now += 2
        tiers.complete(ask(), run="r")
    assert (len(busy.asked), watch.slept) == (2, [])


def test_four_calls_are_in_flight_and_one_that_stalls_holds_up_no_other(make: Make) -> None:
    barrier = threading.Barrier(3)

    def behave(asked: object) -> Says | Hangs:
        if "stall" in asked.content:  # type: ignore[attr-defined]
            return Hangs()
        barrier.wait(60)  # passes only where three others are in flight beside the one that stalls
        return reply("anthropic", FINE)

    with serving(behave) as server:
        tiers = make(setup(tier("anthropic", server.url)))
        stalled = tiers.submit(ask("stall"), run="r")
        others = [tiers.submit(ask(str(n)), run="r") for n in range(9)]
        assert [future.result(timeout=180).answer.ports for future in others] == [[1]] * 9
        assert not stalled.done()
        tiers.close()
    assert server.most_at_once == 3
    assert len(server.asked) == 10


def test_tiers_that_are_closed_call_nobody(make: Make) -> None:
    with serving(reply("anthropic", FINE)) as server:
        tiers = make(setup(tier("anthropic", server.url)))
        tiers.complete(ask(), run="r")
        tiers.close()
        with pytest.raises(CancelledError):
            tiers.complete(ask(), run="r")
    assert len(server.asked) == 1


def test_standings_say_what_each_tier_lacks() -> None:
    url = "https://api.anthropic.com"
    whys = {
        "names no model": setup(tier("anthropic", url, small="")),
        "no program claude": setup(tier("claude", program=None)),
        "names no endpoint": setup(tier("openai", "")),
        "no key: set CORTEX_ANTHROPIC_KEY": setup(tier("anthropic", url, key=None)),
        "nobody has priced gpt-99": setup(tier("openai", url, small="gpt-99")),
        "CORTEX_BUDGET_RUN_USD is 0": setup(tier("anthropic", url), run=0),
        "CORTEX_BUDGET_DAY_USD is 0": setup(tier("anthropic", url), day=0),
    }
    for why, made in whys.items():
        first = next(standings(made))
        assert (first.ready, why in first.why) == (False, True), first
        assert all(seat.class_ == "B" for seat in seats(made))
    assert [standing.ready for standing in standings(setup(tier("anthropic", url)))] == [True, True]


@walk(
    ("url", "local"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1:8000", True),
        ("http://[::1]:8000/v1", True),
        ("https://openrouter.ai/api/v1", False),
        ("http://localhost.example.com", False),
    ],
)
def test_only_this_machine_is_local(url: str, local: bool) -> None:  # noqa: FBT001  a column of the table
    assert Tier(name="openai", url=url).local is local


def test_ones_own_prices_stand_before_the_table(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('[[price]]\nmodels = ["qwen3*", "claude-haiku-5-5"]\ninput = 0\noutput = 0\n')
    own = read_prices(path)
    found = price_of("qwen3:8b", own), price_of("claude-haiku-5-5", own), price_of("claude-haiku-5-5")
    assert [price.free for price in found if price] == [True, True, False]


def test_a_long_call_may_cost_more_for_each_token() -> None:
    price = price_of("claude-haiku-5-5")
    assert price
    short, long = (price.cost(input_tokens=tokens, output_tokens=0) for tokens in (100_000, 100_001))
    assert 4.9 < long / short < 5.1


@pytest.mark.parametrize(
    "text",
    [
        "price",
        '[[price]]\nmodels = ["m"]\ninput = -1\noutput = 1',
        '[[price]]\nmodels = ["m"]\ninput = inf\noutput = 1',
    ],
    ids=["no TOML", "negative", "infinite"],
)
def test_prices_that_are_none_are_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"prices\.toml"):
        read_prices(path)


def test_a_price_for_long_calls_is_whole_or_absent() -> None:
    with pytest.raises(ValidationError, match="go together"):
        Price(models=("m",), input=1, output=1, above=10)


def test_a_setup_reveals_no_key() -> None:
    made = Setup(tiers=(tier("anthropic", key="sk-secret", environment={"TOKEN": "hidden"}),), prices=PRICES)
    assert "sk-secret" not in repr(made)
    assert "hidden" not in repr(made)
