"""What is configured of the tiers, what their models cost, and what of it is ready. Nothing here can make a call."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, Self
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, SecretStr, ValidationError, model_validator

from cortex.errors import BadInput
from cortex.llm.model import Class, TierName
from cortex.packaged import files
from cortex.substrate.model import Value
from cortex.substrate.secrets import MARK

MILLION: Final = 1_000_000

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(Value):
    """US dollars for a million tokens of some models."""

    models: tuple[str, ...] = Field(min_length=1, description="patterns of names, as a shell has them")
    input: Dollars
    output: Dollars
    above: int | None = Field(None, gt=0, description="tokens of input beyond which a call costs what follows")
    input_above: Dollars | None = None
    output_above: Dollars | None = None

    @model_validator(mode="after")
    def _says_what_a_long_call_costs(self) -> Self:
        if len({value is None for value in (self.above, self.input_above, self.output_above)}) > 1:
            raise ValueError("above, input_above and output_above go together")
        return self

    @property
    def free(self) -> bool:
        """Whether a call costs nothing, however long it is."""
        return not (self.input or self.output or self.input_above or self.output_above)

    def cost(self, *, input_tokens: int, output_tokens: int) -> float:
        """US dollars for one call.

        >>> Price(models=("m",), input=3, output=15).cost(input_tokens=1000, output_tokens=200)
        0.006
        """
        long = self.above is not None and input_tokens > self.above
        of_input, of_output = (self.input_above, self.output_above) if long else (self.input, self.output)
        return ((of_input or 0) * input_tokens + (of_output or 0) * output_tokens) / MILLION


class _Table(Value):
    price: tuple[Price, ...] = ()


def price_of(model: str, own: Sequence[Price] = ()) -> Price | None:
    """The price of *model*: the first that fits, of one's *own* and then of the table; None when nothing fits.

    >>> price_of("claude-haiku-4-5-20251001").input
    1.0
    >>> price_of("a model nobody has priced")
    """
    fitting = (price for price in (*own, *_shipped()) if any(fnmatchcase(model, name) for name in price.models))
    return next(fitting, None)


def read_prices(path: Path) -> tuple[Price, ...]:
    """The prices in the TOML file at *path*, in its order."""
    try:
        return _Table.model_validate(tomllib.loads(path.read_text("utf-8"))).price
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(path, f"cannot be read as TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(
            path, f"{where}: {first['msg']}", hint='write [[price]], models = ["…"], input, output'
        ) from error


@cache
def _shipped() -> tuple[Price, ...]:
    return read_prices(files("cortex.llm") / "prices.toml")


SHORTEST_SECRET: Final = 6  # characters; what is shorter is no key, and would be blotted out of words
_SECRET: Final = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)\Z")

SIZES: Final[Mapping[Class, Literal["small", "large"]]] = {"A": "small", "B": "large"}


class Tier(Value):
    """A tier as it is configured."""

    name: TierName
    small: str = Field("", description="its model for class A; '' where the tier is not to answer that class")
    large: str = Field("", description="its model for class B")
    url: str = Field("", description="where its API is")
    key: SecretStr | None = None
    program: str | None = Field(None, description="the Claude CLI's file; None when there is none")
    environment: Mapping[str, str] = Field(default_factory=dict, repr=False, description="what the program gets")

    @property
    def local(self) -> bool:
        """Whether its API is on this machine, which no proxy leads to and few ask for a key."""
        host = urlsplit(self.url).hostname or ""
        with suppress(ValueError):
            return ip_address(host).is_loopback
        return host == "localhost"

    def blotted(self, text: str) -> str:
        """*text* without what the tier is let in by, whatever that looks like."""
        own = [self.key.get_secret_value()] if self.key else []
        own += [value for name, value in self.environment.items() if _SECRET.search(name)]
        for secret in sorted({one for one in own if len(one) >= SHORTEST_SECRET}, key=len, reverse=True):
            text = text.replace(secret, f"{MARK}key]")
        return text


class Setup(Value):
    """All tiers in the order they are tried, and what may be spent on them."""

    tiers: tuple[Tier, ...] = ()
    budget_run_usd: float = 0
    budget_day_usd: float = 0
    at_once: int = Field(4, ge=1, description="calls in flight per tier")
    prices: tuple[Price, ...] = Field((), description="one's own, which stand before those of the table")


class Seat(NamedTuple):
    """A tier's model for a class, ready to be called: it stands for a call that can be made, and paid."""

    tier: Tier
    class_: Class
    model: str
    price: Price


class Standing(Value):
    """Whether a tier answers a class, and why it does not."""

    tier: TierName
    class_: Class = Field(alias="class")
    model: str
    url: str
    ready: bool
    why: str = Field(description="why it is not ready; '' when it is")

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)


def seats(setup: Setup) -> list[Seat]:
    """What is ready to be called, in order; with no budget only what the prices say is free."""
    found = (_judge(setup, tier, class_) for tier in setup.tiers for class_ in SIZES)
    return [seat for seat in found if isinstance(seat, Seat)]


def standings(setup: Setup) -> Iterator[Standing]:
    """Every tier and class, ready or not."""
    for tier in setup.tiers:
        for class_ in SIZES:
            seat = _judge(setup, tier, class_)
            why = "" if isinstance(seat, Seat) else seat
            yield Standing(
                tier=tier.name, class_=class_, model=getattr(tier, SIZES[class_]), url=tier.url, ready=not why, why=why
            )


def _judge(setup: Setup, tier: Tier, class_: Class) -> Seat | str:
    model = getattr(tier, SIZES[class_])
    if not model:
        return f"off: CORTEX_{tier.name.upper()}_{SIZES[class_].upper()} names no model"
    if why := _missing(tier):
        return why
    price = price_of(model, setup.prices)
    if price is None:
        return f"nobody has priced {model}: add it to the file CORTEX_PRICES names"
    if not price.free:
        for name, budget in (("RUN", setup.budget_run_usd), ("DAY", setup.budget_day_usd)):
            if not budget > 0:
                return f"no budget: CORTEX_BUDGET_{name}_USD is 0"
    return Seat(tier, class_, model, price)


def _missing(tier: Tier) -> str:
    if tier.name == "claude":
        return "" if tier.program else "there is no program claude on the PATH"
    if not tier.url:
        return f"CORTEX_{tier.name.upper()}_URL names no endpoint"
    if find_spec(tier.name) is None:
        return "its client is not installed: pip install 'cortex-project-memory[models]'"
    if tier.key is None and not tier.local:
        return f"no key: set CORTEX_{tier.name.upper()}_KEY"
    return ""
