"""English is known in `cortex/language/` alone: no regular expression over prose stands anywhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from cortex.language.verbs import FORMS
from cortex.language.words import STOP_WORDS, word_groups
from tests.sources import PACKAGE, modules, parsed

FEWEST = 3
"""English words of one expression from which it reads prose."""

# What reads formats, in which words are keywords: secrets and their variables, git, GitHub's addresses, file names.
FORMATS = (
    "cortex.language",
    "cortex.substrate.postgres",
    "cortex.llm",
    "cortex.indexers.connectors.commits",
    "cortex.indexers.connectors.documents",
    "cortex.indexers.connectors.github",
    "cortex.indexers.connectors.as_markdown",
    "cortex.indexers.connectors.doc_comments",
    "cortex.indexers.promotion",
    "cortex.substrate.rule_files",
    "cortex.substrate.secret",
    "cortex.surfaces.agent_hook",
)

WORDS = STOP_WORDS.union(FORMS, *(line for name in ("related", "irregular", "common") for line in word_groups(name)))
NOT_PROSE = re.compile(r"\\.|\[[^\]]*\]|\(\?P?<\w+>|\(\?P=\w+\)|\{\w+\}")
WORD = re.compile(r"[A-Za-z]{2,}")


def expressions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """What is given to `re` as a pattern, and on which line; what is named in it left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            parts = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
            yield node.lineno, " ".join(one for one in parts if isinstance(one, str))


def english(pattern: str) -> set[str]:
    """The English words of *pattern*."""
    return {word.lower() for word in WORD.findall(NOT_PROSE.sub(" ", pattern))} & WORDS


def test_no_expression_over_prose_stands_outside_the_language() -> None:
    prose = [
        (str(path.relative_to(PACKAGE)), line, sorted(words))
        for name, path in modules().items()
        if not name.startswith(FORMATS)
        for line, one in expressions(parsed(path))
        if len(words := english(one)) >= FEWEST
    ]
    assert prose == [], "move these to a table of cortex/language/"


@pytest.mark.parametrize(
    ("source", "is_prose"),
    [
        (r"re.compile(r'\b(?:we|they) (?:agreed|decided) to\b')", True),
        (r"re.search(rf'{A}\s+(?:superseded|replaced)\s+by', text)", True),
        (r"re.compile(r'(?P<before>\d+)\.(?P<after>[a-z]+)')", False),
    ],
)
def test_prose_is_told_from_a_format(source: str, *, is_prose: bool) -> None:
    ((_, pattern),) = expressions(ast.parse(source))
    assert (len(english(pattern)) >= FEWEST) is is_prose
