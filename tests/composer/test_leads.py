"""What a heading, a lead-in line or a label turns is said with it, or not at all."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import pytest

from cortex.composer.ask import ask
from cortex.composer.cite import holds
from cortex.composer.claims import BINDING, EMPTY, FREE, GLUE, HEDGES, NEGATIONS, tokens
from cortex.composer.leads import leads_at, titled
from cortex.language.sentences import sentences
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain
from cortex.substrate.facts import plain
from cortex.substrate.model import Citation, CitedRecord, RecordType, Scope
from tests.brains import index_records, record

PULL = CitedRecord(
    type="pull",
    ref="pull:742",
    title="Ship it",
    author="ada",
    state="merged",
    created_at=datetime(2026, 2, 10, tzinfo=UTC),
)
STEMMER = Stemmer()
FRAME = "PR #742 by ada, merged"


def says(said: str, body: str, record_: CitedRecord = PULL) -> bool:
    citation = Citation(
        handle="h", statement="", excerpt=body, kind=None, authority=0.9, confidence=1, record=record_, source="o8",
    )  # fmt: skip
    return holds(f"{said} [CITATION:h]", [citation], {f"o8 {record_.ref}": body}, STEMMER)


@pytest.mark.parametrize(
    ("body", "item", "lead"),
    [
        ("We will not:\n\n- Use Redis\n- Use Kafka", "Use Redis", "We will not"),
        ("We will not:\n\n- Use Redis\n- Use Kafka", "Use Kafka", "We will not"),
        ("Do not:\n- push tags\n- commit to main", "commit to main", "Do not"),
        ("Don't\n\n- commit to main\n- push tags", "commit to main", "Don't"),
        ("## Don't\n\n- Merge on Fridays.", "Merge on Fridays.", "Don't"),
        ("## Never\n\nBy nobody.\n\n### Databases\n\nWrite by hand.", "Write by hand.", "Never"),
        ("Never\n=====\n\nMerge on Fridays.", "Merge on Fridays.", "Never"),
        ("**Never**\n\nMerge on Fridays.", "Merge on Fridays.", "Never"),
        ("Rejected alternatives:\n\n1. Use Redis\n2. Use Kafka", "Use Kafka", "Rejected alternatives"),
        ("Non-goals:\n\n- Support Windows", "Support Windows", "Non-goals"),
        ("## Out of scope\n\n- Windows builds", "Windows builds", "Out of scope"),
        ("- Avoid:\n  - Global state\n- Use hooks", "Global state", "Avoid"),
        ("The old way:\n\n```\nssh prod-1\n```", "ssh prod-1", "The old way"),
        ("| before | after |\n|---|---|\n| 10 s | 20 s |", "10 s · 20 s", "before · after"),
        ("Rejected: store sessions in Redis. They are quick.", "They are quick.", "Rejected"),
        ("**Old:** held 5 minutes. They expire.", "They expire.", "Old"),
        ("What we did not do\n------------------\n\nRaise the limit.", "Raise the limit.", "What we did not do"),
        ("If the audit fails:\n\n- stop the deploy", "stop the deploy", "If the audit fails"),
        ("We decided against:\r\n\r\n- Use Redis\r\n", "Use Redis", "We decided against"),
        ("We decided against:\n\nUse Redis.", "Use Redis.", "We decided against"),
        ("We decided against:\n\n| Redis | 2 nodes |\n", "Redis · 2 nodes", "We decided against"),
        ("## We decided against\n\nUse Redis.", "Use Redis.", "We decided against"),
        ("**Refrain from:**\n\n- Using Redis", "Using Redis", "Refrain from"),
        ("- Storage we voted down\n  - Use Redis\n- Use hooks", "Use Redis", "Storage we voted down"),
        ("## Anti-patterns\n\nUse Redis.", "Use Redis.", "Anti-patterns"),
        ("## Wish list\n\nBackups are encrypted.", "Backups are encrypted.", "Wish list"),
        ("## Option B: Redis\n\nUse Redis.", "Use Redis.", "Option B: Redis"),
        ("## v1\n\nThe limit is 9.", "The limit is 9.", "v1"),
        ("## 1.x\n\nThe limit is 10.", "The limit is 10.", "1.x"),
        ("<details><summary>Rejected</summary>\n\nUse Redis.\n\n</details>", "Use Redis.", "Rejected"),
        ("<details>\n<summary><b>Old</b> plan</summary>\n\n- Use Redis\n\n</details>", "Use Redis", "<b>Old</b> plan"),
    ],
)
def test_what_a_lead_turns_holds_with_it_alone(body: str, item: str, lead: str) -> None:
    assert not says(item, body)
    assert not says(f"{item[0].upper()}{item[1:]}", body)
    assert not says(f"{FRAME}: “{item}”", body)
    assert not says(f"{FRAME} › Allowed: “{item}”", body)
    assert says(f"{FRAME} › {lead}: “{item}”", body)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("Rejected: store sessions in Redis.", "store sessions in Redis."),
        ("No longer true: we use Redis.", "we use Redis."),
        ("Old: seats are held 5 minutes. New: 15 minutes.", "Seats are held 5 minutes."),
        ("Expected: the limit is 10. Actual: the limit is 5.", "The limit is 10."),
        ("Deprecated: use `foo()`.", "use `foo()`."),
        ("Bob joked: the key is safe.", "The key is safe."),
        ("The vendor says: the key is safe.", "The key is safe."),
        ("Hypothesis: Redis loses messages.", "Redis loses messages."),
        ("Nobody reads it: logs are kept for 5 days.", "Logs are kept for 5 days."),
    ],
)
def test_what_a_label_turns_does_not_hold_without_it(body: str, said: str) -> None:
    assert not says(said, body)
    assert not says(f"{FRAME}: “{said}”", body)
    assert says(f"{FRAME}: “{body}”", body)


@pytest.mark.parametrize("label", ["Note", "Decision", "Fix", "**Reason**", "Now"])
def test_a_label_that_turns_nothing_may_be_left_out(label: str) -> None:
    assert says("The limit is 10.", f"{label}: the limit is 10.")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("Do not:\n\n- commit to main\n\nWe ship daily.", "We ship daily."),
        ("## Never\n\n- Commit to main\n\n## Always\n\n- Run the tests", "Run the tests"),
        ("- Avoid:\n  - Global state\n- Use hooks", "Use hooks"),
        ("## Runbook: packets that do not move\n\nRelease them.", "Release them."),
        ("## Why not Redis?\n\nIt loses data.", "It loses data."),
        ("We do:\n\n- run the tests", "run the tests"),
        ("The steps are as follows:\n\n1. Run the tests.", "Run the tests."),
        ("This PR adds the following:\n\n- A limit of 10", "A limit of 10"),
        ("As Kim says:\n\n> It loses data.\n\nThe limit is 10.", "The limit is 10."),
        ("To try it:\n\n```\nmake\n```\n\nThe limit is 10.", "The limit is 10."),
        ("We decided against:\n\n- Redis\n\nThe limit is 10.", "The limit is 10."),
        ("We decided against this.\n\nThe limit is 10.", "The limit is 10."),
        ("<details><summary>Rejected</summary>\n\nUse Redis.\n\n</details>\n\nThe limit is 10.", "The limit is 10."),
        ("We ship daily.\n\n- The limit is 10.", "The limit is 10."),
    ],
)
def test_what_stands_elsewhere_is_not_turned(body: str, said: str) -> None:
    assert says(said, body)
    assert says(f"{FRAME}: “{said}”", body)


def test_a_quotation_does_not_go_on_past_the_end_of_a_list() -> None:
    body = "Before you push, do not:\n\n- push tags\n\nAllowed without asking:\n\n- fix typos\n\nWe ship daily."
    assert not says(f"{FRAME} › Before you push, do not: “push tags We ship daily.”", body)
    assert not says(f"{FRAME}: “Before you push, do not: push tags Allowed without asking: fix typos”", body)
    assert not says(f"{FRAME}: “Allowed without asking: fix typos We ship daily.”", body)
    assert says(f"{FRAME}: “Before you push, do not: push tags”", body)
    assert says(f"{FRAME} › Allowed without asking: “fix typos”", body)


def test_what_a_citation_is_said_to_say_does_not_hold_without_what_turns_it() -> None:
    body = "We decided against:\n\n- Use Redis\n"
    for title, type_ in (("Ship it", "pull"), ("Agents › Never", "directive")):
        row = PULL.model_copy(update={"title": title, "type": type_})
        for told in (body, "Use Redis") if type_ == "directive" else (body,):
            citation = Citation(
                handle="h", statement="Use Redis", excerpt=told, kind=None, authority=0.9, confidence=1, record=row,
                source="o8",
            )  # fmt: skip
            for said in ("Use Redis", "Use Redis.", "“Use Redis”"):
                assert not holds(f"{said} [CITATION:h]", [citation], {f"o8 {row.ref}": told}, STEMMER)


def test_what_a_change_takes_out_is_not_said() -> None:
    body = "Ship it\n\n```diff\n--- a/run.py\n- timeout = 5\n-limit = 9\n+ timeout = 9\n  tries = 3\n```\n"
    for said in ("timeout = 5", "“timeout = 5”", "limit = 9", f"{FRAME}: “limit = 9”"):
        assert not says(said, body)
    for said in (f"{FRAME}: “timeout = 9”", f"{FRAME}: “tries = 3”"):
        assert says(said, body)
    assert says(f"{FRAME}: “timeout = 5”", body.replace("diff", "yaml"))


@pytest.mark.parametrize("type_", ["directive", "doc"])
def test_a_title_turns_what_stands_under_it(type_: RecordType) -> None:
    title, body = "Agents › Never › In tests", "Call the bank"
    row = CitedRecord(type=type_, ref=f"{type_}:AGENTS.md#1", title=title, author="", state="", path="AGENTS.md")
    assert titled(title, type_) == ("Never", "In tests")
    for said in ("Call the bank.", "“Call the bank”", "In AGENTS.md: “Call the bank”", "In tests: call the bank."):
        assert not says(said, body, row)
    for said in (
        f"{title}: “Call the bank”",
        f"{title}: Call the bank",
        "In AGENTS.md › Never › In tests: “Call the bank”",
    ):
        assert says(said, body, row)


def test_a_heading_of_a_rule_may_be_said_with_it_and_no_other() -> None:
    title = "Agents › Python › Style"
    row = CitedRecord(type="directive", ref="directive:AGENTS.md#1", title=title, author="", state="", path="AGENTS.md")
    for place in ("", " › Python", " › Python › Style", " › Style"):
        assert says(f"Directive in AGENTS.md{place}: “Indent by four.”", "Indent by four.", row)
    for place in (" › Rust", " › Never", " › Python › Rust"):
        assert not says(f"Directive in AGENTS.md{place}: “Indent by four.”", "Indent by four.", row)


def test_a_lead_is_not_said_twice() -> None:
    title, body = "Agents › Never", "Never push tags."
    row = CitedRecord(type="directive", ref="directive:AGENTS.md#1", title=title, author="", state="", path="AGENTS.md")
    assert says("Never push tags.", body, row)
    assert not says("“push tags.”", body, row)


LEADS: Final = (
    "Never", "Do not", "Don't", "Avoid", "Rejected", "Rejected alternatives", "Out of scope", "Non-goals", "Deprecated",
    "No longer true", "Not in this change", "What we do not do", "Old behaviour", "Expected", "Proposed", "Wrong",
    "We will not", "Removed in 3.0", "Alternatives considered", "Unsupported", "Before", "Previously",
)  # fmt: skip
FORMS: Final[dict[str, Callable[[str, str], str]]] = {
    "a heading": lambda lead, text: f"## {lead}\n\n{text}",
    "a heading above another": lambda lead, text: f"## {lead}\n\n### Storage\n\n- {text}",
    "an underlined heading": lambda lead, text: f"{lead}\n---\n\n{text}",
    "a bold line": lambda lead, text: f"**{lead}**\n\nAs above.\n\n- {text}",
    "a line before a list": lambda lead, text: f"{lead}:\n\n- As above.\n- {text}",
    "a line right above a list": lambda lead, text: f"{lead}:\n* As above.\n* {text}",
    "a line before a paragraph": lambda lead, text: f"{lead}:\n\n{text}",
    "an item above": lambda lead, text: f"- As above.\n- {lead}:\n  1. As above.\n  2. {text}",
    "a label": lambda lead, text: f"{lead}: as above. {text}",
    "a label right before": lambda lead, text: f"- **{lead}**: {text}",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_no_sentence_of_a_project_holds_without_what_leads_it_in(form: Callable[[str, str], str], demo: Brain) -> None:
    chance, made = random.Random(7), 0  # noqa: S311  no secret
    for title, body in demo.db.execute("select title, body from records where type <> 'ownership'").fetchall():
        for span in [*sentences(body)][:3]:
            text = plain(body[span.start : span.end])
            said, lead = tokens(text), chance.choice(LEADS)
            tells = len({*said} - FREE - EMPTY - GLUE - NEGATIONS) > 3 and not {*said} & (HEDGES | BINDING)
            if not tells or "\n" in text or text == title or said[: len(tokens(lead))] == tokens(lead):
                continue
            led = form(lead, text)
            assert not says(text, led), (led, text)
            assert not says(f"{FRAME}: “{text}”", led), (led, text)
            at = led.rindex(text)
            above = leads_at(led, "Ship it", "pull", at)
            is_its_own = not led[:at].endswith(": ")  # a label is part of its sentence
            assert not is_its_own or says(f"{FRAME} › {' › '.join(above)}: “{text}”", led), (led, above)
            made += 1
    assert made > 100


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("May I commit to main?", "Never: “Commit to main”"),
        ("Can I store tokens in localStorage?", "Never: “Store tokens in localStorage”"),
        ("May I use floats for money?", "Do not: “use floats for money”"),
        ("Should I mock the database?", "Avoid: “Mocking the database”"),
        ("Is Windows supported?", "Out of scope: “Support for Windows”"),
    ],
)
def test_a_rule_is_quoted_with_the_heading_that_turns_it(brain: Brain, question: str, lead: str) -> None:
    rules = {
        "Never": ("Commit to main", "Push tags by hand", "Store tokens in localStorage"),
        "Always": ("Run `make check` before you push",),
        "Always › Do not": ("use floats for money", "call the bank from a test"),
        "Avoid": ("Global variables", "Mocking the database"),
        "Out of scope": ("Support for Windows",),
    }
    every = [(f"Agents › {title}", rule) for title, those in rules.items() for rule in those]
    index_records(
        brain,
        *(
            record(f"directive:AGENTS.md#{place}", rule, title=title, path="AGENTS.md")
            for place, (title, rule) in enumerate(every, 1)
        ),
    )
    answer = ask(brain, question, scope=Scope())
    assert answer.answer.startswith(f"Directive in AGENTS.md › {lead}")


def test_an_issue_is_quoted_with_the_line_above_its_list(brain: Brain) -> None:
    body = "Sessions\n\nWe looked at stores.\n\nRejected:\n\n" + "\n".join(
        f"- Keep sessions in {store}, which {why} under the load that the web shop has on a Monday in the season."
        for store, why in (("Redis", "loses data"), ("cookies", "grows too large"), ("Postgres", "locks rows"),
                           ("Memcached", "forgets them"), ("files", "needs a shared disk"))
    )  # fmt: skip
    others = (record(f"issue:{number}", f"Topic {number}\n\nOther words.", state="open") for number in range(2, 9))
    index_records(brain, record("issue:1", body, state="closed"), *others)
    answer = ask(brain, "Do we keep sessions in files with a shared disk?", scope=Scope())
    assert not answer.refused
    assert "Rejected" in answer.answer
