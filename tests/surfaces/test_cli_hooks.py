"""`cortex hook` on real repositories: it indexes behind git's back, and leaves no trace when it goes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from cortex.surfaces import hooking
from cortex.surfaces.commands import background as commands
from cortex.surfaces.hooking import NAMES, hooks, install, program_of
from cortex.surfaces.starting import own_command
from tests.brains import foreign
from tests.surfaces.conftest import NOW, Ran, seen
from tests.trees import commit, git, until, write

Cortex = Callable[..., Ran]
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="hooks are shell scripts"),
    pytest.mark.usefixtures("warm_hooks"),
]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    git(root, "init")
    write(root, {"README.md": "# Project\n\nThe runner must be started before the board.\n"})
    commit(root, "Begin")
    return root


def held(root: Path) -> dict[str, tuple[int, bytes | str]]:
    """Every hook that is no sample: its mode, and its bytes or where it leads."""
    folder = Path(hooks(root).folder)
    found = [path for path in folder.iterdir() if path.suffix != ".sample"] if folder.is_dir() else []
    return {
        path.name: (path.lstat().st_mode, str(path.readlink()) if path.is_symlink() else path.read_bytes())
        for path in found
    }


def titles(cortex: Cortex) -> list[str]:
    """The titles of the commits the brain holds."""
    done = cortex("search", "Begin Second Third Fourth", "--json")
    return [row["record"]["title"] for row in done.json["hits"]] if done.code == 0 else []


def test_a_commit_is_in_the_brain_a_moment_later(
    cortex: Cortex, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "own_command", own_command)
    assert cortex("hook", "install", repository).code == 0
    write(repository, {"a.md": "# A\n\nThe queue must be drained first.\n"})
    commit(repository, "Second")
    until(lambda: "Second" in titles(cortex))
    until(lambda: (found := cortex("hook", "status", repository, "--json").json)["last"] is not None
          and found["last"]["error"] == "")  # fmt: skip
    assert "changed the brain" in cortex("hook", "status", repository).out


@pytest.mark.parametrize("what", ["merge", "checkout"])
def test_so_is_what_a_merge_or_a_checkout_brings(what: str, cortex: Cortex, repository: Path) -> None:
    git(repository, "checkout", "-b", "side")
    write(repository, {"b.md": "# B\n\nLogs must be kept for 30 days.\n"})
    commit(repository, "Third")
    git(repository, "checkout", "main")
    assert cortex("hook", "install", repository).code == 0
    git(repository, *(["merge", "--no-ff", "side"] if what == "merge" else ["checkout", "side"]))
    until(lambda: "Third" in titles(cortex))


def test_a_checkout_of_a_file_starts_nothing(cortex: Cortex, repository: Path, tmp_path: Path) -> None:
    cortex("hook", "install", repository)
    (repository / "README.md").write_text("changed\n", "utf-8")
    git(repository, "checkout", "--", "README.md")
    sleep(0.5)
    assert not [path for path in tmp_path.iterdir() if "hook-" in path.name]


EXISTING = {
    "none": {},
    "shell": {"post-commit": (0o755, b"#!/bin/sh\nset -eu\necho mine > mine.txt\nexit 0\n")},
    "bash, no newline at the end": {"post-commit": (0o700, b"#!/usr/bin/env bash\necho mine > mine.txt")},
    "crlf": {"post-merge": (0o755, b"#!/bin/sh\r\n# nothing\r\n")},
    "python": {"post-commit": (0o755, b"#!/usr/bin/env python3\nopen('mine.txt', 'w').write('mine')\n")},
    "binary": {"post-commit": (0o755, b"#!/bin/cat\n\xff\xfe\x00")},
    "switched off": {"post-commit": (0o644, b"#!/bin/sh\necho mine > mine.txt\n")},
    "no shebang": {"post-commit": (0o755, b"echo mine > mine.txt\n")},
    "only a shebang": {"post-commit": (0o755, b"#!/bin/sh")},
    "others": {"pre-commit": (0o755, b"#!/bin/sh\nexit 0\n")},
}


@pytest.mark.parametrize("existing", EXISTING.values(), ids=EXISTING.keys())
def test_installing_and_removing_leaves_every_file_as_it_was(
    existing: dict[str, tuple[int, bytes]], cortex: Cortex, repository: Path
) -> None:
    folder = Path(hooks(repository).folder)
    for name, (mode, content) in existing.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(mode)
    before = held(repository)
    assert cortex("hook", "install", repository).code == 0
    between = held(repository)
    assert {hook.state for hook in hooks(repository).hooks} == {"installed"}
    assert cortex("hook", "install", repository).code == 0
    assert held(repository) == between
    assert cortex("hook", "remove", repository).out == "Removed.\n"
    assert held(repository) == before
    assert cortex("hook", "remove", repository).out == "Nothing was installed.\n"


@pytest.mark.parametrize("kind", ["shell", "python", "switched off"])
def test_what_was_there_before_runs_as_it_did(kind: str, cortex: Cortex, repository: Path, tmp_path: Path) -> None:
    folder = Path(hooks(repository).folder)
    (mode, content) = EXISTING[kind]["post-commit"]
    (folder / "post-commit").write_bytes(content)
    (folder / "post-commit").chmod(mode)
    cortex("hook", "install", repository)
    write(repository, {"a.md": "# A\n\nThe queue must be drained first.\n"})
    commit(repository, "Second")
    assert (repository / "mine.txt").exists() is (kind != "switched off")
    until(lambda: hooking.last_run(seen(tmp_path / "brain.db"), repository) is not None)


@pytest.mark.parametrize("shebang", ["#!/bin/sh", "#!/bin/sh -eu", "#!/usr/bin/env bash"])
def test_a_script_that_many_hooks_lead_to_is_called_by_its_name_and_told_what_git_tells(
    shebang: str, cortex: Cortex, repository: Path
) -> None:
    """As dispatchers are: what `$0`, its folder and the arguments say decides what they do."""
    write(repository, {"tools/hook.sh": f'{shebang}\necho "$(basename "$0") $# $1" >> "$(dirname "$0")/told.txt"\n'})
    (repository / "tools" / "hook.sh").chmod(0o755)
    folder = Path(hooks(repository).folder)
    for name in NAMES:
        (folder / name).symlink_to("../../tools/hook.sh")
    before = held(repository)
    git(repository, "branch", "side")
    cortex("hook", "install", repository)
    git(repository, "checkout", "side")
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, capture_output=True, text=True, check=True)
    assert (folder / "told.txt").read_text("utf-8") == f"post-checkout 3 {head.stdout}"
    (folder / "told.txt").unlink()
    cortex("hook", "remove", repository)
    assert held(repository) == before


def test_hooks_as_husky_makes_them_run_as_they_did(cortex: Cortex, repository: Path) -> None:
    """`_/post-commit` sources `_/h`, which runs the script of that name in the folder above."""
    h = 'n=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n[ ! -f "$s" ] && exit 0\nsh -e "$s" "$@"\nexit $?\n'
    write(repository, {".husky/_/h": h, ".husky/post-commit": "echo mine > mine.txt\n"})
    for name in ("pre-commit", *NAMES):
        write(repository, {f".husky/_/{name}": '#!/usr/bin/env sh\n. "$(dirname "$0")/h"'})
        (repository / ".husky" / "_" / name).chmod(0o755)
    git(repository, "config", "core.hooksPath", ".husky/_")
    before = held(repository)
    cortex("hook", "install", repository)
    commit(repository, "Second")
    assert (repository / "mine.txt").read_text("utf-8") == "mine\n"
    until(lambda: "Second" in titles(cortex))
    cortex("hook", "remove", repository)
    assert held(repository) == before


def test_a_hook_that_another_program_put_over_ours_costs_nobody_theirs(cortex: Cortex, repository: Path) -> None:
    folder = Path(hooks(repository).folder)
    path, saved = folder / "post-commit", folder / "post-commit.before-cortex"
    (mode, content) = EXISTING["python"]["post-commit"]
    path.write_bytes(content)
    path.chmod(mode)
    cortex("hook", "install", repository)
    path.write_text("#!/usr/bin/env python3\n", "utf-8")
    between = held(repository)
    done = cortex("hook", "install", repository)
    assert (done.code, held(repository)) == (2, between)
    assert f"cortex: {saved}: another program took the place of cortex's post-commit" in done.err
    path.unlink()
    saved.rename(path)
    assert cortex("hook", "install", repository).code == 0
    assert saved.read_bytes() == content


def test_what_was_added_around_a_hook_that_ours_stands_before_stays(cortex: Cortex, repository: Path) -> None:
    path = Path(hooks(repository).folder) / "post-commit"
    (mode, content) = EXISTING["switched off"]["post-commit"]
    path.write_bytes(content)
    path.chmod(mode)
    cortex("hook", "install", repository)
    with path.open("a") as added:
        added.write("echo mine > mine.txt\n")
    cortex("hook", "remove", repository)
    write(repository, {"a.md": "# A\n"})
    commit(repository, "Second")
    assert (repository / "mine.txt").exists()
    assert path.with_name("post-commit.before-cortex").read_bytes() == content


def test_a_folder_of_hooks_in_the_main_tree_is_no_other_repositorys(
    cortex: Cortex, repository: Path, tmp_path: Path
) -> None:
    git(repository, "config", "core.hooksPath", str(repository / "hooks"))
    git(repository, "worktree", "add", "-b", "side", str(tmp_path / "linked"))
    done = cortex("hook", "install", tmp_path / "linked", "--json")
    assert (done.code, done.json["folder"]) == (0, str(repository.resolve() / "hooks"))


def test_what_was_added_to_a_hook_of_ours_stays(cortex: Cortex, repository: Path) -> None:
    cortex("hook", "install", repository)
    path = Path(hooks(repository).folder) / "post-commit"
    with path.open("a") as added:
        added.write("echo mine > mine.txt\n")
    cortex("hook", "remove", repository)
    assert path.read_text("utf-8").endswith("echo mine > mine.txt\n")
    assert "cortex hook run" not in path.read_text("utf-8")


def test_the_folder_that_git_is_told_of_is_the_one(cortex: Cortex, repository: Path) -> None:
    git(repository, "config", "core.hooksPath", "hooks of mine")
    cortex("hook", "install", repository)
    assert sorted(path.name for path in (repository / "hooks of mine").iterdir()) == sorted(NAMES)
    write(repository, {"a.md": "# A\n\nThe queue must be drained first.\n"})
    commit(repository, "Second")
    until(lambda: "Second" in titles(cortex))


def test_hooks_that_other_repositories_share_are_left_alone(cortex: Cortex, repository: Path, tmp_path: Path) -> None:
    git(repository, "config", "core.hooksPath", str(tmp_path / "shared"))
    done = cortex("hook", "install", repository)
    assert done.code == 2
    assert "which other repositories share; give this one its own: git config core.hooksPath .git/hooks" in done.err
    assert not (tmp_path / "shared").exists()


def test_where_there_is_no_repository_it_says_so(cortex: Cortex, tmp_path: Path) -> None:
    done = cortex("hook", "install", tmp_path)
    assert (done.code, done.complaint) == (2, f"cortex: {tmp_path}: no git repository; run it in one")


@pytest.mark.parametrize("broken", ["no cortex", "no brain to write"])
def test_a_commit_never_fails_for_it(broken: str, cortex: Cortex, repository: Path, tmp_path: Path) -> None:
    if broken == "no brain to write":
        foreign(tmp_path / "brain.db")
    cortex("hook", "install", repository)
    path = Path(hooks(repository).folder) / "post-commit"
    if broken == "no cortex":
        path.write_text(path.read_text("utf-8").replace("[ -x ", "[ -x /nowhere"), "utf-8")
    write(repository, {"a.md": "# A\n"})
    git(repository, "add", "-A")
    done = subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-m", "Second"],
        cwd=repository, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    if broken == "no brain to write":
        brain = seen(tmp_path / "brain.db")
        until(lambda: (last := hooking.last_run(brain, repository)) is not None and last.error != "")
        assert "failed: " in cortex("hook", "status", repository).out


def test_what_it_starts_is_out_of_the_way_from_the_beginning(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "cortex"
    named.write_text(f'#!/bin/sh\nnice > "{tmp_path}/nice.new"\nmv "{tmp_path}/nice.new" "{tmp_path}/nice"\n', "utf-8")
    named.chmod(0o755)
    monkeypatch.chdir(repository)
    install(repository, tmp_path / "brain.db", [str(named)])
    assert program_of(Path(hooks(repository).folder) / "post-commit") == str(named)
    git(repository, "commit", "--allow-empty", "-m", "Second")
    until((tmp_path / "nice").exists)
    assert int((tmp_path / "nice").read_text("utf-8")) >= 10


def test_of_many_commits_at_once_the_last_is_in(cortex: Cortex, repository: Path) -> None:
    cortex("hook", "install", repository)
    for number in range(3):
        write(repository, {"a.md": f"# A\n\nThe queue must hold {number} jobs at least.\n"})
        commit(repository, f"Fourth {number}")
    until(lambda: "Fourth 2" in titles(cortex))


def test_a_run_that_is_asked_for_meanwhile_follows(tmp_path: Path) -> None:
    brain, asked = tmp_path / "brain.db", list[int]()

    def index() -> None:
        asked.append(len(asked))
        if len(asked) == 1:
            assert hooking.index_behind_hooks(brain, tmp_path, index, now=lambda: NOW) == 0  # type: ignore[arg-type]
        raise OSError("no")

    assert hooking.index_behind_hooks(brain, tmp_path, index, now=lambda: NOW) == 2  # type: ignore[arg-type]
    last = hooking.last_run(brain, tmp_path)
    assert last is not None
    assert last.error == "no"


def test_a_submodule_is_a_project_of_its_own(cortex: Cortex, repository: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init")
    write(inner, {"inner.md": "# Inner\n\nIt must hold.\n"})
    commit(inner, "Inner")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", str(inner), "inner")
    assert cortex("index", repository / "inner", "--json").json["location"] == str(repository.resolve() / "inner")


def test_no_environment_of_git_reaches_the_run(
    cortex: Cortex, process: Callable[..., subprocess.CompletedProcess[str]], repository: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init")
    theirs = {"GIT_DIR": str(other / ".git"), "GIT_INDEX_FILE": str(other / "none")}
    assert process("hook", "run", repository, env=os.environ | theirs).returncode == 0
    assert "Begin" in titles(cortex)
