"""One call of a distiller, wherever it runs: something comes back for each text, whatever goes wrong."""

from __future__ import annotations

from collections.abc import Sequence

from cortex.indexers.distill import Distilled, Distiller, Failed
from cortex.indexers.distill.text import Text


def call(distiller: Distiller, texts: Sequence[Text]) -> list[Distilled | Failed]:
    """What became of each of *texts*, in their order.

    A text that a distiller which computes trips over is found, and fails for good; the others of its call do not.
    """
    try:
        outcomes = list(distiller.distill(texts))
    except Exception as error:  # noqa: BLE001  a distiller is anybody's code; one record must not stop the rest
        if distiller.calls == 0 and len(texts) > 1:
            return [outcome for text in texts for outcome in call(distiller, [text])]
        reason = f"{distiller.version.name} raised {type(error).__name__}: {error}"
        return [Failed(reason, retry=distiller.calls > 0)] * len(texts)
    if len(outcomes) != len(texts):
        reason = f"{distiller.version.name} said {len(outcomes)} things of {len(texts)} texts"
        return [Failed(reason)] * len(texts)
    return [_held_to(text, outcome) for text, outcome in zip(texts, outcomes, strict=True)]


def _held_to(text: Text, outcome: Distilled | Failed) -> Distilled | Failed:
    for candidate in outcome.instead if isinstance(outcome, Failed) else outcome.candidates:
        if candidate.record_id != text.record_id or not 0 <= candidate.start < candidate.end <= len(text.body):
            reason = f"a fact of characters {candidate.start} to {candidate.end} of record {candidate.record_id}"
            return Failed(f"{reason}, which is outside its text", retry=False)
    return outcome
