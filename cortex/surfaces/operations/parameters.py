"""Parameters that several operations take."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, time
from typing import Annotated

from pydantic import AfterValidator, Field

from cortex.errors import BadInput
from cortex.substrate.model import Text, is_blank
from cortex.surfaces.contract import Flag, Local, Parameters

LONGEST = 4_000  # characters of what is recorded; whoever has more to say keeps it where it belongs and names the place
LONGEST_NAME = 500  # characters of a handle or a ref
GREATEST = 999_999_999  # no number of a pull request or a run is greater


def moment(day: str, at: time = time.max) -> datetime | None:
    """The moment *at* on *day*, 2025-03-01, by default its last; None for ''."""
    if not day:
        return None
    try:
        return datetime.combine(date.fromisoformat(day), at, UTC)
    except ValueError as error:
        raise BadInput(day, "no such day", hint="write it as 2025-03-01") from error


def _is_day(text: str) -> str:
    with suppress(ValueError):
        if not text or date.fromisoformat(text).isoformat() == text:
            return text
    raise ValueError(f"{text!r} is no day; write it as 2025-03-01")


Day = Annotated[Text, AfterValidator(_is_day)]  # a day, '' for none


def _not_blank(text: str) -> str:
    if is_blank(text):
        raise ValueError("it is empty")
    return text


Words = Annotated[Text, Field(max_length=LONGEST)]
Said = Annotated[Text, AfterValidator(_not_blank)]  # words that cannot be left out

Sources = Annotated[
    tuple[Text, ...], Flag("--source", "NAME", "every federated source"), Field(description="Only these.")
]
Asked = Annotated[
    tuple[Text, ...],
    Flag("--source", "NAME", "the working folder's, else every federated source"),
    Field(description="Only these."),
]
Everything = Annotated[bool, Local(), Field(description="Every source.")]
Into = Annotated[
    Text | None,
    Flag("--source", "NAME", "the working folder's, else the only one"),
    Field(description="Where to keep it."),
]
Workers = Annotated[int | None, Flag("--workers", default="one a core, at most 4; few records need one")]


class Listing(Parameters):
    """How many to list."""

    limit: Annotated[int, Flag("-k")] = Field(20, ge=1, le=1000, description="At most.")
    sources: Sources = ()
