"""A secret is found wherever people leave it: in sentences, markup, tables, addresses and code."""

from __future__ import annotations

from cortex.substrate.secrets import redact
from tests.attacks.secret_contexts import CONTEXTS, SEEDS, is_left, told
from tests.tables import walk

HARMLESS = (
    "The secret key is derived via secp256k1_scalar_get_b32 of the keypair",
    "Test vector: secret key 9f8e7d6c5b4a32100123456789abcdeffedcba98765432100f1e2d3c4b5a6978",
    "the access token is documented in docs/authentication-of-clients-v2.md#tokens-of-2024",
    "each token of https://docs.example.org/document/d/1A2bC3dE4fG5hI6jK7lM8nO9pQ0r is listed",
    "api_key = os.environ['SERVICE_API_KEY_V2_PRODUCTION']",
    "| token | sha256:6b1f0c2d9e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c |",
    "the client secret comes from commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567.",
    "passphrase: enter a strong value here",
    "refresh token rotation was added in v2.13.0-beta.4+build.20240501",
)


def test_nearly_every_secret_is_found_whatever_stands_around_it() -> None:
    missed = [one.text for one in told() if is_left(one.secret, redact(one.text))]
    assert len(missed) <= 0.02 * len(CONTEXTS) * len(SEEDS), missed


@walk("text", HARMLESS)
def test_what_only_stands_near_the_name_of_a_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_a_text_full_of_names_and_of_what_is_no_secret_takes_no_longer() -> None:
    from time import process_time  # noqa: PLC0415

    for text in ("secret " * 40_000, "token a1" * 30_000, "api_key\n" * 30_000, "client_secret " + "a1" * 120_000):
        started = process_time()
        redact(text)
        assert process_time() - started < 5
