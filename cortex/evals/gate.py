"""The gate of an eval: no category below the floor, none below what the last release reached, none below a base."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import Field, TypeAdapter, ValidationError

from cortex.errors import BadInput
from cortex.evals.asking import Evaluation
from cortex.evals.cases import read_text
from cortex.evals.scoring import Rate
from cortex.substrate.model import Share, Value

FLOOR: Final = 0.7
_HALF_A_PERCENT: Final = 0.005  # rates are written with two decimals

_Released = TypeAdapter(dict[str, dict[str, Share]])
_HEAD: Final = """\
# What each suite reached at the last release, by category: `cortex eval` fails below it.
# Written by `cortex eval --release`; see docs/evals.md.
"""


class Shortfall(Value):
    """A category that is below what it has to reach."""

    category: str
    share: Share
    needed: Share
    why: str = Field(description="'the floor', 'the last release' or 'the base'")

    def __str__(self) -> str:
        return f"{self.category}: {self.share:.0%}, below {self.why} of {self.needed:.0%}"


def shortfalls(
    evaluation: Evaluation,
    *,
    floor: float | None = FLOOR,
    released: Mapping[str, float] | None = None,
    base: Mapping[str, float] | None = None,
) -> list[Shortfall]:
    """What keeps the gate shut, category by category; nothing when it is open.

    A category that the release or the base had and this run lacks counts as 0: deleting its cases opens no gate.
    """
    found = []
    references = [(dict.fromkeys(evaluation.categories, floor) if floor is not None else {}, "the floor")]
    references += [(dict(released or {}), "the last release"), (dict(base or {}), "the base")]
    for needed, why in references:
        for category, share in needed.items():
            reached = evaluation.categories.get(category, Rate(right=0, total=1)).share
            if reached + _HALF_A_PERCENT < share:
                found.append(Shortfall(category=category, share=reached, needed=share, why=why))
    return found


def released_rates(path: Path, suite: str) -> dict[str, float]:
    """What *suite* reached at the last release, by category; empty when *path* or its part of it does not exist."""
    return _released(path).get(suite, {})


def release(path: Path, evaluation: Evaluation) -> dict[str, float]:
    """Keep what *evaluation* reached in *path* as what the next one has to; other suites stay as they are."""
    import yaml  # noqa: PLC0415  only a release writes it

    kept = _released(path)
    reached = {category: round(rate.share, 2) for category, rate in evaluation.categories.items()}
    kept[evaluation.suite] = reached
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_HEAD + yaml.safe_dump(kept, sort_keys=False, allow_unicode=True), "utf-8")
    return reached


def base_rates(path: Path) -> dict[str, float]:
    """The rates of a run that `cortex eval --json` or `cortex smoke --json` wrote to *path*; the worst of its runs."""
    try:
        document = json.loads(read_text(path))
        runs = [run["categories"] for run in document.get("runs", [document])]
        shares = [{name: Rate.model_validate(rate).share for name, rate in run.items()} for run in runs]
        return {name: min(run.get(name, 0.0) for run in shares) for name in shares[0]}
    except (ValueError, LookupError, AttributeError, TypeError) as error:
        hint = "write one with: cortex eval --json > base.json"
        raise BadInput(path, "is no result of an eval", hint=hint) from error


def _released(path: Path) -> dict[str, dict[str, float]]:
    import yaml  # noqa: PLC0415

    try:
        return _Released.validate_python((path.is_file() and yaml.safe_load(read_text(path))) or {})
    except (yaml.YAMLError, ValidationError) as error:
        hint = "write it with: cortex eval --release"
        raise BadInput(path, "holds no rates by suite and category", hint=hint) from error
