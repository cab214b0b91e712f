"""Who words answers: the rows themselves, or models of the tiers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypedDict

from cortex.composer.pipeline import Composer
from cortex.errors import NoModel
from cortex.substrate.sources import timestamp
from cortex.surfaces.contract import Call

Choice = Literal["extractive", "model"]


class Models(TypedDict, total=False):
    """What `ask` takes of models and settings; empty where none is asked for."""

    refuse_below: float
    composer: Composer


@contextmanager
def with_models(call: Call, choice: Choice | None) -> Iterator[Models]:
    """The models that the settings and *choice* ask for.

    Args:
        choice: who words answers; None is what the settings say.
    """
    models: Models = {}
    if call.settings.refuse_below is not None:
        models["refuse_below"] = call.settings.refuse_below
    if (choice or call.settings.composer) != "model":
        yield models
        return
    from secrets import token_hex  # noqa: PLC0415  whoever asks no model waits for none of these

    from cortex.composer.answer.model import ModelComposer  # noqa: PLC0415
    from cortex.surfaces.models import open_tiers  # noqa: PLC0415

    aside = call.deadline.aside if call.deadline else lambda model: model
    run = f"ask:{timestamp(call.now)}:{token_hex(4)}"
    with open_tiers(call.settings, call.path) as tiers:
        if not (tiers.ready("A") or tiers.ready("B")):
            raise NoModel("A")
        models["composer"] = aside(ModelComposer(tiers, run=run))
        yield models
