"""The tiers of models as this machine has them, and who makes facts of docs and comments in an index run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Final, Literal

from pydantic import Field, SecretStr

from cortex.errors import NoModel
from cortex.indexers.distilling import Crew
from cortex.llm.setup import Setup, Tier, read_prices
from cortex.llm.spending import Spent, spent
from cortex.llm.tiers import Tiers
from cortex.settings import PREFIX, Settings
from cortex.substrate.brain import Brain
from cortex.substrate.model import Value
from cortex.substrate.sources import timestamp
from cortex.surfaces.contract import Call

_OF_OTHERS: Final = (PREFIX, "OPENAI_")
_ITS_OWN: Final = ("ANTHROPIC_", "CLAUDE_")


def setup_of(settings: Settings) -> Setup:
    """What *settings* and this machine have of each tier; a tier without a model is off."""
    anthropic, openai = _key(settings, "anthropic"), _key(settings, "openai")
    return Setup(
        tiers=(
            Tier(
                name="claude", small=settings.claude_small, large=settings.claude_large,
                program=shutil.which("claude"), environment=_without(os.environ, anthropic, openai),
            ),
            Tier(
                name="anthropic", small=settings.anthropic_small, large=settings.anthropic_large,
                url=settings.anthropic_url, key=anthropic,
            ),
            Tier(
                name="openai", small=settings.openai_small, large=settings.openai_large,
                url=settings.openai_url, key=openai,
            ),
        ),
        budget_run_usd=settings.budget_run_usd,
        budget_day_usd=settings.budget_day_usd,
        at_once=settings.calls_at_once,
        prices=read_prices(settings.prices.expanduser()) if settings.prices else (),
    )  # fmt: skip


def open_tiers(settings: Settings, brain: Path) -> Tiers:
    """The tiers of *settings*, whose calls the file *brain* keeps; close them after use."""
    return Tiers(setup_of(settings), brain, clock=lambda: datetime.now(UTC), key=token_bytes())


def _without(environment: Mapping[str, str], *keys: SecretStr | None) -> dict[str, str]:
    """*environment* as the Claude CLI gets it: without Cortex's settings, and without the *keys* of other tiers.

    By whatever name it stands; but what Anthropic calls its own lets the CLI in as well.
    """
    values = {key.get_secret_value() for key in keys if key}
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(_ITS_OWN) or not (name.startswith(_OF_OTHERS) or value in values)
    }


def _key(settings: Settings, name: str) -> SecretStr | None:
    """The key that was set for Cortex; else the vendor's own, which nobody but the vendor gets to see."""
    own: SecretStr | None = getattr(settings, f"{name}_key")
    if own or getattr(settings, f"{name}_url") != Settings.model_fields[f"{name}_url"].default:
        return own
    found = os.environ.get(f"{name.upper()}_API_KEY")
    return SecretStr(found) if found else None


Distiller = Literal["rules", "model"]


class Modelled(Value):
    """What models had to do with an index run."""

    calls: tuple[Spent, ...] = Field(description="by tier and model, dearest first")
    dropped: Mapping[str, int] = Field(description="facts of models that were thrown away, by reason")
    by_rules: int = Field(description="texts that the rules read, for no model answered or could be paid")
    stopped: str = Field(description="why none did; '' where each was read by one")
    kept: int = Field(description="texts that have what the rules found, for nothing stood that a model did")
    passed_over: Mapping[str, str] = Field(description="why a tier gave no answer that could be used, the first time")


Used = Callable[[Brain], Modelled | None]  # what models did so far; none where none was asked


@contextmanager
def with_distiller(call: Call, choice: Distiller, crew: Crew) -> Iterator[tuple[Crew, Used]]:
    """*crew* with the distillers of *choice*, and what tells how models fared."""
    if choice == "rules":
        yield crew, lambda _: None
        return
    from cortex.indexers.distill.by_model import ByModel, Tally  # noqa: PLC0415  whoever asks no model waits for none

    run, tally = f"index:{timestamp(call.now)}:{token_hex(4)}", Tally()
    at_once = call.settings.calls_at_once
    with open_tiers(call.settings, call.path) as tiers:
        if not tiers.ready("A"):
            raise NoModel("A")
        docs = ByModel("docs", tiers, run=run, tally=tally, calls=at_once)
        comments = ByModel("comments", tiers, run=run, tally=tally, calls=at_once)

        def used(brain: Brain) -> Modelled:
            return Modelled(
                calls=tuple(spent(brain, since=call.now, run=run)), dropped=dict(tally.dropped.most_common()),
                by_rules=tally.by_rules, stopped=tally.stopped, kept=tally.kept, passed_over=dict(tally.passed_over),
            )  # fmt: skip

        yield crew._replace(docs=docs, comments=comments), used
