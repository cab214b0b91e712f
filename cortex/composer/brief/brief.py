"""Brief a task: the rules, runbook, earlier tries, precedents, decisions, pitfalls and people that bear on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from cortex.composer.brief.briefing import Brief, Item, LeftOut, Section, clipped, fitted
from cortex.composer.brief.relevance import matching
from cortex.composer.brief.similar import ALIKE, LEAST, THERE, Alike, Asked, changed, similar
from cortex.errors import EmptyBrief
from cortex.language.patterns import patterns
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.facts import plain
from cortex.substrate.model import Kind, Scope
from cortex.substrate.owners import workers_on
from cortex.substrate.path_names import speaks_of
from cortex.substrate.paths import NOWHERE, Here, Known, Place, owners_at, places_of
from cortex.substrate.quoting import inert, label, spelled
from cortex.substrate.reading import Row
from cortex.substrate.rule_files import holds_in
from cortex.substrate.sources import readable, timestamp
from cortex.substrate.standing import Stood, decision_records, facts_naming, facts_of_kinds, records_about, standing
from cortex.substrate.work import FAILED, Fate, Work

FITS: Final = 0.4  # how much of the task a rule or a decision's file says that bears on it
RELEVANT: Final = 0.4  # share of the best fact's score from which a fact bears on the task
SAYS: Final = 0.25  # and how much of the task it says at least
HEADED: Final = 0.4  # how much of the task the heading of a runbook says
RULES: Final = 2_000  # directives that are read
FACTS: Final = 80  # facts that are looked at
LATEST: Final = 100  # facts about a path that are read, and the files of decisions
OWNED: Final = 3  # files whose owners are named
FILES: Final = 10  # files that like work changed
FEW_FILES: Final = 3  # files of one piece of work that are named
KINDS: Final[Mapping[Kind, Section]] = {"decision": "decision", "incident": "pitfall"}

FATES: Final[Mapping[Fate, str]] = {
    "reverted": "Reverted", "rejected": "Rejected", "flagged": "Flagged", "unmerged": "Closed unmerged",
    "closed": "Turned down", "open": "Open", "shipped": "Shipped", "merged": "Done", "committed": "Done",
    "replaced": "Replaced",
}  # fmt: skip


def brief(  # noqa: PLR0913  each is an option of its own
    brain: Brain,
    task: str,
    paths: Sequence[str],
    *,
    budget: int,
    scope: Scope,
    here: Here = NOWHERE,
    of: str = "",
    now: datetime,
    as_of: datetime | None = None,
) -> Brief:
    """What bears on *task* and *paths*, in a text of at most *budget* tokens.

    It is about one project: the asker's, else the one that knows the paths, else the one with the work most like it.

    Args:
        paths: files or folders, from the root of the repository or from the asker's folder, or patterns of them.
        here: the asker's folder and its sources.
        of: the sources of *scope* as the brief is to name them; '' where they are all.
        as_of: tell what was known then.

    Raises:
        EmptyBrief: neither a word nor a path.
        UnknownSource: the scope names a source this brain does not hold.
    """
    sources = readable(brain, scope)
    own = {id_ for id_, name in sources.items() if name in here.home}
    places = places_of(brain, paths, own=own, sources=sources, folder=here.folder)
    if not places and not split(task):
        raise EmptyBrief
    knowing = {id_ for one in places for id_ in one.sources}
    own = (own if not knowing or own & knowing else knowing) or knowing or {*sources}
    until = timestamp(as_of) if as_of else ""
    words = task if split(task) else " ".join(PurePosixPath(one.name).name for one in places)
    asked = Asked(brain, words, sources={id_: sources[id_] for id_ in sorted(own)}, now=now, until=until)
    files = list(dict.fromkeys(file for one in places for file in one.files))
    alike = _of_one(asked, similar(asked, files))
    about = About(asked, places, files, alike, as_of or now)
    found = [*about.rules(), *about.runbook(), *about.work(), *about.facts(), *about.people()]
    items = [one for one in found if isinstance(one, Item)]
    left = [one for one in found if isinstance(one, LeftOut)]
    unknown = tuple(one.name for one in places if not one.known)
    names = tuple(one.name for one in places)
    if len(about.own) < len(sources):
        of = of or ", ".join(about.own.values())
    return fitted(task, names, items, left, unknown=unknown, of=of, budget=budget)


def _of_one(asked: Asked, alike: list[Alike]) -> list[Alike]:
    """*alike* of one project, that of the most like the task, to which the reader is then bound."""
    if len(asked.reader.sources) == 1 or not alike:
        return alike
    first = alike[0].work.source
    asked.bind({id_: name for id_, name in asked.reader.sources.items() if name == first})
    return [one for one in alike if one.work.source == first]


@dataclass(frozen=True)
class About:
    """The subject of a brief: a task, what it touches, and the work that is like it."""

    asked: Asked
    places: Sequence[Place]
    files: Sequence[str]
    alike: Sequence[Alike]
    at: datetime

    @property
    def brain(self) -> Brain:
        """The brain that is asked."""
        return self.asked.reader.brain

    @property
    def own(self) -> Mapping[int, str]:
        """Names of the sources the task is about, by id."""
        return self.asked.reader.sources

    @cached_property
    def near(self) -> list[Alike]:
        """The work that is near enough to tell of."""
        best = max((one.score for one in self.alike if one.work.fate != "open"), default=0.0)
        best -= THERE if self.files else 0.0  # what only says the same has not to make up for what was done there
        return [one for one in self.alike if one.score >= max(ALIKE * best, LEAST)]

    def rules(self) -> Iterator[Item]:
        """Directives that cover a path of the task, then those that speak of it; no others."""
        ids = facts_of_kinds(self.brain, ["directive"], sources=self.own, records=None, limit=RULES)
        stood = [one for _, one in standing(self.brain, ids, sources=self.own, at=self.at) if one.state == "active"]
        found = []
        for one, said in zip(stood, self.asked.says([one.statement for one in stood]), strict=True):
            folder = holds_in(one.path)
            inside = bool(folder) and any(f"{file}/".startswith(f"{folder}/") for file in self.files)
            if inside or (self.files and speaks_of(one.statement, self.files)):
                found.append((2 + said, one, f"holds in {label(folder)}/" if inside else "names the path"))
            elif said >= FITS and not (folder and self.files):
                found.append((said, one, "fits the task"))
        for _, one, why in sorted(found, key=lambda one: -one[0]):
            yield _item("rule", "Rule", one, why)

    def runbook(self) -> Iterator[Item]:
        """The part of a document that says how a task of this kind is done."""
        where = patterns("kinds", "documents")
        for _, row in self.asked.passages:
            path = row.ref.partition(":")[2].partition("#")[0]
            tells = where["process_path"].search(path) or where["process_title"].search(row.title)
            if row.type == "doc" and tells and self.asked.covered(f"{row.title} {PurePosixPath(path).stem}") >= HEADED:
                yield self._passage(row, path)

    def _passage(self, row: Row, path: str) -> Item:
        return Item(
            section="runbook", label="Runbook", handle=f"{spelled(row.ref)}@{row.start}-{row.end}",
            statement=f"{row.title}: {plain(row.text)}", about=f"in {label(path)}", source=self.own[row.source_id],
            authority=row.authority, ref=row.ref, why="says how it is done", unverified=bool(row.unverified),
        )  # fmt: skip

    def work(self) -> Iterator[Item]:
        """What was tried and taken back or turned down, what was done, with its files, and what is open."""
        for one in self.near:
            work = one.work
            if work.fate in FAILED or (work.fate == "closed" and work.why):
                yield self._work("tried", work)
            elif work.fate == "open":
                yield self._work("open", work)
        yield from self._where()
        undoing = {one.work.by for one in self.near}
        for one in self.near:
            if one.work.fate in ("merged", "committed", "shipped") and one.work.ref not in undoing:
                yield self._work("precedent", one.work)

    def _work(self, section: Section, work: Work) -> Item:
        return Item(
            section=section, label=FATES[work.fate], handle=work.handle, statement=work.title, about=told(work),
            authority=work.authority, source=work.source, ref=work.ref, url=work.url, since=work.ended or work.opened,
            why="is like the task", unverified=work.unverified,
        )  # fmt: skip

    def _where(self) -> Iterator[Item]:
        """The files that work like the task changed, near to it or less: one of them is mostly touched again."""
        made = [one for one in self.alike if one.work.files and one.work.fate != "open"]
        if made:
            first, named = made[0].work, ", ".join(map(label, [*changed(made)][:FILES]))
            yield Item(
                section="precedent", label="Changed then", handle=spelled(first.ref), statement=named,
                about=f"in {len(made)} like it, most often first", authority=first.authority, source=first.source,
                ref="", why="is where like tasks were done", ours=True, unverified=False,
            )  # fmt: skip

    def facts(self) -> Iterator[Item | LeftOut]:
        """Decisions in force, and what went wrong, that bear on the task or its paths; what ended is left out."""
        relevant = self._relevant()
        near = self._near() if self.files else []
        stood = dict(standing(self.brain, list(dict.fromkeys([*relevant, *near])), sources=self.own, at=self.at))
        for one in self._files_of_decisions():
            stood[-len(stood)] = one
        for id_, one in stood.items():
            section = KINDS[one.kind]
            if one.type == "outcome" or self._is_told(one.title):
                continue
            if one.state == "active":
                why = "shares words with the task" if id_ in relevant or id_ <= 0 else "about the path"
                yield _item(section, "Decided" if section == "decision" else "Failed", one, why)
            elif one.state != "later":
                by = f" by {one.replaced_by}" if one.replaced_by else ""
                yield LeftOut(section=section, handle=one.handle, why=one.state + by)

    def _is_told(self, title: str) -> bool:
        """Whether what is called so was taken back, or took that back: it is told as work."""
        return any(one.work.title in title for one in self.near if one.work.fate in FAILED)

    def _relevant(self) -> list[int]:
        """Ids of the facts of these kinds that share words with the task, best first."""
        matches = matching(self.asked.reader, self.asked.query.terms, FACTS)
        every = self.asked.reader.fact_rows([*matches]).values()
        rows = [row for row in every if row.kind in KINDS and not self._is_told(row.title)]
        says = self.asked.says([f"{row.title} {row.text}" for row in rows])
        found = [(matches[row.id] * (1 + said), said, row.id) for row, said in zip(rows, says, strict=True)]
        scored = sorted(found, reverse=True)
        verified = [matches[row.id] for row in rows if not row.unverified]
        best = max((score for score, _, id_ in scored if not verified or matches[id_] in verified), default=0.0)
        return [id_ for score, said, id_ in scored if score >= RELEVANT * best and said >= SAYS]

    def _near(self) -> list[int]:
        records = records_about(self.brain, self.files, sources=self.own)
        found = facts_of_kinds(self.brain, [*KINDS], sources=self.own, records=records, limit=LATEST)
        return [*found, *facts_naming(self.brain, self.files, kinds=[*KINDS], sources=self.own, limit=LATEST)]

    def _files_of_decisions(self) -> list[Stood]:
        known = decision_records(self.brain, sources=self.own, records=None, limit=LATEST, at=self.at)
        every = [one for _, one in known]
        says = self.asked.says([one.title for one in every])
        found = sorted(zip(says, range(len(every)), strict=True), reverse=True)
        return [every[place] for said, place in found if said >= FITS]

    def people(self) -> Iterator[Item]:
        """Who owns the paths, or the files that like work changed, and who last worked on them."""
        files = list(self.files) or [*changed([one for one in self.near if one.work.fate == "merged"])][:OWNED]
        known = Known(self.brain, self.own)
        for file in files[:OWNED]:
            owners = owners_at(known, file)
            workers = [
                one
                for one in workers_on(self.brain, [file], sources=self.own)
                if not one.latest or one.latest <= self.at
            ]
            latest = sorted(workers, key=lambda one: one.latest.timestamp() if one.latest else 0.0, reverse=True)
            named = [(one.of, " and ".join(map(label, one.who)) or "nobody") for one in owners[:1]]
            said = [f"{label(of)} is owned by {who}" for of, who in named]
            if latest:
                often = f", most often by {label(workers[0].who)}" if workers[0] != latest[0] else ""
                day = f" on {latest[0].latest:%Y-%m-%d}" if latest[0].latest else ""
                said.append(f"{label(file)} was last changed by {label(latest[0].who)}{day}{often}")
            if said:
                first = owners[0] if owners else latest[0]
                yield Item(
                    section="owner", label="Knows it", handle=owners[0].handle if owners else latest[0].ref,
                    statement="; ".join(said), about=f"of {label(file)}", authority=first.authority,
                    source=first.source, ref=first.ref, why="owns it or worked on it", ours=True, unverified=False,
                )  # fmt: skip


def told(work: Work) -> str:
    """What is known of a piece of work beside its title, in one clause."""
    number = work.ref.partition(":")[2]
    names = {"pull": f"PR #{number}", "issue": f"issue #{number}", "outcome": "outcome"}
    name = names.get(work.type, f"commit {number}")
    by = f" by {label(work.author)}" if work.author else ""
    took = f" after {work.days} day{'s' if work.days > 1 else ''}" if work.days and work.type != "outcome" else ""
    ended = f"{work.ended or work.opened:%Y-%m-%d}{took}" if work.ended or work.opened else ""
    more = f" and {len(work.files) - FEW_FILES} more" if len(work.files) > FEW_FILES else ""
    files = f"changed {', '.join(map(label, work.files[:FEW_FILES]))}{more}" if work.files else ""
    refs = ", ".join(f"#{ref.partition(':')[2]}" for ref in work.fixes[:FEW_FILES])
    fixes = f"{'of' if work.type == 'outcome' else 'fixed'} {refs}" if refs else ""
    undone = f"{'reverted' if work.fate == 'reverted' else 'replaced'} by {spelled(work.by)}" if work.by else ""
    source = f" [{spelled(work.why_handle)}]" if work.why_handle != work.handle else ""
    why = f"“{clipped(inert(work.why))}”{source}" if work.why else ""
    return "; ".join(filter(None, (f"{name}{by}", ended, undone, why, files, fixes)))


def _item(section: Section, name: str, one: Stood, why: str) -> Item:
    return Item(
        section=section, label=name, handle=one.handle, statement=one.statement, authority=one.authority,
        source=one.source, ref=one.ref, url=one.url, since=one.since, why=why, unverified=one.unverified,
    )  # fmt: skip
