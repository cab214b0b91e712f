"""The tiers of models, as a person reads of them."""

from __future__ import annotations

import click

from cortex.llm.setup import Standing
from cortex.llm.spending import Spent, dollars
from cortex.surfaces.operations.models import TierList
from cortex.surfaces.render import amount, dim, heading, line, table

_NAMES = {"claude": "Claude CLI", "anthropic": "Anthropic API", "openai": "OpenAI-compatible"}
_CLASSES = {"A": "small", "B": "large"}


def tiers(found: TierList) -> str:
    """How each tier stands, in the order they are tried, and what today cost."""
    standing = table([_standing(one) for one in found.tiers], indent="")
    budget = f"budget: {dollars(found.budget_run_usd)} a run, {dollars(found.budget_day_usd)} a day"
    if not found.today:
        return f"{standing}\n\n{budget}\ntoday: no calls"
    assumed = f", of which {dollars(found.assumed_usd)} was never told" if found.assumed_usd else ""
    calls = table([_spent(one) for one in found.today], numbers=range(2, 6))
    return f"{standing}\n\n{budget}\ntoday: {heading(dollars(found.today_usd))}{assumed}\n{calls}"


def _standing(one: Standing) -> tuple[str, ...]:
    state = click.style("ready", fg="green") if one.ready else dim("not ready")
    return _NAMES[one.tier], _CLASSES[one.class_], state, line(one.model) if one.ready else line(one.why)


def _spent(one: Spent) -> tuple[str, ...]:
    sorts = ((one.unusable, "of no use"), (one.failed, "failed"), (one.unknown, "open"))
    told = ", ".join(f"{number:,} {word}" for number, word in sorts if number)
    return (
        one.tier, line(one.model), amount(one.calls, "call"), f"{one.input_tokens:,} in", f"{one.output_tokens:,} out",
        dollars(one.cost_usd), told,
    )  # fmt: skip
