"""What the jobs of a compaction find, in the temporary tables of a removal, and what they change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from cortex.substrate import archive
from cortex.substrate.brain import Brain
from cortex.substrate.statements import column, run

Compared = tuple[int, str, str, str, str, str, int]
"""A fact as it is compared: id, statement, excerpt; type, author and thread of its record; whether it still holds."""


def find_orphans(brain: Brain, *, source_id: int) -> None:
    """Find the facts whose records are gone, what had merged into them, and what others corroborate no longer."""
    run(brain, "compaction.find_orphans", source_id=source_id)
    run(brain, "archive.find_unsaid", source_id=source_id)
    archive.find_revivable(brain, source_id=source_id)
    archive.find_miscounted(brain, source_id=source_id)


def waits_for_revival(brain: Brain) -> bool:
    """Whether anything is to be revived or to be corroborated anew."""
    waiting = "select exists (select 1 from temp.reviving) or exists (select 1 from temp.recounting)"
    return bool(brain.db.execute(waiting).fetchone()[0])


def revive_found(brain: Brain, *, run_id: int) -> int:
    """Corroborate and revive what `find_orphans` found, once; how many facts stand again. Call it in a transaction."""
    archive.corroborate(brain, run_id=run_id)
    revived = archive.revive(brain, run_id=run_id)
    brain.db.execute("delete from temp.recounting")
    brain.db.execute("delete from temp.reviving")
    return revived


def find_low(brain: Brain, *, source_id: int, threshold: float, every: bool) -> None:
    """Let the facts leave that are below *threshold* at their age: of *every* fact, or of those just revived."""
    brain.db.execute("delete from temp.leaving")
    worth = archive.WORTH
    run(brain, "compaction.find_low_confidence", source_id=source_id, threshold=threshold, worth=worth, every=every)


def revive_low(brain: Brain, *, source_id: int, run_id: int, threshold: float, job: str, now: datetime) -> int:
    """Let what had merged into the facts that left stand again; of that, too, what is below goes; how many changed."""
    changed = 0
    while brain.db.execute("select count(*) from temp.leaving").fetchone()[0]:
        brain.db.execute("delete from temp.unsaid")
        left = "insert into temp.unsaid select s.handle from temp.leaving l join temp.noted s on s.fact_id = l.fact_id"
        brain.db.execute(left)
        archive.find_revivable(brain, source_id=source_id)
        changed += archive.revive(brain, run_id=run_id)
        find_low(brain, source_id=source_id, threshold=threshold, every=False)
        archive.note_leaving(brain)
        changed += archive.archive_leaving(brain, run_id=run_id, job=job, now=now)
    return changed


def find_exact_duplicates(brain: Brain, cased: Callable[[str], Iterable[str]], *, source_id: int) -> None:
    """Let all but the weightiest of equal facts leave; those stay apart that *cased* gives other words of."""
    apart = run(brain, "compaction.written_apart", source_id=source_id).fetchall()
    brain.db.execute("delete from temp.written")
    written = ((fact, "\n".join(sorted(cased(said)))) for fact, said in apart)
    brain.db.executemany("insert into temp.written values (?, ?)", written)
    run(brain, "compaction.find_exact_duplicates", source_id=source_id)


def corroborate_survivors(brain: Brain, *, run_id: int) -> int:
    """Make the facts surer that others merge into as they leave; 0, as they do not count as changed."""
    brain.db.execute("delete from temp.recounting")
    brain.db.execute("insert or ignore into temp.recounting (handle) select merged_into from temp.leaving")
    archive.corroborate(brain, run_id=run_id)
    return 0


def set_ages(brain: Brain, ages: Iterable[tuple[str, float]]) -> None:
    """Say what share of its confidence a fact keeps that was last touched at a moment or before."""
    brain.db.execute("create temp table if not exists ages (moment text primary key, share real not null)")
    brain.db.execute("delete from temp.ages")
    brain.db.executemany("insert into temp.ages values (?, ?)", ages)


def find_faded(brain: Brain, *, source_id: int) -> None:
    """Find the facts whose confidence is not what their age makes of it."""
    run(brain, "compaction.find_faded", source_id=source_id, worth=archive.WORTH)


def next_fade(brain: Brain, most: int) -> bool:
    """Put the next of what is to fade into `temp.fading`, *most* of them; whether there were any."""
    brain.db.execute("delete from temp.fading")
    taken = "insert into temp.fading select * from temp.faded order by fact_id limit ?"
    found = brain.db.execute(taken, (most,)).rowcount
    brain.db.execute("delete from temp.faded where fact_id in (select fact_id from temp.fading)")
    return found > 0


def fade(brain: Brain, *, run_id: int, changed: bool) -> int:
    """Give the facts of `temp.fading` their confidence; how many. Call it inside a transaction.

    Args:
        changed: somebody may have changed them since they were found; those keep what they have.
    """
    if changed:
        run(brain, "compaction.stay_unfaded")
    run(brain, "archive.keep_confidence", run_id=run_id)
    faded = "update facts set confidence = n.confidence from temp.fading n where n.fact_id = facts.id"
    return brain.db.execute(faded).rowcount


def uncompared(brain: Brain, *, source_id: int, batch: int) -> Iterator[list[Compared]]:
    """The facts of a source that near duplicates were never looked for, some at a time."""
    found = run(brain, "compaction.facts_to_compare", source_id=source_id)
    return iter(lambda: found.fetchmany(batch), [])


def compared(brain: Brain, fact: int) -> Compared | None:
    """A fact as it is compared; None where it is gone."""
    found: Compared | None = run(brain, "compaction.facts_compared", ids=[fact]).fetchone()
    return found


def facts_with_key(brain: Brain) -> Callable[[int], set[int]]:
    """What finds the facts that were compared by a key; none of any where none was."""
    if not brain.db.execute("select exists (select 1 from comparisons)").fetchone()[0]:
        return lambda _: set()
    found = "select fact_id from comparisons where key = ?"
    return lambda key: {fact for (fact,) in brain.db.execute(found, (key,))}


def by_weight(brain: Brain, facts: Iterable[int], *, source_id: int) -> list[int]:
    """Those of *facts* that stand, the weightiest first, then the earliest."""
    brain.db.executemany("insert into temp.meeting values (?)", ((fact,) for fact in facts))
    return column(brain, "compaction.facts_by_weight", source_id=source_id)


def leave_merged(brain: Brain, fact: int, survivor: int) -> None:
    """Let a fact leave for a weightier one, where both still stand so."""
    run(brain, "compaction.leave_merged", fact_id=fact, survivor=survivor)


def keep_compared(brain: Brain, keys: Mapping[int, int | None]) -> None:
    """Remember that facts were compared, and by which key. Call it inside a transaction."""
    pairs = ((key, fact) for fact, key in keys.items() if key is not None)
    brain.db.executemany("insert or ignore into comparisons values (?, ?)", pairs)
    stand = "insert or ignore into compared select facts.id from facts join json_each(:ids) on facts.id = value"
    run(brain, stand, ids=keys)


def claims_of(brain: Brain, *, source_id: int) -> Iterator[tuple[Any, ...]]:
    """Facts of a source that say how things are, with what is known of their records, as `compaction.claims` has it."""
    return run(brain, "compaction.claims", source_id=source_id)


def still_standing(brain: Brain, *, source_id: int) -> Iterator[tuple[str, str, str, str, str, float, float]]:
    """What was overtaken and stands: its handle and statement, those of what overtook it, how, and both authorities."""
    return run(brain, "compaction.still_standing", source_id=source_id)


def decisions_of(brain: Brain, *, source_id: int) -> Iterator[tuple[str, str, float, str, str, str, str]]:
    """What titles say was done: handle, statement, authority, time, title, ref and author, the earliest first."""
    return run(brain, "compaction.decisions", source_id=source_id)
