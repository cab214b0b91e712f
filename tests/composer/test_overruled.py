"""Who allows what a rule forbids, or spares what it demands, is named as outranked; who says anything else is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.compose.outranking import OUTRANKED
from cortex.composer.rulings import binds, is_against
from cortex.substrate.brain import Brain
from cortex.substrate.model import Scope
from tests.brains import index_records, record

AGAINST = [
    # a clinic's bookings
    ("Never send patient names to the mail provider.", "Mails look anonymous",
     "You can send patient names to the mail provider, it is in Norway.", "May I send patient names by mail?"),
    ("Do not delete appointments; cancel them.", "Doubles in the calendar",
     "It's fine to delete appointments, the audit log has them.", "Can I delete appointments?"),
    ("Passwords must never be shown in the admin panel.", "Support needs passwords",
     "Passwords can be shown in the admin panel.", "Can passwords be shown in the admin panel?"),
    ("Every form needs a consent checkbox.", "Shorter forms", "You don't need a consent checkbox.",
     "Does a form need a consent checkbox?"),
    ("Insurance numbers must be encrypted.", "Slow search by insurance number",
     "There is no need to encrypt insurance numbers.", "Must insurance numbers be encrypted?"),
    ("Avoid raw SQL in controllers.", "Report takes a minute", "Raw SQL is perfectly okay in controllers.",
     "Can I use raw SQL in controllers?"),
    # a kiln's firmware
    ("The watchdog must not be disabled.", "Resets while debugging", "You can disable the watchdog.",
     "Can I disable the watchdog?"),
    ("Never block in a timer callback.", "Relay clicks late", "Feel free to block in a timer callback.",
     "May I block in a timer callback?"),
    ("Do not allocate memory after boot.", "Where do the buffers live?", "You may allocate memory after boot.",
     "May I allocate memory after boot?"),
    ("Always calibrate the thermocouple.", "Assembly line is slow", "You do not have to calibrate the thermocouple.",
     "Must I calibrate the thermocouple?"),
    ("Temperatures above 1300 degrees are forbidden.", "Porcelain profile",
     "Temperatures above 1300 degrees are fine.", "Are temperatures above 1300 degrees allowed?"),
    ("No recursion in the scheduler.", "Nested programs", "Recursion is fine in the scheduler.",
     "Is recursion allowed in the scheduler?"),
    # an atlas
    ("Never rename published layers.", "Layer names are ugly", "Just rename published layers.",
     "Can I rename published layers?"),
    ("Styles should not be edited on the server.", "Wrong colour of rivers",
     "Styles may be edited directly on the server.", "Can I edit styles on the server?"),
    ("Do not use Mercator for areas.", "Greenland is too large", "Mercator is fine for areas.",
     "Can I use Mercator for areas?"),
    ("Contributors must sign the agreement.", "A typo of a visitor", "You need not sign the agreement.",
     "Do contributors have to sign the agreement?"),
    ("Don't commit generated tiles.", "Build is slow", "You can commit generated tiles, disks are cheap.",
     "Can I commit generated tiles?"),
    ("Tiles must not be served over HTTP.", "Old tablets", "Tiles can be served over HTTP.",
     "Can tiles be served over HTTP?"),
]  # fmt: skip

BESIDE = [
    # it agrees
    ("Never send patient names to the mail provider.", "Mails look anonymous",
     "You can send initials to the mail provider.", "May I send patient names by mail?"),
    ("Do not delete appointments; cancel them.", "Doubles in the calendar",
     "Right, you can cancel appointments.", "Can I delete appointments?"),
    ("Passwords must never be shown in the admin panel.", "Support needs passwords",
     "Passwords can be reset in the admin panel.", "Can passwords be shown in the admin panel?"),
    ("The watchdog must not be disabled.", "Resets while debugging", "You can't disable the watchdog.",
     "Can I disable the watchdog?"),
    ("Do not allocate memory after boot.", "Where do the buffers live?", "You may allocate memory before boot.",
     "May I allocate memory after boot?"),
    # it asks, wishes, doubts
    ("Avoid raw SQL in controllers.", "Report takes a minute", "Is raw SQL okay in controllers?",
     "Can I use raw SQL in controllers?"),
    ("Never rename published layers.", "Layer names are ugly", "I wish you could rename published layers.",
     "Can I rename published layers?"),
    ("Every form needs a consent checkbox.", "Shorter forms", "Maybe you don't need a consent checkbox.",
     "Does a form need a consent checkbox?"),
    # it quotes
    ("Never block in a timer callback.", "Relay clicks late",
     "> Feel free to block in a timer callback.\n\nWho wrote this into the wiki, please?",
     "May I block in a timer callback?"),
    ("Do not use Mercator for areas.", "Greenland is too large",
     "Our teacher's line was “Mercator is fine for areas.” Ha.", "Can I use Mercator for areas?"),
    # another thing, another place
    ("Always calibrate the thermocouple.", "Assembly line is slow", "You do not have to calibrate the scale.",
     "Must I calibrate the thermocouple?"),
    ("No recursion in the scheduler.", "Nested programs", "Recursion is fine in the parser.",
     "Is recursion allowed in the scheduler?"),
    ("Styles should not be edited on the server.", "Wrong colour of rivers",
     "Styles may be edited in the studio.", "Can I edit styles on the server?"),
    ("Don't commit generated tiles.", "Build is slow", "You can commit generated docs.",
     "Can I commit generated tiles?"),
    ("Temperatures above 1300 degrees are forbidden.", "Porcelain profile",
     "Temperatures above 1200 degrees are fine.", "Are temperatures above 1300 degrees allowed?"),
    ("Tiles must not be served over HTTP.", "Old tablets", "Tiles can be served over HTTPS.",
     "Can tiles be served over HTTP?"),
    # it tells how things are, or what goes wrong
    ("Do not delete backups.", "Restore takes long", "The backups are fine.", "Can I delete backups?"),
    ("Secrets are forbidden in the repository.", "Clean up", "You can find secrets in the repository.",
     "Are secrets allowed in the repository?"),
    ("Passwords must never be shown in the admin panel.", "Passwords leak",
     "Passwords can be shown in the admin panel.", "Can passwords be shown in the admin panel?"),
    ("Do not delete appointments; cancel them.", "Who may do what?", "Anyone can delete appointments!",
     "Can I delete appointments?"),
    # it is bound to something, or of the past, or taken back
    ("Contributors must sign the agreement.", "A typo of a visitor",
     "You need not sign the agreement if you are employed here.", "Do contributors have to sign the agreement?"),
    ("Insurance numbers must be encrypted.", "Slow search by insurance number",
     "Back then you did not need to encrypt insurance numbers.", "Must insurance numbers be encrypted?"),
    ("Do not delete appointments; cancel them.", "Doubles in the calendar",
     "You can delete appointments. Correction: you can cancel them.", "Can I delete appointments?"),
    ("The watchdog must not be disabled.", "Resets while debugging",
     "You can disable the watchdog for the flasher.", "Can I disable the watchdog?"),
]  # fmt: skip


def test_what_was_said_and_settled_since_is_not_named(brain: Brain) -> None:
    told = AGAINST[1]
    assert OUTRANKED not in "\n".join(answered(brain, *told, "We decided: nobody may delete appointments."))


def test_a_rule_that_was_found_after_its_contradiction_comes_first(brain: Brain) -> None:
    rule, title, said, _ = AGAINST[14]
    first, second, *_ = answered(brain, rule, title, said, "Is Mercator fine?")
    assert rule in first
    assert second.startswith(OUTRANKED)


@pytest.mark.parametrize(
    ("said", "title", "against"),
    [
        ("You can use malloc in interrupt handlers, it worked.", "Crash", True),
        ("You can use malloc.", "Crash in an interrupt handler", True),
        ("You can use malloc.", "The bootloader does not link", False),
        ("You can use malloc. Just kidding!", "Crash in an interrupt handler", False),
        ("You can use malloc wrappers in interrupt handlers.", "Crash", False),
    ],
)
def test_a_thread_may_tell_where_something_is_said(said: str, title: str, *, against: bool) -> None:
    assert is_against(said, "Do not use `malloc` in interrupt handlers.", title) is against


ALLOWED = [
    ("Never wash buses indoors.", "You can wash buses indoors, the drain holds."),
    ("Do not edit the roster by hand.", "You can edit the roster by hand."),
    ("Always lock the depot.", "You don't need to lock the depot."),
    ("Do not publish recordings without consent.", "You can publish recordings without consent."),
    ("Avoid frames on the site.", "Frames are fine on the site."),
    ("Avoid sending newsletters on Sundays.", "It is ok to send newsletters on Sundays."),
    ("No cookies on the public site.", "You can use cookies on the public site."),
    ("Photos must be resized before upload.", "You do not have to resize photos before upload."),
    ("Never trust the client's clock.", "We can trust the client's clock."),
    ("Engines are forbidden during rated games.", "Engines are allowed during rated games."),
    ("Do not store games in Redis.", "Just store games in Redis."),
    ("Ratings must never be edited.", "Ratings can be edited."),
    ("Use UTC. Do not use local time in the database.", "You can use local time in the database."),
    ("Every endpoint requires a rate limit.", "You don't need a rate limit."),
    ("Every endpoint requires a rate limit.", "A rate limit is optional."),
]
ELSEWHERE = [
    ("Never wash buses indoors.", "You can wash trams indoors."),
    ("Drivers must not use phones while driving.", "You can use phones."),
    ("Timetables are not allowed to change in June.", "Timetables change in June."),
    ("Do not edit the roster by hand.", "You can edit the roster with the planner."),
    ("Always lock the depot.", "You need to lock the depot."),
    ("Always lock the depot.", "No need to lock the bikes."),
    ("Tickets must be validated.", "Tickets are not required to be blue."),
    ("Do not publish recordings without consent.", "You can publish recordings."),
    ("Do not publish recordings.", "You can publish recordings of rehearsals."),
    ("Never share scores outside the choir.", "Sharing scores is fine."),
    ("Never share scores outside the choir.", "You can share scores in the choir."),
    ("Avoid sending newsletters on Sundays.", "It is ok to send newsletters on Saturdays."),
    ("No cookies on the public site.", "You can bring cookies to rehearsal."),
    ("Photos must be resized before upload.", "You do not have to resize photos after upload."),
    ("Never trust the client's clock.", "We can't trust the client's clock."),
    ("Never trust the client's clock.", "We can trust the server's clock."),
    ("Engines are forbidden during rated games.", "Engines are allowed in analysis."),
    ("Do not store games in Redis.", "Just store sessions in Redis."),
    ("Do not store games in Redis.", "You can store games in Redis when Postgres is down."),
    ("Do not block the event loop.", "You can block users."),
    ("Ratings must never be edited.", "Ratings can be exported."),
    ("Ratings must never be edited.", "Ratings cannot be edited."),
    ("Use UTC. Do not use local time in the database.", "You can use local time in the interface."),
    ("Every endpoint requires a rate limit.", "You don't need a rate card."),
    ("Every endpoint requires a rate limit.", "The rate limit is fine."),
]  # of a bus depot, a choir and a chess server


@pytest.mark.parametrize(
    ("rule", "said", "against"), [*((*one, True) for one in ALLOWED), *((*one, False) for one in ELSEWHERE)]
)
def test_only_what_is_said_of_the_same_is_against_a_rule(rule: str, said: str, *, against: bool) -> None:
    assert is_against(said, rule, "A thread") is against


def answered(brain: Brain, rule: str, title: str, said: str, question: str, *more: str) -> list[str]:
    comments = (
        record(f"comment:7#{n}", text, author=f"kim{n}", title=title, thread="issue:7",
               created_at=datetime(2025, 3, n, tzinfo=UTC))
        for n, text in enumerate((said, *more), 1)
    )  # fmt: skip
    index_records(
        brain,
        record("directive:AGENTS.md#1", rule, title="Agents", state="active"),
        record("issue:7", f"{title}\n\nPlease have a look.", state="open"),
        *comments,
        *(record(f"issue:{number}", f"Topic {number}\n\nOther words.", state="open") for number in range(20, 27)),
    )
    return ask(brain, question, scope=Scope()).answer.split("\n")


@pytest.mark.parametrize(("rule", "title", "said", "question"), AGAINST)
def test_who_says_otherwise_than_the_rule_is_named_as_outranked(
    brain: Brain, rule: str, title: str, said: str, question: str
) -> None:
    first, *others = answered(brain, rule, title, said, question)
    assert rule in first
    assert [line for line in others if line.startswith(f"{OUTRANKED}kim1 on #7")]


@pytest.mark.parametrize(("rule", "title", "said", "question"), BESIDE)
def test_who_says_nothing_else_than_the_rule_is_not(
    brain: Brain, rule: str, title: str, said: str, question: str
) -> None:
    assert OUTRANKED not in "\n".join(answered(brain, rule, title, said, question))


@pytest.mark.parametrize("joint", ["and", "so", "as", "because", "that", "or"])
@pytest.mark.parametrize("blank", ["  ", "\t", " \r"])
def test_odd_blanks_in_a_rule_are_no_reason_to_fail(joint: str, blank: str) -> None:
    for rule in ("You must{}{} never log card numbers.", "You must{}{} should log card numbers."):
        assert binds(rule.format(blank, joint)) == binds(rule.format(" ", joint))


@pytest.mark.parametrize("place", [0, 1, 6, 8, 12, 14], ids=lambda place: AGAINST[place][0])
def test_who_allows_what_a_document_forbids_is_outranked_too(brain: Brain, place: int) -> None:
    rule, title, said, question = AGAINST[place]
    index_records(
        brain,
        record(
            "doc:CONTRIBUTING.md#style", f"## Style\n\n{rule}", title="Contributing › Style", path="CONTRIBUTING.md"
        ),
        record("issue:7", f"{title}\n\nWhat now?", state="open"),
        record("comment:7#1", said, author="kim", title=title, thread="issue:7"),
    )
    lines = ask(brain, question, scope=Scope()).answer.split("\n")
    assert rule.rstrip(".") in lines[0]
    assert [line for line in lines if line.startswith(OUTRANKED) and said.rstrip(".") in line]


def test_who_says_of_a_document_what_it_says_is_not_outranked(brain: Brain) -> None:
    index_records(
        brain,
        record("doc:GUIDE.md#maps", "## Maps\n\nDo not use Mercator for areas.", title="Guide › Maps", path="GUIDE.md"),
        record("issue:7", "Greenland\n\nIt is large.", state="open"),
        record("comment:7#1", "You can use Mercator for names.", author="kim", title="Greenland", thread="issue:7"),
    )
    assert OUTRANKED not in ask(brain, "Can I use Mercator?", scope=Scope()).answer
