"""A document that was moved or renamed is found under its old names, on real repositories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.compactor.run import compact
from cortex.errors import UnknownHandle
from cortex.indexers.feeds import project_feeds
from cortex.indexers.run import IndexReport, index
from cortex.substrate.brain import Brain
from cortex.substrate.browse import history
from cortex.substrate.lookup import ArchivedFact, ShownFact, ShownPassage, ShownRecord, show
from cortex.substrate.model import Scope
from tests.brains import LATER, NOW, dump, open_new
from tests.trees import git, write

SETUP = """# Setup

The runner must be started before the board.

## Ports

The board listens on port 4080 by default; it must not be 8080.

## Logs

Logs must be kept for 30 days.
"""


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_new(tmp_path / "brain.db") as opened:
        yield opened


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init")
    write(root, {"docs/setup.md": SETUP, "README.md": "# Project\n\nIt is a board for agents.\n"})
    commit(root, "Begin")
    return root


def commit(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-m", message)


def run(brain: Brain, root: Path) -> IndexReport:
    return index(brain, project_feeds(root, "demo"), source="demo", now=NOW)


def shown(brain: Brain, name: str) -> object:
    return show(brain, name, scope=Scope())


def handles(brain: Brain, path: str) -> dict[str, str]:
    """Statements by their handles, of the facts of a file that stands."""
    asked = """
        select f.handle, f.statement from facts f join records r on r.id = f.record_id
        where r.path = ? and r.type = 'doc' and r.gone_at is null
    """
    return dict(brain.db.execute(asked, (path,)).fetchall())


def test_a_renamed_document_is_shown_by_its_old_ref(brain: Brain, repository: Path) -> None:
    run(brain, repository)
    git(repository, "mv", "docs/setup.md", "docs/install.md")
    commit(repository, "Rename")
    run(brain, repository)
    found = shown(brain, "doc:docs/setup.md#ports")
    assert isinstance(found, ShownRecord)
    assert (found.record.ref, found.gone_at) == ("doc:docs/install.md#ports", None)
    assert [link.ref for link in found.linked_from if link.relation == "moved_to"] == ["doc:docs/setup.md#ports"]
    passage = shown(brain, "doc:docs/setup.md#ports@0-8")
    assert isinstance(passage, ShownPassage)
    assert passage.record.path == "docs/install.md"


@pytest.mark.parametrize("compacted", [False, True], ids=["at once", "after a compaction"])
def test_a_citation_of_a_renamed_document_still_resolves(brain: Brain, repository: Path, *, compacted: bool) -> None:
    run(brain, repository)
    before = handles(brain, "docs/setup.md")
    assert len(before) >= 3
    git(repository, "mv", "docs/setup.md", "docs/install.md")
    run(brain, repository)
    if compacted:
        compact(brain, now=LATER)
        gone = "select 1 from facts f join records r on r.id = record_id where gone_at is not null"
        assert not brain.db.execute(gone).fetchall()
    after = handles(brain, "docs/install.md")
    for handle, statement in before.items():
        found = shown(brain, handle)
        assert isinstance(found, ShownFact)
        assert found.fact.handle in after
        assert (found.fact.statement, found.record.path) == (statement, "docs/install.md")


def test_a_fact_of_a_document_that_moved_twice_has_one_history_under_all_its_names(
    brain: Brain, repository: Path
) -> None:
    statement = "Setup › Logs: Logs must be kept for 30 days."
    names = []
    for old, new in [("", "setup"), ("setup", "one"), ("one", "two")]:
        if old:
            git(repository, "mv", f"docs/{old}.md", f"docs/{new}.md")
        run(brain, repository)
        names += [handle for handle, said in handles(brain, f"docs/{new}.md").items() if said == statement]
    compact(brain, now=LATER)
    assert len({*names}) == 3
    for name in names:
        told = [(one.what, one.handle, one.ref) for one in history(brain, name, scope=Scope(), at=LATER).events]
        assert ("moved", names[0], "doc:docs/one.md#logs") in told
        assert ("moved", names[1], "doc:docs/two.md#logs") in told
        assert {handle for what, handle, _ in told if what == "taken out"} == {names[0], names[1]}
    with pytest.raises(UnknownHandle):
        history(brain, names[0], scope=Scope(sources=()), at=LATER)


def test_a_document_that_was_edited_while_it_moved_is_found_by_its_headings(brain: Brain, repository: Path) -> None:
    run(brain, repository)
    (repository / "docs/setup.md").unlink()
    write(repository, {"guide/setup.md": SETUP.replace("30 days", "90 days, or until the disk is full")})
    run(brain, repository)
    found = shown(brain, "doc:docs/setup.md#logs")
    assert isinstance(found, ShownRecord)
    assert found.record.ref == "doc:guide/setup.md#logs"


def test_a_document_that_moves_twice_and_back_is_where_it_is(brain: Brain, repository: Path) -> None:
    run(brain, repository)
    for old, new in [("setup", "one"), ("one", "two")]:
        git(repository, "mv", f"docs/{old}.md", f"docs/{new}.md")
        run(brain, repository)
    for name in ("setup", "one", "two"):
        found = shown(brain, f"doc:docs/{name}.md#ports")
        assert isinstance(found, ShownRecord)
        assert found.record.path == "docs/two.md"
    git(repository, "mv", "docs/two.md", "docs/setup.md")
    run(brain, repository)
    for name in ("setup", "one", "two"):
        found = shown(brain, f"doc:docs/{name}.md#ports")
        assert isinstance(found, ShownRecord)
        assert found.record.path == "docs/setup.md"


def test_a_document_that_was_deleted_is_gone_and_nowhere_else(brain: Brain, repository: Path) -> None:
    run(brain, repository)
    (repository / "docs/setup.md").unlink()
    write(repository, {"docs/other.md": "# Other\n\n## Ports\n\nNothing of the kind.\n"})
    run(brain, repository)
    found = shown(brain, "doc:docs/setup.md#ports")
    assert isinstance(found, ShownRecord)
    assert found.gone_at is not None
    assert found.record.path == "docs/setup.md"
    compact(brain, now=LATER)
    assert brain.db.execute("select count(*) from facts_archive where job = 'orphans'").fetchone()[0] >= 3


def test_a_copy_is_no_move(brain: Brain, repository: Path) -> None:
    run(brain, repository)
    write(repository, {"docs/copy.md": SETUP})
    run(brain, repository)
    found = shown(brain, "doc:docs/setup.md#ports")
    assert isinstance(found, ShownRecord)
    assert found.record.path == "docs/setup.md"


def test_a_move_is_noted_once(brain: Brain, repository: Path) -> None:
    run(brain, repository)
    git(repository, "mv", "docs/setup.md", "docs/install.md")
    run(brain, repository)
    before = dump(brain)
    assert run(brain, repository).run is None
    assert dump(brain) == before


RULES = "# Rules\n\n- Never parse HTML with regular expressions.\n- Always oil the gears.\n"


def test_a_rule_below_a_new_one_is_found_by_its_old_handle(brain: Brain, repository: Path) -> None:
    write(repository, {"AGENTS.md": RULES, "CODEOWNERS": "/web/ @ada\n"})
    commit(repository, "Rules")
    run(brain, repository)
    asked = "select f.handle from facts f join records r on r.id = f.record_id where r.ref = ?"
    rules, owner = (
        brain.db.execute(asked, (ref,)).fetchone()[0] for ref in ("directive:AGENTS.md#1", "ownership:CODEOWNERS#1")
    )
    changed = RULES.replace("- Never", "- Say why in the commit.\n- Never").replace("oil", "grease")
    write(repository, {"AGENTS.md": changed, "CODEOWNERS": "/docs/ @bob\n/web/ @ada\n"})
    (oiled,) = brain.db.execute(asked, ("directive:AGENTS.md#2",)).fetchone()
    run(brain, repository)
    for handle, ref in ((rules, "directive:AGENTS.md#2"), (owner, "ownership:CODEOWNERS#2")):
        found = show(brain, handle, scope=Scope())
        assert isinstance(found, ShownFact)
        assert found.record.ref == ref
    assert isinstance(show(brain, oiled, scope=Scope()), ArchivedFact), "it says something else now"
