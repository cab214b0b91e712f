from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.connectors import ownership
from cortex.indexers.connectors.pages import page
from cortex.substrate.model import Record, storable
from tests.tables import walk
from tests.trees import records, write


def read(text: str, path: str) -> list[Record]:
    return [item for item in ownership.read(page(path, text), source="demo") if isinstance(item, Record)]


def owners(text: str, path: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(record.title, record.assignees) for record in read(text, path)]


CODEOWNERS = """\
# This file is read by the forge.
# The last match wins.

* @ada

# UI
/src/ui/ @org/ui bob@example.org # until spring
/src/My\\ Files/ @ui
# /old/ @nobody
/docs/

### Parser ###
*.peg @ada @ada
"""


def test_every_line_of_codeowners_that_names_a_path_is_a_record() -> None:
    assert [(r.ref.partition("#")[2], r.title, r.assignees) for r in read(CODEOWNERS, ".github/CODEOWNERS")] == [
        ("4", "CODEOWNERS › *", ("ada",)),
        ("7", "CODEOWNERS › UI › /src/ui/", ("org/ui", "bob@example.org")),
        ("8", "CODEOWNERS › UI › /src/My Files/", ("ui",)),
        ("10", "CODEOWNERS › /docs/", ()),
        ("13", "CODEOWNERS › Parser › *.peg", ("ada",)),
    ]


def test_a_record_is_its_line_as_it_stands() -> None:
    record = read(CODEOWNERS, ".github/CODEOWNERS")[1]
    assert (record.type, record.ref) == ("ownership", "ownership:.github/CODEOWNERS#7")
    assert record.body == "/src/ui/ @org/ui bob@example.org # until spring"
    assert (record.path, record.lines) == (".github/CODEOWNERS", (7, 7))


def test_a_section_of_gitlab_names_its_lines_and_their_default_owners() -> None:
    text = "[Docs][2] @writers\n*.md\n*.rst @ada\n\n^[Optional]\nx.txt @bob\n"
    assert owners(text, ".gitlab/CODEOWNERS") == [
        ("CODEOWNERS › Docs › *.md", ("writers",)),
        ("CODEOWNERS › Docs › *.rst", ("ada",)),
        ("CODEOWNERS › Optional › x.txt", ("bob",)),
    ]


@walk("comment", ["owners", "Owners:", "CODEOWNERS", "Code owners", "code-owners file", "Maintainers"])
def test_a_comment_that_could_stand_above_any_block_names_no_section(comment: str) -> None:
    assert owners(f"# {comment}\n/src/ @ada\n", "CODEOWNERS") == [("CODEOWNERS › /src/", ("ada",))]


@pytest.mark.parametrize("comment", ["Parser owners", "Docs"])
def test_a_comment_that_says_whose_block_it_is_names_a_section(comment: str) -> None:
    assert owners(f"# {comment}\n/src/ @ada\n", "CODEOWNERS") == [(f"CODEOWNERS › {comment} › /src/", ("ada",))]


KUBERNETES = """\
# See the OWNERS docs
options:
  no_parent_owners: true
filters:
  ".*":
    approvers:
      - ada # since 2020
      - "org/leads"
  "\\\\.go$":
    labels:
      - go
    reviewers: [bob, "cy"]
approvers:
- ada
emeritus_approvers:
- dee # 2020-01-01
labels:
- sig/x
"""


def test_owners_in_yaml_are_read_line_by_line() -> None:
    assert [(r.ref.partition("#")[2], r.title, r.assignees, r.state) for r in read(KUBERNETES, "pkg/api/OWNERS")] == [
        ("7", "OWNERS › pkg/api/ › approvers", ("ada",), ""),
        ("8", "OWNERS › pkg/api/ › approvers", ("org/leads",), ""),
        ("12", "OWNERS › pkg/api/ › reviewers", ("bob", "cy"), ""),
        ("14", "OWNERS › pkg/api/ › approvers", ("ada",), ""),
        ("16", "OWNERS › pkg/api/ › emeritus_approvers", (), "emeritus"),
    ]


def test_owners_in_plain_lines_are_read_too() -> None:
    text = "# Team\nset noparent\nfile://other/OWNERS\n\nada@example.org\nbob\nper-file *.gn=cy@example.org, dee\n*\n"
    assert owners(text, "OWNERS") == [
        ("OWNERS › /", ("ada@example.org",)),
        ("OWNERS › /", ("bob",)),
        ("OWNERS › / › *.gn", ("cy@example.org", "dee")),
    ]


MAINTAINERS = """\
# Maintainers

## Who

Ask these people:

| Name | GitHub | Area |
|------|--------|------|
| Ada Lovelace | [@ada](https://github.com/ada) | engine |

- Bob (@bob, @org/ui): the interface
- [Cy](https://github.com/cy)
- Dee Dee <dee@example.org>

They answer within a week.

## How to become one

Send patches.
"""


def test_maintainers_are_the_items_rows_and_paragraphs_that_name_somebody() -> None:
    found = read(MAINTAINERS, "MAINTAINERS.md")
    assert [(r.ref, r.title, r.assignees) for r in found] == [
        ("ownership:MAINTAINERS.md#9", "MAINTAINERS › engine", ("ada",)),
        ("ownership:MAINTAINERS.md#11", "MAINTAINERS › the interface", ("bob", "org/ui")),
        ("ownership:MAINTAINERS.md#12", "MAINTAINERS", ("cy",)),
        ("ownership:MAINTAINERS.md#13", "MAINTAINERS", ("Dee Dee",)),
        ("ownership:MAINTAINERS.md#15", "MAINTAINERS › Who", ()),
    ]


@walk(
    ("text", "owned"),
    [
        ("| Name | GitHub | Area |\n|---|---|---|\n| Bea | @bea | parser |\n", [("parser", "bea")]),
        ("| Package | Maintainer | Status |\n|---|:-:|---|\n| `core/db` | @bea | active |\n", [("core/db", "bea")]),
        (
            "| Maintainer | GitHub ID | Affiliation |\n|---|---|---|\n| Bea | @bea | [Acme](https://a.org) |\n",
            [("", "bea")],
        ),
        ("- Carol (@carol): the parser\n- **Docs**: @dan\n", [("the parser", "carol"), ("Docs", "dan")]),
        ("- Fay (@fay) – release manager\n- @gus\n", [("", "fay"), ("", "gus")]),
        ("## Current maintainers\n\n- @gus\n\n## Parser\n\n- @hal\n", [("", "gus"), ("Parser", "hal")]),
        ("- Storage:\n  - @lee\n- Maintainers:\n  - @mo\n", [("Storage", "lee"), ("", "mo")]),
    ],
    ids=["table", "area first", "no area", "item", "role", "heading", "nested"],
)
def test_what_somebody_maintains_is_told(text: str, owned: list[tuple[str, str]]) -> None:
    expected = [(" › ".join(filter(None, ("MAINTAINERS", area))), (who,)) for area, who in owned]
    assert owners(f"# Maintainers\n\n{text}", "MAINTAINERS.md") == expected


@walk(
    "text",
    [
        "## Emeritus\n\n- Old Guy (@old): the parser\n",
        "## Alumni\n\n### 2019\n\n| Name | Area |\n|---|---|\n| @old | parser |\n",
        "- @old (retired)\n",
        "- Former maintainers:\n  - @old\n",
    ],
    ids=["section", "section above", "item", "list"],
)
def test_who_maintained_something_once_owns_it_no_more(text: str) -> None:
    (record,) = read(f"# Maintainers\n\n{text}", "MAINTAINERS.md")
    assert (record.assignees, record.state) == ((), "emeritus")
    assert "old" in record.body


def test_who_is_listed_below_a_line_of_former_maintainers_is_none() -> None:
    (_, old) = read("Engine\n------\nAda <ada@a.org>\n\nEmeritus:\nBob <bob@a.org>\n", "MAINTAINERS")
    assert (old.title, old.assignees, old.state) == ("MAINTAINERS › Emeritus", (), "emeritus")


def test_maintainers_in_plain_lines_are_read_with_the_heading_above() -> None:
    text = "Engine\n------\nAda Lovelace <ada@example.org> (@ada)\n\n# Interface:\n  Bob <bob@example.org>\n"
    assert owners(text, "MAINTAINERS") == [("MAINTAINERS › Engine", ("ada",)), ("MAINTAINERS › Interface", ("Bob",))]


def test_an_address_to_write_to_names_no_maintainer() -> None:
    help_ = "If a review takes longer than a week, please write to us at help@example.org."
    text = f"# Maintainers\n\n- Ada (@ada)\n\n## Help\n\n{help_}\n"
    assert [record.assignees for record in read(text, "MAINTAINERS.md")] == [("ada",)]


@walk(
    ("path", "claimed"),
    [
        ("CODEOWNERS", True),
        (".github/CODEOWNERS", True),
        ("docs/CODEOWNERS", True),
        (".gitlab/CODEOWNERS", True),
        ("testdata/CODEOWNERS", False),
        ("a/b/OWNERS", True),
        ("a/MAINTAINERS.txt", True),
        ("OWNERSHIP.md", False),
    ],
)
def test_an_ownership_file_is_known_by_where_it_stands(path: str, claimed: bool) -> None:  # noqa: FBT001
    assert ownership.claims(path) is claimed


def test_line_ends_of_other_systems_are_none_of_the_line(tmp_path: Path) -> None:
    write(tmp_path, {"CODEOWNERS": "# UI\r\n/a @ada\r\n", "OWNERS": "approvers:\r\n- ada\r\n"})
    owned = [record for record in records(tmp_path) if record.type == "ownership"]
    assert [(r.body, r.assignees) for r in owned] == [("/a @ada", ("ada",)), ("- ada", ("ada",))]


def whole(text: str, path: str) -> list[Record]:
    return [item for item in ownership.read_whole(page(path, text), source="demo") if isinstance(item, Record)]


@walk("path", [".github/CODEOWNERS", "pkg/OWNERS", "MAINTAINERS", "MAINTAINERS.rst"])
def test_a_list_of_owners_is_one_document_with_its_lines_as_they_are(path: str) -> None:
    (record,) = whole(CODEOWNERS, path)
    assert (record.type, record.ref, record.title, record.path) == ("doc", f"doc:{path}", path, path)
    assert (record.body, record.lines) == (CODEOWNERS.rstrip(), (1, 13))


def test_a_large_list_of_owners_is_cut_below_blank_lines() -> None:
    text = "".join(f"# Part {number}\n/src/{number}/ @ada\n\n" for number in range(400))
    parts = whole(text, "CODEOWNERS")
    assert [part.ref for part in parts] == ["doc:CODEOWNERS", "doc:CODEOWNERS#~2"]
    assert all(part.body.startswith("# Part") and len(part.body) <= 6_000 for part in parts)
    assert "\n\n".join(part.body for part in parts) == text.rstrip()


def test_maintainers_in_markdown_are_a_document_a_section() -> None:
    assert [record.ref for record in whole(MAINTAINERS, "MAINTAINERS.md")] == [
        "doc:MAINTAINERS.md#who",
        "doc:MAINTAINERS.md#how-to-become-one",
    ]


LINES = st.sampled_from(
    [
        "# UI",
        "* @ada",
        "[S] @x",
        "a:",
        "  - b",
        "- c: d",
        "approvers: [a",
        "M:\tAda <a@b.c>",
        "per-file x = y",
        "",
        "@",
        "<a@b.c>",
        "\t",
    ]
)


@given(
    st.one_of(st.text(), st.lists(LINES, max_size=20).map("\n".join)),
    st.sampled_from(["CODEOWNERS", "OWNERS", "MAINTAINERS", "MAINTAINERS.md", "MAINTAINERS.rst"]),
)
def test_whatever_the_text_every_owner_stands_at_its_lines(text: str, path: str) -> None:
    found = page(path, storable(text))
    refs = set()
    for record in ownership.read(found, source="demo"):
        assert isinstance(record, Record)
        assert record.lines is not None
        first, last = record.lines
        assert record.body in found.text[found.starts[first - 1] : found.starts[last]]
        assert record.body.strip()
        refs.add(record.ref)
    assert len(refs) == len(read(found.text, path))
