"""What a document does not say of itself though it reads so: rejected, said by a program, or still to be done."""

from __future__ import annotations

from typing import Final

from cortex.indexers.distill.norms import binds, counts
from cortex.indexers.distill.unit import Unit
from cortex.language.patterns import patterns
from cortex.substrate.voice import TO_DO

_ENGLISH: Final = patterns("distill", "disowned")


def is_disowned(unit: Unit, title: str) -> bool:
    """Whether *unit* binds nobody though it reads so: it was rejected, is quoted, or waits to be done."""
    if unit.text.startswith(TO_DO):
        return True
    if not (binds(unit) or counts(unit)):
        return False
    if any(_ENGLISH["took_back"].search(heading) for heading in title.split(" › ")[1:]):
        return True
    own = _ENGLISH["quoted"].sub(lambda found: found[0].removesuffix(found["said"]), unit.text)
    return own != unit.text and not (binds(unit._replace(text=own)) or counts(unit._replace(text=own)))
