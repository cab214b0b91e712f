"""Who proposed a thing that a question calls by its name: whose pull request is titled so, merged or not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.fuse import Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.doing import after_done
from cortex.composer.retrieve.merged import pull_called
from cortex.substrate.brain import Brain

_ASKED: Final = re.compile(
    r"^\W*who (?:has |had |first |originally )*(?:"
    r"(?:proposed|suggested|submitted) (?:(?:a|an|the|this|that|our) )?(?P<thing>[^?]{2,80}?)"
    r"|(?:opened|wrote|made|authored|sent|created|raised) (?:(?:a|an|the|this|that|our) )?(?P<pull>[^?]{2,80}?) "
    r"(?:prs?|mrs?|pull requests?|merge requests?|patch))\W*$",
    re.I,
)


def put_proposed_first(
    brain: Brain, question: Question, fused: Sequence[Fused], *, sources: Sequence[int]
) -> list[Fused]:
    """*fused*, where it asks who proposed a thing, after the one pull request that is titled so, as 'done'."""
    match = None if question.numbers or question.hashes else _ASKED.search(question.text)
    if match is None or any(one.relation in ("listed", "owns", "done") for one in fused):
        return [*fused]
    name, whole = match["thing"] or match["pull"], match["thing"] is not None
    told = pull_called(brain, name, whole=whole, as_of=question.as_of, sources=sources)
    return after_done(brain, question, told, fused, {one.row.record_id: one for one in fused if one.passage})
