"""Tiers and doctor: which models can be called, and what is wrong with a brain and with what is set up around it."""

from __future__ import annotations

from contextlib import suppress

from pydantic import Field

from cortex.errors import BrainMissing
from cortex.llm.setup import Standing, standings
from cortex.llm.spending import Spent, spent
from cortex.substrate.model import Value
from cortex.surfaces.contract import Call, Parameters, operation
from cortex.surfaces.doctor.checks import Finding, findings
from cortex.surfaces.doctor.examined import examined
from cortex.surfaces.models import setup_of


class TierList(Value):
    """The tiers in the order they are tried, and what today's calls cost."""

    tiers: tuple[Standing, ...]
    budget_run_usd: float
    budget_day_usd: float
    today: tuple[Spent, ...] = Field(description="calls since midnight UTC, by tier and model, dearest first")
    today_usd: float
    assumed_usd: float = Field(description="of that, what nobody told: counted as the most it may be")


class Diagnosis(Value):
    """What was checked, in its order."""

    healthy: bool = Field(description="nothing is wrong")
    findings: tuple[Finding, ...]


@operation("read", "cortex tiers", local=True, tool=False)
def tiers(call: Call, asked: Parameters) -> TierList:  # noqa: ARG001  every operation takes its parameters
    """Say which models can be called, why others cannot, and what today cost.

    None is called unless you name one and give it a budget. Asking how they stand calls nobody: a key that is wrong
    shows when it is first used.
    """
    setup = setup_of(call.settings)
    today: list[Spent] = []
    with suppress(BrainMissing), call.reader() as brain:
        today = spent(brain, since=call.now)
    return TierList(
        tiers=tuple(standings(setup)),
        budget_run_usd=setup.budget_run_usd,
        budget_day_usd=setup.budget_day_usd,
        today=tuple(today),
        today_usd=sum(one.cost_usd for one in today),
        assumed_usd=sum(one.assumed_usd for one in today),
    )


@operation("read", "cortex doctor", local=True, tool=False)
def doctor(call: Call, asked: Parameters) -> Diagnosis:  # noqa: ARG001  every operation takes its parameters
    """Say what is wrong with the brain and what is around it, and which command mends it.

    Looks at the brain's file and rows, at how far behind it is, and at schedules, hooks, clients and models that were
    set up. Changes nothing; the command exits 1 when something is wrong.
    """
    with examined(call) as found:
        told = findings(found)
    return Diagnosis(healthy=all(one.state != "wrong" for one in told), findings=tuple(told))
