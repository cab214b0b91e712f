"""A license file says which license it is; its terms are not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex.composer.pipeline import ask
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, open_new
from tests.trees import read_tree

APACHE = """
                                 Apache License
                           Version 2.0, January 2004
                        http://www.apache.org/licenses/

   TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION

   1. Definitions. A contributor may use tabs.
"""


def _records(root: Path, *types: str) -> list[Record]:
    found = [item for item in read_tree(root, source="demo") if isinstance(item, Record)]
    return [item for item in found if item.type in (types or ("doc",))]


@pytest.mark.parametrize("name", ["LICENSE", "LICENCE.md", "COPYING", "license.txt", "LICENSE-MIT", "web/LICENSE"])
def test_a_license_file_is_one_document_of_the_lines_that_name_it(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(APACHE, "utf-8")
    (one,) = _records(tmp_path)
    assert (one.ref, one.type, one.title) == (f"doc:{name}", "doc", "License of " + ("web" if "/" in name else "demo"))
    assert one.body.split() == "Apache License Version 2.0, January 2004 http://www.apache.org/licenses/".split()


@pytest.mark.parametrize("above", ["Copyright (c) 2020 Ada", "# License", "(c) 2020 Ada\n\nAll rights reserved."])
def test_what_stands_above_the_name_of_a_license_does_not_hide_it(tmp_path: Path, above: str) -> None:
    (tmp_path / "LICENSE.md").write_text(f"{above}\n\nBSD 3-Clause License\n\nRedistribution is allowed.", "utf-8")
    (one,) = _records(tmp_path)
    assert one.body == f"{above}\n\nBSD 3-Clause License"


@pytest.mark.parametrize(
    "name", ["license.py", "Licensee.txt", "relicense.txt", "LICENSE_HEADER.txt", "LICENSE-third-party"]
)
def test_what_is_only_called_like_a_license_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(APACHE, "utf-8")
    assert _records(tmp_path) == []


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Which license is it under?", "License: Apache-2.0 (LICENSE line 2) [CITATION:project:LICENSE#license@"),
        ("What licence is the demo under?", "“Apache License Version 2.0, January 2004"),
    ],
    ids=["it", "by name"],
)
def test_the_projects_license_answers_before_that_of_an_example(tmp_path: Path, question: str, lead: str) -> None:
    example = "# Todo\n\nKeeps items.\n\n## Licence\n\nTodo is under the Mozilla Public License 2.0."
    files = {"README.md": "# Kestrel\n\nKestrel watches birds.", "LICENSE": APACHE, "examples/todo/README.md": example}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, *_records(tmp_path, "doc", "project"))
        answer = ask(brain, question, scope=Scope())
        assert answer.citations[0].record.path == "LICENSE"
        assert answer.answer.startswith(lead)


def test_a_document_about_licenses_is_read_whole(tmp_path: Path) -> None:
    about = "# Seat licences\n\nA seat costs 40 €.\n\n## Grace period\n\nAn expired seat works for 14 more days."
    (tmp_path / "licence.md").write_text(about, "utf-8")
    records = _records(tmp_path)
    assert [one.ref for one in records] == ["doc:licence.md", "doc:licence.md#grace-period"]
    assert all("License of" not in one.title for one in records)
