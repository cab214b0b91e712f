"""Asking and searching from the command line: for a person, as JSON, and many at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import cortex as library
from cortex.substrate.address import argument
from cortex.substrate.brain import open_brain
from cortex.substrate.model import REFUSAL, Answer
from tests.brains import NOW, index_records, open_new, record
from tests.surfaces.conftest import Ran

Cortex = Callable[..., Ran]
PINNED = "What did we decide to pin above the other retrieval rows?"
UNANSWERABLE = "How much does the team plan cost per seat?"
pytestmark = pytest.mark.usefixtures("brain")


def test_an_answer_numbers_its_citations_and_lists_them(cortex: Cortex) -> None:
    ran = cortex("ask", PINNED)
    assert (ran.code, ran.err) == (0, "")
    answer, _, sources = ran.out.partition("\nSources in o8-labs/o8\n")
    assert "[CITATION:" not in ran.out
    assert set(re.findall(r"\[\d\]", answer)) == set(re.findall(r"^\[\d\]", sources, re.M))
    assert "pull:958" in sources
    assert "https://github.com/o8-labs/o8/pull/958" in sources
    assert "authority 0.95" in sources


def test_an_answer_as_json_is_the_contract(cortex: Cortex) -> None:
    answer = cortex("ask", PINNED, "--json").json
    assert answer["class"] in {"A", "B"}
    assert answer["question"] == PINNED
    assert not answer["refused"]
    assert {"handle", "statement", "excerpt", "kind", "authority", "confidence", "record", "source"} == set(
        answer["citations"][0]
    )
    assert Answer.model_validate(answer).answer == answer["answer"]


def test_json_may_stand_before_the_command(cortex: Cortex) -> None:
    before, after = cortex("--json", "ask", PINNED).json, cortex("ask", PINNED, "--json").json
    assert before | {"timings_ms": 0} == after | {"timings_ms": 0}


def test_words_without_quotes_are_one_question(cortex: Cortex) -> None:
    assert cortex("ask", *PINNED.split(), "--json").json["question"] == PINNED


def test_a_refusal_is_the_sentence_alone_and_no_failure(cortex: Cortex) -> None:
    ran = cortex("ask", UNANSWERABLE)
    assert (ran.code, ran.out) == (0, REFUSAL + "\n")
    assert cortex("ask", UNANSWERABLE, "-q").err == ""


def test_how_sure_an_answer_has_to_be_is_a_setting(cortex: Cortex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEX_REFUSE_BELOW", "1")
    assert cortex("ask", PINNED).out.strip() == REFUSAL
    assert json.loads(cortex("ask", "--explain", "--json", PINNED).out)["evidence"] == "none"
    monkeypatch.setenv("CORTEX_REFUSE_BELOW", "0")
    assert cortex("ask", UNANSWERABLE).out.strip() != REFUSAL
    monkeypatch.setenv("CORTEX_REFUSE_BELOW", "2")
    assert cortex("ask", UNANSWERABLE).code == 2


def test_only_the_named_source_is_read(cortex: Cortex) -> None:
    answer = cortex("ask", PINNED, "--source", "o8-labs/o8-runner", "--json").json
    assert {citation["source"] for citation in answer["citations"]} <= {"o8-labs/o8-runner"}


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_an_answer_fits_the_terminal(cortex: Cortex, columns: int) -> None:
    ran = cortex("ask", PINNED, COLUMNS=str(columns))
    assert max(len(line) for line in ran.out.splitlines() if "://" not in line) <= columns


@pytest.mark.parametrize(
    ("command", "question", "problem"),
    [
        ("ask", "", "is empty"),
        ("ask", "  ", "is empty"),
        ("ask", "?!", "has no words in it"),
        ("ask", "🎉…", "has no words in it"),
        ("search", "", "is empty"),
        ("search", "  ", "is empty"),
    ],
    ids=ascii,
)
def test_a_question_without_words_is_a_wrong_use(cortex: Cortex, command: str, question: str, problem: str) -> None:
    ran = cortex(command, question)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint == f'cortex: the question {problem}; use words, such as "who owns the parser?"'


@pytest.mark.parametrize("query", ["?!", "🦄", "+++", "\N{COMBINING ACUTE ACCENT}"], ids=ascii)
def test_a_query_without_words_finds_nothing(cortex: Cortex, query: str) -> None:
    ran = cortex("search", query, "--json")
    assert (ran.code, ran.json["hits"], ran.err) == (0, [], "")


HOSTILE = [
    '"; drop table facts; --',
    "NEAR(a b) AND OR NOT *",
    "a\0b",
    "\udcff\ud800 owns",
    "👩‍🚀 who?",
    "x" * 20_000,
    "%s {0}",
]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("command", ["ask", "search"])
def test_whatever_is_typed_is_a_question(cortex: Cortex, command: str, text: str) -> None:
    assert cortex(command, "--", text).code == 0
    assert cortex(command, "--json", "--", text).json


def test_a_batch_answers_line_by_line_and_names_what_it_cannot_use(cortex: Cortex, tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": "a", "question": PINNED}),
        "{not json",
        "",
        json.dumps({"question": "no id"}),
        json.dumps({"id": 3, "question": 5}),
        json.dumps({"id": 4, "question": "?"}),
        "[" * 100_000,
        '{"id": "lone \\ud800", "question": "who \\ud800 owns the gateway?"}',
        json.dumps({"id": None, "question": UNANSWERABLE, "more": 1}),
    ]
    (tmp_path / "batch.jsonl").write_text("\n".join(lines))
    ran = cortex("ask", "--batch", tmp_path / "batch.jsonl")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [answer.pop("id") for answer in answers] == ["a", "lone \N{REPLACEMENT CHARACTER}", None]
    assert [Answer.model_validate(answer).refused for answer in answers][::2] == [False, True]
    assert [line.split(":")[1] for line in ran.err.splitlines()] == [f" line {n}" for n in (2, 4, 5, 6, 7)]
    assert ran.code == 1


def test_a_batch_gives_the_answers_of_one_by_one(cortex: Cortex) -> None:
    (batched,) = cortex("ask", "--batch", "-", stdin=json.dumps({"id": 1, "question": PINNED})).out.splitlines()
    assert json.loads(batched)["answer"] == cortex("ask", PINNED, "--json").json["answer"]


def test_a_batch_that_is_not_there_is_a_wrong_use(cortex: Cortex) -> None:
    ran = cortex("ask", "--batch", "nowhere.jsonl")
    assert ran.code == 2
    assert ran.complaint.startswith("cortex: nowhere.jsonl: No such file or directory; ")


def test_a_batch_of_an_unknown_source_fails_before_the_first_line(cortex: Cortex) -> None:
    ran = cortex("ask", "--batch", "-", "--source", "nope", stdin=json.dumps({"id": 1, "question": PINNED}))
    assert (ran.code, ran.out) == (2, "")


def test_search_lists_rows_best_first(cortex: Cortex) -> None:
    found = cortex("search", "pin top-6 facts", "-k", 3, "--json").json
    assert "pull:958" in {hit["record"]["ref"] for hit in found["hits"]}
    assert len(found["hits"]) <= 3
    assert found["hits"] == sorted(found["hits"], key=lambda hit: -hit["score"])
    assert "pull:958" in cortex("search", "pin top-6 facts").out


def test_a_batch_of_queries(cortex: Cortex) -> None:
    ran = cortex("search", "--batch", "-", "-k", 2, stdin='{"id": 7, "query": "pin top-6 facts"}\nnope\n')
    (row,) = map(json.loads, ran.out.splitlines())
    assert (row["id"], len(row["hits"])) == (7, 2)
    assert {"ref", "record", "source"} <= set(row["hits"][0])
    assert (ran.code, ran.complaint) == (1, "cortex: line 2: not JSON")
    ran = cortex("search", "--batch", "-", stdin='{"id": 7, "query": 5}\n')
    assert (ran.code, ran.complaint) == (1, "cortex: line 1: query is no text")


def test_python_gives_the_same_answer(cortex: Cortex, brain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = cortex("ask", PINNED, "--json").json["answer"]
    monkeypatch.setenv("CORTEX_DB", argument(brain))
    assert library.ask(PINNED).answer == expected
    assert library.ask(PINNED, brain=brain).answer == library.ask(PINNED, brain=argument(brain)).answer == expected
    with open_brain(brain, read_only=True) as opened:
        found = library.ask(PINNED, brain=opened)
        assert found.citations[0].record.ref == library.ask(PINNED).citations[0].record.ref
        assert library.ask(PINNED, brain=opened).answer == found.answer


def test_what_the_library_offers_is_there() -> None:
    assert all(getattr(library, name) for name in library.__all__)
    assert set(library.__all__) <= set(dir(library))
    with pytest.raises(AttributeError, match="nothing_like_it"):
        library.nothing_like_it  # noqa: B018


def test_an_explanation_as_json_adds_up(cortex: Cortex) -> None:
    found = cortex("ask", PINNED, "--explain", "--json").json
    assert found["question"] == PINNED
    assert found["evidence"] in {"strong", "moderate"}
    assert 0 <= found["likelihood"] <= 1
    assert {"lookup", "text", "fact", "vector", "links"} == found["timings_ms"].keys()
    assert [row["rank"] for row in found["rows"]] == [*range(1, len(found["rows"]) + 1)]
    for row in found["rows"]:
        assert row["score"] == pytest.approx(sum(row["parts"].values()), abs=0.01)
        assert row["places"] or row["relation"] or row["lineage"]
        assert all(place >= 1 for place in row["places"].values())


def test_an_explanation_stands_in_the_order_of_the_answer(cortex: Cortex) -> None:
    answer, found = (cortex("ask", PINNED, "--json", *more).json for more in ((), ("--explain",)))
    ranks = {row["ref"]: row["rank"] for row in found["rows"]}
    cited = [ranks[ref] for ref in dict.fromkeys(one["record"]["ref"] for one in answer["citations"])]
    assert cited == sorted(cited)


def test_a_refusal_is_explained_too(cortex: Cortex) -> None:
    found = cortex("ask", UNANSWERABLE, "--explain", "--json").json
    assert found["evidence"] == "none"
    assert "evidence: none" in cortex("ask", UNANSWERABLE, "--explain").out


def test_as_of_a_day_the_answer_is_what_was_known_by_its_end(cortex: Cortex) -> None:
    question = "What is the desktop shell?"
    then, now = (cortex("ask", question, *more, "--json").json for more in (("--as-of", "2025-02-04"), ()))
    assert then["citations"][0]["record"]["path"] == "docs/decisions/0002-electron-shell.md"
    assert "Tauri" in now["answer"]
    assert "tauri" not in json.dumps(then).lower()
    assert cortex("ask", question, "--as-of", "2020-01-01").out == REFUSAL + "\n"
    explained = cortex("ask", question, "--as-of", "2025-02-04", "--explain", "--json").json
    assert "tauri" not in json.dumps(explained["rows"]).lower()


@pytest.mark.parametrize("explained", [(), ("--explain",)], ids=["answered", "explained"])
@pytest.mark.parametrize("day", ["yesterday", "2025-13-01", "2025-02-30", "2025-2-3", "2025-03-01T10:00"])
def test_a_day_that_is_none_is_a_wrong_use_in_one_line(cortex: Cortex, day: str, explained: tuple[str, ...]) -> None:
    ran = cortex("ask", PINNED, "--as-of", day, *explained)
    assert (ran.code, ran.out) == (2, "")
    assert day in ran.complaint or "'--as-of'" in ran.complaint


def test_a_batch_is_asked_as_of_now_after_nothing_beside_no_question_and_explained_not(cortex: Cortex) -> None:
    for more in (("--explain",), ("--as-of", "2025-03-01"), ("--after", "pull:958")):
        assert "none of --explain, --as-of and --after" in cortex("ask", "--batch", "-", *more, stdin="").complaint
    assert cortex("ask", "--batch", "-", "why?").code == 2


def test_a_question_that_names_nothing_is_asked_of_what_it_comes_after(cortex: Cortex) -> None:
    cited = cortex("ask", PINNED, "--json").json["citations"][0]
    after, explained = (
        cortex("ask", "and who decided that?", "--after", cited["handle"], "--json", *more).json
        for more in ((), ("--explain",))
    )
    assert after["question"] == explained["question"] == "and who decided PR #958?"
    assert after["citations"][0]["record"]["ref"] == "pull:958"
    unknown = cortex("ask", "and why?", "--after", "pull:1")
    assert (unknown.code, "pull:1" in unknown.err) == (2, True)
    assert cortex("ask", PINNED, "--after", "pull:1").out == cortex("ask", PINNED).out


def test_three_statements_are_shown_and_the_rest_on_request(cortex: Cortex) -> None:
    answer = cortex("ask", PINNED, "--json").json
    first, every = cortex("ask", PINNED).out, cortex("ask", PINNED, "--all").out
    cited = [[f"[{n}]" in shown for n in range(1, len(answer["citations"]) + 1)] for shown in (first, every)]
    assert len(answer["statements"]) > 3
    assert cited == [[n < 3 for n in range(len(cited[0]))], [True] * len(cited[0])]
    assert (f"and {len(answer['statements']) - 3} more: --all" in first, "--all" in every) == (True, False)


def test_after_a_refusal_at_most_three_closest_matches_are_named(cortex: Cortex) -> None:
    head, *rows = cortex("ask", UNANSWERABLE).err.strip().splitlines()
    assert head == "Closest matches, none of which answers the question:"
    assert 1 <= sum(row[2] != " " for row in rows) <= 3


def test_an_answer_from_unverified_rows_alone_says_so(tmp_path: Path, cortex: Cortex) -> None:
    said = {"author": "eve", "association": "NONE", "created_at": NOW}
    with open_new(tmp_path / "own.db") as brain:
        index_records(brain, record("issue:7", "Oil\n\nWe use zq7 oil for the gears.", **said))
    shown = cortex("ask", "Which oil do we use for the gears?", db=brain.path).out
    assert "\n\nUnverified: nobody of the project stands behind what leads this answer.\n\nSources" in shown
