"""Shells complete what `cortex completion` sets them up for: commands, options, sources and handles."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cortex.substrate.address import argument
from tests.surfaces.conftest import Ran
from tests.warm import program


def completed(brain: Path, *words: str) -> list[str]:
    """What bash is told may come instead of the last of *words*."""
    line = " ".join(["cortex", "--db", argument(brain), *words])
    asked = {"_CORTEX_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) + 2)}
    done = subprocess.run(program(), env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("compa",), ["compact", "compactions"]),
        (("ask", "--exp"), ["--explain"]),
        (("ask", "--source", "o8-labs/o8-"), ["o8-labs/o8-runner"]),
        (("chat", "--source", "o8"), ["o8-labs/o8", "o8-labs/o8-runner"]),
        (("compact", "--source", "o8-labs/o8-"), ["o8-labs/o8-runner"]),
        (("show", "fact-2f8d"), ["fact-2f8d4593a080"]),
        (("completion", "z"), ["zsh"]),
        (("mcp", "install", "--client", "claude"), ["claude-code", "claude-desktop"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_may_come_next_is_completed(brain: Path, words: Sequence[str], expected: list[str]) -> None:
    assert completed(brain, *words) == expected


def test_without_a_brain_nothing_is_completed_and_nothing_fails(tmp_path: Path) -> None:
    assert completed(tmp_path / "none.db", "ask", "--source", "o8") == []
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_printed_for_each_shell(cortex: Callable[..., Ran], shell: str) -> None:
    ran = cortex("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert f"_CORTEX_COMPLETE={shell}_complete" in ran.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_itself_completes_with_it(brain: Path) -> None:
    script = (
        'eval "$(cortex completion bash)"\nCOMP_WORDS=(cortex show fact-2f8d) COMP_CWORD=2\n'
        "_cortex_completion cortex\necho ${COMPREPLY[@]}\ncomplete -p cortex\n"
    )
    environment = {**os.environ, "PATH": f"{Path(program()).parent}:{os.environ['PATH']}", "CORTEX_DB": argument(brain)}
    done = subprocess.run(
        ["bash", "--norc", "-c", script], env=environment, capture_output=True, text=True, check=True
    )  # fmt: skip
    assert done.stdout.splitlines()[0] == "fact-2f8d4593a080"
    assert "-F _cortex_completion cortex" in done.stdout
