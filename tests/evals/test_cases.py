"""Case files: what they hold, and that a mistake is named by its line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex.errors import BadInput
from cortex.evals.cases import Case, dump_case, load_suite

GOOD = """\
# The first.
- id: one
  category: specs
  question: How long?
  must: ["800 lines"]
  cites: [issue:1]

- id: two
  category: specs
  question: How wide?
  unanswerable: true
"""


def saved(tmp_path: Path, text: str, name: str = "cases.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def test_a_file_of_cases_keeps_their_order(tmp_path: Path) -> None:
    suite = load_suite(saved(tmp_path, GOOD))
    assert (suite.name, suite.rubric) == ("cases.yaml", "cases")
    assert [(case.id, case.answerable) for case in suite.cases] == [("one", True), ("two", False)]


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (("- id: two", "- id: one"), 8, "id 'one' is that of line 2 already"),
        (("question: How long?", "questoin: How long?"), 2, "case 'one': question: is missing"),
        (("  must: [", "  musst: ["), 5, "musst: no field of a case; there are id, category, "),
        (('["800 lines"]', "[800]"), 5, "must: 800 is no text; put it in quotes"),
        (("cites: [issue:1]", "cites: []"), 2, "cites nothing, so any row would do"),
        (("unanswerable: true", "unanswerable: true\n  must: [x]"), 8, "is not answerable, yet says"),
        (("unanswerable: true", "unanswerable: maybe"), 11, "unanswerable: no field"),
        (("question: How wide?", "question: ''"), 10, "question: "),
        (('["800 lines"]', '["800 lines"'), 6, "is not YAML: "),
        (("- id: two\n  category: specs\n  question: How wide?\n  unanswerable: true", "- two"), 8, "is no case"),
        ((GOOD, "id: one"), 1, "is no list of cases"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_mistake_is_named_by_its_line(tmp_path: Path, change: tuple[str, str], line: int, said: str) -> None:
    path = saved(tmp_path, GOOD.replace(*change))
    with pytest.raises(BadInput) as raised:
        load_suite(path)
    assert str(raised.value).startswith(f"{path}:{line}: ")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no case"),
        ('\n{"id": 7, "question": "?"}\n', ":2: case '7': category: is missing"),
        ("[]\n", ":1: is no object"),
        ("x\n", ":1: is not JSON"),
    ],
    ids=["empty", "fields", "object", "json"],
)  # fmt: skip
def test_a_mistake_in_json_lines_is_named_too(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput) as raised:
        load_suite(saved(tmp_path, text, "questions.jsonl"))
    assert said in str(raised.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.yaml: No such file"):
        load_suite(tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(
    "case",
    [
        Case(id="a", category="b", question='Why "so": #1?', must=("70 %", "yes", "12"), cites=("issue:1",)),
        Case(id="ü", category="c d", question="Wann? 日本語 \u202e", answerable=False),
    ],
    ids=["answerable", "not"],
)
def test_a_dumped_case_is_read_back_the_same(tmp_path: Path, case: Case) -> None:
    path = saved(tmp_path, dump_case(case, remark="drafted,\n- id: not a case"))
    assert load_suite(path).cases == (case,)
