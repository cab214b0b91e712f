"""The page of benchmarks, put together from what the last run of each bench left in bench/results/.

    python docs/benchmarks.py

`make bench` runs it last. Each result names its machine, its versions and its data by itself.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = ROOT / "bench" / "results"
PAGE: Final = ROOT / "docs" / "benchmarks.md"

FIRST: Final = ("peers", "growth", "search", "asking", "indexing", "promotion", "compaction", "retrieval", "fitting")
"""The order of the page; a result that is not named comes after these."""

_HEAD: Final = """# Benchmarks

From the last run of each script in `bench/`, by `make bench DATA=FOLDER`: a folder of issues, pulls and comments
as GitHub's API returns them, or for `bench/peers.py` a test collection of `corpus.jsonl`, `queries.jsonl` and
`qrels/test.tsv`. Nothing here is copied by hand; run them on your own project and compare.
"""


def page(results: Path = RESULTS) -> str:
    """Every result, its headings one level down and its pictures found from here."""
    found = {path.stem: path.read_text("utf-8") for path in sorted(results.glob("*.md"))}
    order = [name for name in FIRST if name in found] + [name for name in found if name not in FIRST]
    return "\n".join([_HEAD, *(_lowered(found[name]).strip() + "\n" for name in order)])


def _lowered(text: str) -> str:
    """*text* one level down.

    >>> _lowered("# Growth")
    '## Growth'
    >>> _lowered("![time](growth.svg)")
    '![time](../bench/results/growth.svg)'
    """
    lowered = re.sub(r"^(#+ )", r"#\1", text, flags=re.MULTILINE)
    return re.sub(r"(!\[[^\]]*\]\()(?!\w+:)", r"\1../bench/results/", lowered)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
