"""A brain through any sequence of indexing, exports that lack records, compactions, undoing, remembering and asking.

Whatever happened: once every compaction is undone and the last input is read, it holds what a fresh brain of that input
would.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from cortex.compactor.run import compact
from cortex.compactor.undo import undo
from cortex.composer.pipeline import ask
from cortex.indexers.run import index
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from cortex.surfaces.remembering import remember
from tests.brains import NOW, feed_of, hurry, indexes_agree, open_new, record

OLD: Final = datetime(2012, 3, 1, tzinfo=UTC)
FOR_GOOD: Final = timedelta(days=100_000)
SAYINGS: Final = (
    "We decided to keep the sessions of every reader in Redis, since files were slow.",
    "We decided to keep the sessions of every reader also in Redis, since files were slow.",
    "The gateway must log every request of its callers.",
    "The gateway must log each request of its callers.",
    "Maybe somebody could look at the cache one day.",
)
TOLD: Final = ("Ship on Fridays only.", "Ship only on Fridays.", SAYINGS[0])
QUESTIONS: Final = ("Where do we keep the sessions?", "What must the gateway log?", "Which PR fixed #1?")
REFS: Final = (
    "issue:1", "issue:2", "pull:4", "pull:5", "pull:6", "comment:1#11", "comment:4#12", "doc:a.md#rules",
    "doc:b.md#rules", "directive:seed.md#1", "commit:0123456789ab", "outcome:redis",
)  # fmt: skip
TELLS: Final = ("", "Fixes #1", "Reverts #4", "Supersedes #5", "Duplicate of #2", "See #6")
WHEN: Final = (OLD, NOW - timedelta(days=40))
COMPARED: Final = {
    "facts": """
        select r.ref, f.handle, f.kind, f.statement, f.excerpt, f.start, f.end_, f.authority, round(f.confidence, 9),
            f.base_confidence, f.corroboration, f.fingerprint, f.path, f.valid_from, f.valid_until, f.touched_at,
            f.parts
        from facts f join records r on r.id = f.record_id where r.gone_at is null order by 1, 2
    """,
    "records": """
        select r.ref, r.type, r.title, r.body, r.state, r.authority, r.origin, r.content_hash, r.vouched,
            (select facts from promotions where record_id = r.id)
        from records r where r.gone_at is null order by 1
    """,
    "passages": """
        select r.ref, p.start, p.end_, p.context, p.body from passages p join records r on r.id = p.record_id
        where r.gone_at is null order by 1, 2
    """,
    "links": """
        select l.from_ref, l.relation, l.to_source,
            iif(t.gone_at is null, l.to_ref, '#' || substr(l.to_ref, instr(l.to_ref, ':') + 1)) as to_ref
        from links l join records r on r.source_id = l.source_id and r.ref = l.from_ref
        left join records t on t.source_id = l.source_id and t.ref = l.to_ref and l.to_source = ''
        where r.gone_at is null order by 1, 2, 3, 4
    """,
    "queue": """
        select r.ref, q.path, q.state, q.produced from facts_queue q join records r on r.id = q.record_id
        where r.gone_at is null order by 1, 2
    """,
}  # fmt: skip


def made(ref: str, saying: str, tells: str, when: datetime, *, done: bool) -> Record:
    """The record called *ref* in one of the forms that it may take."""
    kind = ref.partition(":")[0]
    fields: dict[str, Any] = {"author": "ada", "association": "OWNER", "created_at": when, "updated_at": when}
    if kind in ("issue", "pull"):
        fields["state"] = ("closed" if kind == "issue" else "merged") if done else "open"
        fields["closed_at"] = when if done else None
        fields["merged_at"] = when if done and kind == "pull" else None
    if kind == "comment":
        fields["thread"] = f"{'issue' if '1#' in ref else 'pull'}:{ref[8]}"
    if kind == "outcome":
        fields["state"] = "shipped" if done else "rejected"
    if kind in ("doc", "directive"):
        fields["path"] = ref.partition(":")[2].partition("#")[0]
    title = {"doc": "Rules", "directive": "seed.md", "outcome": "Sessions in Redis"}.get(kind, saying)
    says = (
        title,
        saying,
        "" if kind == "outcome" else tells,
    )  # a pull request that was seen is called one when it is gone
    return record(ref, "\n\n".join(filter(None, says)), title=title, **fields)


forms = st.builds(
    made,
    st.sampled_from(REFS),
    st.sampled_from(SAYINGS),
    st.sampled_from(TELLS),
    st.sampled_from(WHEN),
    done=st.booleans(),
)
inputs = st.lists(forms, min_size=1, max_size=8, unique_by=lambda one: one.ref)


def held(brain: Brain) -> dict[str, list[tuple[Any, ...]]]:
    """What a brain says, of the records that stand."""
    return {name: brain.db.execute(asked).fetchall() for name, asked in COMPARED.items()}


class Sequences(RuleBasedStateMachine):
    """One sequence; `teardown` compares."""

    done: ClassVar[Counter[str]] = Counter()
    """What was done, over all sequences."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.brain = self._opened("lived")
        self.input: dict[str, Record] = {}
        self.told: list[str] = []
        self.runs: list[int] = []
        self.now = NOW
        self.steps = 0

    def _opened(self, name: str) -> Brain:
        brain = open_new(Path(self._folder.name) / name)
        hurry(brain)
        return brain

    def _did(self, what: str) -> None:
        self.steps += 1
        Sequences.done[what] += 1

    @rule(records=inputs)
    def indexes(self, records: list[Record]) -> None:
        self.input |= {one.ref: one for one in records}
        _index(self.brain, self.input.values(), self.now)
        self._did("index")

    @precondition(lambda self: self.input)
    @rule(lacking=st.sets(st.sampled_from(REFS), min_size=1, max_size=5))
    def exports_in_part(self, lacking: set[str]) -> None:
        self.input = {ref: one for ref, one in self.input.items() if ref not in lacking}
        _index(self.brain, self.input.values(), self.now)
        self._did("partial export")

    @precondition(lambda self: self.input)
    @rule(days=st.sampled_from([0, 100, 2000]))
    def compacts(self, days: int) -> None:
        self.now += timedelta(days=days)
        self.runs.append(compact(self.brain, kept=FOR_GOOD, now=self.now).run or 0)
        self._did("compact")

    @precondition(lambda self: self.runs)
    @rule(chance=st.randoms(use_true_random=False))
    def undoes(self, chance: random.Random) -> None:
        undo(self.brain, self.runs.pop(chance.randrange(len(self.runs))), now=self.now)
        self._did("undo")

    @precondition(lambda self: self.input or self.told)
    @rule(text=st.sampled_from(TOLD))
    def remembers(self, text: str) -> None:
        if text not in self.told:
            self.told.append(text)
        _remember(self.brain, text)
        self._did("remember")

    @precondition(lambda self: self.input)
    @rule(question=st.sampled_from(QUESTIONS))
    def asks(self, question: str) -> None:
        ask(self.brain, question, scope=Scope(), now=self.now)
        self._did("ask")

    def teardown(self) -> None:
        try:
            if self.steps:
                self._compare()
        finally:
            self.brain.close()
            self._folder.cleanup()

    def _compare(self) -> None:
        for run in reversed(self.runs):
            undo(self.brain, run, now=self.now)
        _index(self.brain, self.input.values(), self.now)
        with self._opened("fresh") as fresh:
            _index(fresh, self.input.values(), self.now)
            for text in self.told:
                _remember(fresh, text)
            assert held(self.brain) == held(fresh)
        left = "select handle from facts_archive where run_id in (select id from runs where command = 'compact')"
        assert self.brain.db.execute(left).fetchall() == []
        assert indexes_agree(self.brain)
        Sequences.done["sequences"] += 1


def _index(brain: Brain, records: Iterable[Record], now: datetime) -> None:
    index(brain, [feed_of([*records])], source="demo", now=now)


def _remember(brain: Brain, text: str) -> None:
    remember(brain, text, directive=True, by="ada", where="a meeting", recorder="operator", trusted=True, now=NOW)
