from __future__ import annotations

from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from cortex.language.identifiers import LONGEST, parts
from tests.tables import walk


@walk(
    ("text", "expected"),
    [
        ("busy_timeout", "busytimeout"),
        ("openBrain", "open brain"),
        ("OpenBrain", "open brain"),
        ("HTTPServer2", "http server 2"),
        ("parseJSONBody", "parse json body"),
        ("sha256", "sha 256"),
        ("SHA-256", "sha256"),
        ("constant-time", "constanttime"),
        ("--no-emit", "noemit"),
        ("secp256k1_ecdsa_sign", "secp256k1ecdsasign"),
        ("src/a/b.py", "srcabpy bpy"),
        ("os.path.join", "ospathjoin"),
        ("std::vector", "stdvector"),
        ("ctx->value", "ctxvalue"),
        ("v0.3.2", "v0x3x2"),
        ("0.3.2", "v0x3x2"),
        ("v1.0.0-rc1", "v1x0x0rc1"),
        ("#958", "ref958"),
        ("owner/repo#12", "ownerrepo ref12"),
        ("https://github.com/owner/repo/pull/958", "ref958"),
        ("größe_max", "größemax"),
    ],
)
def test_an_identifier_gives_the_tokens_its_other_spellings_have(text: str, expected: str) -> None:
    assert parts(text) == expected


@walk(
    "text",
    [
        "",
        "Plain prose, with a comma; and an end.",
        "e.g. this",
        "PRs and APIs",
        "x86",
        "secp256k1",
        "0a1b2c3d4e5f",
        "…",
    ],
)
def test_what_is_no_compound_gives_nothing(text: str) -> None:
    assert parts(text) == ""


def test_each_piece_stands_once() -> None:
    assert parts("openBrain, openBrain and closeBrain") == "open brain close"


def test_a_word_too_long_for_a_name_is_left_alone() -> None:
    assert parts("aB" * LONGEST) == ""


@given(st.text())
def test_any_text_gives_lower_case_words_separated_by_single_spaces(text: str) -> None:
    found = parts(text)
    assert found == " ".join(found.split()) == found.lower()


@walk("text", ["_", "a", "a-", "aB", "-a_", "#1", "a://", "A1", "x->", "a."])
def test_hostile_repetition_takes_linear_time(text: str) -> None:
    started = process_time()
    parts(text * 100_000)
    assert process_time() - started < 5
