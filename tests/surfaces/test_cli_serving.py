"""`cortex token` and what `cortex serve` refuses to begin with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.substrate.access import token_of, tokens
from cortex.substrate.brain import open_brain
from cortex.surfaces.commands.serving import as_sent
from tests.brains import image, nowhere, open_new
from tests.surfaces.conftest import Ran
from tests.tables import walk

Cortex = Callable[..., Ran]


def test_a_token_is_shown_once_and_kept_as_a_hash(cortex: Cortex, brain: Path) -> None:
    made = cortex("token", "create", "board", "--scope", "read", "--source", "o8-labs/o8")
    secret = made.out.strip()
    assert secret.startswith("cortex_")
    assert "only time" in made.err
    with open_brain(brain, read_only=True) as opened:
        token = token_of(opened, secret)
    assert token is not None
    assert (token.name, token.grants, token.sources) == ("board", ("read",), ("o8-labs/o8",))
    assert secret not in cortex("token", "list").out
    assert secret.encode() not in image(brain)


def test_tokens_are_listed_with_what_they_may(cortex: Cortex, brain: Path) -> None:  # noqa: ARG001  the commands' own
    assert "no token" in cortex("token", "list").out
    cortex("token", "create", "ci", "--scope", "read", "--scope", "write")
    assert "read write" in cortex("token", "list").out
    listed = cortex("--json", "token", "list").json["tokens"]
    assert [(one["name"], one["grants"], one["sources"]) for one in listed] == [("ci", ["read", "write"], None)]


@pytest.mark.parametrize("name", ["", " ", "\u200b"], ids=ascii)
def test_a_token_has_a_name_that_shows(cortex: Cortex, brain: Path, name: str) -> None:
    assert cortex("token", "create", name).code == 2
    with open_new(brain) as opened:
        assert tokens(opened) == []


def test_a_revoked_token_is_none_and_its_name_is_free(cortex: Cortex, brain: Path) -> None:
    secret = cortex("token", "create", "ci").out.strip()
    assert "already" in cortex("token", "create", "ci").complaint
    assert cortex("token", "revoke", "ci").out == "Revoked ci.\n"
    with open_brain(brain, read_only=True) as opened:
        assert token_of(opened, secret) is None
    again = cortex("token", "revoke", "ci")
    assert (again.code, "in force" in again.complaint) == (2, True)
    assert cortex("token", "create", "ci").code == 0


def test_a_token_of_a_source_there_is_not_is_refused(cortex: Cortex, brain: Path) -> None:  # noqa: ARG001
    assert "no source 'web'" in cortex("token", "create", "ci", "--source", "web").complaint


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--host", "192.0.2.1"], "no token yet"),
        (["--require-token"], "no token yet"),
        (["--allow-host", "cortex.example"], "no token yet"),
        (["--host", "0.0.0.0"], "answers to no name"),  # noqa: S104  what is refused
        (["--allow-origin", "board.example"], "is no origin"),
        (["--allow-origin", "https://board.example/page"], "is no origin"),
        (["--allow-origin", "https://ada@board.example"], "is no origin"),
    ],
    ids=["another address", "asked for", "another name", "every address", "no origin", "a page", "a person"],
)
def test_a_server_that_nobody_or_anybody_could_call_does_not_begin(
    cortex: Cortex, brain: Path, arguments: list[str], complaint: str  # noqa: ARG001
) -> None:  # fmt: skip
    done = cortex("serve", "--port", "0", *arguments)
    assert (done.code, complaint in done.complaint) == (2, True)


@walk(
    ("named", "sent"),
    [
        ("https://Board.Example", "https://board.example"),
        ("HTTPS://board.example:443", "https://board.example"),
        ("http://board.example:8080", "http://board.example:8080"),
        ("http://[2001:DB8::1]:80", "http://[2001:db8::1]"),
    ],
)
def test_an_origin_is_known_as_browsers_send_it(named: str, sent: str) -> None:
    assert as_sent(named) == sent


def test_an_address_that_is_not_ours_is_said_to_be_none(cortex: Cortex, brain: Path) -> None:  # noqa: ARG001
    cortex("token", "create", "ci")
    done = cortex("serve", "--host", "192.0.2.1", "--port", "0")
    assert (done.code, "cannot listen" in done.complaint) == (2, True)


def test_no_brain_is_served_where_there_is_none(cortex: Cortex, tmp_path: Path) -> None:
    nowhere(tmp_path / "brain.db")
    assert cortex("serve", "--port", "0").code == 3
