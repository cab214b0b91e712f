"""Eighty places that people leave a secret in besides a configuration file: sentences, markup, tables, code, addresses.

`{w32}` is filled at random, as in `secret_shapes`; what stands between `⟦` and `⟧` is the secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from tests.substrate.secret_shapes import filled

SEEDS: Final = range(5)
PIECE: Final = 12
CONTEXTS: Final = (
    # sentences
    "the AWS secret key is ⟦{p40}⟧",
    "Our AWS secret access key was ⟦{p40}⟧ until Monday.",
    "I accidentally pushed the api key ⟦{w32}⟧, please rotate it",
    "My API key: ⟦{w40}⟧",
    "The api key for staging is ⟦{h32}⟧.",
    "use this access token to log in: ⟦{w36}⟧",
    "the client secret is `⟦{w32}⟧`",
    "The Stripe webhook signing secret is ⟦{w32}⟧",
    "You can reach it with the token ⟦{w40}⟧ for now",
    "encryption key is ⟦{h64}⟧",
    "the secret access key (⟦{p40}⟧) has leaked",
    "signing key = ⟦{s43}⟧",
    "Here's the refresh token: ⟦{w48}⟧",
    "my Datadog application key is ⟦{h40}⟧",
    # markup
    "<code>api_key=⟦{w32}⟧</code>",
    "<pre>export SECRET_KEY=⟦{w40}⟧</pre>",
    "<li><b>Client secret:</b> ⟦{w32}⟧</li>",
    "<td>api_key</td><td>⟦{w32}⟧</td>",
    "<tr><td>AWS secret key</td><td><code>⟦{p40}⟧</code></td></tr>",
    "| api key | ⟦{w32}⟧ |",
    "| `SECRET_KEY` | `⟦{w40}⟧` |",
    "| access token | **⟦{w36}⟧** | staging |",
    "- **API key**: `⟦{w32}⟧`",
    "* `client_secret` — `⟦{w32}⟧`",
    "API key\n: ⟦{w32}⟧",
    "&quot;api_key&quot;: &quot;⟦{w32}⟧&quot;",
    '<add key="ApiSecret" value="⟦{w32}⟧" />',
    '<property name="secretKey" value="⟦{p40}⟧"/>',
    '<entry key="client.secret">⟦{w32}⟧</entry>',
    "<apiKey>⟦{w32}⟧</apiKey>",
    '<string name="api_key">⟦{w32}⟧</string>',
    # encoded for an address
    "https://x.example/cb?client_secret%3D⟦{w32}⟧%26state%3D1",
    "curl -d 'grant_type=refresh_token&refresh_token=⟦{w48}⟧&client_id=web' https://x.example",
    "https://x.example/v1/items?api_key=⟦{h32}⟧&page=2",
    "redirect=%2Flogin%3Faccess_token%3D⟦{w40}⟧",
    "https://x.example/#access_token=⟦{w40}⟧&token_type=bearer",
    # code
    'const apiKey: string = "⟦{w32}⟧";',
    'private static final String API_SECRET = "⟦{w32}⟧";',
    "let api_token: &'static str = \"⟦{w40}⟧\";",
    'var clientSecret string = "⟦{w32}⟧"',
    '#define API_KEY "⟦{w32}⟧"',
    "#define SECRET_TOKEN ⟦{w40}⟧",
    'val accessToken: String = "⟦{w40}⟧"',
    "API_KEY: Final[str] = '⟦{w32}⟧'",
    'public const string ClientSecret = @"⟦{w32}⟧";',
    "config.secret_key_base = '⟦{h128}⟧'",
    "Rails.application.config.secret_token = '⟦{h128}⟧'",
    "  secret_key_base: ⟦{h128}⟧",
    "config.api_key = ENV.fetch('KEY', '⟦{w32}⟧')",
    "os.environ.get('API_KEY', '⟦{w32}⟧')",
    "headers = {'X-Api-Key': '⟦{w32}⟧'}",
    # files and tools
    "//registry.npmjs.org/:_auth=⟦{p44}⟧",
    '_auth = "⟦{p44}⟧"',
    "Cookie: sessionid=⟦{l32}⟧; csrftoken=x",
    "Set-Cookie: connect.sid=s%3A⟦{s32}.{p43}⟧; Path=/; HttpOnly",
    "Cookie: _gh_sess=⟦{s64}⟧",
    "refresh token 1//0⟦{s90}⟧",
    '"refresh_token": "⟦1//0{s94}⟧"',
    'passphrase = "⟦{m5}⟧"',
    "PASSPHRASE='⟦{m6}⟧'",
    "ssh_key_passphrase: ⟦{m5}⟧",
    # written after the rules were, to see what these miss
    "Hey, our deploy token leaked, it was ⟦{w40}⟧ :(",
    "the api secret for prod = ⟦{w32}⟧",
    "Authentication token (staging) is “⟦{w36}⟧”",
    "<dt>Access token</dt><dd>⟦{w40}⟧</dd>",
    "| Service | Client Secret |\n|---|---|\n| web | ⟦{w32}⟧ |",
    "api_key%22%3A%22⟦{w32}⟧%22",
    'static const char *api_key = "⟦{w32}⟧";',
    'let accessKey = String("⟦{w32}⟧")',
    'private val secretKey by lazy { "⟦{w40}⟧" }',
    'Plug secret_key_base: "⟦{s64}⟧"',
    "email=x _authToken=⟦{w36}⟧",
    "{{ api_token | default('⟦{w32}⟧') }}",
    "set :api_key, '⟦{w32}⟧'",
    'apiKey => "⟦{w32}⟧",',
    '[api_key: "⟦{w32}⟧"]',
    "Here is a new session token that works until Friday, ⟦{w44}⟧",
    "AWS_SECRET (⟦{p40}⟧) must be rotated",
    "token=⟦{w36}⟧&amp;x=1",
    "key: client_secret\n      value: ⟦{w32}⟧",
    "Slack signing secret: ⟦{h32}⟧",
)  # fmt: skip


class Told(NamedTuple):
    """A text with a secret, and what must not be left of it."""

    context: str
    text: str
    secret: str


def told(seeds: range = SEEDS) -> Iterator[Told]:
    """Each context with a secret of each seed."""
    for number, context in enumerate(CONTEXTS):
        for seed in seeds:
            text = filled(context, Random(1000 * number + seed))  # noqa: S311  made up
            secret = text[text.index("⟦") + 1 : text.index("⟧")]
            yield Told(context, text.replace("⟦", "").replace("⟧", ""), secret)


def is_left(secret: str, text: str) -> bool:
    """Whether *text* holds any twelve characters of *secret* that follow each other."""
    return any(secret[at : at + PIECE] in text for at in range(max(1, len(secret) - PIECE + 1)))
