"""Doctor: what is wrong with a brain and with what is set up around it."""

from __future__ import annotations

from pydantic import Field

from cortex.substrate.model import Value
from cortex.surfaces.contract import Call, operation
from cortex.surfaces.doctor.examined import examined
from cortex.surfaces.doctor.findings import Finding, findings
from cortex.surfaces.operations.parameters import Nothing


class Diagnosis(Value):
    """What was checked, in its order."""

    healthy: bool = Field(description="nothing is wrong")
    findings: tuple[Finding, ...]


@operation("read", "cortex doctor", local=True, tool=False)
def doctor(call: Call, asked: Nothing) -> Diagnosis:  # noqa: ARG001  every operation takes its parameters
    """Say what is wrong with the brain and what is around it, and which command mends it.

    Looks at the brain's file and rows, at how far behind it is, and at schedules, hooks, clients and models that were
    set up. Changes nothing; the command exits 1 when something is wrong.
    """
    with examined(call) as found:
        told = findings(found)
    return Diagnosis(healthy=all(one.state != "wrong" for one in told), findings=tuple(told))
