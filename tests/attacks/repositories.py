"""Hostile repositories: each would run a program of its own with plain git, or give away what lies outside of it."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import run
from typing import Final, NamedTuple

from tests.trees import GIT_IDENTITY, write

SECRET: Final = "zwetschgenkuchen"  # noqa: S105  no password
"""Stands in every file, message and address of the place outside."""

FORGED: Final = "mirabellenmus"
"""Stands where a repository says that one of its commits is another."""

FSMONITOR: Final = '[core]\n\tfsmonitor = "CMD"'
VERSION: Final = "[core]\n\trepositoryFormatVersion = 0\n"
REMOTE: Final = '[remote "origin"]\n\tpromisor = true\n\turl = {url}\n{more}[extensions]\n\tpartialClone = origin\n'


class Place(NamedTuple):
    """A copy of the plain project to be made hostile.

    Attributes:
        root: the project.
        outside: another's folder, with a repository in it that has a linked work tree.
        mark: the file that shows that something was run.
        first, head: the project's two commits.
        secret: the commit of the repository outside.
    """

    root: Path
    outside: Path
    mark: Path
    first: str
    head: str
    secret: str

    @property
    def command(self) -> str:
        """What is to be run, as git hands it to a shell."""
        return f"touch {self.mark}; false"

    @property
    def script(self) -> str:
        """The same as a program."""
        path = self.mark.with_name("script")
        path.write_text(f"#!/bin/sh\n{self.command}\n")
        path.chmod(0o755)
        return str(path)

    def config(self, text: str, file: str = ".git/config") -> None:
        """Append *text* to a file of settings, with CMD for the command and SCRIPT for the program."""
        for word, value in (("CMD", self.command), ("SCRIPT", self.script), ("OUTSIDE", str(self.outside))):
            text = text.replace(word, value)
        with (self.root / file).open("a") as settings:
            settings.write(text + "\n")

    def git(self, *arguments: str, stdin: str | None = None, folder: str = "") -> str:
        return git(self.root / folder, *arguments, stdin=stdin)


class Attack(NamedTuple):
    """One way to be hostile.

    Attributes:
        make: turns the plain project into it.
        plainly: the plain git command that falls for it; empty where no command does on every machine.
        refused: the repository is refused as one that leads elsewhere.
        asked: the folder inside that is asked for.
    """

    make: Callable[[Place], object]
    plainly: tuple[str, ...] = ()
    refused: bool = False
    asked: str = ""


def git(folder: Path, *arguments: str, stdin: str | None = None) -> str:
    """What plain git prints in *folder*, whatever becomes of it."""
    command = ["git", *GIT_IDENTITY, "-C", str(folder), *arguments]
    done = run(command, input=stdin or "", capture_output=True, encoding="utf-8", errors="replace", check=False)
    return done.stdout.strip()


def plain(folder: Path) -> tuple[Path, Path]:
    """The project and the place outside, made once and copied for each attack."""
    root = write(
        folder / "project",
        {"README.md": "# Engine\n\nThe engine turns gears.\n", "AGENTS.md": "- Always oil the gears.\n",
         "docs/guide.md": "# Guide\n\nWe decided to use brass.\n", ".gitattributes": "*.txt text\n"},
    )  # fmt: skip
    outside = write(folder / "outside", {"own/note.md": f"# Note\n\nThe secret is {SECRET}.\n"})
    for at in (root, outside / "own"):
        git(at, "init", "--quiet", "--template=")
        git(at, "add", "--all")
        git(at, "commit", "--quiet", "-m", "first" if at == root else f"The secret is {SECRET}")
    write(root, {"README.md": "# Engine\n\nThe engine turns all gears.\n"})
    git(root, "commit", "--quiet", "--all", "-m", "second")
    git(outside / "own", "config", "remote.origin.url", f"https://example.com/{SECRET}/{SECRET}.git")
    git(outside / "own", "worktree", "add", "--quiet", "--detach", "../linked")
    row = f'{{"id": "{SECRET}", "kind": "worked", "statement": "{SECRET}", "at": "2026-01-01T00:00:00Z"}}\n'
    write(outside, {"outcomes.jsonl": row, "hooks/post-commit": f"#!/bin/sh\n# {SECRET}\n"})
    return root, outside


def _fsmonitor(place: Place) -> None:
    place.config(FSMONITOR)


def _worktree_config(place: Place, text: str) -> None:
    place.config("[extensions]\n\tworktreeConfig = true\n[core]\n\trepositoryFormatVersion = 1")
    place.config(text, ".git/config.worktree")


def _included(place: Place, text: str) -> None:
    place.config(text, "settings")
    place.config("[include]\n\tpath = ../settings")


def _attributes(place: Place, text: str, config: str) -> None:
    write(place.root, {".gitattributes": text})
    place.config(config)


def _hook(place: Place, folder: str) -> None:
    write(place.root, {f"{folder}/post-index-change": f"#!/bin/sh\n{place.command}\n"})
    (place.root / folder / "post-index-change").chmod(0o755)


def _submodule(place: Place, settings: str) -> None:
    sub = write(place.root / "sub", {"a.md": "# A\n"})
    git(sub, "init", "--quiet", "--template=")
    git(sub, "add", "a.md")
    git(sub, "commit", "--quiet", "-m", "sub")
    place.git("update-index", "--add", "--cacheinfo", f"160000,{git(sub, 'rev-parse', 'HEAD')},sub")
    write(sub, {"a.md": "# B\n"})
    place.config(settings, "sub/.git/config")


def _lazy(place: Place, url: str, more: str = "") -> None:
    """A partial clone whose first commit is missing."""
    place.config(REMOTE.format(url=url, more=more))
    place.config("[core]\n\trepositoryFormatVersion = 1")
    (place.root / ".git/objects" / place.first[:2] / place.first[2:]).unlink()


def _lazy_ignore(place: Place) -> None:
    """A partial clone whose .gitignore, which only listing files asks for, is missing."""
    write(place.root, {"docs/.gitignore": "*.bak\n"})
    place.git("add", "docs/.gitignore")
    blob = place.git("rev-parse", ":docs/.gitignore")
    place.git("update-index", "--skip-worktree", "docs/.gitignore")
    (place.root / "docs/.gitignore").unlink()
    write(place.root, {"docs/new.md": "# New\n"})
    (place.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    place.config(REMOTE.format(url=".", more='\tuploadpack = "CMD"\n'))
    place.config("[core]\n\trepositoryFormatVersion = 1")


def _signed(place: Place, settings: str) -> None:
    tree = place.git("rev-parse", "HEAD^{tree}")
    key = "-----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----"
    who = "Ada <ada@example.org> 1700000000 +0000"
    commit = f"tree {tree}\nparent {place.head}\nauthor {who}\ncommitter {who}\ngpgsig {key}\n\nsigned\n"
    place.git("reset", "--soft", place.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=commit))
    place.config(settings)


def _embedded(place: Place, settings: str) -> None:
    """A bare repository committed inside docs/, as an ordinary clone brings it."""
    git(place.root / "docs", "init", "--quiet", "--template=", "--bare", ".")
    write(place.root, {"docs/refs/keep": "", "docs/objects/keep": "", "docs/objects/pack/keep": ""})
    (place.root / "docs/config").write_text(VERSION)
    place.config(settings, "docs/config")
    place.git("add", "--force", "docs")
    place.git("commit", "--quiet", "-m", "docs")


def _unpacked(place: Place) -> None:
    """An archive that is a bare repository at its top, and says that its work tree is there too."""
    _bare(place, '[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "CMD"')


def _bare(place: Place, settings: str) -> None:
    for entry in [*(place.root / ".git").iterdir()]:
        entry.rename(place.root / entry.name)
    (place.root / ".git").rmdir()
    (place.root / "config").write_text(VERSION)
    place.config(settings, "config")


def _bare_with_work_tree(place: Place) -> None:
    _bare(place, "[core]\n\tbare = true")
    write(
        place.root,
        {"worktrees/x/gitdir": f"{place.outside}/linked/.git\n", "worktrees/x/HEAD": f"{place.head}\n",
         "worktrees/x/commondir": "../..\n"},
    )  # fmt: skip


def _gitfile(place: Place, target: str) -> None:
    shutil.rmtree(place.root / ".git")
    (place.root / ".git").write_text(f"gitdir: {target}\n")


def _link(place: Place, links: Mapping[str, str]) -> None:
    """Put symlinks in place of what is there: by name, where each leads to."""
    for name, target in links.items():
        path = place.root / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target.replace("OUTSIDE", str(place.outside)))


def _borrowed(place: Place, links: Mapping[str, str]) -> None:
    """The history of the repository outside, reached by *links*."""
    _link(place, links)
    (place.root / ".git/HEAD").write_text(place.secret + "\n")


def _alternates(place: Place) -> None:
    write(place.root, {".git/objects/info/alternates": f"{place.outside}/own/.git/objects\n"})
    (place.root / ".git/HEAD").write_text(place.secret + "\n")


def _linked_objects(place: Place) -> None:
    """One by one, inside a folder that is the project's own."""
    own = place.outside / "own/.git/objects"
    for path in own.rglob("*"):
        if path.is_file():
            made = place.root / ".git/objects" / path.relative_to(own)
            made.parent.mkdir(exist_ok=True)
            made.unlink(missing_ok=True)
            made.symlink_to(path)
    (place.root / ".git/HEAD").write_text(place.secret + "\n")


def _replaced(place: Place) -> None:
    commit = place.git("cat-file", "commit", place.first) + f"\n\n{FORGED}\n"
    other = place.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=commit)
    write(place.root, {f".git/refs/replace/{place.head}": other + "\n"})


def _grafted(place: Place) -> None:
    commit = place.git("cat-file", "commit", place.first) + f"\n\n{FORGED}\n"
    other = place.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=commit)
    write(place.root, {".git/info/grafts": f"{place.head} {other}\n"})


def _names(place: Place) -> None:
    mark = place.mark.name
    for name in ("a\nb.md", f"--upload-pack=touch {mark}.md", f"--exec=$(touch {mark}).md", f":(top)`touch {mark}`.md"):
        write(place.root, {name: "# Name\n\nWe decided to use names.\n"})
    place.git("add", "--all")
    place.git("commit", "--quiet", "-m", f"--output={place.mark}")


def _branch(place: Place) -> None:
    name = f"--upload-pack=touch${{IFS}}{place.mark.name}"
    write(place.root, {f".git/refs/heads/{name}": place.head + "\n", ".git/HEAD": f"ref: refs/heads/{name}\n"})


def _work_tree_names(place: Place) -> None:
    write(
        place.root,
        {".git/worktrees/x/gitdir": f"--upload-pack=touch {place.mark}/.git\n",
         ".git/worktrees/x/HEAD": f"--output={place.mark}\n", ".git/worktrees/x/commondir": "../..\n"},
    )  # fmt: skip


def _moved(place: Place) -> None:
    """The repository beside the files, behind a gitfile, as hostile as in its usual place."""
    (place.root / ".git").rename(place.root / "kept")
    (place.root / ".git").write_text("gitdir: kept\n")
    place.config(FSMONITOR, "kept/config")


def _fifo(place: Place) -> None:
    os.mkfifo(place.root / "NOTES.md")
    assert stat.S_ISFIFO((place.root / "NOTES.md").stat().st_mode)


def _bare_of(place: Place) -> None:
    settings = (place.root / ".git/config").read_text()
    _bare(place, "[core]\n\tbare = true")
    with (place.root / "config").open("a") as config:
        config.write(settings.replace("bare = false", "bare = true"))


CLEAN: Final = '[filter "evil"]\n\tclean = "CMD"'
SUBMODULE: Final = '[submodule "sub"]\n\tpath = sub\n\turl = ext::CMD\n\tupdate = "!CMD"'
PROMISOR: Final = '[remote "o"]\n\tpromisor = true\n\turl = .\n\tuploadpack = "CMD"'
STATUS: Final = ("status",)
LOG: Final = ("log", "-p")
EVIL: Final = "* filter=evil diff=evil merge=evil\n"


def each(*steps: Callable[[Place], object]) -> Callable[[Place], None]:
    def make(place: Place) -> None:
        for step in steps:
            step(place)

    return make


def _set(text: str) -> Callable[[Place], None]:
    return lambda place: place.config(text)


ATTACKS: Final[Mapping[str, Attack]] = {
    # a program that a setting names
    "fsmonitor": Attack(_fsmonitor, STATUS),
    "fsmonitor-of-a-subfolder": Attack(_fsmonitor, STATUS, asked="docs"),
    "fsmonitor-in-a-work-tree's-settings": Attack(lambda p: _worktree_config(p, FSMONITOR), STATUS),
    "fsmonitor-included": Attack(lambda p: _included(p, FSMONITOR), STATUS),
    "fsmonitor-behind-a-gitfile": Attack(_moved, STATUS),
    "fsmonitor-of-a-submodule": Attack(lambda p: _submodule(p, FSMONITOR), STATUS),
    "filter-of-a-submodule": Attack(
        each(lambda p: _submodule(p, CLEAN), lambda p: write(p.root / "sub", {".gitattributes": EVIL})), STATUS
    ),
    "submodule-update": Attack(
        each(
            lambda p: _submodule(p, ""),
            lambda p: p.config(
                '[submodule "sub"]\n\tpath = sub\n\turl = ext::CMD\n\tupdate = "!CMD"\n[submodule]\n\trecurse = 1'
            ),
            lambda p: p.config(SUBMODULE, ".gitmodules"),
        )
    ),
    "filter-clean": Attack(lambda p: _attributes(p, EVIL, CLEAN), STATUS),
    "filter-process": Attack(lambda p: _attributes(p, EVIL, '[filter "evil"]\n\tprocess = "CMD"'), STATUS),
    "filter-required": Attack(
        lambda p: _attributes(p, EVIL, '[filter "evil"]\n\tclean = "CMD"\n\trequired = true'), STATUS
    ),
    "filter-with-signs-in-its-name": Attack(
        lambda p: _attributes(p, "* filter=a=b.c\n", '[filter "a=b.c"]\n\tclean = "CMD"'), STATUS
    ),
    "filter-by-the-repository's-attributes": Attack(
        each(lambda p: write(p.root, {".git/info/attributes": EVIL}), lambda p: p.config(CLEAN)), STATUS
    ),
    "filter-included": Attack(each(lambda p: _attributes(p, EVIL, ""), lambda p: _included(p, CLEAN)), STATUS),
    "attributes-file": Attack(
        each(
            lambda p: write(p.root, {"attributes": EVIL}),
            lambda p: p.config(f"[core]\n\tattributesFile = {p.root}/attributes\n{CLEAN}"),
        ),
        STATUS,
    ),
    "hook": Attack(lambda p: _hook(p, ".git/hooks"), STATUS),
    "hooks-path": Attack(each(lambda p: _hook(p, "tools"), lambda p: p.config("[core]\n\thooksPath = tools")), STATUS),
    "hooks-path-outside": Attack(_set("[core]\n\thooksPath = OUTSIDE/hooks")),
    "pager": Attack(_set('[core]\n\tpager = "CMD"\n[pager]\n\tlog = "CMD"\n\tstatus = "CMD"')),
    "editor-and-askpass": Attack(_set('[core]\n\teditor = "CMD"\n\taskPass = SCRIPT\n[sequence]\n\teditor = "CMD"')),
    "aliases": Attack(_set('[alias]\n\tlog = "!CMD"\n\tls-files = "!CMD"\n\trev-parse = "!CMD"\n\tstatus = "!CMD"')),
    "external-diff": Attack(_set("[diff]\n\texternal = SCRIPT\n[log]\n\tdiffMerges = on"), ("log", "-p", "--ext-diff")),
    "diff-driver": Attack(
        lambda p: _attributes(p, EVIL, '[diff "evil"]\n\tcommand = SCRIPT'), ("log", "-p", "--ext-diff")
    ),
    "textconv": Attack(lambda p: _attributes(p, EVIL, '[diff "evil"]\n\ttextconv = SCRIPT'), LOG),
    "cached-textconv": Attack(
        lambda p: _attributes(p, EVIL, '[diff "evil"]\n\ttextconv = SCRIPT\n\tcachetextconv = true'), LOG
    ),
    "merge-driver": Attack(lambda p: _attributes(p, EVIL, '[merge "evil"]\n\tdriver = "CMD"')),
    "gpg-program": Attack(lambda p: _signed(p, "[gpg]\n\tprogram = SCRIPT\n[log]\n\tshowSignature = true"), ("log",)),
    "gpg-program-by-format": Attack(
        lambda p: _signed(p, '[gpg "openpgp"]\n\tprogram = SCRIPT\n[log]\n\tshowSignature = true'), ("log",)
    ),
    "pack-objects-hook": Attack(_set('[uploadpack]\n\tpackObjectsHook = "CMD"')),
    "alternate-refs-command": Attack(_set('[core]\n\talternateRefsCommand = "CMD"')),
    "trace-to-a-file": Attack(lambda p: p.config(f"[trace2]\n\teventTarget = {p.mark}\n\tnormalTarget = {p.mark}")),
    "credential-helper": Attack(
        lambda p: _lazy(p, "http://127.0.0.1:1/x", '[credential]\n\thelper = "!CMD"\n[http]\n\tproxy = ""\n')
    ),
    # what a partial clone lacks, fetched by a program
    "partial-clone-upload-pack": Attack(lambda p: _lazy(p, ".", '\tuploadpack = "CMD"\n'), ("log",)),
    "partial-clone-ext": Attack(
        lambda p: _lazy(p, f"ext::touch {p.mark}", '[protocol "ext"]\n\tallow = always\n'), ("log",)
    ),
    "partial-clone-foreign": Attack(
        lambda p: _lazy(p, f"touch {p.mark}", "\tvcs = ext\n[protocol]\n\tallow = always\n"), ("log",)
    ),
    "partial-clone-ssh-command": Attack(
        lambda p: _lazy(p, "ssh://example.invalid/x", '[core]\n\tsshCommand = "CMD"\n'), ("log",)
    ),
    "partial-clone-git-proxy": Attack(
        lambda p: _lazy(p, "git://example.invalid/x", "[core]\n\tgitProxy = SCRIPT\n"), ("log",)
    ),
    "partial-clone-rewritten-address": Attack(
        lambda p: _lazy(
            p,
            "https://example.invalid/x",
            f'[url "ext::touch {p.mark} "]\n\tinsteadOf = https://example.invalid/\n[protocol]\n\tallow = always\n',
        ),
        ("log",),
    ),
    "partial-clone-by-an-alias": Attack(
        lambda p: _lazy(p, "none::x", '[alias]\n\tremote-none = "!CMD"\n[protocol]\n\tallow = always\n'), ("log",)
    ),
    "promisor-without-the-extension": Attack(
        each(lambda p: (p.root / ".git/objects" / p.first[:2] / p.first[2:]).unlink(), lambda p: p.config(PROMISOR)),
        ("log",),
    ),
    "partial-clone-while-listing": Attack(_lazy_ignore, ("ls-files", "--others", "--exclude-standard")),
    # a repository among the files
    "embedded-bare": Attack(
        lambda p: _embedded(p, '[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "CMD"'), STATUS, asked="docs"
    ),
    "embedded-bare-from-above": Attack(
        lambda p: _embedded(p, '[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "CMD"')
    ),
    "embedded-bare-outside": Attack(
        lambda p: _embedded(p, "[core]\n\tbare = false\n\tworktree = OUTSIDE\n"), ("status", "--short"), asked="docs"
    ),
    "unpacked-bare": Attack(_unpacked, STATUS, refused=True),
    "bare-and-partial": Attack(each(lambda p: _lazy(p, ".", '\tuploadpack = "CMD"\n'), _bare_of), ("log",)),
    "bare-with-another's-work-tree": Attack(_bare_with_work_tree),
    # what lies outside
    "work-tree-elsewhere": Attack(_set("[core]\n\tworktree = OUTSIDE"), ("status", "--short"), refused=True),
    "work-tree-elsewhere-asked-from-inside": Attack(_set("[core]\n\tworktree = OUTSIDE"), refused=True, asked="docs"),
    "work-tree-above": Attack(_set("[core]\n\tworktree = ../.."), refused=True),
    "work-tree-everything": Attack(_set("[core]\n\tworktree = /"), refused=True),
    "work-tree-another's": Attack(_set("[core]\n\tworktree = OUTSIDE/own"), refused=True),
    "work-tree-by-its-settings": Attack(
        lambda p: _worktree_config(p, "[core]\n\tworktree = OUTSIDE"), ("status", "--short"), refused=True
    ),
    # git heeds it in no included file
    "work-tree-included": Attack(lambda p: _included(p, "[core]\n\tworktree = OUTSIDE")),
    "gitfile": Attack(lambda p: _gitfile(p, f"{p.outside}/own/.git"), ("log",), refused=True),
    "gitfile-to-a-linked-work-tree": Attack(
        lambda p: _gitfile(p, f"{p.outside}/own/.git/worktrees/linked"), ("log",), refused=True
    ),
    "gitfile-by-a-relative-path": Attack(lambda p: _gitfile(p, "../outside/own/.git"), ("log",), refused=True),
    "git-symlink": Attack(lambda p: _link(p, {".git": "OUTSIDE/own/.git"}), ("log",), refused=True),
    "common-folder": Attack(
        lambda p: write(p.root, {".git/commondir": f"{p.outside}/own/.git\n", ".git/HEAD": p.secret + "\n"}),
        ("log",),
        refused=True,
    ),
    "alternates": Attack(_alternates, ("log",), refused=True),
    "objects-symlink": Attack(
        lambda p: _borrowed(p, {".git/objects": "OUTSIDE/own/.git/objects"}), ("log",), refused=True
    ),
    "objects-one-by-one": Attack(_linked_objects, ("log",), refused=True),
    "objects-and-refs": Attack(
        lambda p: _link(p, {f".git/{name}": f"OUTSIDE/own/.git/{name}" for name in ("objects", "refs")}),
        ("log",),
        refused=True,
    ),
    "index-symlink": Attack(
        lambda p: _link(p, {".git/index": "OUTSIDE/own/.git/index"}), ("ls-files", "note.md"), refused=True
    ),
    "settings-symlink": Attack(
        lambda p: _link(p, {".git/config": "OUTSIDE/own/.git/config"}), ("config", "remote.origin.url"), refused=True
    ),
    "settings-included": Attack(
        _set("[include]\n\tpath = OUTSIDE/own/.git/config"), ("config", "--includes", "remote.origin.url")
    ),
    "files-by-symlink": Attack(
        lambda p: _link(
            p, dict.fromkeys(("README.md", "CODEOWNERS", "LICENSE", "CLAUDE.md", "x.md"), "OUTSIDE/own/note.md")
        )
    ),
    "folders-by-symlink": Attack(lambda p: _link(p, dict.fromkeys(("docs", "adr", ".github"), "OUTSIDE/own"))),
    "settings-of-an-agent-by-symlink": Attack(lambda p: _link(p, {".claude": "OUTSIDE/own"})),
    "ledger-by-symlink": Attack(lambda p: _link(p, {"outcomes.jsonl": "OUTSIDE/outcomes.jsonl"})),
    "ignore-files-by-symlink": Attack(
        lambda p: _link(p, dict.fromkeys((".cortexignore", ".gitignore", ".mailmap"), "OUTSIDE/own/note.md"))
    ),
    "mailmap": Attack(
        _set("[mailmap]\n\tfile = OUTSIDE/own/note.md\n\tblob = HEAD:README.md\n[log]\n\tmailmap = true")
    ),
    # what a commit is, and names that look like options
    "replace-refs": Attack(_replaced, ("log",)),
    "grafts": Attack(_grafted, ("log",)),
    "names-like-options": Attack(_names),
    "branch-like-an-option": Attack(_branch),
    "address-like-an-option": Attack(lambda p: p.config(f'[remote "origin"]\n\turl = "--upload-pack=touch {p.mark}"')),
    "work-tree-like-an-option": Attack(_work_tree_names),
    "output-settings": Attack(
        _set(
            "[log]\n\tfollow = true\n\tshowRoot = false\n\tdate = raw\n"
            "[format]\n\tpretty = raw\n[color]\n\tui = always\n"
            "[diff]\n\torderFile = OUTSIDE/own/note.md\n\trelative = true\n[core]\n\tquotePath = true"
        )
    ),
    "fifo": Attack(_fifo),
}
