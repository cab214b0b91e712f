"""Every operation there is, each imported only when it is asked for: a question may take 0.3 s with its imports."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from cortex.errors import UnknownOperation
from cortex.surfaces.contract import Operation

MODULES: Final = {
    "ask": "asking",
    "search": "asking",
    "get": "looking",
    "brief": "briefing",
    "precedents": "briefing",
    "decisions": "briefing",
    "owners": "briefing",
    "outcome_record": "recording",
    "remember": "recording",
    "notes": "noting",
    "review": "reviewing",
    "review_approve": "reviewing",
    "review_reject": "reviewing",
    "review_merge": "reviewing",
    "forget": "forgetting",
    "sources": "looking",
    "source_remove": "sourcing",
    "source_rename": "sourcing",
    "source_archive": "sourcing",
    "status": "looking",
    "compact": "upkeep",
    "smoke": "upkeep",
    "index": "upkeep",
    "queue": "queueing",
    "queue_retry": "queueing",
    "queue_drop": "queueing",
    "queue_work": "queueing",
    "tiers": "doctoring",
    "doctor": "doctoring",
    "facts": "browsing",
    "history": "browsing",
    "compactions": "browsing",
    "evals": "browsing",
}
"""The module each is declared in, in the order they are listed everywhere."""


def named(name: str) -> Operation[Any, Any]:
    """The operation called *name*."""
    if name not in MODULES:
        raise UnknownOperation(name, MODULES)
    found: Operation[Any, Any] = getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
    return found


def every() -> Iterator[Operation[Any, Any]]:
    """All of them, in their order."""
    return map(named, MODULES)
