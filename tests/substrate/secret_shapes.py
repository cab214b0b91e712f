"""Texts with secrets and texts with what only looks like one; every value is made up at run time, from a fixed seed.

No value stands here as it would be found: a scanner of this repository has nothing to complain about.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import count, cycle, islice
from random import Random
from typing import Final, NamedTuple

_ALPHABETS: Final = {
    "w": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "l": "abcdefghijklmnopqrstuvwxyz0123456789",
    "u": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "b": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "a": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "h": "0123456789abcdef",
    "d": "123456789",
    "x": "bcdfghjklmnpqrstvwxz",
    "s": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
    "p": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "j": "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+[",
    "k": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#%*-_.",
    "f": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "g": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}
_WORDS: Final = (
    "otter maple crisp violet tundra anchor saddle prism walnut ember lantern pebble quartz river copper meadow falcon "
    "ginger harbor island jungle kettle lemon marble nectar orchid puzzle ribbon silver thunder velvet willow"
).split()
_FIELD: Final = re.compile(r"\{([a-z])(\d+)\}")


def filled(template: str, random: Random) -> str:
    """*template* with '{w36}' replaced by 36 random letters and digits, and so on for each alphabet."""
    return _FIELD.sub(lambda field: _drawn(field[1], int(field[2]), random), template)


def _drawn(alphabet: str, size: int, random: Random) -> str:
    """*size* characters of *alphabet*, or as many words: 'o' with hyphens between them, 'm' with blanks, 'c' alone."""
    if alphabet in "omc":
        return {"o": "-", "m": " ", "c": ""}[alphabet].join(random.sample(_WORDS, size))
    return "".join(random.choices(_ALPHABETS[alphabet], k=size))


class Positive(NamedTuple):
    """A text that holds a secret, and which."""

    kind: str
    text: str
    secret: str


TOKENS: Final = (
    ("github-token", "ghp_{w36}"),
    ("github-token", "gho_{w36}"),
    ("github-token", "ghs_{w36}"),
    ("github-token", "ghr_{w76}"),
    ("github-token", "github_pat_{w22}_{w59}"),
    ("gitlab-token", "glpat-{s20}"),
    ("gitlab-token", "glpat-{s27}.{l2}.{l9}"),
    ("gitlab-token", "glrt-{w20}"),
    ("atlassian-token", "ATATT3{s180}={u8}"),
    ("atlassian-token", "ATBB{w32}"),
    ("buildkite-token", "bkua_{h40}"),
    ("circleci-token", "CCIPAT_{w22}_{h40}"),
    ("sonar-token", "sqp_{h40}"),
    ("npm-token", "npm_{w36}"),
    ("pypi-token", "pypi-AgE{s150}"),
    ("rubygems-key", "rubygems_{h48}"),
    ("crates-token", "cio{w32}"),
    ("docker-token", "dckr_pat_{s27}"),
    ("nuget-key", "oy2{l43}"),
    ("clojars-token", "CLOJARS_{l60}"),
    ("artifactory-key", "AKCp{w69}"),
    ("aws-access-key", "AKIA{b16}"),
    ("aws-access-key", "ASIA{b16}"),
    ("google-key", "AIza{s35}"),
    ("google-key", "GOCSPX-{s28}"),
    ("google-key", "ya29.{s120}"),
    ("azure-key", "{w3}8Q~{s31}"),
    ("digitalocean-token", "dop_v1_{h64}"),
    ("alibaba-key", "LTAI{w20}"),
    ("tencent-key", "AKID{w32}"),
    ("heroku-key", "HRKU-{s60}"),
    ("fly-token", "fm2_{p200}"),
    ("netlify-token", "nfp_{w36}"),
    ("cloudflare-key", "v1.0-{h24}-{h146}"),
    ("databricks-token", "dapi{h32}"),
    ("planetscale-token", "pscale_tkn_{s43}"),
    ("supabase-key", "sbp_{h40}"),
    ("tailscale-key", "tskey-auth-{w12}-{w32}"),
    ("vault-token", "hvs.{s95}"),
    ("terraform-token", "{w14}.atlasv1.{s67}"),
    ("pulumi-token", "pul-{h40}"),
    ("doppler-token", "dp.pt.{w43}"),
    ("1password-token", "ops_eyJ{p300}"),
    ("1password-key", "A3-{u6}-{u6}-{u5}-{u5}-{u5}-{u5}"),
    ("age-key", "AGE-SECRET-KEY-1{g58}"),
    ("anthropic-key", "sk-ant-api03-{s93}AA"),
    ("anthropic-key", "sk-ant-admin01-{s93}AA"),
    ("openrouter-key", "sk-or-v1-{h64}"),
    ("openai-key", "sk-proj-{s120}"),
    ("openai-key", "sk-svcacct-{s74}"),
    ("openai-key", "sk-{w20}T3BlbkFJ{w20}"),
    ("huggingface-token", "hf_{a34}"),
    ("groq-key", "gsk_{w52}"),
    ("xai-key", "xai-{w80}"),
    ("perplexity-key", "pplx-{w48}"),
    ("replicate-token", "r8_{w37}"),
    ("slack-token", "xoxb-{d12}-{d12}-{w24}"),
    ("slack-token", "xapp-1-A{u10}-{d13}-{h64}"),
    ("telegram-token", "{d10}:AA{s33}"),
    ("discord-token", "MTA{w21}.{w6}.{s38}"),
    ("discord-token", "Njk{w21}.{w6}.{s27}"),
    ("swarm-token", "SWMTKN-1-{l50}-{l25}"),
    ("pinecone-key", "pcsk_{w6}_{w58}"),
    ("langsmith-key", "lsv2_pt_{h32}_{h10}"),
    ("private-key", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQp{w200}=="),
    ("sendgrid-key", "SG.{s22}.{s43}"),
    ("mailgun-key", "key-{h32}"),
    ("mailchimp-key", "{h32}-us14"),
    ("twilio-key", "SK{h32}"),
    ("stripe-key", "sk_live_{w24}"),
    ("stripe-key", "rk_live_{w99}"),
    ("stripe-key", "whsec_{w32}"),
    ("square-token", "sq0atp-{s22}"),
    ("shopify-token", "shpat_{h32}"),
    ("easypost-key", "EZAK{w54}"),
    ("linear-key", "lin_api_{w40}"),
    ("notion-token", "ntn_{w46}"),
    ("notion-token", "secret_{w43}"),
    ("airtable-token", "pat{w14}.{h64}"),
    ("postman-key", "PMAK-{h24}-{h34}"),
    ("figma-token", "figd_{s43}"),
    ("hubspot-token", "pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}"),
    ("typeform-token", "tfp_{s44}_{w14}"),
    ("contentful-token", "CFPAT-{s43}"),
    ("mapbox-token", "sk.eyJ{w80}.{s22}"),
    ("sentry-token", "sntryu_{h64}"),
    ("sentry-token", "sntrys_eyJ{w120}={s43}"),
    ("grafana-token", "glsa_{w32}_{h8}"),
    ("newrelic-key", "NRAK-{u27}"),
    ("dynatrace-token", "dt0c01.{u24}.{u64}"),
    ("json-web-token", "eyJ{w33}.eyJ{w60}.{s43}"),
    ("facebook-token", "EAAB{w120}"),
    ("twitter-token", "AAAAAAAAAAAAAAAAAAAAAB{w80}"),
    ("paypal-token", "access_token$production${l16}${h32}"),
    ("adafruit-key", "aio_{w28}"),
    ("adobe-secret", "p8e-{w32}"),
    ("prefect-key", "pnu_{w36}"),
    ("readme-key", "rdme_{l70}"),
    ("yandex-key", "AQVN{s36}"),
    ("infracost-key", "ico-{w32}"),
    ("boundary-token", "at_{w10}_s1{w150}"),
    ("brevo-key", "xkeysib-{h64}-{w16}"),
    ("duffel-token", "duffel_live_{s43}"),
    ("flutterwave-key", "FLWSECK-{h32}-X"),
    ("frameio-token", "fio-u-{s64}"),
    ("harness-token", "pat.{w22}.{h24}.{w20}"),
    ("maxmind-key", "{w6}_{w29}_mmk"),
    ("octopus-key", "API-{u26}"),
    ("openshift-token", "sha256~{w43}"),
    ("plaid-token", "access-production-{h8}-{h4}-{h4}-{h4}-{h12}"),
    ("scalingo-token", "tk-us-{w48}"),
    ("shippo-token", "shippo_live_{h40}"),
    ("sourcegraph-token", "sgp_{h40}"),
    ("newrelic-key", "NRII-{w32}"),
    ("artifactory-key", "cmVmd{w59}"),
    ("bedrock-key", "ABSK{w120}="),
    ("cerebras-key", "csk-{l48}"),
    ("nvidia-key", "nvapi-{w64}"),
    ("tavily-key", "tvly-dev-{w32}"),
    ("jina-key", "jina_{w60}"),
    ("resend-key", "re_{w8}_{w24}"),
    ("render-key", "rnd_{w28}"),
    ("deno-token", "ddp_{w36}"),
)

AROUND: Final = (
    "it failed with {} set",
    "I pushed `{}` by mistake, revoking it now.",
    "```\nexport THING={}\nmake deploy\n```",
    'config = {"login": "{}"}',
    "curl -H 'x-thing: {}' https://api.example.org/v1/items",
    "| staging | {} | ada |",
    "> old one: {}\n\nplease rotate",
    "日本語のログ {}。",
    "({})",
    "see https://example.org/hook?t={}&page=2",
    "{}",
    "line one\r\n  value: {}\r\nline three",
    "the log says [{}], twice",
)

WORDED: Final = (
    ("aws-secret-key", "aws_secret_access_key = {}", "{p40}"),
    ("aws-secret-key", "AWS_SECRET_ACCESS_KEY={}", "{p40}"),
    ("azure-key", "DefaultEndpointsProtocol=https;AccountName=store;AccountKey={};EndpointSuffix=core", "{p86}=="),
    ("azure-signature", "https://store.blob.core.windows.net/c/f?sv=2024-11-04&se=2026&sr=b&sig={}", "{w43}%3D"),
    ("slack-webhook", "https://hooks.slack.com/services/{}", "T{u10}/B{u10}/{w24}"),
    ("discord-webhook", "https://discord.com/api/webhooks/{d9}{d9}/{}".replace("{d9}", "123456789"), "{s68}"),
    ("password", "postgres://cortex:{}@db.internal:5432/brain", "{w14}"),
    ("password", "mysql://root:{}@10.0.0.4/app", "tr0ub4dor-{l3}"),
    ("password", "amqps://svc:{}@rabbit/vhost", "{w9}!{w6}"),
    ("password", "git clone https://ada:{}@git.example.com/parser.git", "{w20}"),
    ("password", "redis://:{}@cache:6379/0", "{l24}"),
    ("password", "DATABASE_URL=mongodb+srv://app:{}@cluster0.mongodb.net/prod", "{w16}"),
    ("password", "proxy is http://corp:{}@proxy.corp:3128, use it", "Winter{d4}"),
    ("password", "postgres://app:{}@db/app", "ab/cD3{l3}"),
    ("password", "mysql://root:{}@db/app", "P@ssw0rd{l2}"),
    ("password", "amqp://svc:{}@rabbit:5672/vhost", "{w6}/{d2}@{w6}"),
    ("credential", "https://{}@github.com/o/r.git", "{h40}"),
    ("credential", "git clone https://{}:x-oauth-basic@github.com/o/r.git", "{h40}"),
    ("password", 'DB_PASSWORD="{}"', "my secret phrase {d2}!"),
    ("password", '{"user":"ada","password":"{}"}', "hunter{d2}secret"),
    ("password", "password: {}", "Sup3rS{d2}cret!"),
    ("vault-token", "VAULT_TOKEN={}", "s.{w24}"),
    ("vault-token", "X-Vault-Token: {}", "s.{w24}"),
    ("credential", '{"auths": {"docker.example.org": {"auth": "{}"}}}', "basic"),
    ("credential", "//npm.example.org/:_auth={}", "basic"),
    ("credential", '_auth = "{}"', "basic"),
    ("credential", "Authorization: Bearer {}", "{w40}"),
    ("credential", "curl -H 'authorization: bearer {}' https://api", "{s64}"),
    ("credential", '"Authorization": "token {}"', "{h40}"),
    ("credential", "Authorization: Basic {}", "basic"),
    ("password", "DB_PASSWORD={}", "{w9}-{w4}"),
    ("password", "export POSTGRES_PASSWORD='{}'", "{l18}"),
    ("password", "FOO=bar\nSMTP_PASS={}\nPORT=25", "blue-{d4}-horse"),
    ("password", "ADMIN_PASSWORD={} # rotate", "{w12}"),
    ("password", "PASSWORD_PROD={}", "{w16}"),
    ("value", "SECRET_KEY={}", "{w50}"),
    ("value", "# .env\nAPI_TOKEN={}\nDEBUG=1", "{h40}"),
    ("value", 'SESSION_SECRET="{}"', "{p44}"),
    ("value", "export DATADOG_API_KEY={}", "{h32}"),
    ("value", "ENCRYPTION_KEY={}", "{h64}"),
    ("value", "- e: 1\nENV JWT_SECRET={}", "{w32}"),
    ("password", 'password = "{}"', "{w10}!{w3}"),
    ("password", "password: '{}'", "{w8}#{w5}"),
    ("password", '"db_password": "{}"', "{w16}"),
    ("password", 'Passphrase="{}"', "{w9}${w9}".replace("${", "+{")),
    ("password", "passwd={}", "{w6}@{w6}"),
    ("value", "api_key: {}", "{h32}"),
    ("value", 'apiKey: "{}",', "{w32}"),
    ("value", "client_secret = '{}'", "{w40}"),
    ("value", 'access_token="{}"', "{h64}"),
    ("value", "auth-token: {}", "{w24}"),
    ("value", "X-Api-Key: {}", "{h8}-{h4}-{h4}-{h4}-{h12}"),
    ("value", 'os.environ["API_KEY"] = "{}"', "{w32}"),
    ("value", "credentials => '{}'", "{w32}"),
    ("value", "my token is token={} thanks", "{w28}"),
    ("value", "<add key='x'/> SecretKey: `{}`", "{w38}"),
    ("value", "SECRET_KEY = '{}'", "django-insecure-{j50}"),
    ("value", "SECRET_KEY_BASE={}", "{h128}"),
    ("value", "AZURE_PAT={}", "{l52}"),
    ("password", "run it with DB_PASSWORD={} now", "{w5}[{w4}&{w6}"),
    ("password", "DB_PASSWORD={}", "{w5}({w4}${w6}".replace("${", "+{")),
    ("password", "x DB_PASSWORD={} y", "{a20}"),
    ("password", "jdbc:postgresql://db:5432/app?user=u&password={}&ssl=true", "{w12}"),
    ("credential", "git clone https://{}@git.example.com/o/r.git", "{w32}"),
    ("credential", "https://{}@example.org/x", "{h32}"),
    ("password", "postgres://app:{}@db/app", "{d10}"),
    ("password", "docker run -e POSTGRES_PASSWORD={} postgres:16", "{w16}"),
    ("password", "mysql --user=root --password={} app", "{w14}"),
    ("password", "db:\n  password: {}\n  port: 5", "{w4}{d2}{w4}"),
    ("password", "machine api.example.org\n  login ada\n  password {}", "{w14}"),
    ("password", "curl -u ada:{} https://x.example.org", "{w12}"),
    ("password", "password: {}", "hunter{d1}abc"),
    ("password", "db:\n  user: app\n  password: {} # rotate", "{l4}{d1}{l3}z"),
    ("password", "{user: root, password: {}, port: 5}", "h{d2}nter{d1}xy"),
    ("password", "spring.datasource.password={}", "w{d1}nter{d2}"),
    ("password", "rootPassword: '{}'", "tr{d1}ub{d1}dor"),
    ("password", "      MYSQL_ROOT_PASSWORD: {}", "kestrel{d2}x"),
    ("password", "ansible_ssh_pass: {}", "kestrel{d3}"),
    ("password", "it is Server=db;User Id=app;Pwd={};Encrypt=yes", "kestrel{d3}"),
    ("password", "CREATE USER app IDENTIFIED BY '{}';", "kestrel{d3}"),
    ("password", "ALTER USER app WITH PASSWORD '{}'", "kestrel{d3}"),
    ("password", "<password>{}</password>", "kestrel{d3}"),
    ("password", "sshpass -p {} ssh root@db", "kestrel{d3}"),
    ("password", "mysql -h db -uroot -p{} app", "kestrel{d3}"),
    ("password", "PGPASSWORD={} psql -h db", "kestrel{d3}"),
    ("password", "requirepass {}", "kestrel{d3}"),
    ("github-token", '{"body": "it is\\n{}\\n"}', "ghp_{w36}"),
    ("discord-token", "DISCORD_TOKEN={}", "MTA{w21}.{w6}.{w38}"),
    ("telegram-token", "https://api.telegram.org/bot{}/getMe", "{d10}:AA{s33}"),
    ("github-token", "GH_TOKEN={}", "v1.{h40}"),
    ("github-token", "https://x-access-token:{}@github.com/ada/parser", "v1.{h40}"),
    ("password", "SMTP_PASS={}", "qzv{x13}"),
    ("password", 'GMAIL_APP_PASSWORD="{}"', "xkj{x13}"),
    ("password", "my app password is {}", "qzvx {x4} {x4} kjqx"),
    ("password", "      - name: DB_PASSWORD\n        value: {}", "{w8}{d2}{w4}"),
    ("password", '{"name": "DB_PASSWORD", "value": "{}"}', "{w8}{d2}{w4}"),
    ("value", "- name: API_TOKEN\n  value: '{}'", "{w40}"),
    ("value", "run it with ENCRYPTION_KEY={} and wait", "base64:{p43}="),
    ("value", "it was `DEPLOY_PRIVATE_KEY={}`", "0x{h64}"),
    ("password", "| DB_PASSWORD | {} |", "{w8}{d2}Lx{l2}"),
    ("password", "| Password | `{}` | of staging |", "{w8}{d2}Lx{l2}"),
    ("password", "`DB_PASSWORD`: `{}`", "{w8}{d2}Lx{l2}"),
    ("password", "- **Password:** {}", "{w8}{d2}Lx{l2}"),
    ("password", "DB_PASSWORD\t{}", "{w8}{d2}Lx{l2}"),
    ("value", "setx API_KEY {}", "{w32}"),
    ("password", 'setx DB_PASSWORD "{}"', "kestrel{d3}"),
    ("password", "http://admin:{}@10.0.0.5:8080", "admin{d3}"),
    ("value", ":secret_access_key => '{}'", "{w40}"),
    ("credential", "Authorization: SSWS {}", "00{w40}"),
    ("credential", "the API key is {}", "{w32}"),
    ("credential", "ctl join 10.0.0.1 --token {}", "{l3}{d1}{l2}.{l12}{d2}kq"),
    ("password", "network={\n  psk={}\n}", "Kx{w6}{d2}{w6}"),
    ("cookie", "Cookie: theme=dark; session={}; page=2", "{w48}"),
    ("cookie", "curl -b 'PHPSESSID={}' https://x.example.org", "{h32}"),
    ("password-hash", "root:{}:19000:0:99999:7:::", "$6${w16}${w86}"),
    ("password-hash", "ada:{}", "$2y$10${w53}"),
    ("password", "The root password is {}", "Kv{w8}{d1}a#9"),
    ("password", "the credentials are admin / {}", "Kv{w8}{d1}a#9"),
    ("private-key", '{"kty":"EC","crv":"P-256","d":"{}"}', "{s43}"),
    ("private-key", "my wallet's private key: {}", "0x{h64}"),
    ("private-key", "the private key is {}", "5J{f49}"),
    ("recovery-phrase", 'MNEMONIC="{}"', "{m12}"),
    ("recovery-phrase", "seed phrase: {}", "{m24}"),
    ("credential", "my token was `{}`, it is gone now", "{w39}7"),
    ("value", "AUTH_SALT={}", "{w40}"),
    ("value", '$env:API_KEY = "{}"', "{w32}"),
    ("value", "{'api_key': '{}'}", "Qx{a38}"),
    ("value", "define('SECURE_AUTH_KEY', '{}');", "{w20}!({w20}#{d2}"),
    ("value", 'client.setApiKey("{}")', "{w32}"),
)

PASSWORDS: Final = ("Harvest{d4}!", "{c1}{d4}#", "{o4}", "{k12}a", "{w12}", "{l6}{d1}{l6}", "{x12}", "@{c1}{d4}")
"""As people think them out and as machines draw them."""

GIVEN: Final = (
    "DB_PASSWORD={}",
    "db_password: {}",
    "password={}",
    'password = "{}"',
    '{"password": "{}"}',
    "run it with --password {}",
    "The password is {}",
    "it was the password for staging: {}",
    "new password: **{}**",
    "my password is `{}` for now",
    "PGPASSWORD={} psql -h db",
    'PGPASSWORD="{}" pg_dump app',
    'dataSource.setPassword("{}");',
    '.withPassword("{}")',
    'os.environ["DB_PASSWORD"] = "{}"',
    '$env:DB_PASSWORD = "{}"',
    "ENV MYSQL_PASSWORD {}",
    "define('DB_PASSWORD', '{}');",
    '[Environment]::SetEnvironmentVariable("DB_PASSWORD", "{}")',
    "db:5432:app:ada:{}",
    "redis-cli -h cache -a {} ping",
    "openssl enc -aes-256-cbc -k {} -in a",
    "openssl rsa -in a.pem -passin pass:{}",
    "zip -P {} a.zip b",
    "7z x a.7z -p{}",
    "sqlcmd -S db -U sa -P {} -Q x",
    "ldapsearch -D cn=admin -w {} -b dc=x",
    "mongosh -u root -p {} --authenticationDatabase admin",
    "docker login -u ada -p {} registry.example.org",
    "keytool -list -keystore a.jks -storepass {}",
    "smbclient //h/s -U ada%{}",
    "htpasswd -cb .htpasswd ada {}",
    "rabbitmqctl add_user ada {}",
    "echo {} | sudo -S make install",
    "echo 'root:{}' | chpasswd",
    'ConvertTo-SecureString "{}" -AsPlainText -Force',
    'new NetworkCredential("ada", "{}")',
    "HTTPBasicAuth('ada', '{}')",
    "ALTER ROLE ada PASSWORD '{}';",
    "SET PASSWORD FOR 'ada'@'%' = '{}';",
    "CREATE USER 'ada' IDENTIFIED WITH mysql_native_password BY '{}';",
    "GRANT ALL ON app.* TO 'ada' IDENTIFIED BY '{}';",
    "Server=db;Database=app;User Id=sa;Password={};",
    "jdbc:oracle:thin:scott/{}@//db:1521/x",
    "jdbc:mysql://db/app?user=root&password={}",
    "amqp://ada:{}@queue/app",
    "log in with admin / {} on staging",
    "kubectl create secret generic db --from-literal=password={}",
    "helm upgrade app . --set auth.password={}",
    "| Password | {} |",
    'let password: &str = "{}";',
    "<password>{}</password>",
    "pass = {}",
)
"""Places where a password is given."""

NEAR: Final = (
    # sentences
    ("the AWS secret key is {}", "{p40}"),
    ("The secret access key for staging was {}, rotate it please.", "{p40}"),
    ("our API key is `{}` until Friday", "{w32}"),
    ("I used the client secret {} and it works", "{w40}"),
    ("use the token {} to log in", "{w40}"),
    ("the bot's token is {}.", "{h40}"),
    ("here is my access token: {}", "{s43}"),
    ("deploy with secret key “{}”", "{w40}"),
    ("the signing secret should be set to {}", "{h64}"),
    ("refresh token = {} (expires never)", "1//0g{s90}"),
    ("the webhook secret (currently {}) has to match", "{w32}"),
    ("passphrase of the key: {}", "{o5}"),
    ("my ssh key's passphrase is {}", "{o4}"),
    # markup
    ("<code>api_key={}</code>", "{w32}"),
    ("<pre>secret_key: {}</pre>", "{w40}"),
    ("<td>API key</td><td>{}</td>", "{w32}"),
    ("<td>DB_PASSWORD</td>\n<td><code>{}</code></td>", "{w8}{d2}Lx{l2}"),
    ("<b>Secret:</b> {}", "{w32}"),
    ('<input type="password" value="{}">', "{w8}{d2}Lx{l2}"),
    ('<add key="ApiKey" value="{}" />', "{w32}"),
    ('<property name="password" value="{}"/>', "{w8}{d2}Lx{l2}"),
    ("<entry key='client.secret'>{}</entry>", "{w40}"),
    ("| API key | `{}` |", "{w32}"),
    ("| name | value |\n|---|---|\n| AWS_SECRET_ACCESS_KEY | {} |", "{p40}"),
    ("| secret_key_base | {} | production |", "{h128}"),
    ("* `CLIENT_SECRET` – `{}`", "{w40}"),
    ("API_KEY:: {}", "{w32}"),
    ("``api_key={}``", "{w32}"),
    # encoded in addresses
    ("https://x.example.org/cb?client_secret={}&state=1", "{w40}"),
    ("redirect=https%3A%2F%2Fx.example.org%2F%3Faccess_token%3D{}%26a%3D1", "{w40}"),
    ("postgres%3A%2F%2Fapp%3A{}%40db%2Fapp", "{w16}"),
    ("curl 'https://x.example.org/v1?api_key={}'", "{h32}"),
    ("wss://x.example.org/socket?auth={}", "{w40}"),
    ("grant_type=refresh_token&refresh_token={}&client_id=a", "1//0e{s60}"),
    # typed constants
    ('const API_KEY: &str = "{}";', "{w32}"),
    ('private static final String SECRET_KEY = "{}";', "{w40}"),
    ('const std::string kApiKey = "{}";', "{w32}"),
    ('let apiKey: String = "{}"', "{w32}"),
    ('var authToken string = "{}"', "{w40}"),
    ('API_TOKEN: Final[str] = "{}"', "{w40}"),
    ('static const char *secret_key = "{}";', "{w40}"),
    ('public const string ClientSecret = "{}";', "{w40}"),
    ('val dbPassword: String = "{}"', "{w8}{d2}Lx{l2}"),
    ('#define API_KEY "{}"', "{w32}"),
    ('#define WIFI_PASSWORD "{}"', "{w8}{d2}Lx{l2}"),
    ("#define SECRET_TOKEN {}", "{h40}"),
    # frameworks and files
    ("production:\n  secret_key_base: {}", "{h128}"),
    ("Rails.application.config.secret_token = '{}'", "{h128}"),
    ("config.secret_key = '{}'", "{h128}"),
    ("Devise.setup { |config| config.pepper = '{}' }", "{h128}"),
    ("//registry.npmjs.org/:_authToken={}", "{h8}-{h4}-{h4}-{h4}-{h12}"),
    ('//npm.example.org/:_password="{}"', "{p40}="),
    ("_auth={}\nemail=a@example.org", "{p44}=="),
    ("Set-Cookie: sessionid={}; HttpOnly", "{l32}"),
    ("document.cookie = 'session_token={}'", "{w48}"),
    ('"refresh_token": "{}", "type": "authorized_user"', "1//0g{s90}"),
    ("refresh_token: 1//0{}", "{s80}"),
    ('GPG_PASSPHRASE="{}"', "{m5}"),
    ("signing.keyPassphrase = '{}'", "{m4}"),
    ("export ANSIBLE_VAULT_PASSPHRASE='{}'", "{o5}"),
)
"""Texts in which only what stands near a value tells that it is a secret, each with how the value is drawn."""

_PEM: Final = ("RSA PRIVATE", "EC PRIVATE", "PRIVATE", "OPENSSH PRIVATE", "ENCRYPTED PRIVATE", "DSA PRIVATE")


def positives(size: int, *, seed: int) -> list[Positive]:
    """*size* texts: every shape at least once, in every surrounding."""
    return [*islice(_positives(Random(seed)), size)]  # noqa: S311  made up, not to be kept


def _positives(random: Random) -> Iterator[Positive]:
    around = cycle(AROUND)
    for turn in count():
        for kind, template in TOKENS:
            secret = filled(template, random)
            yield Positive(kind, next(around).replace("{}", secret), secret)
        for kind, text, template in WORDED:
            secret = _basic(random) if template == "basic" else filled(template, random)
            yield Positive(kind, text.replace("{}", secret), secret)
        for n, text in enumerate(GIVEN):
            secret = filled(PASSWORDS[(n + turn) % len(PASSWORDS)], random)
            yield Positive("password", text.replace("{}", secret), secret)
        for label in _PEM:
            lines = "\n".join(filled("{p64}", random) for _ in range(6))
            yield Positive(
                "private-key", f"key:\n-----BEGIN {label} KEY-----\n{lines}\n-----END {label} KEY-----\n", lines
            )


def _basic(random: Random) -> str:
    return base64.b64encode(filled("ada:{w14}", random).encode()).decode()


HARMLESS: Final = """
why is the token: busy_timeout counted twice?
the secret of the parser is its queue
password: required, at least twelve characters
Password must be at least 8 characters, one of them a digit
fact-0a1b2c3d4e5f [CITATION:issue:496@120-310]
ghp_ is how such a token begins, sk-learn is a library
see https://example.org/a:b and mail ada@example.org
ssh://git@github.com:22/ada/parser.git
git@github.com:ada/parser.git
http://localhost:8080/@ada/parser
https://user@example.org/path
https://user:password@example.org/
postgres://postgres:postgres@localhost:5432/postgres
postgres://USER:PASS@HOST:PORT/NAME
mysql://root:${MYSQL_ROOT_PASSWORD}@db/app
amqp://guest:guest@localhost//
redis://:<password>@cache:6379
https://<user>:<token>@github.com/ada/parser.git
https://x-access-token:$GITHUB_TOKEN@github.com/ada/parser
https://x-access-token:${{ secrets.GITHUB_TOKEN }}@github.com/ada/parser
https://oauth2:***@gitlab.com/ada/parser
token = os.environ["GITHUB_TOKEN"]
token: ${{ secrets.GITHUB_TOKEN }}
api_key=$API_KEY
api_key: {{ .Values.apiKey }}
apiKey: process.env.OPENAI_API_KEY,
password = getpass.getpass("Password: ")
password = config.get("password2")
secret := sha256.Sum256(seed32)
secret_key = secp256k1_keypair_sec
auto token = parse_token_v2(lexer1)
const token = await getAccessToken2(req1);
let access_key = self.access_key_2.clone();
token=lexer->next_token2
private_key: x25519_private_key_bytes
access_token: string | undefined
password?: string;
private readonly apiKey: string = "";
def login(password: str, token: Optional[str] = None) -> None:
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
PASSWORD_MIN_LENGTH=12
MAX_TOKENS=4096
TOKEN_URL=https://auth.example.org/oauth2/token
KEY=value
API_KEY=
API_KEY=your-api-key-here
API_KEY=<your key>
API_TOKEN=changeme
API_TOKEN=xxxxxxxxxxxxxxxxxxxxxxxx
SECRET_KEY=change-me-in-production
SECRET_KEY=${SECRET_KEY}
SECRET_KEY=$(openssl rand -hex 32)
DB_PASSWORD=password
DB_PASSWORD=postgres
DB_PASSWORD=secret123
DB_PASSWORD=
DB_PASSWORD=example
DB_PASSWORD_FILE=/run/secrets/db_password
PRIVATE_KEY_PATH=/etc/ssl/private/server2.pem
JWT_SECRET=$JWT_SECRET_2
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
aws_access_key_id = AKIAIOSFODNN7EXAMPLE
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${ACCESS_TOKEN}
Authorization: token YOUR_TOKEN_HERE
Authorization: Basic dXNlcjpwYXNzd29yZA==
curl -u user:password https://example.org
Bearer authentication is described in RFC6750
the basic implementation-detail-of-secp256k1 is fine
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
the file starts with -----BEGIN PRIVATE KEY-----
if your file has '-----BEGIN RSA PRIVATE KEY-----' markers, the rest of it is read as base64
_SK_START = b"-----BEGIN OPENSSH PRIVATE KEY-----"; _SK_END = b"-----END OPENSSH PRIVATE KEY-----"
-----BEGIN PRIVATE KEY----- (your key here) -----END PRIVATE KEY-----
private_key: Ed25519PrivateKey | Ed448PrivateKey
private_key: X25519PrivateKey
secret: Sha3_512Digest
"AWSApplicationMigrationFullAccess": "arn:aws:iam::aws:policy/AWSApplicationMigrationFullAccess"
"AWS::ApiGateway::ApiKey": "9e38c3f885e4dc9a",
"ARN": "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyTestDatabaseSecret-a1b2c3Xy9Z",
"PasswordLastUsed": "2014-04-09T15:43:45Z",
"NextToken": "AQICAHgmhb0ygcCBdi7rYnKTdYLM3Lwo1kJ1sLcEvDMLDpyUHQFi",
nextPageToken: CAEQAA4kT7bX9cZ2mL5qR8
aws_commit = 4f1c9a7e2b8d3f6a5c0e9b1d7a3f8c2e6d4b0a95
grep for "BEGIN RSA PRIVATE KEY" in the tree
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEjW7kQb2Vn0Wm8n5rVZkF6o5F7m3qK1oX9cT4bY2pLd ada@laptop
SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 is GitHub's fingerprint
token_hash: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
password_hash = "$2b$12$KIXQJ8wV1fJ8g8yQ8yQ8yOe7c1zG9"
integrity sha512-9NET910DNaIPngYnLLPeg+Ogzqsi9uM4mSboU5y6p8S5DzMTVEsJZrawi+BoDNUVBa2DhJqQYUFvMDfgU062LQ==
github.com/pkg/errors v0.9.1 h1:FEBLx1zS214owpjy7qsBeixbURkuhQAwrK5UwLGTwt4=
"tarball": "https://cdn.example.org/tokenizr/tokenizr-1.6.10.tgz"
token-2022 program, token1155 and token20 interfaces
secret: SharedSecret32
secret = KDF.ExpandWithLabel(epoch_secret, "exporter2", "", Hash.length)
joiner_secret = ExpandWithLabel(intermediate_secret, "joiner", GroupContext_[n], KDF.Nh)
client_handshake_traffic_secret_0 -> server_handshake_traffic_secret_0
struct { opaque secret<0..255>; } Token2024;
key_schedule_v2: secret-tree-2024
the passphrase: correct horse battery staple
sk-circle-fade-dot-animation-delay-1200ms
data-token-type="identifier2-name"
xoxb- tokens are bot tokens
AIza is how Google's keys begin
npm_config_registry=https://registry.example.org
npm_package_version_major_minor_patch=1
hf_hub_download(repo_id="ada/parser-v2-large")
secret_key_base_from_environment_variable_v2
pat-na1 is the region
pk_test and sk_test are Stripe's test modes
glpat-is-a-prefix-used-by-gitlab-for-tokens
dop_v1_ and doo_v1_ are prefixes
SKIP_TESTS_ON_WINDOWS_AND_MACOS_BUILDS_2024
cio_read_buffer_size_in_bytes_for_parser_2
AGE-SECRET-KEY-1 is bech32
eyJhbGciOiJIUzI1NiJ9
commit_secret: the secret of a Commit, see Section 8.4.2
const AUTH_KEY_LENGTH: usize = 0x20_00_00_00_00;
passes: 1024/1024, skipped: 12, xfailed=3
keypass="store-pass-2"
API key: see the wiki, api-keys-2024.md
token: v1.24.3-rc.10+build.2024.11
secret: projects/parser-42/secrets/db-password/versions/7
secret_arn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:parser-Ab12Cd
tokenizer="bert-base-uncased-finetuned-mrpc-128"
token_type: refresh_token_v2
password_reset_token_valid_for_hours: 24
next_page_token: page-2-of-17-results
CSRF_COOKIE_NAME="csrftoken_v2"
<input type="password" name="password" id="password-field-1" autocomplete="current-password">
"password": {"type": "string", "minLength": 8}
password: !vault |
password: ENC[AES256_GCM,data:Y2FmZQ==,iv:q1w2]
apikey: "00000000000000000000000000000000"
api_key: "11111111111111111111111111111111"
api_key = "0123456789abcdef0123456789abcdef"
token = "abcdefghijklmnopqrstuvwxyz123456"
client_secret: "deadbeefdeadbeefdeadbeefdeadbeef"
secret: [REDACTED:github-token]
password=********
http://localhost:8080/users2/@ada/Parser9x
https://example.org:8443/a1B2/c3D4@v1.2
git+ssh://example.org:org2/repo9x@v1.2
docker://registry:tag/with-a-path@latest
https://ada@github.com/ada/parser.git
https://parser-bot@github.com/ada/parser.git
https://example.org/ada/parser@4f1c9a7e2b8d3f6a5c0e9b1d7a3f8c2e6d4b0a95
DB_PASSWORD="the password of the database"
DB_PASSWORD="$(pass show db/prod | head -1)"
GREETING_KEY="Hello, you 2!"
"password": "password2"
"passwordLabel": "passw2ort"
password: String!
password: Must_be_long!
VAULT_TOKEN=s.client.authenticate_with_token
VAULT_ADDR=http://127.0.0.1:8200
vault: self.lookup_of_vault_token
"auth": "basic"
"auth": "required"
"auth": "oauth2/authorization+code"
http_auth = "disabled"
_auth=aGVsbG8gd29ybGQ=
password: hunter2?
PWD=/home/ada/src/project2
PWD=/home/runner/jobs/Ab3/x9Zq
OLDPWD=/home/ada/x2
PUBLIC_KEY=02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9
PUBKEY=02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9
PASS=tests/unit/test_a2.py
PASS=1024tests
CACHE_KEY=v2-deps-2024w17
SORT_KEY=created_at_2024
token: ECDSA_P256_SHA256_v1
http://localhost:8080@x
https://parser-automation-bot-account@github.com/x
pip install git+https://example.org/repo@4f1c9a7e2b8d3f6a5c0e9b1d7a3f8c2e6d4b0a95
mysql --password=<password>
psql --password=$PASS2
mysql --password-file=/run/secrets/db2
login ada password required
jdbc:mysql://db/app?user=u&password=changeme
docker run -e POSTGRES_PASSWORD=mysecretpassword postgres
password: sha256crypt
password: minLength8
SECRET_KEY = env('SECRET_KEY_2')
SECRET_KEY = config('DJANGO_SECRET_KEY', default='x')
password: sha512crypt
password: b64decode
password: varchar255
password: test1234
password: level2
password: Option<String>,
password: this.password2
password: data.form2.password,
const { password: _, ...safe2 } = user
password=secret.PASSWORD2
password=SecretStr('*****2*****')
self.password=password2
password=pw2,
hashed_password=hash2pw(password)
hashed_password = utf8_password2
grant_type=password&username=%s&password=%s&scope=%s
PASSWORD="${PASSWORD:-vyos2}"
PASSWORD=$(cat /run/secrets/db2)
IDENTIFIED BY '$DB_PASSWORD2'
IDENTIFIED BY '<password2>'
a screen recording identified by '${uuid2}'
rc login --email you@example.com --password '...'
<password>${db.password2}</password>
<param name="password" value="{{ password2 }}"/>
sshpass -p $PASS2 ssh x
mysql -uroot -p app2
mysqldump -p --all-databases2
docker run -p 8080:80 mysql:8 -p2
the password: see section4b
pass: 12 of 14, fail: 2
pass: step2b
password: string255
password: p256verifier
password: NTLMv2
Password: MSCHAPv2
pwd: /home/ada/x2y3
SMTP_PASS=mysecretpassword
DB_PASSWORD=correcthorsebattery
the password is correcthorsestaple, as in the comic
the password is hashed with PBKDF2-HMAC-SHA256 before it is stored
the password is checked by verify_password2(user)
the password is Base64-encoded, the token is UTF-8
Password for the user: see section 4.2
the api key is read from API_KEY_2024_PRODUCTION
the access token is opaque_to_the_client_v2
| password | varchar(255) | not null |
| password | string | at least 8 characters |
| DB_PASSWORD | the password of the database |
| token | CancellationToken2 | optional |
| secret | SharedSecret32 | [32]byte |
| TOKEN | 4f1c9a7e2b8d3f6a5c0e9b1d7a3f8c2e6d4b0a95 |
- **Token:** a unit of text, such as `token_v2`
- **Password:** at least 12 characters
`API_KEY`: `your-api-key-here`
  - name: DB_PASSWORD\n    value: changeme
- name: DB_PASSWORD, value: required
{"name": "PASSWORD_MIN_LENGTH", "value": "12"}
Cookie: session=abc
Cookie: session=<session id>
Set-Cookie: session_token=; Max-Age=0
const cookie = parse(session=getSessionCookieV2)
the cookie is kept for session=3600 seconds
psk=external_psk_value
psk = HKDF-Expand-Label(resumption_master_secret, "resumption", ticket_nonce, Hash.length)
psk=b2c1f4e3a5968778695a4b3c2d1e0f9a
root:$6$salt$hash:19000:0:99999:7:::
ada:$HOME/parser2/bin:$PATH
http://user:user123@example.org/
http://admin:admin@localhost:9090
http://admin:admin123@localhost:9090
curl --token <token>
ctl join --token $JOIN_TOKEN2
gh auth login --with-token < token2.txt
MTA-STS.is-set.by_the_domain_and_not_the_server_v2
the credentials are read from ~/.aws/credentials2
login with user/password2
GH_TOKEN=v1.2.3
run it with CACHE_KEY=v2-deps-2024w17-linux and wait
build with -DSECP256K1_MODULE_KEY=extrakeys_and_schnorrsig2
set MY_KEY=path/to/the/key2/of/ada.pem first
RELEASE_KEY=v1.12.0-rc.3
TOKEN_MODULE=parser.tokens.reader_v2.lexer_state_machine2
password = get_password()
password: string
password=None
password = user.settings.password_v2
password: SecretStr
password: CharField
password=getpass.getpass(prompt2)
password: required!
the password is hashed
the password is case-sensitive
the password is write-only-by-default
the password is read-from-the-environment
the password is never-stored-in-plaintext
the password is AES-256-GCM encrypted
the password is SHA-512/256 of it
the password is in section 4.2!
the password was wrong
the password is Base64!
my password is not that of 2024!
Password - required, 12 characters
password (bcrypt, 12 rounds) is kept
password NTLMv2 is refused
password ECDHE-RSA-AES128-GCM-SHA256 has no meaning
password: mysql-root-password-secret
password: github-actions-deploy-key
password: correct-horse-battery-staple
--password read-from-the-prompt
--password $PGPASSWORD2
PGPASSWORD=${PGPASSWORD2} psql
PGPASSWORD=postgres psql
PGPASSWORD="$(cat file2)" psql
user.setPassword(password2)
user.setPassword("password")
user.setPassword(hash("x1", salt2))
.withPassword("test")
new UsernamePasswordCredentials(user2, pass2)
HTTPBasicAuth('user', 'pass')
auth=("user", "changeme")
login("ada", "member")
return `Password &lt;<span class="hljs-subst">${value2}</span>`
self.authenticate('CRAM-MD5', self._CRAM_MD5_AUTH)
os.environ["DB_PASSWORD"] = os.environ["OLD_PASSWORD2"]
$env:DB_PASSWORD = $secret2
$env:PATH = "C:/tools/x64;$env:PATH"
ENV PATH=/usr/local/go1.22/bin
ENV TOKEN_PATH /run/secrets/token2
define('DB_PASSWORD', 'password_here');
define('DB_CHARSET', 'utf8mb4');
main.c:1234:warning:unused:variable2
db:5432:app:ada:$PGPASSWORD2
localhost:5432:*:postgres:postgres
redis-cli -a $REDIS_PASSWORD2 ping
redis-cli -h cache -p 6379 ping
zip -P <password2> a.zip b
zip -r v2024a.zip src2
openssl enc -k "$KEY2" -in a
openssl x509 -in a.pem -text2
docker run -p 8443:8443 image2
docker login -u ada --password-stdin ghcr.io
mongosh --port 27018 -p
echo $TOKEN2 | docker login --password-stdin -u ada
echo hello2world | tee log2
net use Z: //host2/share2
jdbc:oracle:thin:@//db2:1521/x
jdbc:oracle:thin:user/pass@//db:1521/x
log in with GitHub / GitLab2
log in as root / administrator
{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}
{"d": "2024-11-22T10:00:00Z"}
mnemonic = abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about
the mnemonic is twelve words that the wallet shows only once when it is set up
a token is a unit of text of two or three characters
the token is refresh_token_of_the_session_v2
AUTH_SALT=put-your-unique-phrase-here
the salt is 16 octets, AUTH_SALT_LENGTH=16
at_least_one_s1gnature_of_the_keys
re_compile_all_the_patterns_of_the_module_v2
API-DOCUMENTATION-OF-VERSION-2
ico-facebook-large-rounded-2024-dark
the private key is 32 octets, 0x01 to n-1
the private key: 0x0000000000000000000000000000000000000000000000000000000000000001
""".strip().splitlines()

_GENERATED: Final = (
    "commit {h40} broke it",
    "fixed in {h12}, see {h7}",
    "Merge {h40} into {h40}",
    "https://github.com/ada/parser/commit/{h40}",
    "https://github.com/ada/parser/blob/{h40}/src/key.c#L12-L40",
    "sha256 {h64}  parser.tar.gz",
    "sha256:{h64}",
    "md5={h32}",
    "cache key: {h32}",
    'ETag: "{h32}"',
    "id {h8}-{h4}-{h4}-{h4}-{h12}",
    "request_id={h8}-{h4}-{h4}-{h4}-{h12}",
    "seckey = {h64}",
    "secret key: {h64}",
    'secret_key = bytes.fromhex("{h64}")',
    "privkey: 0x{h64}",
    'private_key = "{h64}"',
    "sk: {h64}\npk: {h64}\nmsg: {h64}",
    "| 0 | {h64} | {h64} | {h64} |",
    "shared_secret = {h64}",
    "init_secret: {h64}",
    "secret: {h32}",
    "token = {h32}",
    "PRK = 0x{h64} (32 octets)",
    "aux_rand,{h64},{h64},TRUE",
    "unsigned char key[32] = {0x{h2}, 0x{h2}, 0x{h2}, 0x{h2}};",
    "signature {h128}",
    "04{h128} is the point",
    "nonce: {p43}=",
    "digest: {p43}=",
    "x = {w24}",
    "order {w20} shipped",
    "https://example.org/p/{w22}",
    "https://www.youtube.com/watch?v={s11}",
    "Message-ID: <{w24}@mail.example.org>",
    "Change-Id: I{h40}",
    "integrity sha512-{p86}==",
    "parser v1.2.3 h1:{p43}=",
    "ssh-rsa AAAAB3NzaC1yc2E{p120} ada@laptop",
    "SHA256:{p43}",
    "-----BEGIN CERTIFICATE-----\n{p64}\n{p64}\n-----END CERTIFICATE-----",
    "-----BEGIN PGP SIGNATURE-----\n\n{p64}\n{p40}\n=abcd\n-----END PGP SIGNATURE-----",
    "data:image/png;base64,iVBORw0KGgo{p200}",
    "user-images.githubusercontent.com/{d8}/{d9}-{h8}-{h4}-{h4}-{h4}-{h12}.png",
    "txid {h64}",
    "0x{h40} is the contract",
)


def negatives(size: int, *, seed: int) -> list[str]:
    """*size* texts: those written by hand, a placeholder of every token's shape, then ids, hashes and test vectors."""
    return [*islice(_negatives(Random(seed)), size)]  # noqa: S311


def _negatives(random: Random) -> Iterator[str]:
    yield from HARMLESS
    around = cycle(AROUND)
    for n, (_, template) in enumerate(TOKENS):
        if _FIELD.search(template):
            yield next(around).replace("{}", _placeholder(template, n))
    for template in cycle(_GENERATED):
        yield filled(template, random)


def _placeholder(template: str, n: int) -> str:
    stands = ("x", "X", "0", "EXAMPLE", "<your-token>", "...", "*", "placeholder")[n % 8]
    return _FIELD.sub(lambda field: (stands * int(field[2]))[: max(int(field[2]), 3)], template)
