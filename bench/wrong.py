"""The questions of a project that are not answered right, each with its cause as a person saw it.

    python bench/wrong.py DATA_FOLDER [--write]

DATA_FOLDER holds a GitHub export with `questions.jsonl`. The causes are those of bench/wrong.jsonl, by question,
written after reading question, answer and gold; a question whose verdict has changed since is shown as such.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from folders import indexed

from cortex.composer.pipeline import ask
from cortex.evals.cases import Suite, load_suite
from cortex.evals.scoring import judge, measure
from cortex.substrate.model import Answer, Scope

HERE = Path(__file__).parent
CAUSES = HERE / "wrong.jsonl"
RESULTS = HERE / "results" / "wrong.md"


def answered(folder: Path, suite: Suite) -> dict[str, Answer]:
    """What is answered to each question about the export in *folder*."""
    with TemporaryDirectory() as scratch, indexed(folder, Path(scratch) / "brain.db") as brain:
        return {case.id: ask(brain, case.question, scope=Scope()) for case in suite.cases}


def causes() -> dict[str, Mapping[str, Any]]:
    """What a person saw, by question."""
    return {row["id"]: row for row in map(json.loads, CAUSES.read_text("utf-8").splitlines())}


def lines(verdicts: Mapping[str, str], seen: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    """A row of the table for each question that is not right, or was not when its cause was written."""
    for id_, verdict in verdicts.items():
        was = seen[id_]["verdict"] if id_ in seen else "right"
        if verdict == was != "right":
            yield f"| {id_} | {verdict} | {seen[id_]['cause']} |"
        elif verdict != was:
            yield f"| {id_} | {verdict} | *changed: was {was}* |"


def main() -> None:
    """Ask every question, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    options = parser.parse_args()
    suite = load_suite(options.folder / "questions.jsonl")
    answers = answered(options.folder, suite)
    verdicts = {case.id: str(judge(suite, case, answers[case.id]).verdict) for case in suite.cases}
    found = measure(suite, answers)
    report = "\n".join(
        [
            f"# What is not answered right: {options.folder.name}",
            "",
            "`python bench/wrong.py FOLDER --write`: *refused* has an answer and *invented* has none;",
            "*wrong* was answered without the gold, or without what it says.",
            "",
            f"Of {found.questions} questions: right {found.right}, cited first {found.cited_first},",
            f"cited {found.cited_any}, answerable refused {found.refused_answerable},",
            f"unanswerable refused {found.refused_unanswerable}, score {found.score}.",
            "",
            "| question | verdict | cause |",
            "|---|---|---|",
            *lines(verdicts, causes()),
            "",
        ]
    )
    print(report)
    if options.write:
        RESULTS.write_text(report, "utf-8")


if __name__ == "__main__":
    main()
