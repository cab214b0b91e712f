"""What an outsider writes is never told as the project's decision, whatever became of it; what a member writes is."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cortex.brief.brief import brief
from cortex.brief.decisions import decisions
from cortex.composer.pipeline import ask
from cortex.indexers.feeds import export_feeds
from cortex.indexers.run import index
from cortex.substrate.brain import Brain
from cortex.substrate.browse import facts
from cortex.substrate.model import Scope
from cortex.substrate.selection import unverified_facts
from cortex.substrate.standing import Stood
from cortex.surfaces import render_answer
from cortex.surfaces.agent_hook import RECENT, tell
from cortex.surfaces.render_answer import UNVERIFIED
from tests.brains import WHY, open_new
from tests.tables import walk

Row = dict[str, Any]
NOW = datetime(2026, 9, 1, tzinfo=UTC)
EARLY, DAY, DONE, LATER, AFTER = (f"2026-{day}T00:00:00Z" for day in ("01-01", "03-01", "03-02", "03-03", "03-05"))
SIZE = 20
"""Numbers that a telling of a story may take: its decision's is the first, that of what it would replace the fourth."""


class Person(NamedTuple):
    """Somebody on GitHub, and what it calls them."""

    login: str
    association: str


class Told(NamedTuple):
    """A story told of one person."""

    by: Person
    n: int

    @property
    def says(self) -> str:
        return f"Decision: use zq{self.n} oil for the gears, supersedes #{self.n + 3}"


ADA, SOCK, BOT = Person("ada", "MEMBER"), Person("sock", "NONE"), Person("tidy[bot]", "NONE")
OUT = ("NONE", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "CONTRIBUTOR")


def thread(n: int, title: str, by: Person, *, body: str = "", **fields: Any) -> Row:  # noqa: ANN401  any field of a row
    kind = "pull" if "merged_at" in fields else "issues"
    return {
        "number": n, "title": title, "body": body, "state": "open", "user": {"login": by.login},
        "author_association": by.association, "created_at": DAY, "updated_at": DAY, "assignees": [], "labels": [],
        "html_url": f"https://github.com/acme/gears/{kind}/{n}", **fields,
    }  # fmt: skip


def closed(n: int, title: str, by: Person, who: Person, **fields: Any) -> Row:  # noqa: ANN401  any field of a row
    done = {"state": "closed", "closed_at": LATER, "closed_by": {"login": who.login}}
    return thread(n, title, by, **done | fields)


def merged(n: int, title: str, by: Person, *, body: str = "", who: Person = ADA, **fields: Any) -> Row:  # noqa: ANN401  any field of a row
    done = {"state": "closed", "closed_at": DONE, "merged_at": DONE, "merged": True}
    return thread(n, title, by, body=body, merged_by={"login": who.login}, **done | fields)


def unmerged(n: int, title: str, by: Person, *, body: str = "", **fields: object) -> Row:
    return thread(n, title, by, body=body, merged_at=None, **fields)


def said(n: int, by: Person, body: str, *, pull: bool = False, at: int = 0, **fields: object) -> Row:
    return {
        "id": 1000 + 10 * n + at, "kind": "issue_comment", "issue_number": n, "is_pull": pull,
        "user": {"login": by.login}, "body": body, "created_at": DAY, "updated_at": DAY,
        "author_association": by.association, **fields,
    }  # fmt: skip


def commit(n: int, subject: str, by: Person, *, body: str = "") -> Row:
    return {
        "sha": f"{n:08x}" * 5, "author": by.login, "date": DONE, "committer": by.login, "commit_date": DONE,
        "parents": [], "subject": subject, "body": body, "files": ["README.md"],
    }  # fmt: skip


def squashed(told: Told, title: str, *, body: str, subject: str, message: str = "") -> list[Row]:
    n = told.n
    sha = commit(n, f"{subject} (#{n})", told.by, body=message)
    return [merged(n, title, told.by, body=body, merge_commit_sha=sha["sha"]), sha]


def typo_fix(told: Told, by: Person) -> Row:
    return merged(told.n + 1, f"Mend a typo of zt{told.n}", by, body=f"Fixes #{told.n}")


def landed(told: Told, subject: str, name: str, *, body: str = "") -> list[Row]:
    """A merged typo fix, and the commit of its branch, under whatever *name* its author told git."""
    brought = commit(told.n + 2, subject, Person(name, ""), body=body)
    merge = commit(told.n + 1, f"Merge pull request #{told.n + 1} from {told.by.login}/patch", ADA, body="Mend a typo")
    merge["parents"] = ["a" * 40, brought["sha"]]
    return [merged(told.n + 1, "Mend a typo", told.by, merge_commit_sha=merge["sha"]), merge, brought]


Story = Callable[[Told], list[Row]]
STORIES: dict[str, Story] = {
    "an issue": lambda t: [thread(t.n, t.says, t.by)],
    "its typo fix, given another title before it was first read": lambda t: [
        merged(t.n, t.says, t.by, updated_at=AFTER)
    ],
    "in the body of an issue": lambda t: [thread(t.n, f"About zq{t.n}", t.by, body=t.says)],
    "its own merged typo fix fixes it": lambda t: [thread(t.n, t.says, t.by), typo_fix(t, t.by)],
    "a typo fix of another fixes it": lambda t: [thread(t.n, t.says, t.by), typo_fix(t, SOCK)],
    "its own typo fix closed it": lambda t: [closed(t.n, t.says, t.by, t.by), typo_fix(t, t.by)],
    "its own fix that nobody merged": lambda t: [
        thread(t.n, t.says, t.by), unmerged(t.n + 1, "Mend a typo", t.by, body=f"Fixes #{t.n}"),
    ],
    "a robot's fix fixes it": lambda t: [thread(t.n, t.says, t.by), typo_fix(t, BOT)],
    "closed by whoever merged its own typo fix": lambda t: [
        closed(t.n, t.says, t.by, ADA, closed_at="2026-03-02T00:00:01Z"), typo_fix(t, t.by)
    ],
    "closed when its own typo fix was released": lambda t: [closed(t.n, t.says, t.by, ADA), typo_fix(t, t.by)],
    "closed by whoever merged its own commit that fixes it": lambda t: [
        closed(t.n, t.says, t.by, ADA), *landed(t, f"Mend it, fixes #{t.n}", "Eve Mallory")
    ],
    "closed by whoever merged anything else of it": lambda t: [
        closed(t.n, t.says, t.by, ADA, closed_at="2026-03-02T00:00:59Z"), merged(t.n + 1, "Mend a typo", t.by)
    ],
    "rewritten after a member closed it, before it was first read": lambda t: [
        closed(t.n, t.says, t.by, ADA, updated_at=AFTER)
    ],
    "rewritten so, and remarked on by a member, or a robot under a member's name": lambda t: [
        closed(t.n, t.says, t.by, ADA, updated_at=AFTER), said(t.n, ADA, "Np", created_at=AFTER, updated_at=AFTER)
    ],
    "closed by itself, rewritten, long after a member fixed it elsewhere": lambda t: [
        closed(t.n, t.says, t.by, t.by, closed_at=AFTER, updated_at=AFTER), typo_fix(t, ADA)
    ],
    "of the number that a member's fix had named before": lambda t: [
        closed(t.n, t.says, t.by, t.by, created_at=LATER, closed_at=LATER, updated_at=LATER), typo_fix(t, ADA)
    ],
    "a commit of its branch that says it merges another of a member": lambda t: landed(
        t, f"Merge pull request #{t.n} from ada/oil", "Eve Mallory", body=f"{t.says}\n\nReverts #{t.n + 3}."
    ),
    "a commit of its branch that bears a number": lambda t: landed(t, f"{t.says} (#{t.n})", "ada"),
    "a title given after the merge that takes back": lambda t: squashed(
        t, f'Revert "Use zt{t.n} grease for the gears because it holds"', body=t.says, subject="Mend a typo"
    ),
    "such a title where the merge commit is not known": lambda t: [
        merged(t.n, f'Revert "Use zt{t.n} grease for the gears because it holds"', t.by, body=t.says, updated_at=AFTER)
    ],
    "merged by a robot after a member took the approval back": lambda t: [
        merged(t.n, t.says, t.by, who=BOT),
        said(t.n, ADA, "", pull=True, kind="review", state="APPROVED", submitted_at=DAY),
        said(t.n, ADA, "", pull=True, at=1, kind="review", state="CHANGES_REQUESTED", created_at=DONE),
    ],
    "closed by itself": lambda t: [closed(t.n, t.says, t.by, t.by)],
    "closed by a robot": lambda t: [closed(t.n, t.says, t.by, BOT)],
    "closed by a robot under a member's ordinary account": lambda t: [
        closed(t.n, t.says, t.by, Person("gears-ci-robot", "MEMBER")), said(t.n, t.by, "/close")
    ],
    "closed by a second account": lambda t: [closed(t.n, t.says, t.by, SOCK), said(t.n, SOCK, "Done, thanks")],
    "turned down": lambda t: [closed(t.n, t.says, t.by, ADA, state_reason="not_planned")],
    "closed as a duplicate": lambda t: [closed(t.n, t.says, t.by, ADA, state_reason="duplicate")],
    "closed with a label that turns it down": lambda t: [
        closed(t.n, t.says, t.by, ADA, labels=[{"name": "resolution: wontfix"}])
    ],
    "labelled a decision": lambda t: [thread(t.n, t.says, t.by, labels=[{"name": "decision"}])],
    "assigned to a member, as its form asks for": lambda t: [thread(t.n, t.says, t.by, assignees=[{"login": "ada"}])],
    "assigned to itself": lambda t: [thread(t.n, t.says, t.by, assignees=[{"login": t.by.login}])],
    "assigned to a second account": lambda t: [thread(t.n, t.says, t.by, assignees=[{"login": "sock"}])],
    "assigned to nobody known": lambda t: [thread(t.n, t.says, t.by, assignees=[{"login": "whoever"}])],
    "its own commit says that it fixes it": lambda t: [
        thread(t.n, t.says, t.by), commit(t.n + 1, f"Mend it, fixes #{t.n}", t.by)
    ],
    "a commit under a member's name says that it fixes it": lambda t: [
        thread(t.n, t.says, t.by), commit(t.n + 1, f"Mend it, fixes #{t.n}", ADA)
    ],
    "a row that does not tell its part": lambda t: [
        thread(t.n, t.says, t.by._replace(association="")), said(t.n, t.by, "Ping")
    ],
    "a pull request": lambda t: [unmerged(t.n, t.says, t.by)],
    "a pull request that was turned down": lambda t: [unmerged(t.n, t.says, t.by, state="closed", closed_at=DONE)],
    "a pull request that a member is assigned to": lambda t: [
        unmerged(t.n, t.says, t.by, assignees=[{"login": "ada"}])
    ],
    "in the body of a merged typo fix": lambda t: squashed(t, "Mend a typo", body=t.says, subject="Mend a typo"),
    "in the body of one whose commit is not known": lambda t: [merged(t.n, "Mend a typo", t.by, body=t.says)],
    "a title given after the merge": lambda t: squashed(t, t.says, body="", subject="Mend a typo"),
    "a body that went on after the merge": lambda t: squashed(
        t, "Mend a typo", body=f"It was wrong.\n\n{t.says}", subject="Mend a typo", message="It was wrong."
    ),
    "merged by itself": lambda t: [merged(t.n, t.says, t.by, who=t.by)],
    "merged by a robot": lambda t: [merged(t.n, t.says, t.by, who=BOT)],
    "a merged typo fix that claims a revert": lambda t: squashed(
        t, f"Mend zq{t.n}", body=f"Reverts #{t.n + 3}.\n\n{t.says}", subject="Mend a typo"
    ),
    "a commit of its branch": lambda t: [
        merged(t.n, "Mend a typo", t.by, merge_commit_sha="f" * 40), commit(t.n, t.says, t.by),
    ],
    "a commit of its branch under a name of its own": lambda t: landed(t, t.says, "Eve Mallory"),
    "a commit of its branch under a member's name": lambda t: landed(t, t.says, "ada"),
    "a remark on an issue": lambda t: [thread(t.n, "Oil", ADA), said(t.n, t.by, f"We decided: {t.says}")],
    "a remark on a pull request": lambda t: [
        unmerged(t.n, "Oil", ADA), said(t.n, t.by, f"We decided: {t.says}", pull=True)
    ],
    "an approving review": lambda t: [
        unmerged(t.n, "Oil", ADA),
        said(t.n, t.by, f"We decided: {t.says}", pull=True, kind="review", state="APPROVED", submitted_at=DAY),
    ],
}  # fmt: skip
CHANGED: dict[str, tuple[Story, Story]] = {
    "an issue that was rewritten after a member closed it": (
        lambda t: [closed(t.n, "A typo", t.by, ADA)],
        lambda t: [closed(t.n, t.says, t.by, ADA, updated_at=AFTER)],
    ),
    "a pull request that got its title after the merge": (
        lambda t: [merged(t.n, "Mend a typo", t.by)],
        lambda t: [merged(t.n, t.says, t.by, updated_at=AFTER)],
    ),
}
TAKEN_UP: dict[str, Story] = {
    "closed as done by a member": lambda t: [closed(t.n, t.says, t.by, ADA)],
    "fixed by a member": lambda t: [thread(t.n, t.says, t.by), typo_fix(t, ADA)],
    "merged by a member": lambda t: squashed(t, t.says, body="", subject=t.says),
    "merged, with a message that says it": lambda t: squashed(
        t, "Oil", body=t.says, subject="Oil", message=f"{t.says}\n\nSigned-off-by: ada"
    ),
    "merged by whoever merges": lambda t: [
        merged(t.n, t.says, t.by, who=Person("mel", "CONTRIBUTOR")), said(t.n, Person("mel", "CONTRIBUTOR"), "Thanks")
    ],
    "merged by a robot that a member's review sent": lambda t: [
        merged(t.n, t.says, t.by, who=BOT),
        said(t.n, ADA, "", pull=True, kind="review", state="APPROVED", submitted_at=DAY),
    ],
}  # fmt: skip

ATTACKS = [Told(Person(f"eve{k}", OUT[k % len(OUT)]), 100 + SIZE * k) for k in range(len(STORIES) + len(CHANGED))]
MEMBERS = [Told(Person(f"mia{k}", "MEMBER"), 2000 + SIZE * k) for k in range(len(ATTACKS))]
UPTAKES = [Told(Person(f"una{k}", OUT[k % len(OUT)]), 4000 + SIZE * k) for k in range(len(TAKEN_UP))]
NAMES = [*STORIES, *CHANGED]


def read(brain: Brain, folder: Path, rows: Sequence[Row]) -> None:
    """Index an export that has *rows*."""
    for name, of in {"comments": "kind", "commits": "sha", "issues": "number"}.items():
        lines = [json.dumps(row) for row in rows if of in row]
        (folder / f"{name}.jsonl").write_text("\n".join(lines), "utf-8")
    index(brain, export_feeds(folder, "acme/gears"), source="acme/gears", location=str(folder), now=NOW)


def rows_of(*, later: bool) -> Iterator[tuple[Told, Row]]:
    """Every row of every story, and what was decided before each; what was changed since, too, where it is *later*."""
    stories = [*STORIES.values(), *(pair[later] for pair in CHANGED.values())]
    for told, story in zip((*ATTACKS, *MEMBERS, *UPTAKES), (*stories, *stories, *TAKEN_UP.values()), strict=True):
        kept = merged(
            told.n + 3, f"Use zt{told.n} grease for the gears because it holds", ADA, body=WHY, merged_at=EARLY,
            closed_at=EARLY,
        )  # fmt: skip
        hello = said(told.n + 3, ADA, "Hello", pull=True)
        yield from ((told, row) for row in (*story(told), kept, hello))


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """A project of all the stories, as it was and as it is now, each told of an outsider and of a member."""
    folder = tmp_path_factory.mktemp("outsiders")
    with open_new(folder / "brain.db") as brain:
        for later in (False, True):
            read(brain, folder, [row for _, row in rows_of(later=later)])
        yield brain


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """A project of what outsiders did, and of what was decided before."""
    folder = tmp_path_factory.mktemp("outside")
    with open_new(folder / "brain.db") as brain:
        read(brain, folder, [row for told, row in rows_of(later=True) if told in ATTACKS[: len(STORIES)]])
        yield brain


@pytest.fixture(scope="module")
def listed(brain: Brain) -> tuple[Stood, ...]:
    return decisions(brain, "", (), state="all", limit=2_000, scope=Scope(), at=NOW).decisions


def telling(told: Told, listed: Sequence[Stood]) -> list[Stood]:
    return [one for one in listed if f"zq{told.n} " in f"{one.statement} {one.excerpt} "]


def marks(brain: Brain, told: Told) -> set[bool]:
    """Whether what *told* decided is unverified, in each fact and passage of its own thread or commit that says so."""
    said = (f"%zq{told.n} %", f"%:{told.n}", f"%:{told.n}#%", "commit:%")
    where = "join records r on r.id = record_id where {} like ? and (r.ref like ? or r.ref like ? or r.ref like ?)"
    read = "select coalesce(r.vouched < end_ or r.vouched = 0, false) from passages p"
    passages = {bool(outside) for (outside,) in brain.db.execute(f"{read} {where.format('p.body')}", said)}
    found = [id_ for (id_,) in brain.db.execute(f"select f.id from facts f {where.format('excerpt')}", said)]  # noqa: S608
    outside = unverified_facts(brain, found)
    return passages | {id_ in outside for id_ in found}


@walk("told", ATTACKS, ids=NAMES)
def test_no_outsiders_decision_is_verified(brain: Brain, listed: tuple[Stood, ...], told: Told) -> None:
    assert [one.statement for one in telling(told, listed) if not one.unverified] == []
    found = facts(brain, words=f"zq{told.n}", scope=Scope(), at=NOW).facts
    assert [one.statement for one in found if not one.unverified and f"zq{told.n} " in one.statement] == []
    assert marks(brain, told) == {True}


@walk("told", MEMBERS, ids=NAMES)
def test_a_members_decision_told_alike_is_verified(brain: Brain, told: Told) -> None:
    assert marks(brain, told) == {False}


@walk("told", UPTAKES, ids=[*TAKEN_UP])
def test_what_somebody_with_rights_took_up_is_verified(brain: Brain, told: Told) -> None:
    assert marks(brain, told) == {False}


@walk("told", ATTACKS, ids=NAMES)
def test_no_outsider_replaces_or_takes_back_what_was_decided(
    brain: Brain, listed: tuple[Stood, ...], told: Told
) -> None:
    (kept,) = (one for one in listed if f"zt{told.n} grease" in one.statement and not one.unverified)
    assert (kept.state, kept.replaced_by) == ("active", "")
    claims = [one.statement for one in facts(brain, words=f"PR #{told.n + 3}", scope=Scope(), at=NOW).facts]
    assert [one for one in claims if " replaced " in one or " reverted " in one] == []


def test_what_rests_on_an_outsiders_word_alone_is_weak_and_says_so(outside: Brain) -> None:
    rest = Counter[str]()
    for told in ATTACKS:
        answer = ask(outside, f"Which oil did we decide to use for the gears, zq{told.n}?", scope=Scope(), now=NOW)
        leads = answer.statements[0].citations if answer.statements else ()
        alone = bool(leads) and all(one.record.unverified for one in answer.citations if one.handle in leads)
        assert (answer.evidence == "weak", UNVERIFIED in render_answer.answer(answer)) == (alone, alone)
        assert not any(re.search("(?i)supersed|replac|revert", one.text) for one in answer.statements if alone)
        rest[answer.evidence] += 1
    assert rest["weak"] > len(ATTACKS) / 3, rest


def test_every_surface_says_the_same(brain: Brain, listed: tuple[Stood, ...]) -> None:
    told = {one.handle: one.unverified for one in facts(brain, limit=9_000, scope=Scope(), at=NOW).facts}
    assert [one for one in listed if told[one.handle] != one.unverified] == []
    found = brief(brain, "Decision: which oil for the gears?", (), budget=4_000, scope=Scope(), now=NOW)
    assert [one for one in found.items if told.get(one.handle, one.unverified) != one.unverified] == []


def test_a_session_starts_with_no_outsiders_word(outside: Brain) -> None:
    said = tell("session-start", outside.path, {"cwd": str(outside.path.parent)}, now=NOW)
    assert said.count(" grease for the gears because it holds. ") == RECENT
    assert "zq" not in said


def test_a_second_run_changes_no_mark(brain: Brain, tmp_path: Path) -> None:
    marks = "select ref, vouched from records order by ref"
    before = [*brain.db.execute(marks)]
    read(brain, tmp_path, [*(row for _, row in rows_of(later=True)), thread(10, "Another", ADA)])
    assert [one for one in brain.db.execute(marks) if one[0] != "issue:10"] == before
