"""Comments: what decides, explains, measures, warns or assigns is kept; what a person says in passing is not."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.distill.rules import KEEP, best, distill, kind_of, statement, units
from cortex.indexers.distill.text import Text
from cortex.substrate.facts import Candidate
from tests.tables import walk


def comment(body: str, **fields: object) -> Text:
    stated = {"title": "Queue loses jobs", "author": "ada", "state": "", "created_at": "2026-05-01T00:00:00Z"} | fields
    return Text(1, "comment", "comment:7#1", body=body, **stated)  # type: ignore[arg-type]


def facts(body: str, **fields: object) -> list[Candidate]:
    return list(distill(comment(body, **fields)))


KEPT = {
    "a decision with its reason": "We decided to keep the queue in memory, because the disk was slow.",
    "a closing with its reason": "Closing because the parser no longer accepts tabs.",
    "a closing said of oneself": "I'm closing this because there is no need for a second parser any more.",
    "a rejection": "NACK because this breaks every caller that passes NULL.",
    "what a meeting came to": "We agreed in the call that workers must never share a lease.",
    "what replaced it": "Closing in favor of #12, which uses one table instead of three.",
    "a measurement": "With the index the query is 40% faster, 3.2 ms instead of 5.4 ms on the build machine.",
    "a limit": "The importer does not support symbolic links, so linked folders are not indexed.",
    "a cause": "The root cause was that a cache was not invalidated once its writer had crashed: users saw old rows.",
}

DROPPED = {
    "thanks": "Thanks a lot for the quick review and all the work on this!",
    "an approval": "LGTM, looks good to me now, ready for merge",
    "a question": "Should we decide to keep the queue in memory because the disk is slow?",
    "a question in passing": "Why not drop it? Because nobody asked for it so far, I think.",
    "a nit": "nit: maybe rename this variable to something less confusing?",
    "a promise of what follows": "The parser must reject each of the following inputs because they are ambiguous:",
    "a hypothesis": "Suppose the writer crashes, then the cache would be stale and readers must wait.",
    "what somebody else said": "You said that the cache must never be stale because readers trust it.",
    "an address": "See https://example.com/a/very/long/page/about/why/the/cache/must/never/be/stale",
    "a bot's template": "This issue has been automatically marked as stale because it has not had recent activity.",
    "the foot of a mail": "Reply to this email directly, view it on GitHub, or unsubscribe because you were mentioned.",
}


@walk("body", KEPT.values(), ids=KEPT.keys())
def test_what_decides_explains_or_measures_is_kept(body: str) -> None:
    (fact,) = facts(body)
    assert fact.statement.endswith(body)
    assert body[fact.start : fact.end] == body
    assert KEEP["comments"] <= fact.confidence <= 1


@walk("body", DROPPED.values(), ids=DROPPED.keys())
def test_what_is_said_in_passing_is_dropped(body: str) -> None:
    assert facts(body) == []


HIDDEN = {
    "quoted": "> {}",
    "in a block of code": "```\n{}\n```",
    "in a comment": "<!-- {} -->",
    "folded away": "<details><summary>log</summary>\n\n{}\n\n</details>",
    "quoted in HTML": "<blockquote>{}</blockquote>",
    "in the foot of a mail": "-- \n{}",
    "in a table": "| what | why |\n|---|---|\n| {} | speed |",
    "in a log": "2026-05-01 12:00:00 ERROR {}",
    "after a trace": 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n{}',
    "indented as code": "    {}",
}


@walk("form", HIDDEN.values(), ids=HIDDEN.keys())
def test_what_an_author_did_not_say_is_no_fact(form: str) -> None:
    said = KEPT["a decision with its reason"]
    assert facts(said)
    assert facts(form.format(said)) == []


def test_a_quoted_line_is_dropped_and_the_answer_below_it_kept() -> None:
    (fact,) = facts(f"> Why in memory?\n\n{KEPT['a decision with its reason']}")
    assert fact.statement.endswith(KEPT["a decision with its reason"])


def test_a_sentence_that_leans_on_the_one_before_comes_with_it() -> None:
    body = "A crash leaves the cache as it was. This means that readers see old rows until a restart."
    assert [body[unit.start : unit.end] for unit in units(comment(body))] == [body.partition(" This")[0], body]
    (fact,) = facts("Closing this. The parser no longer accepts tabs, so there is nothing left to fix here.")
    assert "Closing this. The parser no longer" in fact.statement


def test_a_list_item_comes_with_the_sentence_that_introduces_it() -> None:
    body = "The importer has two limits:\n\n- Symbolic links are not supported, so linked folders are not indexed.\n"
    text = comment(body)
    *_, unit = units(text)
    assert "The importer has two limits: Symbolic links are not supported" in statement(unit, text)
    assert body[unit.start : unit.end].startswith("Symbolic links")


def test_who_said_it_when_where_and_how_frames_a_fact() -> None:
    fields = {"association": "MEMBER", "state": "changes_requested", "path": "src/queue.py"}
    (fact,) = facts(KEPT["a rejection"], **fields)
    assert fact.statement.startswith(
        "ada (member), asking for changes, on 2026-05-01 about src/queue.py in #7 “Queue loses jobs”: NACK because"
    )
    assert fact.valid_from == "2026-05-01T00:00:00Z"


def test_of_what_a_program_wrote_only_a_decision_is_kept() -> None:
    assert facts(KEPT["a measurement"])
    assert facts(KEPT["a measurement"], author="perf[bot]") == []
    assert facts(KEPT["a decision with its reason"], author="helper[bot]")


CHOICES = {
    "agreed, with its reason": (KEPT["a decision with its reason"], "", "decision"),
    "agreed in a call": (KEPT["what a meeting came to"], "", "decision"),
    "turned down, with its reason": (
        "Tabs are out of scope for this parser, so I'm closing this issue with no action.", "closes", "decision",
    ),
    "turned down by more than one": (
        "After discussion with @lin we decided against tabs. They would need a second parser.", "closes", "decision",
    ),
    "overcome by events": ("Closing as overcome by events.", "closes", "change"),
    "nobody answered": ("I'm closing this since there was no activity.", "closes", "change"),
    "one person's wish": ("I would prefer that we keep the queue in memory, because the disk is slow.", "", None),
}  # fmt: skip


@walk(("body", "closes", "kind"), CHOICES.values(), ids=CHOICES.keys())
def test_a_choice_is_a_decision_where_somebody_is_glad_of_it_later(body: str, closes: str, kind: str | None) -> None:
    found = facts(body, title="Queue accepts tabs", association="MEMBER", closes=bool(closes))
    assert [(fact.kind, fact.statement.endswith(body)) for fact in found] == ([(kind, True)] if kind else [])


def test_a_choice_is_told_with_what_it_leans_on_and_once() -> None:
    body = "Thanks!\n\nThe disk is slow under load. So we decided to keep the queue in memory, as before."
    (fact,) = facts(body)
    assert fact.statement.endswith(
        "”: The disk is slow under load. So we decided to keep the queue in memory, as before."
    )


KINDS = {
    "change": KEPT["a closing with its reason"],
    "incident": "The release crashed on Windows because the loader never found its table, and 40% of users saw it.",
    "process": "Before every release the maintainers must run the tests on all platforms, because CI has only one.",
    "spec": KEPT["a limit"],
}


@walk(("kind", "body"), KINDS.items(), ids=KINDS.keys())
def test_a_fact_has_the_kind_its_words_speak_for(kind: str, body: str) -> None:
    text = comment(body)
    assert {kind_of(unit, text) for unit in units(text)} == {kind}


def test_what_somebody_only_supposes_was_not_decided() -> None:
    text = comment("I think everyone agreed in the call that the cache might be dropped, but I am not sure.")
    assert [kind_of(unit, text) for unit in units(text)] == ["spec"]


WORDS = st.sampled_from(
    [*KEPT.values(), *DROPPED.values(), "> quoted", "```", "- item", "\n\n", "| a | b |", "`x`", "“"]
)


@given(st.lists(st.one_of(WORDS, st.text(max_size=40)), max_size=12), st.sampled_from(["\n", "\n\n", " "]))
def test_excerpts_are_of_the_body_and_do_not_overlap(parts: list[str], joint: str) -> None:
    text = comment(joint.join(parts))
    found = [unit for unit, _ in best(text)]
    assert all(0 <= unit.start < unit.end <= len(text.body) for unit in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert len({unit.text for unit in found}) == len(found)
