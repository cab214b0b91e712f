"""Whether a thing that a question calls by its name was merged, when and by whom: the pull request that brought it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from cortex.composer.fuse import NAMED, Fused
from cortex.composer.question import Question
from cortex.composer.retrieve.doing import ASIDE, as_done
from cortex.composer.rows import load_firsts
from cortex.substrate.brain import Brain
from cortex.substrate.search import STOP_WORDS
from cortex.substrate.search_plan import quoted
from cortex.substrate.statements import sql
from cortex.substrate.stems import split

MOST_WORDS: Final = 4
SPOKEN_OF: Final = 8
"""Passages of a pull request that speak of a thing which no title names, for it to be the one that brought that."""

_THING: Final = r"(?P<{}>[^?]{{2,80}}?)"
_SOON: Final = r"(?:already |yet |ever |now |finally )*"
_END: Final = r"merged(?: (?:yet|already|now|(?:in)?to (?:the )?(?:main|master|trunk)(?: branch)?))?\W*$"
_ASKED: Final = re.compile(
    rf"^\W*(?:is|was|are|were|has|have|did) {_THING.format('is')} {_SOON}(?:been |get |got )?{_END}"
    rf"|^\W*when (?:is|was|were|did|has|have) {_THING.format('when')} {_SOON}(?:been |get |got )?{_END}"
    rf"|^\W*who merged {_THING.format('who')}\W*$",
    re.I,
)
_GENERAL: Final = frozenset(
    "module support feature pr pull request change code implementation work patch branch library".split()
)
"""Words for what anything is that is merged."""

_BRINGS: Final = r"(?:re-?)?(?:add|adds|added|implement\w*|introduc\w*|creat\w+|new|support\w*|land\w*)\b"
_BEFORE: Final = r"(?:a|an|the|new|modules?|support|for|of|initial|basic|experimental|optional|implementation)"
_BESIDE: Final = (
    r"(?:usage|examples?|tests?|testing|docs?|documentation|to|in|into|bench\w*|fuzz\w*|ci|changelog|options?|flags?"
    r"|fix\w*|comments?|vectors?)"
)
"""What stands beside a thing, and words for where that is."""


def put_merged_first(
    brain: Brain, question: Question, fused: Sequence[Fused], *, sources: Sequence[int]
) -> list[Fused]:
    """*fused*, where it asks whether or when a thing was merged, after the pull request that brought it, as 'done'."""
    match = None if question.numbers or question.hashes else _ASKED.search(question.text)
    if match is None or any(one.relation in ("listed", "owns") for one in fused):
        return [*fused]
    said = split(next(filter(None, match.groups())))
    thing = [word for word in said if word not in STOP_WORDS | _GENERAL]
    if not 0 < len(thing) <= MOST_WORDS:
        return [*fused]
    asked = {"sources": json.dumps([*sources]), "as_of": question.as_of}
    record = _titled(brain, thing, asked) or _spoken_of(brain, thing, asked)
    known = {one.row.record_id: one for one in fused}
    rows = load_firsts(brain, [record], as_of=question.as_of) if record and record not in known else {}
    known |= {id_: Fused(0.0, 0.0, row, None) for id_, row in rows.items()}
    if record not in known:
        return [*fused]
    top = max((one.score for one in fused), default=1.0)
    return as_done(brain, question, [known[record]._replace(score=NAMED * top)], fused)


def _titled(brain: Brain, thing: Sequence[str], asked: dict[str, str]) -> int:
    """The latest merged pull request whose title says that it brings *thing*; 0 where there is none."""
    match = f"context : ({' AND '.join(map(quoted, thing))}) OR context : {quoted(''.join(thing))}"
    own = r"[\s_-]?".join(f"{re.escape(word.removesuffix('s'))}s?" for word in thing)
    brings = re.compile(
        rf"^\W*(?:[\w()/., -]{{1,40}}:\s+)?{_BRINGS}(?:\W+{_BEFORE}\b)*\W+(?:{own})\b(?!\W+{_BESIDE}\b)"
        rf"|^\W*(?:feat\w*:\s*)?(?:{own})(?:\s+(?:module|support|implementation))?\s*(?:$|[+(,&–—]|\band\b)",
        re.I,
    )
    found = brain.db.execute(sql("merged_titled"), asked | {"match": match})
    return next((id_ for id_, title in found if brings.search(title) and not ASIDE.search(title)), 0)


def _spoken_of(brain: Brain, thing: Sequence[str], asked: dict[str, str]) -> int:
    """The merged pull request in which more is said of *thing*, a single name, than in any other; 0 for none."""
    if len(thing) > 1:
        return 0
    match = f"{{body parts}} : {quoted(thing[0])}"
    id_, merged, passages = brain.db.execute(sql("most_spoken_of"), asked | {"match": match}).fetchone() or (0, 0, 0)
    return id_ if merged and passages >= SPOKEN_OF else 0
