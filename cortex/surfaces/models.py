"""The tiers of models as this machine's settings have them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from typing import Final

from pydantic import SecretStr

from cortex.llm.prices import read_prices
from cortex.llm.setup import Setup, Tier
from cortex.llm.tiers import Tiers
from cortex.settings import PREFIX, Settings

_OF_OTHERS: Final = (PREFIX, "OPENAI_")
_ITS_OWN: Final = ("ANTHROPIC_", "CLAUDE_")


def setup_of(settings: Settings) -> Setup:
    """What *settings* and this machine have of each tier; a tier without a model is off.

    Raises:
        BadInput: the file of prices cannot be used.
    """
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
