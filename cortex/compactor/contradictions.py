"""Job 6, on request: pairs of facts that cannot both stand. A report: it changes nothing.

Told apart are a negation, another number, another choice, and what was taken back or replaced and stands all the
same. Rather few and right: docs/decisions/0012-contradictions-are-told-by-their-form.md tells why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from cortex.compactor.claims import Claim, claims, disagreeing
from cortex.compactor.decisions import overtaken
from cortex.compactor.job import EXAMPLES, Contradiction, Example, Side, Work, contradiction
from cortex.language.changes import parse
from cortex.substrate import compaction
from cortex.substrate.brain import Brain


def contradictions(work: Work) -> list[Example]:
    """Find the contradictions of one source; nothing is changed."""
    work.contradictions.extend(found := within(work.brain, {work.source_id: work.source}))
    return [
        Example(side.handle, side.statement, side.statement, f"{one.reason}: {one.stands.handle} outranks it")
        for one in found[:EXAMPLES]
        for side in [one.outranked]
    ]


def within(brain: Brain, sources: Mapping[int, str]) -> list[Contradiction]:
    """The contradictions within each of *sources*, the surest first."""
    found: list[Contradiction] = []
    for source_id, source in sources.items():
        found += _superseded(brain, source_id, source)
        found += overtaken(brain, source_id, source)
        said = [*claims(compaction.claims_of(brain, source_id=source_id))]
        found += [*disagreeing(said, source), *_choices(said, source)]
    return sorted(found, key=surest_first)


def surest_first(one: Contradiction) -> tuple[float, str, str]:
    """What to sort contradictions by."""
    return -one.grade, one.stands.handle, one.outranked.handle


def _choices(said: Sequence[Claim], source: str) -> Iterator[Contradiction]:
    rules = [claim for claim in said if claim.rules and "instead of" not in claim.sentence]
    for claim in said:
        for one in parse(claim.sentence) if "instead of" in claim.sentence else ():
            for rule in rules if one.old and one.new else ():
                outranks = rule.side.authority > claim.side.authority
                if outranks and _names(rule.sentence, one.old) and not _names(rule.sentence, one.new):
                    reason = "one wants another than the other requires"
                    yield contradiction(source, "choice", reason, rule.side, claim.side)


def _names(sentence: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name.strip('`'))}(?![\w-])", sentence) is not None


def _superseded(brain: Brain, source_id: int, source: str) -> Iterator[Contradiction]:
    for old, said, new, says, state, weight, other in compaction.still_standing(brain, source_id=source_id):
        reason = "the later reverted the earlier" if state == "reverted" else "the one replaced the other"
        stands = Side(handle=new, statement=says, authority=other)
        outranked = Side(handle=old, statement=said, authority=weight)
        yield contradiction(source, "superseded", reason, stands, outranked)
