from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from cortex.errors import BadInput
from cortex.indexers.connectors import Cursor, listing, tree
from cortex.indexers.connectors.listing import LEFT_OUT
from tests.trees import by_ref, git, read_tree, records, skipped, write

NOTE = "# Note\n\nText.\n"


def paths(root: Path) -> list[str]:
    return list(dict.fromkeys(record.path for record in records(root)))


def test_a_plain_folder_is_read_in_the_order_of_its_paths(tmp_path: Path) -> None:
    write(
        tmp_path, {"b.md": NOTE, "a/z.rst": NOTE, "a.markdown": NOTE, "README": NOTE, "main.py": "# no", "x.txt": "no"}
    )
    assert paths(tmp_path) == ["README", "a.markdown", "a/z.rst", "b.md"]


def test_a_work_tree_is_read_as_git_sees_it(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "build/\n*.local.md\n", "a.md": NOTE, "new.md": NOTE, "gone.md": NOTE})
    git(tmp_path, "init")
    git(tmp_path, "add", "a.md", "gone.md", ".gitignore")
    git(tmp_path, "commit", "-m", "Start")
    (tmp_path / "gone.md").unlink()
    write(tmp_path, {"build/made.md": NOTE, "mine.local.md": NOTE})
    assert paths(tmp_path) == ["a.md", "new.md"]
    assert skipped(tmp_path) == {}


def test_what_a_project_keeps_out_of_its_memory_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, {".cortexignore": "/seeds/\n*.draft.md\n", "a.md": NOTE, "seeds/b.md": NOTE, "c.draft.md": NOTE})
    git(tmp_path, "init")
    git(tmp_path, "add", "a.md", "seeds")
    assert paths(tmp_path) == ["a.md"]


def test_a_folder_of_a_work_tree_is_read_with_paths_that_count_from_it(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*.tmp.md\n", "docs/a.md": NOTE, "docs/b.tmp.md": NOTE, "other.md": NOTE})
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    assert paths(tmp_path / "docs") == ["a.md"]


def test_a_folder_that_git_ignores_as_a_whole_is_read_as_a_plain_one(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "export/\n", "export/docs/a.md": NOTE})
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    assert paths(tmp_path / "export" / "docs") == ["a.md"]
    assert paths(tmp_path) == []


def test_a_new_work_tree_whose_files_are_all_ignored_gives_nothing(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*\n", "a.md": NOTE})
    git(tmp_path, "init")
    assert records(tmp_path) == []


def test_a_file_in_conflict_is_read_once(tmp_path: Path) -> None:
    git(tmp_path, "init")
    for branch in ("main", "other"):
        git(tmp_path, "checkout", "--orphan", branch)
        write(tmp_path, {"a.md": f"# {branch}\n\nText.\n"})
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-m", branch)
    with pytest.raises(Exception, match="merge"):
        git(tmp_path, "merge", "--allow-unrelated-histories", "main")
    assert len(records(tmp_path)) == len({record.ref for record in records(tmp_path)}) > 0


@pytest.mark.parametrize("folder", ["node_modules", "vendor", "third_party/lib"])
def test_a_vendored_folder_is_named_once_and_not_read(tmp_path: Path, folder: str) -> None:
    top = folder.partition("/")[0]
    write(tmp_path, {f"{folder}/a/README.md": NOTE, f"{folder}/b/README.md": NOTE, "a.md": NOTE})
    assert paths(tmp_path) == ["a.md"]
    assert skipped(tmp_path) == {f"{top}/": LEFT_OUT}
    git(tmp_path, "init")
    assert skipped(tmp_path) == {f"{top}/": LEFT_OUT}


LEFT_OUT_BY_DEFAULT = [
    "vendor/x/README.md", "lib/node_modules/x/README.md", "src/_vendor/x/README.md", "tests/fixtures/a.md",
    "pkg/test/md/fixtures/x/AGENTS.md", "spec/fixtures/a.md", "src/__fixtures__/a.md", "pkg/testdata/x/OWNERS",
    "src/__snapshots__/a.md", "dist/README.md", "packages/a/dist/a.md", "docs/node_modules/x/README.md",
]  # fmt: skip
KEPT_BY_DEFAULT = [
    "build/README.md", "build/OWNERS", "docs/build/a.md", "docs/dist/a.md", "docs/vendor/a.md", "docs/testdata/a.md",
    "docs/tests/fixtures/a.md", "packages/a/docs/build/a.md", "fixtures/a.md", "src/_vendor/README.md",
    "docs/vendoring.md", "tests/README.md", "dist.md", "CHANGELOG.md",
]  # fmt: skip


def test_what_is_not_the_projects_own_text_is_left_out_by_default(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys((*LEFT_OUT_BY_DEFAULT, *KEPT_BY_DEFAULT), NOTE))
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    assert {record.path for record in records(tmp_path)} == {*KEPT_BY_DEFAULT}
    assert set(skipped(tmp_path)) == {
        "vendor/", "lib/", "src/_vendor/x/", "tests/fixtures/", "pkg/", "spec/", "src/__fixtures__/",
        "src/__snapshots__/", "dist/", "packages/a/dist/", "docs/node_modules/",
    }  # fmt: skip


def test_what_a_build_leaves_is_left_out_where_git_does_not_track_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": NOTE, "build/by_hand.md": NOTE, "docs/build/a.md": NOTE})
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    write(
        tmp_path,
        {"build/made.md": NOTE, "lib/build/made.md": NOTE, "docs/build/new.md": NOTE, "docs/_build/m.md": NOTE},
    )
    assert paths(tmp_path) == ["a.md", "build/by_hand.md", "docs/build/a.md", "docs/build/new.md"]
    assert skipped(tmp_path) == dict.fromkeys(("build/made.md", "docs/_build/", "lib/"), LEFT_OUT)


def test_a_plain_folder_leaves_out_folders_of_the_same_names(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys((*LEFT_OUT_BY_DEFAULT, "build/a.md", "docs/build/a.md", "tests/a.md"), NOTE))
    assert paths(tmp_path) == ["docs/build/a.md", "src/_vendor/x/README.md", "tests/a.md"]


def test_a_project_takes_back_in_what_is_left_out_by_default(tmp_path: Path) -> None:
    files = {"vendor/a.md": NOTE, "tests/fixtures/a.md": NOTE, "tests/fixtures/b.md": NOTE, "dist/a.md": NOTE}
    write(tmp_path, files | {".gitattributes": "made.md linguist-generated\n", "made.md": NOTE})
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    assert paths(tmp_path) == []
    write(tmp_path, {".cortexignore": "!vendor/\n!tests/fixtures/\ntests/fixtures/b.md\n!made.md\n"})
    assert paths(tmp_path) == ["made.md", "tests/fixtures/a.md", "vendor/a.md"]
    assert skipped(tmp_path) == {"tests/fixtures/b.md": LEFT_OUT, "dist/": LEFT_OUT}


ODD = ["a [1]*.md", "b? c\\d.md", "!e #.md", "\xe9.md"]


@pytest.mark.parametrize("value", ["linguist-generated", "linguist-generated=true", "linguist-vendored"])
def test_a_file_that_the_project_marks_as_made_is_left_out_and_its_documents_are_not(
    tmp_path: Path, value: str
) -> None:
    made = [f"made/{name}" for name in ("AGENTS.md", "api.md", *ODD)]
    kept = ["docs/made/api.md", "made/CHANGELOG.md", "made/hand.md", "made/README.md"]
    write(tmp_path, dict.fromkeys((*made, *kept), NOTE))
    marks = f"made/** {value}\ndocs/made/** {value}\nmade/hand.md -{value.partition('=')[0]}\n"
    write(tmp_path, {".gitattributes": marks})
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    assert paths(tmp_path) == sorted(kept)
    assert set(skipped(tmp_path)) == {*made}
    assert paths(tmp_path / "made") == ["CHANGELOG.md", "README.md", "hand.md"]


@pytest.mark.parametrize("name", [".venv/a.md", "__pycache__/a.md", ".tox/x/a.md"])
def test_tool_folders_are_passed_over_in_silence(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: NOTE})
    assert (records(tmp_path), skipped(tmp_path)) == ([], {})


def test_a_text_belongs_to_one_kind_and_who_owns_what_is_a_document_too(tmp_path: Path) -> None:
    files = ["AGENTS.md", "docs/adr/0001-a.md", "MAINTAINERS.md", "CHANGELOG.md", "CODEOWNERS", "OWNERS"]
    write(tmp_path, dict.fromkeys(files, "# A\n\n- One rule (@ada)\n"))
    write(tmp_path, {"CODEOWNERS": "* @ada\n", "OWNERS": "approvers:\n- ada\n"})
    kinds = {(record.path, record.type) for record in records(tmp_path)} - {("docs/adr/0001-a.md", "doc")}
    assert kinds == {
        ("AGENTS.md", "directive"),
        ("CHANGELOG.md", "doc"),
        ("CHANGELOG.md", "project"),
        ("CODEOWNERS", "doc"),
        ("CODEOWNERS", "ownership"),
        ("MAINTAINERS.md", "doc"),
        ("MAINTAINERS.md", "ownership"),
        ("OWNERS", "doc"),
        ("OWNERS", "ownership"),
        ("docs/adr/0001-a.md", "directive"),
    }


def test_symlinks_out_of_the_tree_are_named_and_never_followed(tmp_path: Path) -> None:
    write(tmp_path, {"secret/key.md": NOTE, "tree/a.md": NOTE, "treehouse/b.md": NOTE})
    root = tmp_path / "tree"
    (root / "key.md").symlink_to(tmp_path / "secret" / "key.md")
    (root / "near.md").symlink_to("../treehouse/b.md")
    (root / "docs").symlink_to(tmp_path / "secret")
    (root / "nowhere.md").symlink_to("/nonexistent/file.md")
    assert paths(root) == ["a.md"]
    out = dict.fromkeys(["docs", "key.md", "near.md", "nowhere.md"], "a symlink out of the tree")
    assert skipped(root) == out
    git(root, "init")
    git(root, "add", ".")
    assert (paths(root), skipped(root)) == (["a.md"], out)


def test_a_tracked_folder_replaced_by_a_symlink_out_of_the_tree_leaks_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"secret/a.md": "# Secret\n\nText.\n", "tree/docs/a.md": NOTE})
    root = tmp_path / "tree"
    git(root, "init")
    git(root, "add", ".")
    (root / "docs" / "a.md").unlink()
    (root / "docs").rmdir()
    (root / "docs").symlink_to(tmp_path / "secret")
    assert records(root) == []
    assert skipped(root)["docs/a.md"] == "a symlink out of the tree"


def test_a_symlink_to_a_file_that_is_read_anyway_is_not_read_twice(tmp_path: Path) -> None:
    write(tmp_path, {"AGENTS.md": "- One rule\n", "guide/setup": NOTE})
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    (tmp_path / "setup.md").symlink_to("guide/setup")
    assert (paths(tmp_path), skipped(tmp_path)) == (["AGENTS.md", "setup.md"], {})


def test_a_symlink_to_what_is_left_out_is_named_and_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "private.md\n", "private.md": NOTE, "docs/a.md": NOTE})
    for name, target in {"b.md": "../private.md", "c.md": "../.git/config", "d.md": "a.md"}.items():
        (tmp_path / "docs" / name).symlink_to(target)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    assert "docs/a.md" in paths(tmp_path)
    assert skipped(tmp_path) == dict.fromkeys(["docs/b.md", "docs/c.md"], "a symlink to what is left out")


def test_symlink_loops_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "b.md").symlink_to("a.md")
    (tmp_path / "again").symlink_to(".")
    assert records(tmp_path) == []
    assert skipped(tmp_path) == dict.fromkeys(["a.md", "b.md"], "a symlink that leads nowhere")


def test_a_root_that_is_a_symlink_itself_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"real/a.md": NOTE})
    (tmp_path / "link").symlink_to("real")
    assert paths(tmp_path / "link") == ["a.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and sockets have no names in a folder there")
def test_pipes_sockets_and_folders_named_like_documents_stop_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"README.md/inside.md": NOTE})
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(tmp_path)  # a socket's path may have 108 bytes
        listening.bind("socket.md")
        os.chdir(here)
        assert paths(tmp_path) == ["README.md/inside.md"]
        assert skipped(tmp_path) == dict.fromkeys(["pipe.md", "socket.md"], "not a regular file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_named_and_leaves_the_reading_incomplete(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": NOTE, "closed/b.md": NOTE})
    (tmp_path / "a.md").chmod(0)
    (tmp_path / "closed").chmod(0)
    assert skipped(tmp_path) == dict.fromkeys(["a.md", "closed/"], "unreadable: Permission denied")
    assert [*read_tree(tmp_path, source="demo")][-1] == Cursor(value="", complete=False)
    (tmp_path / "closed").chmod(0o700)


def test_a_symlink_to_nothing_is_named_and_hides_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("gone.txt")
    assert skipped(tmp_path) == {"a.md": "a symlink that leads nowhere"}
    assert [*read_tree(tmp_path, source="demo")][-1] == Cursor(value="", complete=True, files=("a.md",))


def test_a_file_over_the_size_guard_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": NOTE, "huge.md": b"x" * 40_000_000, "long.md": "a\n" * (listing.MAX_LINES + 1)})
    assert paths(tmp_path) == ["a.md"]
    assert skipped(tmp_path) == {"huge.md": "larger than 5 MB", "long.md": "longer than 50,000 lines"}


def test_nul_and_surrogates_are_replaced_and_noted(tmp_path: Path) -> None:
    write(tmp_path, {"nul.md": b"# A\n\nb\0c\n", "half.md": b"# A\n\nb\xed\xa0\x80c\n", "AGENTS.md": b"- a\0b\n"})
    assert {record.path: record.body[-3:] for record in records(tmp_path)} == {
        "nul.md": "b\ufffdc",
        "half.md": "b\ufffdc",
        "AGENTS.md": "a\ufffdb",
    }
    assert set(skipped(tmp_path).values()) == {"held NUL or unpaired surrogate characters, stored as U+FFFD"}
    assert len(skipped(tmp_path)) == 3


@pytest.mark.parametrize(
    ("content", "body"),
    [
        (b"\xef\xbb\xbf# A\n\nText.", "# A\n\nText."),
        ("# A\n\nÄ.".encode("utf-16"), "# A\n\nÄ."),
        (b"# A\n\nCaf\xe9.", "# A\n\nCaf\u00e9."),
        (b"# A\r\n\r\nText.\r\n", "# A\r\n\r\nText."),
        (b"# A\r\rText.\r", "# A\r\rText."),
        ("# A\n\n\x0bText \x1c \u2028 more.".encode(), "# A\n\n\x0bText \x1c \u2028 more."),
    ],
    ids=["byte order mark", "utf-16", "latin-1", "crlf", "cr", "other separators"],
)
def test_text_of_every_coding_keeps_its_characters(tmp_path: Path, content: bytes, body: str) -> None:
    (record,) = records(write(tmp_path, {"a.md": content}))
    assert (record.body, record.title, record.lines) == (body, "A", (1, 3))


@pytest.mark.parametrize(
    ("content", "body", "note"),
    [
        ("Größe – ja.".encode("cp1252"), "Größe – ja.", "not UTF-8, read as cp1252"),
        ("Größe".encode("cp1252") + b" \x81.", "Größe \ufffd.", "not UTF-8, read as cp1252, what is not as U+FFFD"),
        ("Größe über alles".encode() + b" \xe9.", "Größe über alles \ufffd.", "holds bytes that are no UTF-8"),
        ("Größe.".encode("utf-16") + b"a", "Größe.\ufffd", "holds bytes that are no UTF-16"),
    ],
    ids=["guessed", "guessed in part", "damaged UTF-8", "damaged UTF-16"],
)
def test_a_file_that_is_not_all_utf8_is_named(tmp_path: Path, content: bytes, body: str, note: str) -> None:
    (record,) = records(write(tmp_path, {"a.md": content}))
    assert record.body == body
    assert skipped(tmp_path)["a.md"].startswith(note)


@pytest.mark.parametrize("name", ["CODEOWNERS", "OWNERS", "MAINTAINERS"])
def test_a_list_of_owners_that_is_blank_is_named(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: "\n \n"})
    assert (records(tmp_path), skipped(tmp_path)) == ([], {name: tree.NO_TEXT})


@pytest.mark.parametrize("name", ["a.md", "a.rst", "AGENTS.md", "MAINTAINERS.md"])
@pytest.mark.parametrize("content", ["", "\n\n", "# Only a heading\n"], ids=["empty", "blank", "heading"])
def test_a_file_that_says_nothing_is_named(tmp_path: Path, name: str, content: str) -> None:
    write(tmp_path, {name: "Only a heading\n====\n" if content and name.endswith(".rst") else content})
    assert (records(tmp_path), skipped(tmp_path)) == ([], {name: tree.NO_TEXT})


def test_front_matter_alone_says_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "---\ntitle: A\n---\n"})
    assert skipped(tmp_path) == {"a.md": tree.NO_TEXT}


def test_binary_data_named_like_a_document_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"})
    assert (records(tmp_path), skipped(tmp_path)) == ([], {"a.md": "binary, not text"})


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_no_utf8_survive_and_stay_apart(tmp_path: Path) -> None:
    for name in (b"caf\xe9.md", b"caf\xe8.md"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text(NOTE)
    assert list(by_ref(tmp_path)) == ["doc:caf\\xe8.md", "doc:caf\\xe9.md"]
    git(tmp_path, "init")
    assert list(by_ref(tmp_path)) == ["doc:caf\\xe8.md", "doc:caf\\xe9.md"]


@pytest.mark.parametrize(
    "line",
    [">" * 50_000, "> " * 25_000, "- " * 25_000, "1. " * 15_000, "[" * 50_000, "`" * 50_000, "|" * 25_000, "#" * 9_999],
    ids=["quotes", "spaced quotes", "lists", "numbers", "brackets", "backticks", "pipes", "hashes"],
)
def test_nesting_without_end_takes_no_time_and_raises_nothing(tmp_path: Path, line: str) -> None:
    files = ["a.md", "a.rst", "AGENTS.md", "MAINTAINERS.md", "MAINTAINERS", "OWNERS", "CODEOWNERS", "docs/adr/1-a.md"]
    write(tmp_path, dict.fromkeys(files, f"# {line}\n\n{line} text\n"))
    assert all(len(record.title) < 1_000 for record in records(tmp_path) if record.path not in {"CODEOWNERS", "OWNERS"})


def test_a_root_that_is_no_folder_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        read_tree(tmp_path / "missing", source="demo")
    with pytest.raises(BadInput, match="no such folder"):
        read_tree(write(tmp_path, {"a.md": NOTE}) / "a.md", source="demo")
