"""Who owns what, as the files of a project say it, and as facts and `owners_of` tell it."""

from __future__ import annotations

from pathlib import Path

from cortex.indexers.feeds import Feed, project_feeds
from cortex.indexers.run import IndexReport, index
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record
from cortex.substrate.owners import owners_of
from tests.brains import NOW, statements
from tests.trees import read_tree, write


def read(brain: Brain, root: Path, files: dict[str, str | bytes]) -> IndexReport:
    return index(brain, project_feeds(write(root, files), "demo"), source="demo", now=NOW)


def owners(brain: Brain, path: str) -> list[tuple[str, ...]]:
    (source_id,) = brain.db.execute("select id from sources").fetchone()
    return [one.who for one in owners_of(brain, path, sources=[source_id])]


def test_of_several_codeowners_the_one_that_github_takes_counts(brain: Brain, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        ".github/CODEOWNERS": "* @ada\n", "CODEOWNERS": "* @bob\n", "docs/CODEOWNERS": "* @eve\n"
    }  # fmt: skip
    report = read(brain, tmp_path / "project", files)
    assert owners(brain, "src/a.py") == [("ada",)]
    told = [(one.input, one.reason) for one in report.skipped]
    reason = ".github/CODEOWNERS counts instead"
    assert told == [("CODEOWNERS", reason), ("docs/CODEOWNERS", reason)]


def documents(brain: Brain) -> list[tuple[str, str]]:
    return brain.db.execute(
        "select ref, body from records where type = 'doc' and gone_at is null order by ref"
    ).fetchall()


def test_a_list_of_owners_is_read_again_as_a_document_with_its_file(brain: Brain, tmp_path: Path) -> None:
    root = tmp_path / "project"
    read(brain, root, {"CODEOWNERS": "* @ada\n", "README.md": "# Shop\n\nIt sells hats.\n"})
    assert documents(brain)[0] == ("doc:CODEOWNERS", "* @ada")
    read(brain, root, {"CODEOWNERS": "* @eve\n"})
    assert documents(brain)[0] == ("doc:CODEOWNERS", "* @eve")
    (root / "CODEOWNERS").unlink()
    read(brain, root, {})
    assert documents(brain) == [("doc:README.md", "# Shop\n\nIt sells hats.")]


def test_a_brain_without_the_document_has_it_at_the_next_index(brain: Brain, tmp_path: Path) -> None:
    root = write(tmp_path / "project", {"CODEOWNERS": "* @ada\n"})
    before = [item for item in read_tree(root, source="demo") if not isinstance(item, Record) or item.type != "doc"]
    index(brain, [Feed("tree", lambda _: iter(before))], source="demo", now=NOW)
    assert documents(brain) == []
    read(brain, root, {})
    assert documents(brain) == [("doc:CODEOWNERS", "* @ada")]


def test_no_fact_is_distilled_of_who_owns_what(brain: Brain, tmp_path: Path) -> None:
    table = "| Name | GitHub | Area |\n|---|---|---|\n| Ada | [@ada](https://github.com/ada) | engine |\n"
    files: dict[str, str | bytes] = {
        ".github/CODEOWNERS": "# Every change must be reviewed by two owners.\n\n* @ada\n",
        "pkg/OWNERS": "approvers:\n- nina\n",
        "MAINTAINERS.md": f"# Maintainers\n\n## Who\n\n{table}\n## How\n\nMaintainers must reply in 7 days.\n",
    }
    read(brain, tmp_path / "project", files)
    distilled = "select r.ref from facts f join records r on r.id = f.record_id where r.type = 'doc'"
    assert brain.db.execute(distilled).fetchall() == [("doc:MAINTAINERS.md#how",)]
    assert "engine is maintained by ada (MAINTAINERS.md line 7)" in statements(brain)


def test_a_secret_in_a_list_of_owners_is_in_none_of_its_records(brain: Brain, tmp_path: Path) -> None:
    token = "ghp_" + "q7Rk2VnX9sTb4LwZ8mYc3Jd6Hf1Gp5Aa0Eu2"
    read(brain, tmp_path / "project", {"CODEOWNERS": f"# {token}\n* @ada # {token}\n"})
    bodies = [body for (body,) in brain.db.execute("select body from records")]
    assert len(bodies) == 2
    assert not any(token in body for body in bodies)
