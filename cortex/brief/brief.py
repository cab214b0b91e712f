"""Brief a task: the rules, runbook, earlier tries, precedents, decisions, pitfalls and people that bear on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from cortex.brief.asked import Asked
from cortex.brief.briefing import (
    LISTED,
    NEAR,
    About,
    Brief,
    Item,
    LeftOut,
    Section,
    fitted,
    of_fact,
    of_passage,
    of_work,
)
from cortex.brief.similar import ALIKE, SAYS, Alike, Pool, bears, beside, changed, pooled, similar
from cortex.errors import EmptyBrief
from cortex.indexers.distill.text import is_machine
from cortex.indexers.kinds import is_document, takes_back
from cortex.language.patterns import patterns
from cortex.language.stems import split
from cortex.substrate.brain import Brain
from cortex.substrate.model import Kind, Scope
from cortex.substrate.owners import workers_on
from cortex.substrate.path_names import speaks_of
from cortex.substrate.paths import NOWHERE, Here, Known, files_touched, owners_at, places_of
from cortex.substrate.quoting import label, spelled
from cortex.substrate.rule_files import covers, holds_for
from cortex.substrate.selection import facts_naming, facts_of_kinds, records_about
from cortex.substrate.sources import readable, timestamp
from cortex.substrate.standing import decision_records, standing
from cortex.substrate.work import FAILED, failed

FITS: Final = 0.4  # how much of the task a rule or a decision's file says that bears on it
RELEVANT: Final = 0.4  # share of the best fact's score from which a fact bears on the task
LEAST: Final = 0.5  # score below which nothing is
FAILING: Final = 0.35  # share of it from which one that failed is
UNTOLD: Final = 1.2  # as many times as near is a failure of which nobody said why
THERE: Final = 0.5  # what the best may have for the files of the task alone
RULES: Final = 2_000  # directives that are read
FACTS: Final = 80  # facts that are looked at
LATEST: Final = 100  # facts about a path that are read, and the files of decisions
OWNED: Final = 3  # files whose owners are named
FILES: Final = 10  # files that like work changed
KINDS: Final[Mapping[Kind, Section]] = {"decision": "decision", "incident": "pitfall"}
NOTED: Final[tuple[Kind, ...]] = ("spec", "process", "change")  # of what somebody noted


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
    words = patterns("kinds", "documents")["light"].sub("", words) or words
    asked = Asked(brain, words, sources={id_: sources[id_] for id_ in sorted(own)}, now=now, until=until)
    files = list(dict.fromkeys(file for one in places for file in one.files))
    alike = _of_one(asked, similar(asked, pool := pooled(asked, files), files, there=not split(task)))
    gathered = Gathered(brain, asked.reader.sources, asked, files, pool, alike, as_of or now)
    found = [
        *gathered.rules, *gathered.runbook(), *gathered.work(), *gathered.facts(), *gathered.people(),
        *gathered.beside(),
    ]  # fmt: skip
    of = of or ", ".join(asked.reader.sources.values()) * (len(asked.reader.sources) < len(sources))
    about = About(task, tuple(one.name for one in places), tuple(one.name for one in places if not one.known), of)
    items = [one for one in found if isinstance(one, Item)]
    return fitted(about, items, [one for one in found if isinstance(one, LeftOut)], budget=budget)


def _of_one(asked: Asked, alike: list[Alike]) -> list[Alike]:
    """*alike* of one project, that of the most like the task, to which the reader is then bound."""
    if len(asked.reader.sources) == 1 or not alike:
        return alike
    first = alike[0].work.source
    asked.bind({id_: name for id_, name in asked.reader.sources.items() if name == first})
    return [one for one in alike if one.work.source == first]


@dataclass(frozen=True)
class Gathered:
    """What bears on a task: what is asked, the files it touches, and the work that is like it, the most like first.

    Attributes:
        own: names of the sources the task is about, by id.
    """

    brain: Brain
    own: Mapping[int, str]
    asked: Asked
    files: Sequence[str]
    pool: Pool
    alike: Sequence[Alike]
    at: datetime

    @cached_property
    def best(self) -> float:
        """The score of the finished work most like the task, without what it has for the task's files."""
        return max((one.score for one in self.alike if one.work.fate != "open"), default=0.0) - THERE * bool(self.files)

    @cached_property
    def near(self) -> list[Alike]:
        """The work that is near enough to tell of, the nearest first."""

        def is_near(one: Alike) -> bool:  # what failed is from further off, most of all where it is known why
            share, told = (FAILING, one.work.why) if one.work.fate in FAILED else (ALIKE, "done")
            return one.score >= max(share * self.best, LEAST) * (1.0 if told else UNTOLD)

        return [*filter(is_near, self.bearing)]

    @cached_property
    def bearing(self) -> list[Alike]:
        """The work that says enough of the task; of what failed less is enough where other work does."""
        return [one for one in self.alike if bears(one)] if any(one.says >= SAYS for one in self.alike) else []

    @cached_property
    def rules(self) -> list[Item]:
        """Directives that cover a path of the task, then those that speak of it; no others.

        What their file is called, or who said them where, speaks of nothing: all that stand there share it.
        """
        ids = facts_of_kinds(self.brain, ["directive"], sources=self.own, records=None, limit=RULES)
        stood = [one for _, one in standing(self.brain, ids, sources=self.own, at=self.at) if one.state == "active"]
        found = []
        own = [" ".join([*one.title.split(" › ")[1:], one.excerpt]) for one in stood]
        for one, said in zip(stood, self.asked.says(own), strict=True):
            where = holds_for(one.path, one.ref)
            inside = covers(where, self.files)
            if inside or (self.files and speaks_of(one.statement, self.files)):
                found.append((2 + said, one, f"holds in {label(where)}" if inside else "names the path"))
            elif said >= FITS and not (where and self.files):
                found.append((said, one, "fits the task"))
        return [of_fact("rule", "Rule", one, why, about=why) for _, one, why in sorted(found, key=lambda one: -one[0])]

    def runbook(self) -> Iterator[Item]:
        """The part of a document that says how a task of this kind is done: its heading or its file names the task."""
        where = patterns("kinds", "documents")
        found = []
        for id_, ref, title in self.asked.reader.titles("doc"):
            path = ref.partition(":")[2].partition("#")[0]
            if where["process_path"].search(path) or where["process_title"].search(title):
                headings = [*title.split(" › ")[1:], PurePosixPath(path).stem]  # its title names no task
                found += [(len(headings), id_)] if self._names_task(headings) else []
        rows = self.asked.reader.first_rows([id_ for _, id_ in found])
        told = {rows[id_].text: id_ for _, id_ in sorted(found, reverse=True) if id_ in rows}  # each text once
        yield from (
            of_passage(rows[id_], self.own[rows[id_].source_id]) for _, id_ in sorted(found) if id_ in told.values()
        )

    def _names_task(self, headings: Sequence[str]) -> bool:
        """Whether the task holds all that one of *headings* names, beside the words for how things are done."""
        matcher = (self.asked.first or self.asked).matcher
        names = [patterns("kinds", "documents")["generic"].sub(" ", one) for one in headings]
        held = zip(names, matcher.holds(names), strict=True)
        return any(len(stems) >= len(split(one)) > 0 and matcher.covered(stems) for one, stems in held)

    def work(self) -> Iterator[Item]:
        """What was tried and taken back or turned down, what was done, with its files, and what is open."""
        undoing = {one.work.by for one in self.near}
        every = [(one.work, self._section(one)) for one in self.near if one.work.ref not in undoing]
        yield from (of_work("tried", one) for one, section in every if section == "tried")
        yield from self._where()
        yield from (of_work(section, one) for one, section in every if section in ("precedent", "open"))

    def beside(self) -> Iterator[LeftOut]:
        """Issues and pull requests near to the task and in time, where any work is like it."""
        for one in beside(self.asked, self.pool, self.at)[:LISTED] if self.bearing else ():
            yield LeftOut(section="open", handle=one.ref, statement="" if one.unverified else one.title, why=NEAR)

    def _section(self, one: Alike) -> Section | None:
        """Where a piece of work is told."""
        fate, title = one.work.fate, one.work.title
        if failed(one.work) or (fate != "open" and takes_back(title)):
            return "tried"
        return {"open": "open", "closed": None}.get(fate, "precedent")

    def _where(self) -> Iterator[Item]:
        """The files that work like the task changed, near to it or less: one of them is mostly touched again."""
        if self.touched:
            first = self.made[0].work
            yield Item(
                section="precedent", label="Likely files", handle=spelled(first.ref),
                statement=", ".join(map(label, self.touched[:FILES])),
                about=f"changed by {len(self.made)} like it, the nearest first", authority=first.authority,
                source=first.source, ref="", why="is where like tasks were done", ours=True, unverified=False,
            )  # fmt: skip

    @cached_property
    def made(self) -> list[Alike]:
        """The work like the task, near to it or less, that changed files."""
        return [one for one in self.alike if one.work.files and one.work.fate != "open"]

    @cached_property
    def touched(self) -> Sequence[str]:
        """The files that like work changed, those of the nearest first; none that the project no longer has.

        All of them where its code was not read, or a past day is asked about; none where no work is near.
        """
        near = changed([one for one in self.made if one in self.near])
        files = [*{**near, **changed(self.made)}] if self.near else []
        if self.asked.reader.as_of or len(self.own) != 1:
            return files
        there = [file for file, one in files_touched(self.brain, files, source_id=min(self.own)).items() if one.there]
        return [file for file in files if file in there] if any(not is_document(file) for file in there) else files

    def facts(self) -> Iterator[Item | LeftOut]:
        """Decisions in force, and what went wrong, that bear on the task or its paths; what ended is left out."""
        kinds = [*KINDS, *(NOTED if self.asked.reader.titles("event") else ())]  # more where anybody noted anything
        relevant = self.asked.facts(kinds, at=self.at, most=FACTS)
        stood = [one.fact for one in relevant if one.score >= RELEVANT and one.says >= SAYS]
        about = {one.handle for one in stood}
        stood += [one for _, one in standing(self.brain, self._near(kinds), sources=self.own, at=self.at)]
        files = decision_records(self.brain, sources=self.own, records=None, limit=LATEST, at=self.at)
        says = self.asked.says([one.title for _, one in files])
        stood += [
            one for said, (_, one) in sorted(zip(says, files, strict=True), key=lambda two: -two[0]) if said >= FITS
        ]
        told_of = [one.work.title for one in self.near if one.work.fate in FAILED]
        ruled = {one.ref.partition(":")[2].partition("#")[0] for one in self.rules}
        for one in stood:
            section, noted = KINDS.get(one.kind, "decision"), one.type == "event"
            told = one.type == "outcome" or (one.type == "doc" and one.path in ruled)  # a decision whose text is a rule
            if told or not (noted or one.kind in KINDS) or any(title in one.title for title in told_of):
                continue
            if one.state == "active":
                why = "shares words with the task" if one.handle in about else "about the path"
                name = "Noted" if one.kind not in KINDS else "Decided" if section == "decision" else "Incident"
                yield of_fact(section, name, one, why)
            elif one.state != "later":
                said, by = "" if one.unverified else one.statement, f" by {one.replaced_by}" if one.replaced_by else ""
                yield LeftOut(section=section, handle=one.handle, statement=said, why=f"{one.state}{by}")

    def _near(self, kinds: Sequence[Kind]) -> list[int]:
        if not self.files:
            return []
        records = records_about(self.brain, self.files, sources=self.own)
        found = facts_of_kinds(self.brain, kinds, sources=self.own, records=records, limit=LATEST)
        return [*found, *facts_naming(self.brain, self.files, kinds=[*KINDS], sources=self.own, limit=LATEST)]

    def people(self) -> Iterator[Item]:
        """Who owns the paths, or the first file that like work changed, and who last worked on them."""
        files = self.files[:OWNED] or sorted(self.touched, key=is_document)[:1]  # code before documents
        known = Known(self.brain, self.own)
        for file in files:
            owners = owners_at(known, file)
            every = workers_on(self.brain, [file], sources=self.own, until=timestamp(self.at))
            workers = [one for one in every if not is_machine(one.who)]
            latest = max(workers, key=lambda one: one.latest.timestamp() if one.latest else 0.0, default=None)
            said = [
                f"{label(one.of)} is owned by {' and '.join(map(label, one.who)) or 'nobody'}" for one in owners[:1]
            ]
            if latest:
                often = f", most often by {label(workers[0].who)}" if workers[0] != latest else ""
                day = f" on {latest.latest:%Y-%m-%d}" if latest.latest else ""
                said.append(f"{label(file)} was last changed by {label(latest.who)}{day}{often}")
            if first := (owners[0] if owners else latest):
                yield Item(
                    section="owner", label="Knows it", handle=owners[0].handle if owners else first.ref,
                    statement="; ".join(said), authority=first.authority, source=first.source, ref=first.ref,
                    why=f"owns {label(file)} or worked on it", ours=True, unverified=False,
                )  # fmt: skip
