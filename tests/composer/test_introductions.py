"""What a line introduces, a sign marks or the next sentence takes back is said with that, or not at all."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import accumulate
from typing import Final

import pytest

from cortex.composer.ask import ask
from cortex.composer.claims import BINDING, EMPTY, FREE, GLUE, HEDGES, NEGATIONS, tokens
from cortex.composer.leads import leads_at
from cortex.indexers.connectors.directives import read
from cortex.indexers.connectors.pages import Page
from cortex.language.sentences import sentences
from cortex.substrate.brain import Brain
from cortex.substrate.facts import plain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record
from tests.composer.test_leads import FRAME, says
from tests.composer.turning import INTRODUCTIONS, MARKED, MARKS, RETRACTIONS

LISTS: Final[dict[str, Callable[[str, str], str]]] = {
    "a list": lambda line, text: f"{line}\n\n- As above.\n- {text}",
    "a list right below": lambda line, text: f"We met.\n\n{line}\n1. As above.\n2. {text}",
    "a list in an item": lambda line, text: f"- As above.\n- {line}\n  - As above.\n  - {text}",
    "a table": lambda line, text: f"{line}\n\n| As above. | x |\n|---|---|\n| {text} | y |\n",
}


def told_by(brain: Brain, chance: random.Random) -> list[str]:
    """Sentences of a project that say something by themselves, in any order."""
    found = []
    for (body,) in brain.db.execute("select body from records where type <> 'ownership'").fetchall():
        for span in [*sentences(body)][1:3]:
            text = plain(body[span.start : span.end])
            said = {*tokens(text)}
            tells = len(said - FREE - EMPTY - GLUE - NEGATIONS) > 3 and not said & (HEDGES | BINDING)
            found += [text] if tells and not {*"\n|"} & {*text} and not text.endswith(":") else []
    return chance.sample(found, len(found))


@pytest.mark.parametrize("form", LISTS.values(), ids=LISTS.keys())
def test_no_item_holds_without_the_line_that_introduces_it(form: Callable[[str, str], str], demo: Brain) -> None:
    chance = random.Random(11)  # noqa: S311  no secret
    told = told_by(demo, chance)[:80]
    assert len(told) == 80
    for place, text in enumerate(told):
        line = INTRODUCTIONS[place % len(INTRODUCTIONS)]
        led = form(line, text)
        assert not says(text, led), (led, text)
        assert not says(f"{FRAME}: “{text}”", led), (led, text)
        above = leads_at(led, "Ship it", "pull", led.rindex(text))
        assert above, led
        cell = " · y" if led.endswith("| y |\n") else ""
        assert says(f"{FRAME} › {' › '.join(above)}: “{text}{cell}”", led), (led, above)


@pytest.mark.parametrize("form", MARKED.values(), ids=MARKED.keys())
def test_nothing_holds_without_the_mark_that_turns_it(form: Callable[[str, str], str], demo: Brain) -> None:
    chance = random.Random(13)  # noqa: S311  no secret
    for place, text in enumerate(told_by(demo, chance)[:80]):
        marked = form(MARKS[place % len(MARKS)], text)
        for said in (text, text.removesuffix("."), f"“{text}”", f"{FRAME}: “{text}”", f"{FRAME}: “{text} …”"):
            assert not says(said, marked), (marked, said)


@pytest.mark.parametrize(
    "first",
    ["We decided against:\n\n", "We decided against the following.\n\n", "We decided against:\n\nToo slow:\n\n"],
)
def test_a_line_between_takes_nothing_from_the_one_above_it(first: str) -> None:
    body = f"{first}For sessions:\n\n- Use Redis\n\nThe limit is 10."
    above = leads_at(body, "Ship it", "pull", body.index("Use"))
    assert above[0].startswith("We decided against")
    assert above[-1] == "For sessions"
    assert not says(f"{FRAME} › For sessions: “Use Redis”", body)
    assert says(f"{FRAME} › {' › '.join(above)}: “Use Redis”", body)
    assert says(f"{FRAME}: “The limit is 10.”", body)


@pytest.mark.parametrize(
    "body",
    [
        "| Rejected | Use Redis |\n",
        "~Use Redis~ for sessions",
        "We do this: ~Use Redis.~",
        "| a | b |\n|---|---|\n| ✗ | Use Redis |\n",
    ],
)
def test_what_a_cell_turns_or_a_line_strikes_out_does_not_hold(body: str) -> None:
    for said in ("Use Redis", "Use Redis.", "“Use Redis”", f"{FRAME}: “Use Redis”"):
        assert not says(said, body)


@pytest.mark.parametrize("told", ["It takes ~5 ms or ~10 ms.", "Copy ~/a to ~/b.", "Run `x ~y~` now."])
def test_a_tilde_that_strikes_nothing_out_is_read(told: str) -> None:
    assert says(f"{FRAME}: “{told}”", told)


@pytest.mark.parametrize("retraction", RETRACTIONS)
def test_no_sentence_holds_without_the_next_one_that_takes_it_back(retraction: str, demo: Brain) -> None:
    chance, made = random.Random(retraction), 0  # noqa: S311  no secret
    for text in told_by(demo, chance)[:40]:
        if text.endswith("."):
            made += 1
            body = f"As above. {text} {retraction} We go on."
            for said in (text, text[:-1], f"“{text}”", f"{FRAME}: “{text}”", f"{FRAME}: “{text} …”"):
                assert not says(said, body), (body, said)
            assert says(f"{FRAME}: “{text} {retraction}”", f"As above. {text} {retraction}"), body
            assert says(f"{FRAME}: “{text}”", f"{text} We go on.")
    assert made > 20


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("May I use GraphQL?", "We decided against: “Using GraphQL for the public API”"),
        ("Where are signatures stored?", "We decided against: “Storing signatures in S3”"),
        ("Can tests call DocuSign?", "Refrain from: “calling DocuSign from tests”"),
        ("May I copy identity cards?", "Illegal: “copying identity cards”"),
        ("Should I run migrations twice?", "Beware of: “running migrations twice”"),
        ("Do we use Redis for sessions?", "Bert's list: “Redis for sessions”"),
    ],
)
def test_a_rule_of_a_list_is_quoted_with_the_line_above_the_list(brain: Brain, question: str, lead: str) -> None:
    text = """# Rules

We decided against:

- Using GraphQL for the public API
- Storing signatures in S3

Refrain from:

- calling DocuSign from tests

Beware of:

- running migrations twice

Illegal:

- copying identity cards

Bert's list:

- Redis for sessions
"""
    rules = read(Page("AGENTS.md", text, [0, *accumulate(map(len, text.splitlines(keepends=True)))]), source="o8")
    index_records(brain, *(one for one in rules if isinstance(one, Record)))
    answer = ask(brain, question, scope=Scope())
    assert answer.answer.startswith(f"Directive in AGENTS.md › {lead}")


@pytest.mark.parametrize(
    ("question", "has"),
    [
        ("Can I allocate memory in the output thread?", "You must not: “allocate memory in the output thread"),
        ("Can I call unwrap() outside of tests?", "You must not: “call `unwrap()` outside of tests"),
    ],
)
def test_the_sentence_that_was_judged_stands_in_the_answer(brain: Brain, question: str, has: str) -> None:
    body = (
        "# Contributing\n\nBranches are called `name/topic`. Commits are signed off. A change needs one approval, a"
        " change to the output thread needs two. Everything that is told here holds for everybody who works on this, be"
        " it in the office or at home, and whatever the hour of the day.\n\nYou must not:\n\n- allocate memory in the"
        " output thread\n- call `unwrap()` outside of tests\n- add a dependency without asking\n"
    )
    index_records(brain, record("doc:CONTRIBUTING.md", body, title="Contributing", path="CONTRIBUTING.md"))
    answer = ask(brain, question, scope=Scope())
    assert has in answer.answer
