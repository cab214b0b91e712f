"""What a fixture, an example or a package inside a project says of itself is not what the project says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.composer.ask import ask
from cortex.indexers.connectors import Item, tree
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Scope
from tests.brains import index_records

FILES = {
    "README.md": "# Kestrel\n\nWatches birds.\n\n## Storage\n\nThe database that holds clips is PostgreSQL.",
    "docs/README.md": "# Guide\n\nWhere to begin.",
    "docs/cameras.md": "# Cameras\n\n## Exposure\n\nThe exposure is measured every minute.",
    "testdata/shop/README.md": "# Shopfront\n\nSells hats.\n\n## Refunds\n\nA refund is paid within nine days.",
    "testdata/shop/docs/adr/0001-oracle.md": "# Oracle\n\n## Decision\n\nWe use Oracle as the database of the shop.",
    "tests/fixtures/plain/AGENTS.md": "# Agents\n\n- Never use tabs.",
    "station/README.md": "# Station\n\nWhere it runs.",
    "station/power.md": "# Power\n\nThe station runs on two batteries by night.",
    "station/AGENTS.md": "# Rules\n\n- Never unplug the heater.",
    "packages/lens/README.md": "# Lens\n\n## Calibration\n\nCalibration of a lens reads a checkerboard.",
}  # fmt: skip


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    folder = tmp_path_factory.mktemp("nested")
    _write(folder / "tree", FILES)
    with open_brain(folder / "brain.db") as opened:
        index_records(opened, *_read(folder / "tree"))
        yield opened


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


def _read(root: Path) -> list[Item]:
    return [item for item in tree.read(root, source="demo") if hasattr(item, "ref")]


def _asked(brain: Brain, question: str) -> Answer:
    return ask(brain, question, scope=Scope())


def test_the_projects_own_document_is_first_where_a_fixture_decided_otherwise(brain: Brain) -> None:
    assert "PostgreSQL" in _asked(brain, "Which database do we use?").answer.splitlines()[0]


def test_a_fixtures_rule_alone_is_no_strong_evidence(brain: Brain) -> None:
    answer = _asked(brain, "May I use tabs?")
    assert answer.evidence == "moderate"
    assert "tests/fixtures/plain/AGENTS.md" in answer.answer


def test_a_statement_of_a_nested_project_says_where_it_stands(brain: Brain) -> None:
    assert "in testdata/shop/README.md" in _asked(brain, "When is a refund paid?").answer.splitlines()[0]


@pytest.mark.parametrize("question", ["Which database does the shop use?", "Which database does Shopfront use?"])
def test_what_is_named_by_its_folder_or_title_answers_for_itself(brain: Brain, question: str) -> None:
    assert "Oracle" in _asked(brain, question).answer.splitlines()[0]


def test_a_packages_readme_answers_what_only_it_tells(brain: Brain) -> None:
    assert "checkerboard" in _asked(brain, "What does calibration read?").answer.splitlines()[0]
    assert _asked(brain, "What does the calibration of a lens read?").evidence == "strong"


def test_a_folder_of_documents_with_a_readme_is_no_project_inside_its_own(brain: Brain) -> None:
    assert _asked(brain, "How often is the exposure measured?").answer.startswith("Cameras › Exposure:")


def test_a_folder_with_a_readme_is_a_part_of_the_project_unless_its_name_sets_it_apart(brain: Brain) -> None:
    answer = _asked(brain, "May I unplug the heater?")
    assert answer.citations[0].record.type == "directive"
    assert ", in station/" not in answer.answer
    assert ", in station/" not in _asked(brain, "What runs on two batteries by night?").answer


def test_without_a_root_of_its_own_a_tree_has_nothing_inside_it(tmp_path: Path) -> None:
    _write(tmp_path / "tree", {name: text for name, text in FILES.items() if "/" in name and "docs/R" not in name})
    with open_brain(tmp_path / "brain.db") as brain:
        index_records(brain, *_read(tmp_path / "tree"))
        assert _asked(brain, "May I use tabs?").evidence == "strong"
