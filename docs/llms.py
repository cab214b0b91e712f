"""llms.txt, which tells a language model where to read about Cortex, and llms-full.txt, which is all of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
INDEX, FULL = ROOT / "llms.txt", ROOT / "llms-full.txt"

SECTIONS = {
    "Docs": ("README.md", "docs/*.md"),
    "Reference": ("docs/reference/*.md",),
    "Working on Cortex": ("AGENTS.md",),
    "Optional": ("CHANGELOG.md", "docs/decisions/*.md"),
}

_COG = re.compile(r"^<!-- \[\[\[cog\n.*?\]\]\] -->\n|^<!-- \[\[\[end\]\]\] -->\n?", re.MULTILINE | re.DOTALL)
_PARAGRAPH = re.compile(r"(?m)^(?!Status|Date|status:|date:|[#!|<>\s-]|```).+(?:\n(?!\s*$).+)*")
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
_SENTENCE = re.compile(r".+?[.:](?=\s|$)", re.DOTALL)


def pages() -> Iterator[tuple[str, list[Path]]]:
    """The pages of each section, by name."""
    for section, patterns in SECTIONS.items():
        yield section, [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def text(path: Path) -> str:
    """A page without what only its generator reads."""
    return _COG.sub("", path.read_text("utf-8"))


def title(page: str) -> str:
    r"""The heading of *page*.

    >>> title("# Commands\n\nAll of them.\n")
    'Commands'
    """
    heading = _HEADING.search(page)
    return heading[1] if heading else ""


def opening(page: str) -> str:
    r"""The first sentence of *page*, as one line; '' where it has none.

    >>> opening("# Commands\n\nAll\nof them. And more.\n")
    'All of them.'
    """
    paragraph = _PARAGRAPH.search(page)
    sentence = _SENTENCE.match(paragraph[0]) if paragraph else None
    return " ".join(sentence[0].split()).rstrip(":") if sentence else ""


def index() -> str:
    """llms.txt, in the form https://llmstxt.org proposes."""
    readme = text(ROOT / "README.md")
    paragraph = _PARAGRAPH.search(readme)
    said = " ".join(paragraph[0].split()) if paragraph else ""
    parts = [f"# {title(readme)}", f"> {said}", "Everything below in one file: [llms-full.txt](llms-full.txt)."]
    for section, paths in pages():
        parts.append(f"## {section}\n\n" + "\n".join(_link(path, page) for path, page in _read(paths)))
    return "\n\n".join(parts) + "\n"


def _link(path: Path, page: str) -> str:
    said = opening(page)
    return f"- [{title(page)}]({path.relative_to(ROOT).as_posix()})" + (f": {said}" if said else "")


def full() -> str:
    """llms-full.txt: every page but the optional ones, each under the name of its file."""
    chosen = [path for section, paths in pages() if section != "Optional" for path in paths]
    return (
        "\n\n".join(f"<!-- {path.relative_to(ROOT).as_posix()} -->\n\n{page.strip()}" for path, page in _read(chosen))
        + "\n"
    )


def _read(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    return [(path, text(path)) for path in paths]


def main() -> None:
    """Write both files; with --check, fail when one is stale."""
    for path, wanted in ((INDEX, index()), (FULL, full())):
        if "--check" not in sys.argv:
            path.write_text(wanted, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != wanted:
            sys.exit(f"{path.name} is stale; run: make docs")


if __name__ == "__main__":
    main()
