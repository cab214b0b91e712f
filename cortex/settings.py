"""What a person or a project configures; read once, by a surface, and passed down.

Plain pydantic rather than pydantic-settings, whose import alone took 0.13 s of the 0.3 s a question may take:
docs/decisions/0003-settings-without-pydantic-settings.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, Json, SecretStr, ValidationError, field_validator

from cortex.errors import BadSetting
from cortex.substrate.address import located
from cortex.substrate.authority import AUTHORITY
from cortex.substrate.model import Share, Value

PREFIX = "CORTEX_"

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Settings(Value):
    """Settings from the environment, each named CORTEX_ and its name in capitals; an empty one counts as not set."""

    home: Path = Field(Path("~/.cortex"), description="folder of the default brain")
    db: str | Path = Field("", description="the brain's file or postgresql://…; by default brain.db in the home folder")
    cache: Path | None = Field(
        None, description="folder of what can be made again; by default cache in the home folder"
    )
    authority: Json[dict[str, Share]] = Field(
        default_factory=dict, description='a project\'s own weights by origin, as JSON: {"doc": 0.9}'
    )
    compact_at: time = Field(time(3), description="when the local clock says so, the night's compaction is due")
    distiller: Literal["rules", "model"] = Field("rules", description="who makes facts of docs and comments")
    composer: Literal["extractive", "model"] = Field("extractive", description="who words answers")
    refuse_below: Share | None = Field(
        None, description="likelihood of an answer below which it is refused: lower answers more, higher less"
    )
    claude_small: str = Field("", description="model the Claude CLI answers small questions with, such as haiku")
    claude_large: str = Field("", description="model the Claude CLI answers large questions with, such as sonnet")
    anthropic_small: str = Field("", description="model of the Anthropic API for small questions")
    anthropic_large: str = Field("", description="model of the Anthropic API for large questions")
    anthropic_url: str = Field("https://api.anthropic.com", description="where the Anthropic API is")
    anthropic_key: SecretStr | None = Field(None, description="its key; by default ANTHROPIC_API_KEY, for its own URL")
    openai_small: str = Field("", description="model of an endpoint as OpenAI's for small questions")
    openai_large: str = Field("", description="model of an endpoint as OpenAI's for large questions")
    openai_url: str = Field(
        "https://api.openai.com/v1", description="where that is: OpenAI, OpenRouter, http://localhost:11434/v1, …"
    )
    openai_key: SecretStr | None = Field(None, description="its key; by default OPENAI_API_KEY, for OpenAI's own URL")
    budget_run_usd: Dollars = Field(0, description="what models may cost in one run; with 0 none is called")
    budget_day_usd: Dollars = Field(0, description="what models may cost in one day (UTC); with 0 none is called")
    prices: Path | None = Field(None, description="a TOML file with prices of models, before those Cortex knows")
    calls_at_once: int = Field(4, ge=1, le=64, description="calls of models in flight, by tier")
    github_webhook_secret: SecretStr | None = Field(
        None, description="what GitHub signs the deliveries of its webhook with; none are taken without"
    )
    github_webhook_secrets: Json[dict[str, SecretStr]] = Field(
        {}, description='a secret a source, before that one, as JSON: `{"acme/app": "…"}`'
    )
    reranker: str = Field(
        "", description="model of fastembed that scores evidence, or the full path of one (extra: rerank)"
    )
    request_seconds: float = Field(
        5, ge=0, allow_inf_nan=False, description="what a read over HTTP or MCP may take, models aside; 0 is any time"
    )
    archive_days: int = Field(180, ge=1, description="days that the archive keeps a fact nothing stands for")

    @field_validator("authority")
    @classmethod
    def _names_known_origins(cls, authority: dict[str, float]) -> dict[str, float]:
        if unknown := authority.keys() - AUTHORITY.keys():
            raise ValueError(f"no origin {', '.join(sorted(unknown))}; there are {', '.join(AUTHORITY)}")
        return authority

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """The settings *environment* holds.

        Raises:
            BadSetting: a value is not what its setting takes.
        """
        named = {
            name: environment[variable]
            for name in cls.model_fields
            if environment.get(variable := PREFIX + name.upper())
        }
        try:
            return cls.model_validate(named)
        except ValidationError as error:
            first = error.errors()[0]
            raise BadSetting(PREFIX + str(first["loc"][0]).upper(), first["msg"]) from error

    @property
    def brain(self) -> Path:
        """The file of the brain, or its address."""
        return located(str(self.db or self.home / "brain.db"), self.home).expanduser()

    @property
    def cache_folder(self) -> Path:
        """The folder of what can be made again at any time, such as the encoder's table."""
        return (self.cache or self.home / "cache").expanduser()
