"""Git is started in one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import cortex
from tests.sources import parsed
from tests.tables import walk

PACKAGE = Path(cortex.__file__).parent
RUNNER = "indexers/connectors/git_command.py"
STARTS_OTHERS = {
    "llm/claude_cli.py", "surfaces/agent_hook.py", "surfaces/commands/worker.py", "surfaces/scheduling.py",
    "surfaces/starting.py",
}  # fmt: skip
"""They start the Claude CLI, this program again, its workers, what runs programs at night, and gh."""

STARTERS = re.compile(
    r"(?:.*\.)?(?:subprocess|pty)(?:\..*)?|os\.(?:system|popen|startfile|(?:posix_)?spawn\w*|exec\w+)"
    r"|.*\.(?:create_)?subprocess_(?:exec|shell)"
)
GIT = re.compile(r"git(?:\.exe)?(?:\s.*)?|.*/git", re.DOTALL)


def starters(tree: ast.Module) -> Iterator[str]:
    """What a module may start programs with."""
    for node in ast.walk(tree):
        of = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        names = [of + alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        names += [ast.unparse(node)] if isinstance(node, ast.Attribute) else []
        yield from (name for name in names if STARTERS.fullmatch(name))


def commands_of_git(tree: ast.Module) -> Iterator[str]:
    """The first words of lists and tuples, and whole arguments, that name git as a program."""
    for node in ast.walk(tree):
        said = node.elts[:1] if isinstance(node, ast.List | ast.Tuple) else []
        said = node.args[:1] if isinstance(node, ast.Call) else said
        for one in said:
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and GIT.fullmatch(one.value):
                yield one.value


def modules() -> dict[str, ast.Module]:
    return {path.relative_to(PACKAGE).as_posix(): parsed(path) for path in PACKAGE.rglob("*.py")}


def test_only_the_runner_starts_git() -> None:
    found = modules()
    assert {name for name, tree in found.items() if [*starters(tree)]} == STARTS_OTHERS | {RUNNER}
    assert [name for name in STARTS_OTHERS if [*commands_of_git(found[name])]] == []
    assert [*commands_of_git(found[RUNNER])] == ["git"]


@walk(
    "text",
    ["import subprocess", "from subprocess import run", "import os\nos.system('x')", "from os import popen",
     "import os\nos.execvp('git', [])", "import asyncio\nasyncio.create_subprocess_shell('x')",
     "import os\nos.posix_spawn('git', [], {})"],
)  # fmt: skip
def test_what_could_start_a_program_is_seen(text: str) -> None:
    assert [*starters(ast.parse(text))]


@walk("text", ["run(['git', 'log'])", "run('git log')", "run(('/usr/bin/git',))"])
def test_a_command_of_git_is_seen(text: str) -> None:
    assert [*commands_of_git(ast.parse(text))]
