"""`cortex tiers` and `cortex index --distiller model` as a person and a script meet them."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from tests.brains import image, nowhere, open_new, place
from tests.llm.servers import Asked, Says, failure, install_claude, reply, result, serving
from tests.surfaces.conftest import SEEDS, Ran

Cortex = Callable[..., Ran]

FENCED = re.compile(r'<(data-[0-9a-f]{16}) name="([^"]+)">\n(.*?)\n</\1>', re.DOTALL)
BUDGET = {"CORTEX_BUDGET_RUN_USD": "5", "CORTEX_BUDGET_DAY_USD": "20"}


def at(url: str, **more: str) -> dict[str, str]:
    """The environment of somebody who set one tier up."""
    return {
        "CORTEX_ANTHROPIC_URL": url, "CORTEX_ANTHROPIC_KEY": "sk-test", "CORTEX_ANTHROPIC_SMALL": "claude-haiku-4-5",
        **BUDGET, **more,
    }  # fmt: skip


def facts_of(text: str) -> list[dict[str, Any]]:
    """What a model finds: the first sentence, and one it made up."""
    sentence = text.partition("\n")[0].partition(". ")[0]
    shared = {"kind": "spec", "confidence": 0.8}
    return [{"excerpt": sentence, **shared}, {"excerpt": f"As everybody knows, {sentence}", **shared}]


def dear(asked: Asked) -> Says:
    """The same model, which thinks for as long as it may."""
    return model(asked, tokens=(1000, asked.body["max_tokens"]))


def model(asked: Asked, tokens: tuple[int, int] = (1000, 100)) -> Says:
    texts = {name: text for _, name, text in FENCED.findall(asked.content)}
    found = [{"piece": name, "facts": facts_of(text)} for name, text in texts.items() if " " not in name]
    return reply("anthropic", {"pieces": found}, tokens=tokens)


def count(brain: Path, query: str) -> int:
    with open_new(brain) as opened:
        return int(opened.db.execute(query).fetchone()[0])


INDEX = ("index", "--github-export", SEEDS / "o8-runner")


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    return place(tmp_path / "brain.db")


def test_an_index_by_models_makes_exactly_the_calls_it_must_and_drops_what_was_made_up(
    cortex: Cortex, brain: Path
) -> None:
    with serving(model) as server:
        done = cortex(*INDEX, "--distiller", "model", "--json", **at(server.url)).json
        docs = count(brain, "select count(*) from records where type = 'doc'")
        comments = count(brain, "select count(*) from records where type in ('comment', 'event')")
        assert len(server.asked) == ceil(docs / 8) + comments > 12
        again = cortex(*INDEX, "--distiller", "model", "--json", **at(server.url)).json
    assert len(server.asked) == ceil(docs / 8) + comments, "what is up to date costs nothing"
    assert not again["changed"]
    (calls,) = done["models"]["calls"]
    assert (calls["calls"], calls["answered"]) == (len(server.asked), len(server.asked))
    assert done["models"]["dropped"]["excerpt is not verbatim in its record"] >= docs
    assert count(brain, "select count(*) from facts where path in ('docs', 'comments')") > docs
    assert cortex("verify").code == 0


def test_a_run_that_comes_to_its_budget_goes_on_by_rules_and_says_so(cortex: Cortex, brain: Path) -> None:
    poor = {"CORTEX_BUDGET_RUN_USD": "0.15"}
    with serving(dear) as server:
        done = cortex(*INDEX, "--distiller", "model", "--json", **at(server.url) | poor)
        first = len(server.asked)
        assert done.code == 0
        models = done.json["models"]
        assert "the budget of the run, $0.15, does not cover" in models["stopped"]
        assert models["by_rules"] > 0
        assert sum(one["cost_usd"] for one in models["calls"]) <= 0.15
        assert count(brain, "select count(*) from facts_queue where state <> 'done'") == 0
        assert "read by the rules: no more calls can be paid" in cortex(
            *INDEX, "--distiller", "model", "--again", **at(server.url) | poor
        ).out  # fmt: skip
        rich = cortex(*INDEX, "--distiller", "model", "--json", **at(server.url)).json
    assert rich["models"]["by_rules"] == 0
    assert len(server.asked) > first, "what the rules read is read by the model once it can be paid"


@pytest.mark.parametrize(
    "lacks",
    [
        {"CORTEX_BUDGET_RUN_USD": ""},
        {"CORTEX_BUDGET_DAY_USD": "0"},
        {"CORTEX_ANTHROPIC_SMALL": ""},
        {"CORTEX_ANTHROPIC_KEY": "", "CORTEX_ANTHROPIC_URL": "https://192.0.2.1"},
        {"CORTEX_ANTHROPIC_SMALL": "claude-unheard-of"},
    ],
    ids=["no budget of a run", "none of a day", "no model", "no key", "no price"],
)
def test_without_all_it_takes_no_model_is_called(lacks: dict[str, str], cortex: Cortex) -> None:
    with serving(model) as server:
        refused = cortex(*INDEX, "--distiller", "model", **at(server.url) | lacks)
        standing = cortex("tiers", "--json", **at(server.url) | lacks).json
    assert refused.code == 2
    assert "no model is ready for class A; cortex tiers says" in refused.complaint
    assert [one["ready"] for one in standing["tiers"]] == [False] * 6
    assert server.asked == []


def test_by_default_the_rules_distill_even_where_a_model_is_ready(cortex: Cortex) -> None:
    with serving(model) as server:
        done = cortex(*INDEX, "--json", **at(server.url)).json
    assert (done["models"], server.asked) == (None, [])


def test_a_claude_on_the_path_is_asked_first_and_what_it_lacks_falls_through(
    cortex: Cortex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cli = install_claude(tmp_path / "bin", result("Please run /login", is_error=True, api_error_status=401))
    monkeypatch.setenv("PATH", str(cli.program.parent), prepend=":")
    with serving(model) as server:
        done = cortex(*INDEX, "--distiller", "model", "--json", **at(server.url, CORTEX_CLAUDE_SMALL="haiku")).json
    assert {one["tier"]: one["answered"] > 0 for one in done["models"]["calls"]} == {"claude": False, "anthropic": True}
    assert 1 <= len(cli.asked) <= 4, "one call finds out, and those in flight beside it"
    assert "Please run /login" in caplog.text


def test_where_all_tiers_fail_the_rules_read_everything_and_a_model_does_once_one_answers(
    cortex: Cortex, brain: Path
) -> None:
    texts = "select count(*) from records where type in ('doc', 'comment', 'event') and path <> 'CODEOWNERS'"
    with serving(failure("anthropic", 401, "authentication_error", "invalid x-api-key")) as server:
        done = cortex(*INDEX, "--distiller", "model", "--json", **at(server.url))
        shown = cortex(*INDEX, "--distiller", "model", "--again", **at(server.url)).out
    assert done.code == 0
    assert done.json["models"]["by_rules"] == count(brain, texts) > 10
    assert done.json["models"]["stopped"].startswith("no model answered: anthropic: ")
    assert re.search(r"\d+ texts read by the rules: no model answered: anthropic: ", shown)
    assert count(brain, "select count(*) from facts_queue where state <> 'done'") == 0
    assert count(brain, "select count(*) from facts where path = 'docs'") > 5
    with serving(model) as server:
        assert cortex(*INDEX, "--distiller", "model", "--json", **at(server.url)).json["models"]["by_rules"] == 0
    assert count(brain, "select count(*) from facts_queue where distiller like 'rules%'") == 0


HANDLES = "select handle from facts where path <> 'promotion' order by 1"


def handles(brain: Path) -> str:
    with open_new(brain) as opened:
        found = [handle for (handle,) in opened.db.execute(HANDLES)]
    return f"{len(found)}{','.join(found)}"


def say_nothing(asked: Asked) -> Says:
    """A model that did what a record told it to: 'return no facts'."""
    texts = {name: text for _, name, text in FENCED.findall(asked.content)}
    return reply("anthropic", {"pieces": [{"piece": name, "facts": []} for name in texts if " " not in name]})


def test_a_model_that_finds_nothing_takes_nothing_from_what_the_rules_found(cortex: Cortex, brain: Path) -> None:
    cortex(*INDEX)
    before = handles(brain)
    assert int(before.partition("fact")[0]) > 10
    with serving(say_nothing) as server:
        done = cortex(*INDEX, "--distiller", "model", "--json", **at(server.url))
        again = cortex(*INDEX, "--distiller", "model", **at(server.url))
    assert handles(brain) == before
    by_rules = "select count(distinct record_id) from facts where path in ('docs', 'comments')"
    assert done.json["models"]["kept"] == count(brain, by_rules) > 0
    assert "Nothing changed" in again.out


def test_reading_again_by_the_rules_undoes_what_a_model_made(cortex: Cortex, brain: Path) -> None:
    cortex(*INDEX)
    before = handles(brain)
    with serving(model) as server:
        cortex(*INDEX, "--distiller", "model", **at(server.url))
    assert handles(brain) != before
    assert count(brain, "select count(*) from facts_archive where reason = 'its record changed'") == 0
    assert "Nothing changed" in cortex(*INDEX).out
    cortex(*INDEX, "--again")
    assert handles(brain) == before
    assert "Nothing changed" in cortex(*INDEX, "--again").out


def test_a_tier_that_only_refuses_leaves_the_others_to_the_next_and_says_so(cortex: Cortex) -> None:
    refuses = reply("anthropic", "No.", stop="refusal")
    with serving(refuses) as server:
        done = cortex(*INDEX, "--distiller", "model", **at(server.url))
    assert "anthropic passed over: " in done.out
    assert "read by the rules" in done.out


def test_whoever_works_on_the_queue_is_told_that_no_model_answered(cortex: Cortex, brain: Path) -> None:
    cortex(*INDEX, "-q")
    with open_new(brain) as opened:
        opened.db.execute("update facts_queue set state = 'pending' where path = 'docs'")
    with serving(failure("anthropic", 401, "authentication_error", "invalid x-api-key")) as server:
        done = cortex("queue", "work", **at(server.url, CORTEX_DISTILLER="model"))
    assert done.code == 0
    assert re.search(r"\d+ texts read by the rules: no model answered: anthropic: ", done.out)


def test_asking_how_the_tiers_stand_needs_no_brain_and_makes_none(cortex: Cortex, tmp_path: Path) -> None:
    missing = nowhere(tmp_path / "brain.db")
    standing = cortex("tiers", "--json").json
    assert (standing["today_usd"], standing["today"], image(missing)) == (0, [], b"")
    assert [one["tier"] for one in standing["tiers"]] == ["claude"] * 2 + ["anthropic"] * 2 + ["openai"] * 2
    assert all("names no model" in one["why"] for one in standing["tiers"])


def test_the_claude_cli_gets_no_other_tiers_key(cortex: Cortex, tmp_path: Path) -> None:
    cli = install_claude(tmp_path / "bin", "sys.exit('Please run /login')")
    keys = {"OPENAI_API_KEY": "key of o", "ROUTER": "key of o", "ANTHROPIC_API_KEY": "its own", "GIVEN": "as it is"}
    ours = {"CORTEX_CLAUDE_SMALL": "haiku", "CORTEX_OPENAI_KEY": "key of o", "PATH": str(cli.program.parent)}
    cortex(*INDEX, "--distiller", "model", **ours, **keys, **at("http://127.0.0.1:9", CORTEX_ANTHROPIC_KEY="key of a"))
    given = cli.asked[0]["env"]
    assert {name for name, value in given.items() if value.startswith("key of")} == set()
    assert not [name for name in given if name.startswith("CORTEX_")]
    assert (given["ANTHROPIC_API_KEY"], given["GIVEN"]) == ("its own", "as it is")


def test_only_the_vendor_gets_the_vendors_key(cortex: Cortex) -> None:
    vendors = {"ANTHROPIC_API_KEY": "sk-vendor", "CORTEX_ANTHROPIC_SMALL": "claude-haiku-4-5", **BUDGET}
    own = cortex("tiers", "--json", **vendors).json["tiers"][2]
    other = cortex("tiers", "--json", CORTEX_ANTHROPIC_URL="https://proxy.example.com", **vendors).json["tiers"][2]
    assert (own["ready"], other["ready"]) == (True, False)
    assert "no key" in other["why"]


def test_prices_of_ones_own_make_a_local_model_free(cortex: Cortex, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[[price]]\nmodels = ["qwen3:8b"]\ninput = 0\noutput = 0\n')
    local = {"CORTEX_OPENAI_URL": "http://localhost:11434/v1", "CORTEX_OPENAI_SMALL": "qwen3:8b"}
    unpriced = cortex("tiers", "--json", **local).json["tiers"][4]
    free = cortex("tiers", "--json", CORTEX_PRICES=str(prices), **local).json["tiers"][4]
    assert (unpriced["ready"], "nobody has priced qwen3:8b" in unpriced["why"]) == (False, True)
    assert free["ready"]
