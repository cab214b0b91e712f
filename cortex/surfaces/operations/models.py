"""Tiers: which models can be called, and what they cost."""

from __future__ import annotations

from pydantic import Field

from cortex.llm.setup import Standing, standings
from cortex.llm.spending import Spent, spent
from cortex.substrate.model import Value
from cortex.surfaces.contract import Call, operation
from cortex.surfaces.models import setup_of
from cortex.surfaces.operations.parameters import Nothing


class TierList(Value):
    """The tiers in the order they are tried, and what today's calls cost."""

    tiers: tuple[Standing, ...]
    budget_run_usd: float
    budget_day_usd: float
    today: tuple[Spent, ...] = Field(description="calls since midnight UTC, by tier and model, dearest first")
    today_usd: float
    assumed_usd: float = Field(description="of that, what nobody told: counted as the most it may be")


@operation("read", "cortex tiers", local=True, tool=False)
def tiers(call: Call, asked: Nothing) -> TierList:  # noqa: ARG001  every operation takes its parameters
    """Say which models can be called, why others cannot, and what today cost.

    None is called unless you name one and give it a budget. Asking how they stand calls nobody: a key that is wrong
    shows when it is first used.
    """
    setup = setup_of(call.settings)
    today: list[Spent] = []
    if call.path.is_file():
        with call.reader() as brain:
            today = spent(brain, since=call.now)
    return TierList(
        tiers=tuple(standings(setup)),
        budget_run_usd=setup.budget_run_usd,
        budget_day_usd=setup.budget_day_usd,
        today=tuple(today),
        today_usd=sum(one.cost_usd for one in today),
        assumed_usd=sum(one.assumed_usd for one in today),
    )
