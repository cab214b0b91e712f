"""Notebooks as Markdown: the text of their cells as written, code in fences; what running them gave is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from cortex.indexers.connectors.pages import Page, page

_FENCE: Final = re.compile(r"`{3,}")


def converted(found: Page) -> Page | str:
    r"""The text of a notebook, or why there is none; its lines are none of the file's.

    >>> converted(page("a.ipynb", '{"cells": [{"cell_type": "code", "source": ["1 +\\n", "1"]}]}')).text
    '```python\n1 +\n1\n```'
    """
    try:
        notebook = json.loads(found.text)
    except (ValueError, RecursionError):
        return "not valid JSON"
    sheets = notebook.get("worksheets") if isinstance(notebook, dict) else None  # before version 4
    holders = sheets if isinstance(sheets, list) else [notebook]
    text = "\n\n".join(shown for one in holders for shown in _cells(one))
    return page(found.path, text)._replace(lines=()) if text else "a notebook without text"


def _cells(holder: object) -> Iterator[str]:
    cells = holder.get("cells") if isinstance(holder, dict) else None
    for cell in cells if isinstance(cells, list) else ():
        kind = cell.get("cell_type") if isinstance(cell, dict) else None
        source = _source(cell.get("source", cell.get("input"))) if kind else ""
        if source.strip():
            yield _shown(str(kind), source, cell)


def _shown(kind: str, source: str, cell: dict[str, Any]) -> str:
    if kind == "heading":
        level = cell.get("level")
        return f"{'#' * (level if isinstance(level, int) and level in range(1, 7) else 1)} {' '.join(source.split())}"
    if kind != "code":
        return source
    fence = "`" * max((len(ticks) + 1 for ticks in _FENCE.findall(source)), default=3)
    return f"{fence}python\n{source}\n{fence}"


def _source(source: object) -> str:
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))
