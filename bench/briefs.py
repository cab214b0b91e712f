"""What briefs tell somebody who starts a task: python bench/briefs.py FOLDER [FOLDER …] [--brains DIR] [--show]

A FOLDER holds a GitHub export; where it has gold/issue_to_pr.jsonl, (a) is asked of it. DIR holds brains of folders.

(a) An issue is the task, as of the day before its fix was merged and before that was opened: the share of the files
    changed later that the brief names, beside a list of passages by BM25 of as many tokens, without the issue itself;
    and the share of the threads, older than that day, that were cited in the review of the fix.
(b) What is to be done again was reverted, or rejected in the ledger: the share of briefs that say so in their first
    five lines. Mostly the task is the title of what was reverted, so this tells of telling, hardly of finding.
(c) The first try of a task was turned down or taken back: the share of briefs that tell of it in ten lines, with a
    ledger and from the records alone. The task is the text of a later try that says it takes the place of the first
    or lands it again, as of when that was opened, without the number of the first; or that of an issue that the first
    was to fix, as of when the first was over. The ledger is what `cortex review` proposes, approved as it is.
(e) Tasks that somebody worded anew after work that was rejected or reverted, or after a proposal that was declined
    (bench/questions/briefs/tried.jsonl): the share of briefs that name that work in their first five lines.
(f) Decisions that somebody listed by hand from a project's threads, each with a topic of its own words
    (bench/questions/briefs/decisions.jsonl): how many `decisions` lists among its first twenty, by thread or record.
(d) The titles of the latest issues are tasks and topics: milliseconds of processor time of `brief` and of `decisions`
    in this process, the median and the 95th percentile. One that raises an error ends the bench.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean, quantiles
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final, NamedTuple

from data import rows
from folders import opened

from cortex.brief.brief import brief
from cortex.brief.briefing import BUDGET, Brief, tokens
from cortex.brief.decisions import decisions
from cortex.brief.proposals import proposals
from cortex.indexers.distilling import Crew
from cortex.indexers.run import index
from cortex.language.stems import split
from cortex.llm.encoder import find_encoder
from cortex.settings import Settings
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.encoder import Encoder
from cortex.substrate.model import Scope
from cortex.substrate.reading import Reader
from cortex.substrate.search import query_terms
from cortex.substrate.sources import timestamp
from cortex.substrate.work import Work, works, works_behind
from cortex.surfaces.contract import Call, run
from cortex.surfaces.operations.reviewing import review_approve

QUESTIONS: Final = Path(__file__).parent / "questions" / "briefs"
NOW: Final = datetime(2027, 1, 1, tzinfo=UTC)
TASK: Final = 1_500  # characters of an issue's text that are the task
LISTED: Final = 300  # characters of a passage in the plain list
FIRST: Final = 5
LINES: Final = 10
CASES: Final = 30
TITLES: Final = 300
LISTED_DECISIONS: Final = 20

REVERTED: Final = """
select distinct r.id, b.ref, l.since from lineage l
cross join records r on r.id = l.record_id
cross join records b on b.id = l.by_record_id
where l.state = 'reverted' and l.until = '' and r.type in ('pull', 'commit') and length(r.title) > 15
  and (r.type = 'pull' or not exists (
    select 1 from links m
    where m.source_id = r.source_id and m.from_ref = r.ref and m.relation in ('merges', 'came_with')))
order by r.id
"""
SECOND: Final = """
select distinct x.id as first, y.id as second, y.created_at as at from links l
cross join records f on f.source_id = l.source_id and f.ref = l.from_ref
cross join records x on x.source_id = l.source_id and x.type = 'pull'
    and x.ref = iif(l.relation = 'supersedes', l.to_ref, iif(f.type = 'comment', f.thread, f.ref))
cross join records y on y.source_id = l.source_id and y.type = 'pull'
    and y.ref = iif(l.relation = 'supersedes', iif(f.type = 'comment', f.thread, f.ref), l.to_ref)
where l.relation in ('supersedes', 'superseded_by') and x.merged_at is null and x.closed_at is not null
  and y.merged_at is not null and x.id <> y.id and x.closed_at < y.merged_at and x.created_at < y.created_at
union
select x.id, y.id, y.created_at from lineage v
cross join records x on x.id = v.record_id and x.type = 'pull'
cross join links l on l.source_id = x.source_id and l.to_ref = x.ref and l.relation = 'reapplies'
cross join records y on y.source_id = l.source_id and y.ref = l.from_ref and y.type = 'pull'
where v.state = 'reverted' and y.created_at > v.since
order by 1
"""
CITED: Final = """
select distinct l.to_ref from links l
cross join records c on c.source_id = l.source_id and c.ref = l.from_ref and c.type = 'comment' and c.thread = :fix
cross join records t on t.source_id = l.source_id and t.ref = l.to_ref and t.type in ('pull', 'issue')
where t.created_at < :until and l.to_ref not in (:fix, :issue)
"""
AGAIN: Final = """
select distinct x.id as first, i.id as second, coalesce(v.since, x.closed_at) as at
from records x
cross join links l on l.source_id = x.source_id and l.from_ref = x.ref and l.relation = 'fixes' and l.to_source = ''
cross join records i on i.source_id = l.source_id and i.ref = l.to_ref and i.type = 'issue'
left join lineage v on v.record_id = x.id and v.state = 'reverted'
where x.type = 'pull' and x.closed_at is not null and (x.merged_at is null or v.since is not null)
  and i.created_at < x.created_at and length(i.body) > 60
order by 1
"""


class Second(NamedTuple):
    """A task whose first try failed."""

    first: Work
    title: str
    task: str
    until: datetime


def main() -> None:
    """Print the four tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--brains", type=Path)
    parser.add_argument("--show", action="store_true", help="print the tasks whose brief does not tell")
    options = parser.parse_args()
    encoder = find_encoder(Settings().cache_folder)
    named: list[tuple[float, float]] = []
    cited: list[tuple[float, float]] = []
    again: list[bool] = []
    seconds: list[tuple[bool, bool]] = []
    issues: list[tuple[bool, bool]] = []
    times: list[tuple[float, float]] = []
    for folder in options.folders:
        with opened(folder, options.brains, encoder) as brain:
            fixes = [*fixed(brain, folder)]
            files, threads = [one for one, _ in fixes], [one for _, one in fixes if one]
            told = [*reverted(brain, show=options.show)]
            tries = [*repeated(brain, cases(brain, SECOND), encoder, show=options.show)]
            begun = [*repeated(brain, cases(brain, AGAIN), encoder, show=options.show)]
            took = [*timed(brain)]
            worded, listed = [*tried(brain, folder.name)], [*decided(brain, folder.name)]
        of_tries = f"(c) later tries {_counts(tries)}, issues {_counts(begun)}"
        print(f"{folder.name}: (e) {sum(worded)} of {len(worded)}, (f) {sum(listed)} of {len(listed)}", end="  ")
        print(f"(a) files {_shares(files)}, cited {_shares(threads)}", end="  ")
        print(f"(b) {sum(told)} of {len(told)}  {of_tries}", end="  ")
        print(f"(d) {_times(took)}", flush=True)
        named, again, seconds, issues = named + files, again + told, seconds + tries, issues + begun
        cited, times = cited + threads, times + took
    print(f"\n(a) files named, brief and BM25: {_shares(named)}, threads cited later {_shares(cited)}")
    print(f"(b) in the first {FIRST} lines: {sum(again)} of {len(again)}")
    print(f"(c) in the first {LINES} lines, with a ledger and without: later tries {_counts(seconds)},")
    print(f"    issues {_counts(issues)}, all {_counts(seconds + issues)}")
    print(f"(d) {_times(times)}")


def fixed(brain: Brain, folder: Path) -> Iterator[tuple[tuple[float, float], tuple[float, float] | None]]:
    """For each issue whose fix is known: the shares of its files, and of what its review cites, in each text."""
    for row in rows(folder / "gold", "issue_to_pr"):
        issue, fix = _work(brain, row["exclude"][0]), _work(brain, row["relevant"][0].replace("pr:", "pull:"))
        if not (issue and fix and fix.ended and fix.opened and issue.opened and fix.files):
            continue
        until = min(fix.ended - timedelta(days=1), fix.opened - timedelta(seconds=1))
        if issue.opened > until:
            continue
        task = _body(brain, issue)[:TASK]
        plain = _plain_list(brain, task, until, without=issue.ref)
        text = _brief(brain, task, until).text
        values = {"fix": fix.ref, "issue": issue.ref, "until": timestamp(until)}
        refs = [ref for (ref,) in brain.db.execute(CITED, values)]
        files = _share(text, fix.files), _share(plain, fix.files)
        yield files, (_share_of_refs(text, refs), _share_of_refs(plain, refs)) if refs else None


def reverted(brain: Brain, *, show: bool) -> Iterator[bool]:
    """For each piece of work that was taken back or rejected: whether a brief of the same says so at once."""
    found = brain.db.execute(REVERTED).fetchall()
    rejected = brain.db.execute(
        "select id, ref, created_at from records where type = 'outcome' and state in ('rejected', 'reverted')"
    ).fetchall()
    for id_, by, _ in [*found[:CASES], *rejected]:
        (work,) = works(brain, [id_]).values()
        task = next((fixed.title for ref in work.fixes if (fixed := _work(brain, ref))), work.title)
        yield _tells(_brief(brain, task, NOW), {work.ref, by, work.handle}, FIRST, show=show, task=task)


def tried(brain: Brain, project: str) -> Iterator[bool]:
    """For each task worded anew after work that failed: whether the first lines of its brief name that work."""
    for row in (one for one in rows(QUESTIONS, "tried") if one["project"] == project):
        ids = [
            id_ for ref in row["gold"] for (id_,) in brain.db.execute("select id from records where ref = ?", (ref,))
        ]
        behind = works_behind(brain, ids)  # of a commit of a pull request that
        known = works(brain, [one for id_ in ids for one in [id_, *behind.get(id_, ())]]).values()
        names = {*row["gold"], *(one.ref for one in known), *(one.handle for one in known)}
        first = [line for line in _brief(brain, row["task"], NOW).text.splitlines() if line.startswith("- ")][:FIRST]
        yield any(name in line for line in first for name in names)


def decided(brain: Brain, project: str) -> Iterator[bool]:
    """For each decision listed by hand: whether its topic lists its thread, or a record that states it."""
    for row in (one for one in rows(QUESTIONS, "decisions") if one["project"] == project):
        found = decisions(brain, row["topic"], (), state="all", limit=LISTED_DECISIONS, scope=Scope(), at=NOW).decisions
        yield any(one.ref.partition(":")[2].partition("#")[0] in row["gold"] for one in found)


def cases(brain: Brain, asked: str) -> list[Second]:
    """The first tasks of a kind whose first try failed."""
    found = []
    for first, second, at in brain.db.execute(asked).fetchall()[:CASES]:
        one, other = works(brain, [first, second]).values()
        if one.ended:
            until = max(datetime.fromisoformat(at) - timedelta(seconds=1), one.ended + timedelta(seconds=1))
            number = one.ref.partition(":")[2]
            task = re.sub(rf"\S*(?:#|/pull/|/issues/){number}\b\S*", "", _body(brain, other))[:TASK]
            found.append(Second(one, other.title, task, until))
    return found


def repeated(
    brain: Brain, tasks: Sequence[Second], encoder: Encoder | None, *, show: bool
) -> Iterator[tuple[bool, bool]]:
    """For each task that was tried before: whether a brief tells of it with a ledger, and without."""
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "with ledger.db"
        shutil.copy(brain.path, path)
        _record(path, tasks, encoder)
        with open_brain(path, read_only=True).encoding(lambda: encoder) as ledger:
            for case in tasks:
                number = case.first.ref.partition(":")[2]
                refs = {case.first.ref, case.first.handle, f"outcome:pull-{number}"}
                with_it = _tells(_brief(ledger, case.task, case.until), refs, LINES, show=show, task=case.title)
                yield with_it, _tells(_brief(brain, case.task, case.until), refs, LINES, show=False, task="")


def timed(brain: Brain) -> Iterator[tuple[float, float]]:
    """Milliseconds of a brief and of the decisions on the title of each of the latest issues."""
    titles = "select title from records where type = 'issue' and gone_at is null order by created_at desc limit ?"
    for title in (one for (one,) in brain.db.execute(titles, (TITLES,)).fetchall() if split(one)):
        begun = process_time()
        brief(brain, title, (), budget=BUDGET, scope=Scope(), now=NOW)
        between = process_time()
        decisions(brain, title, (), state="active", limit=LISTED_DECISIONS, scope=Scope(), at=NOW)
        yield 1000 * (between - begun), 1000 * (process_time() - between)


def _times(found: Sequence[tuple[float, float]]) -> str:
    if len(found) < 2:
        return "none"
    ranks = [quantiles([one[place] for one in found], n=20) for place in (0, 1)]
    told = (
        f"{name} {rank[9]:.0f} and {rank[18]:.0f} ms" for name, rank in zip(("brief", "decisions"), ranks, strict=True)
    )
    return f"{len(found)} titles, {', '.join(told)}"


def _record(path: Path, tasks: Sequence[Second], encoder: Encoder | None) -> None:
    """Approve in the brain at *path* what its records propose of each first try that failed."""
    with open_brain(path) as brain:
        ((source_id, source),) = brain.db.execute("select id, name from sources").fetchall()
        for case in tasks:
            number = int(case.first.ref.partition(":")[2])
            for one in proposals(brain, source_id, limit=1, shipped=False, pull=number, now=NOW):
                if one.how != "kept":
                    run(review_approve, Call("operator", path, Settings(), NOW), {"ref": one.ref, "by": "somebody"})
        index(brain, [], source=source, now=NOW, crew=Crew(encoder=encoder))


def _brief(brain: Brain, task: str, until: datetime) -> Brief:
    return brief(brain, task, (), budget=BUDGET, scope=Scope(), now=until, as_of=until)


def _tells(found: Brief, refs: set[str], lines: int, *, show: bool, task: str) -> bool:
    first = found.text.splitlines()[:lines]
    pulls = [ref.partition(":")[2] for ref in refs if ref.startswith("pull:")]
    numbers = {f"#{number}" for number in pulls}
    tried = [line for line in first if line.startswith(("- Reverted", "- Rejected", "- Closed", "- Flagged", "- Took"))]
    told = any(f"[{ref}]" in line or f"by {ref}" in line for line in tried for ref in refs)
    told = told or any(re.search(rf"{number}\b", line) for line in tried for number in numbers)
    if show and not told:
        print("   not told:", sorted(refs), "|", task)
    return told


def _plain_list(brain: Brain, task: str, until: datetime, *, without: str) -> str:
    sources = dict(brain.db.execute("select id, name from sources"))
    reader = Reader(brain, sources, as_of=timestamp(until))
    matches = reader.passages(query_terms(task), limit=200)
    known = reader.passage_rows([one.rowid for one in matches])
    text = ""
    for match in matches:
        row = known.get(match.rowid)
        if row and row.about != without:
            line = f"- {row.ref} {row.title}: {' '.join(row.text.split())[:LISTED]}\n"
            if tokens(text + line) > BUDGET:
                break
            text += line
    return text


def _share(text: str, files: Sequence[str]) -> float:
    return mean(file in text or Path(file).name in text for file in files)


def _share_of_refs(text: str, refs: Sequence[str]) -> float:
    numbers = (ref.partition(":")[2] for ref in refs)
    return mean(re.search(rf"(?:#|pull:|issue:|comment:){number}\b", text) is not None for number in numbers)


def _work(brain: Brain, ref: str) -> Work | None:
    found = brain.db.execute("select id from records where ref = ? and gone_at is null", (ref,)).fetchone()
    return next(iter(works(brain, [found[0]]).values())) if found else None


def _body(brain: Brain, work: Work) -> str:
    return str(brain.db.execute("select body from records where ref = ?", (work.ref,)).fetchone()[0])


def _shares(found: Sequence[tuple[float, float]]) -> str:
    if not found:
        return "none"
    ours, plain = (mean(one[place] for one in found) for place in (0, 1))
    return f"{ours:.3f} and {plain:.3f} of {len(found)}"


def _counts(found: Sequence[tuple[bool, bool]]) -> str:
    return f"{sum(one for one, _ in found)} and {sum(other for _, other in found)} of {len(found)}"


if __name__ == "__main__":
    main()
