"""Which files a tree holds, and their text: as git sees them in a work tree, else as a plain folder.

Whatever cannot be read is named with the reason; nothing outside the tree is ever opened. Bytes are UTF-8 as a
rule, else what they say they are.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from shutil import which as which_program
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from cortex.indexers.connectors.git_command import asked
from cortex.indexers.connectors.pages import Page, page
from cortex.substrate.model import Skipped, storable

MAX_BYTES = 5_000_000
MAX_LINES = 50_000
"""A parsed line of Markdown takes up to 2 kB while its file is read; this keeps a hostile file below 100 MB."""

TOO_MANY_LINES: Final = f"longer than {MAX_LINES:,} lines"

IGNORE_FILE = ".cortexignore"
"""What a project keeps in git and out of its memory, in the syntax of .gitignore; git itself matches it."""

DEFAULTS: Final = Path(str(files(__package__) / "default.cortexignore"))
UNTRACKED: Final = Path(str(files(__package__) / "untracked.cortexignore"))
LEFT_OUT: Final = "left out, by .cortexignore or by default"

_TOOL_FOLDERS = frozenset(
    ".git .hg .svn .cortex .venv venv __pycache__ site-packages .tox .nox .mypy_cache .pytest_cache .ruff_cache "
    ".hypothesis .eggs .cache .next .nuxt .gradle .terraform".split()
)
_MARKS = ("linguist-generated", "linguist-vendored")  # attributes by which a project tells git whose a file is
_FOLDER = re.compile(r"(!?)(?:\*\*/([^/*]+)/\*\*/?)?([^/*]*)/?")
"""A line of the defaults that tells of folders: a name, those they are all below, or both."""


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def list_tree(root: Path, reads: Callable[[str], bool] = lambda _: True) -> Iterator[str | Skipped]:
    """The paths under *root* that are files or look like it, sorted, and what was passed over.

    A folder that git ignores as a whole, such as an export inside a work tree, is listed as a plain folder.

    Args:
        reads: whether a file of that name is read; what is left out and would not be read is not told.
    """
    listed = _git_files(root)
    if not any(listed) and not (root / ".git").exists():
        listed = _folder_files(root)
    kept = {path for path in listed.kept if _TOOL_FOLDERS.isdisjoint(path.split("/")[:-1])}
    told = {path for path in listed.left_out if path.endswith("/") or reads(path)}
    # What is left out is named by the outermost folder in which nothing is kept.
    above = {path: [path[: at + 1] for at, sign in enumerate(path) if sign == "/"] for path in kept | told}
    around = {folder for path in kept for folder in above[path]}
    named = {next((folder for folder in above[path] if folder not in around), path) for path in told}
    yield from listed.unreadable
    yield from (Skipped(input=printable(name), reason=LEFT_OUT) for name in sorted(named))
    top = os.path.realpath(root)
    for path in sorted(kept):
        target = os.path.relpath(os.path.realpath(root / path), top) if (root / path).is_symlink() else path
        is_kept_out = target not in kept and (root / path).is_file() and not leads_out(Path(top), path)
        yield Skipped(input=printable(path), reason="a symlink to what is left out") if is_kept_out else path


def load(root: Path, path: str) -> Iterator[Page | Skipped]:
    """The page at *path*, and a note where it is less than the file.

    Args:
        root: the tree's real path, symlinks resolved.
    """
    name = printable(path)
    data = "a symlink out of the tree" if leads_out(root, path) else _bytes(root / path)
    if data is None:
        return
    read = decoded(data) if isinstance(data, bytes) else None
    if read is None:
        yield Skipped(input=name, reason=data if isinstance(data, str) else "binary, not text")
        return
    text, note = read
    kept = storable(text) if _UNSTORABLE.search(text) else text
    found = page(name, kept)
    if len(found.starts) > MAX_LINES:
        yield Skipped(input=name, reason=TOO_MANY_LINES)
        return
    unstorable = "held NUL or unpaired surrogate characters, stored as U+FFFD" if kept != text else ""
    yield from (Skipped(input=name, reason=reason, kept=True) for reason in (note, unstorable) if reason)
    yield found


def printable(path: str) -> str:
    r"""*path* with bytes that are no UTF-8 written as `\xe9`, so that two such names stay two."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def leads_out(root: Path, path: str) -> bool:
    """Whether *path*, its symlinks resolved, lies outside the tree."""
    return not Path(os.path.realpath(root / path)).is_relative_to(root)


class _Listed(NamedTuple):
    kept: set[str]
    left_out: set[str]
    unreadable: list[Skipped]


def _git_files(root: Path) -> _Listed:
    tracked, others = _ls_files(root, "--cached"), _ls_files(root, "--others", "--exclude-standard")
    is_own = (root / IGNORE_FILE).is_file() and not leads_out(Path(os.path.realpath(root)), IGNORE_FILE)
    own = [f"--exclude-from={IGNORE_FILE}"] if is_own else []
    default = (f"--exclude-from={DEFAULTS}", *own)
    with TemporaryDirectory(prefix="cortex-") as folder:
        marked = Path(folder) / IGNORE_FILE
        marked.write_bytes(os.fsencode("".join(_marked(root, tracked))))
        left_out = tracked and _ls_files(root, "--cached", "--ignored", f"--exclude-from={marked}", *default)
    kept = others and _ls_files(root, "--others", "--exclude-standard", f"--exclude-from={UNTRACKED}", *default)
    return _Listed(tracked - left_out | others & kept, left_out | (others - kept), [])


def _marked(root: Path, tracked: set[str]) -> Iterator[str]:
    """A line for each file that .gitattributes marks as made by a program, or by others."""
    names = "\0".join(tracked)
    told = asked(root, "check-attr", "-z", "--stdin", *_MARKS, climb=True, given=names) if tracked else None
    parts = (told or "").split("\0")
    top = asked(root, "rev-parse", "--show-prefix", climb=True) if told else None
    for name, value in zip(parts[::3], parts[2::3], strict=False):
        if value in ("set", "true") and "\n" not in name:
            yield re.sub(r"([\\*?\[\] ])", r"\\\1", f"/{top}{name}") + "\n"


def _ls_files(root: Path, *which: str) -> set[str]:
    listed = asked(root, "ls-files", "-z", *which, climb=True) if which_program("git") else None
    return {name for name in (listed or "").split("\0") if name and not name.endswith("/")}


def _folder_files(root: Path) -> _Listed:
    unreadable: list[OSError] = []
    listed = _Listed(set(), set(), [])
    for folder, folders, names in os.walk(root, onerror=unreadable.append):
        inside = Path(folder).relative_to(root)
        links = [name for name in folders if Path(folder, name).is_symlink()]
        left_out = {name for name in folders if name not in links and _is_left_out(inside / name)}
        listed.kept.update((inside / name).as_posix() for name in (*names, *links))
        listed.left_out.update(f"{(inside / name).as_posix()}/" for name in left_out)
        folders[:] = [name for name in folders if name not in _TOOL_FOLDERS | left_out]
    for error in unreadable:
        where = os.path.relpath(error.filename, root)
        listed.unreadable.append(Skipped(input=printable(where) + "/", reason=f"unreadable: {error.strerror}"))
    return listed


@cache
def _folder_rules() -> Sequence[tuple[bool, str, str]]:
    """Whether a folder is left out, below a folder of that name or anywhere, with that name or any; in their order."""
    lines = [line for file in (UNTRACKED, DEFAULTS) for line in file.read_text("utf-8").splitlines()]
    found = (_FOLDER.fullmatch(line) for line in lines if line.endswith(("/", "/**")))
    return [(not match[1], match[2] or "", match[3]) for match in found if match]


def _is_left_out(folder: Path) -> bool:
    """Whether a plain folder is left out by default: git, which would tell of a work tree's, is not asked."""
    fits = [
        left for left, above, name in _folder_rules() if name in ("", folder.name) and above in ("", *folder.parts[:-1])
    ]
    return bool(fits) and fits[-1]


def _bytes(file: Path) -> bytes | str | None:
    """The file's bytes; or why there are none; or None where that is as it should be."""
    try:
        status = file.stat()
        if stat.S_ISREG(status.st_mode):
            return file.read_bytes() if status.st_size <= MAX_BYTES else f"larger than {MAX_BYTES / 1_000_000:g} MB"
        return None if stat.S_ISDIR(status.st_mode) else "not a regular file"
    except OSError as error:
        if file.is_symlink() and error.errno in {errno.ENOENT, errno.ELOOP}:
            return "a symlink that leads nowhere"
        # Git lists a file that was deleted from the work tree.
        return None if error.errno == errno.ENOENT else f"unreadable: {error.strerror}"


_BYTE_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_LEGACY: Final = ("cp1252", "cp932", "euc_jp", "gb18030", "big5", "euc_kr", "cp1251", "koi8_r", "cp1250")
"""What documents were written in before UTF-8; of all that Python knows, too many fit a short text."""

_LOOKED_AT: Final = 65_536  # bytes by which an encoding is told, from the first line that is not ASCII


def decoded(data: bytes) -> tuple[str, str] | None:
    r"""The text of *data*, with a note where it is a guess or lacks characters; None for what is no text.

    >>> decoded("Café".encode()), decoded("Café fermé".encode("cp1252"))
    (('Café', ''), ('Café fermé', 'not UTF-8, read as cp1252'))
    """
    encoding = next((encoding for mark, encoding in _BYTE_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding, "surrogatepass"), ""
    except UnicodeDecodeError:
        if encoding == "utf-8" and b"\0" in data:
            return None
    text = data.decode(encoding, "replace")
    beyond = [character for character in text if character > "\x7f"]
    if encoding == "utf-8" and beyond.count("\N{REPLACEMENT CHARACTER}") * 2 >= len(beyond):  # not just damaged
        return _legacy(data)
    return text, f"holds bytes that are no {encoding.upper().removesuffix('-SIG')}, stored as U+FFFD"


def _legacy(data: bytes) -> tuple[str, str]:
    from charset_normalizer import from_bytes  # noqa: PLC0415  few projects need it

    first = next(place for place, byte in enumerate(data) if byte > 0x7F)
    start = data.rfind(b"\n", 0, first) + 1
    sample = data[start : start + _LOOKED_AT]
    found = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample, cp_isolation=list(_LEGACY)).best()
    encoding = "cp1252" if found is None or "cp1252" in found.could_be_from_charset else found.encoding
    text = data.decode(encoding, "replace")
    lost = ", what is not as U+FFFD" if "\N{REPLACEMENT CHARACTER}" in text else ""
    return text, f"not UTF-8, read as {encoding}{lost}"
