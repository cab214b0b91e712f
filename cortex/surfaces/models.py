"""The tiers of models as this machine's settings have them."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes

from pydantic import SecretStr

from cortex.llm.prices import read_prices
from cortex.llm.setup import Setup, Tier
from cortex.llm.tiers import Tiers
from cortex.settings import Settings


def setup_of(settings: Settings) -> Setup:
    """What *settings* and this machine have of each tier; a tier without a model is off.

    Raises:
        BadInput: the file of prices cannot be used.
    """
    return Setup(
        tiers=(
            Tier(
                name="claude", small=settings.claude_small, large=settings.claude_large,
                program=shutil.which("claude"), environment=dict(os.environ),
            ),
            Tier(
                name="anthropic", small=settings.anthropic_small, large=settings.anthropic_large,
                url=settings.anthropic_url, key=_key(settings, "anthropic"),
            ),
            Tier(
                name="openai", small=settings.openai_small, large=settings.openai_large,
                url=settings.openai_url, key=_key(settings, "openai"),
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


def _key(settings: Settings, name: str) -> SecretStr | None:
    """The key that was set for Cortex; else the vendor's own, which nobody but the vendor gets to see."""
    own: SecretStr | None = getattr(settings, f"{name}_key")
    if own or getattr(settings, f"{name}_url") != Settings.model_fields[f"{name}_url"].default:
        return own
    found = os.environ.get(f"{name.upper()}_API_KEY")
    return SecretStr(found) if found else None
