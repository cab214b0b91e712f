"""Values that look like secrets do not stay; words about secrets do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.substrate.secrets import redact

SECRETS = {
    "aws": "AKIA" + "Z7Q2" * 4,
    "github": "ghp_" + "aB3x" * 9,
    "github fine": "github_pat_" + "11AB_xyz9" * 8,
    "gitlab": "glpat-" + "x9Y_" * 6,
    "slack": "xoxb-123456789012-abcdef",
    "anthropic": "sk-ant-api03-" + "aB3_" * 8,
    "openai": "sk-proj-" + "aB3d" * 10,
    "google": "AIza" + "Sy0-b" * 7,
    "stripe": "sk_live_" + "a1B2" * 6,
    "npm": "npm_" + "a1B2" * 9,
    "pypi": "pypi-" + "AgEI" * 14,
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJ",
    "key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
@pytest.mark.parametrize(
    "around", ["{}", "it failed with {} set", "curl -H 'x: {}'", "key={},", "日本{} "], ids=range(5)
)
def test_a_secret_goes_and_what_stands_around_it_stays(secret: str, around: str) -> None:
    text = redact(around.format(secret))
    assert secret not in text
    assert "[redacted: " in text
    before, _, after = around.partition("{}")
    assert text.startswith(before)
    assert text.endswith(after)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("postgres://cortex:hunter2@db/brain", "postgres://cortex:[redacted: password]@db/brain"),
        ("Authorization: Bearer abcdef0123456789abcdef", "Authorization: Bearer [redacted: credential]"),
        ('DB_PASSWORD="k3J9-xQ2z!7"', 'DB_PASSWORD="[redacted: value]"'),
        ("api_key: 9f8e7d6c5b4a3210", "api_key: [redacted: value]"),
    ],
    ids=["address", "bearer", "password", "key"],
)
def test_a_value_is_taken_and_its_name_stays(text: str, kept: str) -> None:
    assert redact(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "why is the token: busy_timeout counted twice?",
        "the secret of the parser is its queue",
        "commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567 broke it",
        "see https://example.org/a:b and mail ada@example.org",
        "password: required, at least twelve characters",
        "fact-0a1b2c3d4e5f [CITATION:issue:496@120-310]",
        "ghp_ is how such a token begins, sk-learn is a library",
    ],
)
def test_words_about_secrets_stay(text: str) -> None:
    assert redact(text) == text


@given(st.text(max_size=300))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    assert redact(redact(text)) == redact(text)
