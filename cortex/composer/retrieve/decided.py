"""What became of a decision record that a question names: whether it stands, what replaced it, what it replaced."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.listing import listed
from cortex.composer.retrieve.outcomes import BY_IT
from cortex.substrate.brain import Brain
from cortex.substrate.statements import sql

_CALLED: Final = "adr adrs decision decisions record number still"
_REPLACED: Final = "replace supersede"
_STANDS: Final = "valid force effect current apply stand hold accept reject deprecate status state"


def find_became(brain: Brain, question: Question, *, sources: Sequence[int]) -> list[Fused] | None:
    """The status of the decision it names, what replaced it or what it replaced; None where it asks anything else."""
    if len(question.decisions) != 1 or question.numbers or question.as_of or question.type in ("reason", "person"):
        return None
    stems = brain.stemmer.sequence
    asked = {one for one in question.stems.difference(stems(_CALLED)) if not one.isdecimal()}
    if not asked or not asked <= {*stems(_REPLACED), *stems(_STANDS)}:
        return None
    replaced = BY_IT.search(question.text) is not None
    values = {"sources": json.dumps([*sources]), "numbers": json.dumps(question.decisions), "replaced": replaced}
    stated = asked & {*stems(_STANDS)} or (question.type == "yes/no" and not replaced)
    found = brain.db.execute(sql("decisions_stated" if stated else "decisions_replacing"), values)
    return listed(brain, [(record, fact, 0) for record, fact in found], as_of="")
