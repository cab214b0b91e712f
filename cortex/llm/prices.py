"""What models cost. Prices are data: a table beside this module, and one of your own before it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import Field, ValidationError, model_validator

from cortex.errors import BadInput
from cortex.packaged import files
from cortex.substrate.model import Value

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
    """The prices in the TOML file at *path*, in its order.

    Raises:
        BadInput: it cannot be read, or is no such table.
    """
    try:
        return _parse(path.read_text("utf-8"))
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
    return _parse((files("cortex.llm") / "prices.toml").read_text("utf-8"))


def _parse(text: str) -> tuple[Price, ...]:
    return _Table.model_validate(tomllib.loads(text)).price
