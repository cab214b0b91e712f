"""AsciiDoc, HTML, notebooks, plain text, directives of MyST: what is read of them, and what hostile ones cost."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.connectors import Cursor, documents
from cortex.indexers.connectors.outline import blocks_of, document
from cortex.indexers.connectors.pages import page
from cortex.language.markdown import BlockKind, Span, packed, unpacked
from cortex.substrate.model import Record, Skipped
from tests.tables import walk
from tests.trees import read_tree, write

MOST_S = 5.0


def read(text: str, path: str) -> list[Record | Skipped]:
    return [*documents.read(page(path, text), source="demo")]


def said(text: str, path: str) -> list[tuple[str, str]]:
    """Kind and text of each block."""
    return [(str(one.kind), text[one.start : one.end]) for one in blocks_of(path, text)]


ASCIIDOC = """\
= Guide
:toc:

// hidden
Intro.

[#ports]
== The ports

* one
** nested

[source,python]
----
x = 1

y = 2
----

lease::
  The time of a job.

|===
|Name |Port

|http |80
|===

image::a.png[]
"""


def test_asciidoc_is_read_by_its_delimiters() -> None:
    assert said(ASCIIDOC, "a.adoc") == [
        ("heading", "= Guide"),
        ("paragraph", "Intro."),
        ("heading", "== The ports"),
        ("item", "* one"),
        ("item", "** nested"),
        ("code", "----\nx = 1\n\ny = 2\n----"),
        ("defined", "lease::"),
        ("paragraph", "  The time of a job."),
        ("code", "|===\n|Name |Port\n\n|http |80\n|==="),
    ]
    found = read(ASCIIDOC, "docs/a.adoc")
    assert [(one.ref, one.title, one.lines) for one in found if isinstance(one, Record)] == [
        ("doc:docs/a.adoc", "Guide", (1, 7)),
        ("doc:docs/a.adoc#ports", "Guide › The ports", (8, 29)),
    ]


PAGE = """<html><head><title>no</title></head><body>
<nav><ul><li><a href="#a">Top</a></ul></nav><h1>Guide &amp; more</h1>
<!-- <p>hidden</p> --><p>Use <code>80</code>,
please.</p><h2>Part</h2><ul><li><p>One</p><li>Two<ul><li>Deep</ul></ul>
<table><tr><th>Name<th>Port<tr><td>http<td>80</table><pre>a = 1
  b = 2</pre><script>if (a < b) {}</script></body></html>"""


def test_html_is_read_without_its_tags_at_the_lines_of_its_file() -> None:
    first, second = read(PAGE, "docs/a.html")
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.title, first.body, first.lines) == ("Guide & more", "# Guide & more\n\nUse `80`, please.", (2, 3))
    assert second.body == (
        "## Part\n\n- One\n- Two\n  - Deep\n\n| Name | Port |\n|---|---|\n| http | 80 |\n\n```\na = 1\n  b = 2\n```"
    )
    assert second.lines == (4, 5)


def test_a_notebook_is_read_by_its_cells_and_not_by_what_they_gave() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Guide\n", "\n", "Text."]},
        {"cell_type": "code", "source": "print('```')", "outputs": [{"text": "secret output"}]},
    ]
    (record,) = read(json.dumps({"cells": cells}), "a.ipynb")
    assert isinstance(record, Record)
    assert record.body == "# Guide\n\nText.\n\n````python\nprint('```')\n````"
    assert (record.title, record.lines) == ("Guide", None)


@walk(
    ("text", "path", "reason"),
    [
        ('{"cells": [', "a.ipynb", "not valid JSON"),
        ("[" * 100_000, "a.ipynb", "not valid JSON"),
        ("null", "a.ipynb", "a notebook without text"),
        ('{"cells": [1, {"cell_type": 1, "source": {}}], "worksheets": 3}', "a.ipynb", "a notebook without text"),
        ("<p>{% block %}</p>", "docs/a.html", "a template, no page"),
        ("<script>x</script>", "docs/a.html", "a page without text"),
        ("<" * 200_000, "docs/a.html", "more than 100,000 tags"),
        ("alpha\nbeta\ngamma\ndelta\n", "docs/words.txt", "data, no prose"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_reason(text: str, path: str, reason: str) -> None:
    assert read(text, path) == [Skipped(input=path, reason=reason)]


@walk(
    ("path", "claimed"),
    [
        ("docs/guide.txt", True), ("README.txt", True), ("guide.txt", False), ("docs/requirements-dev.txt", False),
        ("docs/_templates/base.html", False), ("site/docs/page.htm", True), ("src/page.html", False), ("a.ipynb", True),
        ("a.asciidoc", True), ("docs/robots.txt", False), ("docs/theme/a.html", False),
    ],
)  # fmt: skip
def test_plain_text_and_html_are_documents_where_documents_are_kept(path: str, *, claimed: bool) -> None:
    assert documents.claims(path) is claimed


MYST = """\
(top)=
```{note}
Mind the *lease*.
```
```{versionadded} 2.0
A flag.
```
```{eval-rst}
.. warning::

   Never share it.
```
```{toctree}
a
b
```
```{code-block} python
x = 1
```
:::{tip}
Wait a little.
:::
[![build](a.svg)](b)
- [One](#one)
- [Two](two.md)

[a]: https://example.org
"""


def test_directives_in_fences_are_text_and_badges_links_and_contents_are_not() -> None:
    assert said(MYST, "a.md") == [
        ("paragraph", "Mind the *lease*."),
        ("version", "```{versionadded} 2.0\nA flag.\n```"),
        ("paragraph", "   Never share it."),
        ("code", "```{code-block} python\nx = 1\n```"),
        ("paragraph", "Wait a little."),
    ]


RESTRUCTURED = """\
.. include:: /etc/passwd
.. raw:: html
   :file: /etc/passwd

.. toctree::

   a

.. custom:thing:: x

   shown = 1

`a`_ and :unknown:`b`.

.. _a: https://example.org
"""


def test_no_directive_of_restructured_text_is_run() -> None:
    found = said(RESTRUCTURED, "a.rst")
    assert [kind for kind, _ in found] == ["code", "paragraph"]
    assert "root:" not in str(found)


@walk(
    ("text", "shown"),
    [
        (".. code-block:: bash\n   :linenos:\n\n   make\n\n   make test\n", "   make\n\n   make test"),
        (".. custom:thing:: x\n\n   a\n\n   b\n", ".. custom:thing:: x\n\n   a\n\n   b"),
    ],
)
def test_code_is_shown_without_its_directive_and_an_unknown_one_whole(text: str, shown: str) -> None:
    assert said(text, "a.rst") == [("code", shown)]


@given(st.lists(st.sampled_from(BlockKind), max_size=8), st.integers(0, 30), st.integers(0, 30))
def test_blocks_are_stored_and_read_again(kinds: list[BlockKind], start: int, length: int) -> None:
    body = "x" * 60
    blocks = [one._replace(start=at * 5, end=at * 5 + 4, kind=kind, depth=at) for at, kind in enumerate(kinds)
              for one in blocks_of("a.md", "x")[:1]]  # fmt: skip
    found = unpacked(packed(blocks, Span(start, start + length)), body[start:])
    assert [one.kind for one in found] == [b.kind for b in blocks if min(b.end, start + length) > max(b.start, start)]
    assert all(0 <= one.start < one.end <= length for one in found)


def test_what_is_not_read_is_counted_by_its_ending(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n\nText.\n", "b.png": b"\0", "c/d.PNG": b"\0", "notes": "x\n", "e.zip": b"\0"})
    *_, cursor = read_tree(tmp_path, source="demo")
    assert isinstance(cursor, Cursor)
    assert cursor.unread == {".png": 2, "notes": 1, ".zip": 1}


BOMBS = {
    "unclosed fences": ("```\n" * 3_000, "a.md"),
    "nested directives": ("```{note}\n" * 3_000, "a.md"),
    "images": ("![" * 20_000, "a.md"),
    "deep quotations": ("> " * 3_000 + "a", "a.md"),
    "a long line": ("word " * 1_000_000, "a.md"),
    "deep quotations of rst": ("\n\n".join(" " * n + "a" for n in range(300)), "a.rst"),
    "drawn tables": (("+---" * 150 + "+\n") * 200, "a.rst"),
    "a long line of rst": ("word " * 1_000_000, "a.rst"),
    "nested directives of rst": ("\n\n".join("   " * n + ".. note::" for n in range(150)), "a.rst"),
    "tables of asciidoc": ("|===\n" * 3_001, "docs/a.adoc"),
    "terms of asciidoc": ("a::\n" * 3_000, "docs/a.adoc"),
    "a long line of asciidoc": ("word " * 1_000_000, "docs/a.adoc"),
    "open tags": ("<a " * 5_000, "docs/a.html"),
    "open comments": ("<!--" * 5_000, "docs/a.html"),
    "open quotations": ('<a b="' * 5_000, "docs/a.html"),
    "deep lists of html": ("<ul><li>" * 5_000, "docs/a.html"),
    "a long line of html": ("word " * 1_000_000, "docs/a.html"),
    "ticks": (json.dumps({"cells": [{"cell_type": "code", "source": "`" * 50_000}]}), "a.ipynb"),
}


@walk(("text", "path"), BOMBS.values(), ids=BOMBS.keys())
def test_what_is_hostile_is_read_in_time(text: str, path: str) -> None:
    started = process_time()
    read(text, path)
    assert process_time() - started < MOST_S


SNIPPETS = st.sampled_from(
    ["= A", "== B", "----", "|===", "|a |b", "* a", "** b", "a::", "+", "____", "[#x]", ":a: b", "<p>", "</p>", "<li>x",
     "<table><tr><td>", "<pre>", "<nav>", "&amp;", "```{note}", "```", "text", "", " indented", "//// ", "...."]
)  # fmt: skip


@given(st.lists(SNIPPETS, max_size=30).map("\n".join), st.sampled_from(["docs/a.adoc", "docs/a.html", "docs/a.md"]))
def test_whatever_stands_there_blocks_are_in_order_and_of_the_text(text: str, path: str) -> None:
    found = document(page(path, text)).blocks
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.start <= other.start for one, other in pairwise(found))
    for record in read(text, path):
        assert isinstance(record, Skipped) or all(0 <= b.start < b.end <= len(record.body)
                                                  for b in unpacked(record.blocks, record.body))  # fmt: skip
