from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cortex.indexers.connectors import documents
from cortex.indexers.connectors.outline import document
from cortex.indexers.connectors.pages import LINE_END, page
from cortex.substrate.model import Record, Skipped, storable
from tests.tables import walk
from tests.trees import records, skipped, write


def read(text: str, path: str = "a.md") -> list[Record]:
    return [item for item in documents.read(page(path, text), source="demo") if isinstance(item, Record)]


def refs(text: str, path: str = "a.md") -> list[str]:
    return [record.ref.partition("#")[2] for record in read(text, path)]


def titles(text: str, path: str = "a.md") -> list[str]:
    return [record.title for record in read(text, path)]


GUIDE = """\
[![build](badge.svg)](ci)

# The *guide*

Welcome.

## Set-up

### Ports & `hosts`

Use 8080.

Alternative
-----------

None.

## Set-up

Again.
"""


def test_every_section_is_a_record_with_its_headings_anchor_and_lines() -> None:
    assert [(r.ref, r.title, r.lines) for r in read(GUIDE)] == [
        ("doc:a.md", "The guide", (1, 5)),
        ("doc:a.md#set-up/ports--hosts", "The guide › Set-up › Ports & hosts", (9, 11)),
        ("doc:a.md#alternative", "The guide › Alternative", (13, 16)),
        ("doc:a.md#set-up-1", "The guide › Set-up", (18, 20)),
    ]
    assert read(GUIDE)[1].body == "### Ports & `hosts`\n\nUse 8080."


CHANGES = "# Changes\n\n## 1.1\n\n### Added\n\n- b\n\n## 1.0\n\n### Added\n\n- a\n"


@walk("title", ["# Changes\n\n", "", "Changes\n=======\n\n"], ids=["titled", "untitled", "setext"])
def test_a_release_added_on_top_of_a_changelog_keeps_the_references_below(title: str) -> None:
    before = title + CHANGES.removeprefix("# Changes\n\n")
    after = title + "## 1.2\n\n### Added\n\n- c\n\n" + CHANGES.removeprefix("# Changes\n\n")
    assert refs(after) == ["12/added", *refs(before)]
    assert refs("## 1.0\n\n### Added\n\n- a\n") == ["10/added"]


def test_a_release_that_names_its_package_is_no_title_of_a_changelog_of_several() -> None:
    head = "kiln 1.1 (2024-02-01)\n=====================\n\n- b\n\n"
    text = f"{head}kiln 1.0 (2024-01-01)\n=====================\n\n- a\n"
    assert [one.title for one in read(text, "CHANGELOG.rst")] == [
        f"CHANGELOG › kiln {one}" for one in ("1.1 (2024-02-01)", "1.0 (2024-01-01)")
    ]
    assert [one.title for one in read(text.partition("kiln 1.0")[0], "CHANGELOG.rst")] == ["kiln 1.1 (2024-02-01)"]


@walk(
    ("heading", "text", "anchor"),
    [
        ("GET /users/{id}", "GET /users/{id}", "get-usersid"),
        ("Ports {#my-ports}", "Ports", "my-ports"),
        ("Ports {: .wide}", "Ports", "ports"),
        ("[0.5.0] - 2024-05-06", "[0.5.0] - 2024-05-06", "050---2024-05-06"),
        (
            "A [link](x.md#y) `code` **bold** <b>tag</b> &amp; more",
            "A link code bold tag & more",
            "a-link-code-bold-tag--more",
        ),
        ("Größe & Maß", "Größe & Maß", "größe--maß"),
        ("snake_case_name", "snake_case_name", "snake_case_name"),
        ("🚀", "🚀", "section"),
        ("Closed ##", "Closed", "closed"),
        ("![Logo](logo.svg)", "Logo", "logo"),
    ],
)
def test_a_heading_reads_without_its_markup(heading: str, text: str, anchor: str) -> None:
    (record,) = read(f"# T\n\n## {heading}\n\nText.\n")
    assert (record.title, record.ref) == (f"T › {text}", f"doc:a.md#{anchor}")


def test_a_heading_named_like_a_counted_duplicate_gets_a_number_of_its_own() -> None:
    text = "# T\n" + "".join(f"\n## {name}\n\nText.\n" for name in ("A", "A-1", "A", "A", "A-1"))
    assert refs(text) == ["a", "a-1", "a-2", "a-3", "a-1-1"]


@walk(
    ("text", "path", "expected"),
    [
        ("---\ntitle: Named\n---\n\nText.\n\n## B\n\nText.\n", "a.md", ["Named", "Named › B"]),
        ("---\ntitle: Named\n---\n# Own\n\nText.\n\n## B\n\nText.\n", "a.md", ["Own", "Own › B"]),
        ("---\ntitle: Named\n---\n# A\n\nText.\n\n# B\n\nText.\n", "a.md", ["Named › A", "Named › B"]),
        ("# Own\n\nText.\n\n# B\n\nText.\n", "a.md", ["Own", "Own › B"]),
        ("## Own\n\nText.\n\n### B\n\nText.\n", "a.md", ["Own", "Own › B"]),
        ("Text.\n\n## B\n\nText.\n", "a.md", ["a", "a › B"]),
        ("## A\n\nText.\n\n## B\n\nText.\n", "docs/set-up.md", ["set-up › A", "set-up › B"]),
        ("Text.\n", "docs/ports/index.md", ["ports"]),
        ("Text.\n", "README", ["README"]),
        ("# 1.0.0\n\nText.\n", "CHANGES.md", ["CHANGES › 1.0.0"]),
        ("# [Unreleased]\n\nText.\n", "CHANGES.md", ["CHANGES › [Unreleased]"]),
        ("#\n\nText.\n", "a.md", ["a"]),
    ],
    ids=[
        "front matter",
        "own",
        "several",
        "first",
        "second level",
        "after text",
        "file",
        "index",
        "bare",
        "release",
        "next",
        "empty",
    ],
)
def test_a_document_has_a_title(text: str, path: str, expected: list[str]) -> None:
    assert titles(text, path) == expected


@walk(
    "block",
    [
        "```sh\n# not a heading\n```",
        "<!--\n# not a heading\n-->",
        "> # not a heading",
        "- item\n\n  # not a heading",
        "    # no",
    ],
    ids=["fence", "comment", "quote", "item", "indented"],
)
def test_what_only_looks_like_a_heading_is_text(block: str) -> None:
    (record,) = read(f"# T\n\nText.\n\n{block}\n\nMore.\n")
    assert record.body.endswith(f"{block}\n\nMore.")


def test_sections_with_nothing_but_comments_are_left_out_and_stay_in_the_path() -> None:
    assert refs("# T\n\n## A\n\n<!-- to do\n\nlater -->\n\n### B\n\nText.\n") == ["a/b"]


def test_headings_of_every_level_and_skipped_levels_nest() -> None:
    text = "# 1\n\n### 3\n\nText.\n\n###### 6\n\nText.\n\n##### 5\n\nText.\n\n## 2\n\nText.\n"
    assert refs(text) == ["3", "3/6", "3/5", "2"]


@walk(
    ("front", "created", "updated"),
    [
        ("---\ndate: 2024-05-06\n---\n", 6, 6),
        ("---\ndate: 2024-05-06\nupdated: 2024-05-07T10:00:00+02:00\n---\n", 6, 7),
        ("---\ndate: '2024/05/06'\nlastmod: 7 May 2024\n---\n", 6, 7),
        ("+++\ndate = 2024-05-06\n+++\n", 6, 6),
        ("---\r\ndate: 2024-05-06\r\n---\r\n", 6, 6),
        ("---\ndate: soon\n---\n", None, None),
        ("---\ndate: 2024-13-45\n---\n", None, None),
        ("---\ndate: 2024-05-06 01:00:00 +0100\n---\n", 6, 6),
        ("---\ndate: {DATE}\n...\n", None, None),
        ("---\ndate: 9999-12-31T23:00:00-23:00\n---\n", None, None),
    ],
)
def test_front_matter_says_when(front: str, created: int | None, updated: int | None) -> None:
    (record,) = read(front + "Text.\n")
    assert (record.body, record.lines) == ("Text.", (len(front.splitlines()) + 1,) * 2)
    assert record.created_at == (created and datetime(2024, 5, created, tzinfo=UTC))
    assert (record.updated_at.day if record.updated_at else None) == updated


def test_front_matter_says_who() -> None:
    text = "---\nauthor:\n- ins: A. Lovelace\n  name: Ada Lovelace\n- Bob\n---\nText.\n"
    assert read(text)[0].author == "Ada Lovelace, Bob"


@pytest.mark.parametrize(
    ("front", "reason"),
    [
        ("---\ntitle: [open\n---\n", "front matter is not valid YAML"),
        ("---\ntitle: a: b\n---\n", "front matter is not valid YAML"),
        ("---\n{[1]: !!timestamp x}\n---\n", "front matter is not valid YAML"),
        ("---\n" + "[" * 50_000 + "\n---\n", "front matter has too many brackets"),
        ("---\n" + "[" * 1_000 + "\n---\n", "front matter is not valid YAML"),
        ("---\n" + "- " * 8_000 + "\n---\n", "front matter is not valid YAML"),
        ("+++\ntitle = \n+++\n", "front matter is not valid TOML"),
        ("---\ntitle: never closed\n", "front matter has no end"),
    ],
    ids=["open", "colon", "tag", "too deep", "deep", "deep list", "toml", "no end"],
)
def test_broken_front_matter_is_text_and_noted(tmp_path: Path, front: str, reason: str) -> None:
    write(tmp_path, {"a.md": front + "\n# T\n\nText.\n"})
    assert skipped(tmp_path) == {"a.md": reason}
    (record,) = (r for r in records(tmp_path) if "Text." in r.body)
    assert "".join(r.body for r in records(tmp_path)).startswith(front.splitlines()[0])
    assert record.lines is not None


@walk("text", ["---\n\nText.\n\n---\n", "---\n", "---\n---\nText.\n", "---\nonly words\n---\n"])
def test_rules_across_a_page_are_no_front_matter(text: str) -> None:
    found = [*documents.read(page("a.md", text), source="demo")]
    assert not any(isinstance(item, Skipped) for item in found)


PARAGRAPH = "Word " * 199 + "end.\n\n"


def test_a_long_section_comes_in_parts_cut_between_paragraphs() -> None:
    found = read("# T\n\nIntro.\n\n## A\n\n" + PARAGRAPH * 20)
    assert [r.ref for r in found] == ["doc:a.md", *(f"doc:a.md#a{part}" for part in ("", "~2", "~3", "~4"))]
    assert all(len(r.body) <= documents.LONG for r in found)
    assert all(r.body.endswith("end.") and r.title == "T › A" for r in found[1:])
    assert refs(PARAGRAPH * 7) == ["", "~2"]


def test_a_long_list_is_cut_between_its_items() -> None:
    found = read("# T\n\n" + "- " + "- ".join(["word " * 100 + "\n"] * 30))
    assert len(found) == 3
    assert all(r.body.startswith("- word") for r in found[1:])


@walk(
    ("block", "path"),
    [
        ("```\n" + "code\n\n" * 2_000 + "```", "a.md"),
        ("| a | b |\n|---|---|\n" + "| x | y |\n" * 2_000, "a.md"),
        (".. code::\n\n" + "   code\n\n" * 2_000, "a.rst"),
        ("=====  =====\nA      B\n=====  =====\n" + "x      y\n\n" * 2_000 + "=====  =====", "a.rst"),
    ],
    ids=["code", "table", "directive", "simple table"],
)
def test_tables_and_code_stay_whole(block: str, path: str) -> None:
    title = "# T" if path == "a.md" else "T\n="
    found = read(f"{title}\n\n{PARAGRAPH}Look at this:\n\n{block}\n\n{PARAGRAPH}", path)
    assert any(block.strip() in r.body for r in found)
    assert any("Look at this:" in r.body and block[:40] in r.body for r in found), "what announces it stays with it"


def test_one_block_beyond_every_measure_is_cut_all_the_same() -> None:
    text = "# T\n\n```\n" + "code\n" * 40_000 + "x" * 200_000 + "\n```\n"
    found = read(text)
    assert max(len(r.body) for r in found) <= documents.LONGEST_BLOCK + documents.LONG
    assert sum(len(r.body.replace("\n", "")) for r in found) == len(text.replace("\n", ""))


RESTRUCTURED = """\
=======
 Title
=======

Intro with ``code``.

.. _ports:

Ports of `the host <x>`_
------------------------

Text::

    Not a heading
    -------------

Deeper
~~~~~~

Text.

Again
-----

--------

Text.
"""


def test_restructured_text_is_read_by_its_adornments() -> None:
    assert [(r.ref, r.title, r.lines) for r in read(RESTRUCTURED, "a.rst")] == [
        ("doc:a.rst", "Title", (1, 5)),
        ("doc:a.rst#ports-of-the-host", "Title › Ports of the host", (7, 15)),
        ("doc:a.rst#ports-of-the-host/deeper", "Title › Ports of the host › Deeper", (17, 20)),
        ("doc:a.rst#again", "Title › Again", (22, 27)),
    ]


@walk(
    "text",
    [
        "a\n==  ==\nx   y\n==  ==\n",
        "- - -\n",
        "text\nmore\n----\n",
        "+---+\n| a |\n+---+\n",
        "==\n",
        "::\n\n  x\n  ==\n",
        "Long title\n--\n",
    ],
)
def test_adornments_that_underline_no_title_are_text(text: str) -> None:
    assert document(page("a.rst", text)).headings == []


SNIPPETS = st.sampled_from(
    [
        "# A", "## B", "###### C", "####### D", "A\n=", "B\n---", "", "", " ", "\t", "text", "- item",
        "  - nested", "1. one",
        "```", "~~~", "    code", "> quote", "| a | b |\n|---|---|\n| x | y |", "<div>", "</div>",
        "[a]: b", "***", "---",
        "+++", "\\", "&amp;", "{#id}", "# {#id}", "`", "\u2028", "\x0c", "\ufeff", "x" * 3_000,
        "=====", "~~~~~", ".. _a:", "..", "::",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(),
    st.lists(st.one_of(SNIPPETS, st.text(max_size=20)), max_size=40).map("\n".join),
    st.lists(SNIPPETS, max_size=40).map("\r\n".join),
)


@given(TEXTS, st.sampled_from(["a.md", "a.rst"]))
@example("---\na: [\n---\n# T\n", "a.md")
@example("a\n=\n\n=\na\n=\n", "a.rst")
def test_whatever_the_text_every_body_stands_at_its_lines(text: str, path: str) -> None:
    text = storable(text)
    lines = _lines(text)
    seen: set[str] = set()
    for record in read(text, path):
        assert record.lines is not None
        first, last = record.lines
        assert record.body in "".join(lines[first - 1 : last])
        assert record.body.strip()
        assert record.ref not in seen
        assert "\n" not in record.title
        seen.add(record.ref)


@given(TEXTS, st.sampled_from(["a.md", "a.rst"]))
def test_whatever_the_text_every_line_outside_headings_lands_in_one_record(text: str, path: str) -> None:
    parsed = document(page(path, text))
    lines = _lines(text)
    headings = {n for h in parsed.headings for n in range(h.first, h.end)}
    above = 0 if parsed.front.problem else parsed.front.lines
    landed = [n for r in read(text, path) if r.lines for n in range(r.lines[0] - 1, r.lines[1])]
    assert len(landed) == len(set(landed))
    assert {
        n for n in range(above, len(lines)) if lines[n].strip() and n not in headings and "<!--" not in text
    } <= set(landed)


def _lines(text: str) -> list[str]:
    ends = [match.end() for match in LINE_END.finditer(text)]
    return [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)], strict=True)]
