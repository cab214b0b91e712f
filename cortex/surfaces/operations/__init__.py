"""Every operation there is, each imported only when it is asked for: a question may take 0.3 s with its imports."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from cortex.errors import UnknownOperation
from cortex.surfaces.contract import Operation

_LISTED: Final = (
    ("asking", "ask search"),
    ("looking", "get"),
    ("briefing", "brief precedents decisions owners"),
    ("recording", "outcome_record outcomes remember notes"),
    ("reviewing", "review review_approve review_reject review_merge"),
    ("forgetting", "forget"),
    ("looking", "sources"),
    ("sourcing", "source_remove source_rename source_archive"),
    ("looking", "status"),
    ("upkeep", "compact smoke index"),
    ("queueing", "queue queue_retry queue_drop queue_work"),
    ("tasking", "queue_add queue_cancel queue_pause queue_resume"),
    ("doctoring", "tiers doctor"),
    ("looking", "facts history compactions evals"),
)
MODULES: Final = {name: module for module, names in _LISTED for name in names.split()}
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
