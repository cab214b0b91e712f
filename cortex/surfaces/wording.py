"""What an error says to try, in the words of the surface it is met on: errors speak the command line's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal

from cortex.errors import CortexError
from cortex.surfaces.contract import Call, Operation, spelled
from cortex.surfaces.operations import every

Surface = Literal["mcp", "http"]

PREFIXES: Final[dict[Surface, str]] = {"mcp": "cortex_", "http": "POST /v1/"}
"""What stands before an operation's name where the surface offers it."""

TO_OTHERS: Final = "at this Cortex's terminal, "
_TERMINAL: Final = re.compile(r"(?<![\w/-])(?:cortex [a-z]|--[a-z]|CORTEX_[A-Z])")


@contextmanager
def worded(surface: Surface, call: Call, operation: Operation[Any, Any]) -> Iterator[None]:
    """Errors that are raised inside say what to try as *surface* has it."""
    try:
        yield
    except CortexError as error:
        error.hint = spoken(_of_surface(error.hint, surface, call, operation))
        raise


def spoken(hint: str) -> str:
    """*hint* with each clause that only a terminal's user can follow marked as theirs.

    >>> spoken("send a token; make one with: cortex token create")
    "send a token; at this Cortex's terminal, make one with: cortex token create"
    """
    clauses = hint.split("; ")
    return "; ".join(
        TO_OTHERS + clause if _TERMINAL.search(clause) and not clause.startswith(TO_OTHERS) else clause
        for clause in clauses
    )


def _of_surface(hint: str, surface: Surface, call: Call, operation: Operation[Any, Any]) -> str:
    hidden = {*operation.hidden(call.caller)}
    for name, field in operation.parameters.model_fields.items():
        option = spelled(name, field)
        if option and name not in hidden:
            hint = re.sub(rf"(?<![\w-]){option}(?![\w-])", f"`{name}`", hint)
    for one in every():
        if call.allows(one) and (one.tool or surface == "http"):
            hint = re.sub(rf"\bcortex {one.command}(?![\w-])", PREFIXES[surface] + one.name, hint)
    return hint
