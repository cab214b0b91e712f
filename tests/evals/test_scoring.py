"""Right, wrong, refused and invented; and the same numbers as the published scorer gives for question files."""

from __future__ import annotations

import json
from pathlib import Path

from cortex.evals.cases import Case, Suite, load_suite
from cortex.evals.rankings import is_gold_file, load_gold, rank_quality
from cortex.evals.scoring import judge, measure
from cortex.substrate.model import REFUSAL, Answer, Citation, CitedRecord, Hit
from tests.tables import walk

SCORED = Path(__file__).parent / "scored"


def rows(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (SCORED / f"{name}.jsonl").read_text("utf-8").splitlines()]


def test_a_question_file_gets_the_numbers_of_the_published_scorer() -> None:
    answers = {str(row.pop("id")): Answer.model_validate(row) for row in rows("answers")}
    measured = measure(load_suite(SCORED / "questions.jsonl"), answers)
    assert measured.model_dump() == json.loads((SCORED / "numbers.json").read_text("utf-8"))


def test_a_gold_file_gets_the_numbers_of_the_published_scorer() -> None:
    assert is_gold_file(SCORED / "gold.jsonl")
    assert not is_gold_file(SCORED / "questions.jsonl")
    hits = {str(row["id"]): [Hit.model_validate(hit) for hit in row["hits"]] for row in rows("hits")}  # type: ignore[attr-defined]
    ranked = rank_quality(load_gold(SCORED / "gold.jsonl"), hits)
    published = json.loads((SCORED / "ranking.json").read_text("utf-8"))
    assert {"queries": ranked.queries, "mrr": ranked.mrr} | {
        f"recall@{k}": value for k, value in ranked.recall.items()
    } == published
    assert ranked.found["1"] < ranked.recall["5"] <= 1
    assert 0 < ranked.ndcg < ranked.recall["10"]


def citation(ref: str, authority: float = 0.9, source: str = "lab/parser") -> Citation:
    return Citation(
        handle=f"{ref}@0-4", statement="s", excerpt="said", kind=None, authority=authority, confidence=1,
        record=CitedRecord(type="issue", ref=ref, title="t"), source=source,
    )  # fmt: skip


def answer(*lines: tuple[str, Citation]) -> Answer:
    text = "\n".join(f"{said} [CITATION:{one.handle}]" for said, one in lines)
    return Answer.model_validate(
        {
            "question": "q?", "class": "A", "answer": text or REFUSAL, "refused": not lines, "composer": "x",
            "citations": [one for _, one in lines],
        }
    )  # fmt: skip


CASE = Case(id="c", category="specs", question="q?", must=("70 %",), must_not=("60 %",), cites=("issue:1",))
NO_ANSWER = Case(id="n", category="specs", question="q?", answerable=False)
SUITE = Suite(name="cases.yaml", rubric="cases", cases=(CASE, NO_ANSWER))
DECIDING, DISPUTING = citation("issue:1", 0.95), citation("comment:1#2", 0.7)


@walk(
    ("case", "given", "verdict", "problem"),
    [
        (CASE, answer(("The gate is\n70 %.".replace("\n", " "), DECIDING)), "right", ""),
        (CASE, answer(("The gate is high.", DECIDING)), "wrong", "does not say '70 %'"),
        (CASE, answer(("It is 70 %.", citation("issue:2"))), "wrong", "cites none of issue:1"),
        (CASE, answer(("It is 70 %, it was 60 %.", DECIDING)), "wrong", "says '60 %'"),
        (CASE, answer(("It is 60 %.", DISPUTING), ("It is 70 %.", DECIDING)), "wrong", "says '60 %'"),
        (CASE, answer(("It is 70 %.", DECIDING), ("I want 60 %.", DISPUTING)), "right", ""),
        (CASE, answer(("It is 70 %.", DECIDING), ("No: 60 %.", citation("issue:3", 0.95))), "wrong", "says '60 %'"),
        (CASE, answer(), "refused", "refused, though the brain holds an answer"),
        (CASE, None, "refused", "refused, though the brain holds an answer"),
        (NO_ANSWER, answer(), "right", ""),
        (NO_ANSWER, answer(("Yes.", DECIDING)), "invented", "answered, though nothing in the brain does"),
    ],
    ids=[
        "right", "must", "cites", "must_not", "lower first", "outranked", "equal rank", "refused", "missing",
        "rightly refused", "invented",
    ],
)  # fmt: skip
def test_the_rubric(case: Case, given: Answer | None, verdict: str, problem: str) -> None:
    judged = judge(SUITE, case, given)
    assert (judged.verdict, "; ".join(judged.problems)) == (verdict, problem)


def test_what_must_be_said_is_not_said_by_a_handle() -> None:
    case = CASE.model_copy(update={"must": ("issue:1",)})
    assert judge(SUITE, case, answer(("It is 70 %.", DECIDING))).verdict == "wrong"


@walk("cites", ["issue:1", "issue:1@0-4", "lab/parser issue:1"])
def test_an_expected_row_is_named_by_ref_handle_or_source_and_ref(cites: str) -> None:
    case = CASE.model_copy(update={"cites": (cites,)})
    assert judge(SUITE, case, answer(("70 %", DECIDING))).verdict == "right"
    elsewhere = citation("issue:1", source="lab/lexer")
    right = judge(SUITE, case, answer(("70 %", elsewhere))).verdict == "right"
    assert right is not cites.startswith("lab/")
