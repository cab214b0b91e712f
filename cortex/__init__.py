"""The memory of an engineering project: typed, cited facts, and answers or an honest refusal.

>>> import cortex
>>> cortex.ask("who owns the parser?", brain="brain.db")  # doctest: +SKIP
Answer(question='who owns the parser?', …)
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cortex.errors import CortexError
    from cortex.substrate.brain import Brain, open_brain
    from cortex.substrate.model import Answer, Citation, Fact, Hit, Record, Scope

__all__ = ["Answer", "Brain", "Citation", "CortexError", "Fact", "Hit", "Record", "Scope", "ask", "open_brain"]

_HOMES: Final = {
    "cortex.errors": ("CortexError",),
    "cortex.substrate.brain": ("Brain", "open_brain"),
    "cortex.substrate.model": ("Answer", "Citation", "Fact", "Hit", "Record", "Scope"),
}


def ask(
    question: str, *, brain: Brain | Path | str | None = None, scope: Scope | None = None, now: datetime | None = None
) -> Answer:
    """Answer *question* with citations, or with exactly the refusal.

    Args:
        brain: an open one, which stays open, or its file or address; None is the one that the environment names.
        scope: what may be read; None is every federated source.
        now: the moment to answer at, which 'last month' counts from; None is this one.

    Raises:
        EmptyQuestion: not a single letter or digit in it.
        UnknownSource: the scope names a source the brain does not hold.
        BrainError: the brain cannot be used.
    """
    from cortex.composer.pipeline import ask as answer  # noqa: PLC0415  whoever only imports cortex does not wait for it
    from cortex.settings import Settings  # noqa: PLC0415
    from cortex.substrate.brain import Brain, open_brain  # noqa: PLC0415
    from cortex.substrate.model import Scope  # noqa: PLC0415
    from cortex.surfaces.encoding import models_of  # noqa: PLC0415

    scope, now = scope or Scope(), now or datetime.now(UTC)
    settings = Settings.read(os.environ)
    if isinstance(brain, Brain):
        return answer(brain.encoding(*models_of(settings)), question, scope=scope, now=now)
    with open_brain(brain or settings.brain, read_only=True).encoding(*models_of(settings)) as opened:
        return answer(opened, question, scope=scope, now=now)


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
