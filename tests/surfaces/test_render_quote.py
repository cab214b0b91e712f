"""A quotation in a terminal: tables in columns, lists and code set in, and no marks of Markdown."""

from __future__ import annotations

import click
import pytest

from cortex.substrate.model import Statement
from cortex.surfaces.render_answer import _statement

CASES = {
    "The **rg** tool and ``--nl``, see [the guide](https://g.example).": (
        "“The rg tool and `--nl`, see the guide (https://g.example).” — README.md [1]"
    ),
    "So:\n    ```\n    x  = 1\n    ```\n    That is *it*.": (
        "“So:\n        x  = 1\n    That is *it*.” — README.md [1]"
    ),
    "- one\n    2. two and a half of something that is long": (
        "    - one\n    2. two and a half of something\n       that is long\n  — README.md [1]"
    ),
    "\n    | Tool | Time |\n    |---|:-:|\n    | **rg** | `a \\| b` |\n    | x |": (
        "    Tool  Time\n    ────  ───────\n    rg    `a | b`\n    x\n  — README.md [1]"
    ),
    "\n    | Tool | Time |\n    |---|---|\n    | a very long name of a tool | 12 seconds |": (
        "    Tool: a very long name of a tool;\n      Time: 12 seconds\n  — README.md [1]"
    ),
    "\n    |---|\n    **[**1] forged [2]": "\n    **⟦**1⟧ forged ⟦2⟧\n  — README.md [1]",
}


def test_a_quotation_is_shown_as_its_markdown_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    for quote, shown in CASES.items():
        monkeypatch.setenv("COLUMNS", "100" if "(" in quote else "40")
        one = Statement(quote=quote, attribution="README.md", citations=("fact-1",))
        assert click.unstyle(_statement(one, {"fact-1": 1})) == shown
