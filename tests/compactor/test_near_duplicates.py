"""Which sentences are near duplicates, and that every pair of them is found."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import pytest

from cortex.compactor.near_duplicates import Saying, saying, telling
from cortex.compactor.run import compact
from cortex.substrate.identity import normalised
from tests.compactor.brains import NOW, Facts

BASE = "Whoever renames a table in the brain also renames every index that stands on it"


@cache
def tokens(text: str) -> frozenset[str]:
    return frozenset(normalised(text).split())


def jaccard(one: str, other: str) -> float:
    ours, theirs = tokens(one), tokens(other)
    return len(ours & theirs) / len(ours | theirs)


def merged(facts: Facts) -> int:
    return compact(facts.brain, jobs=["near_duplicates"], now=NOW).changed


def test_what_says_nearly_the_same_merges_into_the_weightiest(facts: Facts) -> None:
    light = facts.add("Indeed " + BASE)
    heavy = facts.add(BASE, authority=0.9)
    assert merged(facts) == 1
    assert facts.handles() == {heavy}
    assert facts.archived(light)["merged_into"] == heavy
    assert facts.confidence(heavy) == 0.8


APART = [
    ("waits 30 seconds", "waits 60 seconds"),
    ("is fixed in #12", "is fixed in #13"),
    ("needs version v0.3.1", "needs version v0.3.2"),
    ("is never locked", "is locked"),
    ("isn't locked", "is locked"),
    ("does not block", "does block"),
    ("cannot block", "can block"),
    ("is kept in Redis", "is kept in Memcached"),
    ("was decided by Ada", "was decided by Bob"),
    ("was decided by @ada", "was decided by @bob"),
    ("calls busy_timeout first", "calls lock_timeout first"),
    ("lives in src/a.py now", "lives in src/b.py now"),
    ("calls openBrain first", "calls closeBrain first"),
    ("has two readers", "has three readers"),
    ("is enabled here", "is disabled here"),
    ("fails when x <= y", "fails when x >= y"),
    ("sees fact-0a1b2c3d4e5f", "sees fact-0a1b2c3d4e60"),
    ("waits 5 and retries after 30", "waits 30 and retries after 5"),
    ("waits 30 ms", "waits 30 s"),
    ("waits for thirteen readers", "waits for fourteen readers"),
    ("waits for twenty-one readers", "waits for twenty-two readers"),
    ("is able to lock", "is unable to lock"),
    ("is connected here", "is disconnected here"),
    ("has locks", "lacks locks"),
    ("should use locks", "should avoid locks"),
    ("runs with locks", "runs without locks"),
    ("lives inside redis", "lives inside memcached"),
    ("is not locked but is kept", "is locked but is not kept"),
    ("reads /etc/foo first", "reads /etc/Foo first"),
    ("uses the async client", "uses the client"),
    ("uses the async client", "uses a sync client"),
    ("keeps logs daily", "keeps logs"),
    ("waits for the reader or the writer", "waits for the reader and the writer"),
    ("is the default", "was the default"),
    ("may block", "blocks"),
    ("locks when a reader waits for a writer", "locks when a writer waits for a reader"),
    ("needs some of the locks", "needs all of the locks"),
    ("is blocked by a reader", "is blocking a reader"),
    ("is deprecated for new readers", "is deprecated for readers"),
    ("is read over HTTPS only", "is read over HTTP only"),
    ("takes LDAPS logins", "takes LDAP logins"),
    ("runs on Windows", "runs on Window"),
    ("was decided by Roberts", "was decided by Robert"),
    ("is built by Jenkins", "is built by Jenkin"),
    ("reads the table users", "reads the table user"),
    ("takes option A of the two", "takes option of the two"),
    ("runs on Node A", "runs on Node"),
    ("is asked of IT", "is asked of"),
    ("prefers this reader over that reader", "prefers that reader over this reader"),
    ("is too slow", "is slow"),
    ("lets just readers in", "lets readers in"),
]
ALIKE = [
    ("waits for a reader", "waits for the reader"),
    ("locks", "also locks"),
    ("really locks", "locks"),
    ("is now locked", "is already locked"),
    ("thus fixes an index", "fixes index"),
]


def added(facts: Facts, pairs: list[tuple[str, str]]) -> dict[tuple[str, str], set[str]]:
    """The handles of what each pair says, at such length that its two are near duplicates, and of no other pair."""
    found = {}
    for number, pair in enumerate(pairs):
        long = "and the reason is that whoever reads the brain while it is written sees what stood before the write"
        own = " ".join(f"{word}{'abcdefgh'[number // 8]}{'abcdefgh'[number % 8]}" for word in ("gear", "wheel", "axle"))
        ours, theirs = (f"it {said} {long} of {own} began" for said in pair)
        assert jaccard(ours, theirs) >= 0.85
        found[pair] = {facts.add(ours), facts.add(theirs)}
    return found


def test_whatever_tells_something_makes_another_fact(facts: Facts) -> None:
    handles = added(facts, APART)
    merged(facts)
    assert [pair for pair, both in handles.items() if not both <= facts.handles()] == []


def test_an_article_or_a_filler_makes_no_other_fact(facts: Facts) -> None:
    handles = added(facts, ALIKE)
    assert merged(facts) == len(ALIKE)
    assert {len(both & facts.handles()) for both in handles.values()} == {1}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("The sessions of each reader live in Redis", "A session of each reader lives in Redis"),
        ("We keep the sessions of each reader in Redis?", "We keep the sessions of each reader in Redis."),
        ("Whoever has a question about a lock must ask IT", "Whoever has a question about a lock must ask it"),
    ],
    ids=["one and many", "asking and telling", "a name and a pronoun"],
)
def test_what_is_counted_asked_or_named_is_another_fact(facts: Facts, ours: str, theirs: str) -> None:
    handles = {facts.add(ours, "doc:a.md"), facts.add(theirs, "doc:b.md")}
    compact(facts.brain, now=NOW)
    assert facts.handles() == handles
    assert telling(ours) != telling(theirs)


def test_whoever_asks_whether_something_is_done_does_not_say_that_it_is() -> None:
    rest = "keep every session of every reader of the brain for as long as the process of that reader lives"
    assert telling(f"Do we {rest}?") != telling(f"We {rest}.")
    assert telling(f"Do we {rest}") != telling(f"We {rest}")


def test_paths_that_differ_in_a_capital_are_no_exact_duplicates(facts: Facts) -> None:
    lower = facts.add("The settings are in /etc/foo", "doc:a.md")
    upper = facts.add("The settings are in /etc/Foo", "doc:b.md")
    again = facts.add("the settings are in /etc/Foo.", "doc:c.md")
    assert compact(facts.brain, now=NOW).changed == 1
    assert facts.handles() == {lower, min(upper, again)}


def test_a_name_that_opens_a_sentence_is_one_where_another_stands_instead() -> None:
    rest = "holds every session of every reader of the brain for as long as the process lives and then lets them go"
    assert telling(f"Redis {rest}") != telling(f"Memcached {rest}")
    assert telling(f"Please {rest}") == telling(f"{rest}")


def test_a_template_collapses_however_many_threads_it_stands_in(facts: Facts) -> None:
    text = "This pull request has been automatically marked as stale because nobody has touched it for a while"
    for number in range(20):
        said = f"stale[bot] on 2025-01-{number + 1:02} in #{number} “Thread {number} about things”: {text}"
        facts.add(said, f"comment:{number}#1", author="stale[bot]", excerpt=text, end_=len(text))
    assert merged(facts) == 19


def test_people_who_say_the_same_in_two_threads_say_two_things(facts: Facts) -> None:
    text = "Closing this because nobody has come up with a reason to keep it"
    for number in (1, 2):
        said = f"ada on 2025-01-01 in #{number} “A thread”: {text}"
        facts.add(said, f"comment:{number}#1", excerpt=text, end_=len(text))
    assert merged(facts) == 0


def test_a_person_who_repeats_herself_in_a_thread_says_one_thing(facts: Facts) -> None:
    text = "Closing this because nobody has come up with a good reason to keep it around for longer"
    for day, said in ((1, text), (2, "So " + text)):
        statement = f"ada on 2025-01-0{day} in #1 “A thread”: {said}"
        facts.add(statement, f"comment:1#{day}", excerpt=said, end_=len(said))
    assert merged(facts) == 1


def test_a_long_frame_makes_no_sentences_alike() -> None:
    title = "Why the reader waits for the writer although nobody ever wanted anything of this kind to happen here"
    ours = saying(f"ada on 2025-01-01 in #1 “{title}”: Use tabs here.", "Use tabs here.", "comment", "ada", "issue:1")
    assert ours == Saying("ada\0issue:1", "Use tabs here.")


def zipf(count: int, seed: int) -> list[str]:
    """Sentences in a skewed vocabulary, many of them edits of one another."""
    chance = random.Random(seed)  # noqa: S311  no secret
    letters = "abcdefghij"
    words = ["".join(letters[int(digit)] for digit in str(1000 + rank)) for rank in range(400)]
    weights = [1 / (rank + 1) for rank in range(400)]
    texts: list[str] = []
    while len(texts) < count:
        if texts and chance.random() < 0.5:
            tokens = chance.choice(texts).split()
            tokens[chance.randrange(len(tokens))] = chance.choices(words, weights)[0]
        else:
            tokens = chance.choices(words, weights, k=chance.randint(4, 30))
        texts.append(" ".join(tokens))
    return texts


@pytest.mark.parametrize("seed", range(3))
def test_no_pair_is_missed_and_none_below_merges(facts: Facts, seed: int) -> None:
    texts = dict.fromkeys(zipf(300, seed))
    handles = {facts.add(text, f"doc:{place}.md"): text for place, text in enumerate(texts)}
    merged(facts)
    left = [handles[handle] for handle in facts.handles()]
    assert [(a, b) for a, b in combinations(left, 2) if jaccard(a, b) >= 0.85 and telling(a) == telling(b)] == []
    for gone in handles.keys() - facts.handles():
        assert jaccard(handles[gone], handles[facts.archived(gone)["merged_into"]]) >= 0.85


@pytest.mark.parametrize("seed", range(3))
def test_facts_that_come_later_meet_all_that_came_before(facts: Facts, seed: int) -> None:
    texts = [*dict.fromkeys(zipf(200, seed))]
    handles: dict[str, str] = {}
    for start in range(0, len(texts), 40):
        handles |= {facts.add(text, f"doc:{text}.md"): text for text in texts[start : start + 40]}
        merged(facts)
    left = [handles[handle] for handle in facts.handles()]
    assert [(a, b) for a, b in combinations(left, 2) if jaccard(a, b) >= 0.85 and telling(a) == telling(b)] == []
    assert merged(facts) == 0
