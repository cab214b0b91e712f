"""Values that look like secrets are never stored; words about secrets, hashes and test vectors stay as they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.references import references
from cortex.substrate.address import is_database
from cortex.substrate.model import Link
from cortex.substrate.secrets import redact, without_secrets
from cortex.surfaces.indexing import index
from tests.brains import NOW, dump, incoming, index_records, indexes_agree, open_new, record, statements
from tests.substrate.secret_shapes import GIVEN, HARMLESS, NEAR, PASSWORDS, TOKENS, WORDED, filled, negatives, positives
from tests.tables import walk
from tests.trees import write

POSITIVES = positives(400, seed=1)
NEGATIVES = negatives(600, seed=1)


def test_the_corpus_has_every_shape_and_no_text_twice() -> None:
    assert {kind for kind, _ in TOKENS} | {kind for kind, *_ in WORDED} <= {positive.kind for positive in POSITIVES}
    assert len(POSITIVES) == len({positive.text for positive in POSITIVES}) == 400
    assert len(NEGATIVES) == len(set(NEGATIVES)) == 600


def test_ninety_nine_of_a_hundred_secrets_go_and_nothing_around_them() -> None:
    kept = [positive.text for positive in POSITIVES if positive.secret in redact(positive.text)]
    assert len(kept) <= 4, kept
    for kind, text, secret in (positive for positive in POSITIVES if positive.text not in kept):
        before, _, after = text.partition(secret)
        if "-----BEGIN" in text:
            before, after = before.rpartition("-----BEGIN")[0], "\n"
        assert redact(text) == f"{before}[REDACTED:{kind}]{after}"


def test_what_stands_near_a_value_tells_that_it_is_a_secret() -> None:
    drawn = [(text, filled(shape, Random(seed))) for text, shape in NEAR for seed in range(5)]  # noqa: S311
    kept = [text for text, secret in drawn if secret in redact(text.replace("{}", secret))]
    assert len(NEAR) == 60
    assert len(kept) <= 0.02 * len(drawn), kept


def test_at_most_one_harmless_text_of_two_hundred_is_touched() -> None:
    touched = [text for text in NEGATIVES if redact(text) != text]
    assert len(touched) <= 3, touched


@walk("template", PASSWORDS)
def test_a_password_of_any_sort_goes_wherever_one_is_given(template: str) -> None:
    random = Random(7)  # noqa: S311  made up, not to be kept
    texts = [(text, filled(template, random)) for text in GIVEN for _ in range(20)]
    kept = [text for text, password in texts if password in redact(text.replace("{}", password))]
    assert len(kept) <= 0.01 * len(texts), kept


@walk("text", HARMLESS)
def test_words_about_secrets_stay(text: str) -> None:
    assert redact(text) == text


@walk(
    ("text", "kept"),
    [
        ("postgres://cortex:hunter2@db/brain", "postgres://cortex:[REDACTED:password]@db/brain"),
        ("Authorization: Bearer abc4ef01x3456789abqdef", "Authorization: Bearer [REDACTED:credential]"),
        ('DB_PASSWORD="k3J9-xQ2z!7"', 'DB_PASSWORD="[REDACTED:password]"'),
        ("api_key: 9f8e7d6c5b4a3210", "api_key: [REDACTED:value]"),
        ("start it with DB_PASSWORD=Vq7zRk29pLw8 here", "start it with DB_PASSWORD=[REDACTED:password] here"),
        ("curl -su admin:Vq7zRk29pLw8 https://x.example", "curl -su admin:[REDACTED:password] https://x.example"),
        ("curl -s -u 'admin:Vq7zRk29pLw8' x.example", "curl -s -u 'admin:[REDACTED:password]' x.example"),
        ("curl -u $USER:$PASSWORD x.example", "curl -u $USER:$PASSWORD x.example"),
        ("docker run -u root:wheel image", "docker run -u root:wheel image"),
    ],
    ids=["address", "bearer", "password", "key", "inside", "curl -su", "curl -u", "a variable", "a group"],
)
def test_a_value_is_taken_and_its_name_stays(text: str, kept: str) -> None:
    assert redact(text) == kept


def test_the_table_of_a_cloud_key_loses_both_its_columns() -> None:
    table = "Access key ID,Secret access key\nAKIA" + "Q3ZT7WVN5KRB2JXM," + "k3J9xQ2z/7Vq" * 3 + "k3J9"
    assert redact(table).splitlines()[1] == "[REDACTED:aws-access-key],[REDACTED:aws-secret-key]"


def test_each_secret_is_counted_by_its_kind() -> None:
    found: Counter[str] = Counter()
    redact(" ".join(f"ghp_{letter}{'a1B2c3D4e5' * 3}F6g7h" for letter in "xyz") + " redis://:k3J9xQ2z@cache/", found)
    assert found == {"github-token": 3, "password": 1}


@given(st.text(max_size=300))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@walk("positive", POSITIVES[::7], ids=lambda positive: positive.kind)
def test_a_mark_is_no_secret(positive: tuple[str, str, str]) -> None:
    once = redact(positive[1])
    assert redact(once) == once


def test_a_text_of_fifty_thousand_characters_takes_no_longer_for_its_shape() -> None:
    hostile = [
        *("password" * 3_000, "-----BEGIN PRIVATE KEY-----\n" * 1_000, "a" * 25_000 + "://" + "b:" * 10_000),
        *("token=" + "a1B2" * 10_000, "://" * 10_000, "eyJ" * 10_000, "PASSWORD_" * 3_000),
        *("://a:b" + "@c" * 20_000, "://a:/@b" * 5_000, '"password": "' + "a1" * 20_000, "vault_token = " * 3_000),
        *("cookie: sess=a1B2c3D4e5F6g7H8" * 1_500, "curl -b session=" * 3_000, "password is for " * 3_000),
        *("| password " * 4_500, "name: PASSWORD value:" * 2_500, "password\t" * 5_000, "a:$6$" * 10_000),
        *("redis-cli -a " * 3_000, "zip " * 10_000 + " -p", "auth('a', " * 4_500, "env:PASSWORD " * 4_500),
        *("a:5432:b:c:" * 4_500, "password:" + "-Abcd" * 10_000, "mnemonic: " + "abc " * 12_000),
        *("bot1234567890:AA" * 3_000, "login: a / " * 4_500, "wpa_psk=" * 6_000, "--token" * 7_000),
    ]
    for text in hostile:
        started = process_time()
        redact(text)
        assert process_time() - started < 0.5  # 0.05 at most, where nothing is quadratic


SECRET = "ghp_" + "q7Rk2VnX9sTb4LwZ8mYc3Jd6Hf1Gp5Aa0Eu2"


def test_nothing_that_is_kept_of_a_record_holds_a_secret(tmp_path: Path) -> None:
    """Titles, bodies, addresses, paths, labels, refs, links, passages, facts and the report."""
    password = "-".join(("s3cret", "Horse9"))
    body = f"We decided to rotate {SECRET} because it leaked. The database must stay at postgres://app:{password}@db/x."
    doc = record(f"doc:a.md#use-{SECRET}", body, title=f"Use {SECRET}", path=f"{SECRET}.md")
    url = f"https://ada:{password}@git.example.org/ada/parser/pull/1"
    pull = record("pull:1", f"Use {SECRET}\n\n{body}", url=url, labels=(f"key {SECRET}",), state="merged")
    comment = record("comment:1#2", body, thread="pull:1", author="ada", association="MEMBER", title="Use it")
    path = tmp_path / "brain.db"
    with open_new(path) as brain:
        report = index_records(brain, doc, pull, comment)
        assert report.origins[0].redacted == {"github-token": 8, "password": 4}
        assert statements(brain, ref="comment:1#2")
        assert indexes_agree(brain)
        (kept,) = brain.db.execute("select body from records where ref = 'comment:1#2'").fetchone()
        for start, end, excerpt in brain.db.execute(
            "select f.start, f.end_, f.excerpt from facts f join records r on r.id = f.record_id"
            " where r.ref = 'comment:1#2'"
        ):
            assert kept[start:end] == excerpt
        held = repr(dump(brain)).encode()
    written = held if is_database(brain.path) else b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for secret in (SECRET, password, SECRET.lower(), SECRET[:12]):
        assert secret.encode() not in written
    assert written.count(b"[REDACTED:github-token]") >= 8


def test_no_link_names_a_piece_of_a_secret() -> None:
    body = f"Login fails since #12\n\nauthorization: token {'4f1c9a7e2b8d3f6a' * 2}90bd5e27"
    assert "commit:4f1c9a7e2b8d" in {link.to_ref for link in references(body, own=["demo"])}
    assert "commit:4f1c9a7e2b8d" not in {ref for _, _, ref in incoming(record("issue:1", body)).links}


def test_a_record_without_a_secret_is_the_record_itself() -> None:
    one = record("issue:1", "Say what a token is")
    assert without_secrets(one) == (one, Counter())


def test_indexing_a_redacted_record_again_changes_nothing(tmp_path: Path) -> None:
    one = record("issue:1", f"Rotate it\n\nIt was {SECRET}.")
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, one)
        assert index_records(brain, one).run is None


def test_a_block_of_a_private_key_goes_however_its_lines_are_broken() -> None:
    begin, end = (f"-----{word} PGP PRIVATE KEY BLOCK-----" for word in ("BEGIN", "END"))
    assert redact(f"it is\n{begin}\n\nlQOYBF8a\nzR9kQw2\nLp0xVt\n{end}\nso") == "it is\n[REDACTED:private-key]\nso"
    assert redact(f"{begin}\n...\n{end}") == f"{begin}\n...\n{end}"


def test_no_link_to_a_file_that_is_called_after_a_secret_holds_it(tmp_path: Path) -> None:
    """What names a file leads to it all the same."""
    write(
        tmp_path / "project",
        {
            f"docs/adr/0001-{SECRET}.md": "# 1. Use a queue\n\nStatus: Accepted\n\nWe must use a queue.\n",
            "docs/adr/0002-next.md": f"# 2. Use none\n\nStatus: Accepted\n\nSupersedes [1](0001-{SECRET}.md)\n",
            f"docs/{SECRET}-empty.md": "",
            "CODEOWNERS": f"docs/adr/0001-{SECRET}.md @ada\n",
        },
    )
    with open_new(tmp_path / "brain.db") as brain:
        index(brain, tmp_path / "project", now=NOW)
        links = brain.db.execute("select relation, to_ref from links where relation = 'supersedes'").fetchall()
        assert links == [("supersedes", "doc:docs/adr/0001-[REDACTED:github-token].md")]
        (stands,) = brain.db.execute("select 'doc:' || path from records where title = '1. Use a queue'").fetchone()
        assert stands == links[0][1]
        assert SECRET not in repr(dump(brain))


def test_no_name_of_anybody_holds_a_secret(tmp_path: Path) -> None:
    token = "ghp_" + "aB3dE6gH9" * 4
    pull = record(
        "pull:7",
        "Oil the gears",
        author=token,
        assignees=(token, "ada"),
        merged_by=token,
        state="merged",
        merged_at=NOW,
        links=(Link(relation="co_author", to_ref=f"person:{token}"),),
    )
    owner = record("ownership:CODEOWNERS#1", "* @" + token, title="CODEOWNERS › *", assignees=(token,))
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, pull, owner)
        assert any("assigned to [REDACTED:github-token] and ada" in one for one in statements(brain))
        assert token not in repr(dump(brain))


@walk("text", [r"PWD=C:\Projects\App1", r"pwd: C:\Users\Bob2", r"PWD: D:\a\repo1\repo1", 'pwd = "C:\\Temp\\Build42"'])
def test_a_path_of_windows_is_no_password(text: str) -> None:
    assert redact(text) == text
