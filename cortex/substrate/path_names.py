"""Whether a text names a file, told with nothing but the standard library, for those in a hurry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cortex.regex import regex

_NAMES: Final = regex(r"[\w.@-]+(?:/[\w.@*-]+)+/?|[\w-]+(?:\.[\w-]+)+")


def speaks_of(text: str, paths: Iterable[str]) -> bool:
    """Whether *text* names one of these files or folders, the end of its path, one it is in, or what is in it.

    >>> speaks_of("Crash in gateway/lease.ts: data lost", ["packages/gateway/lease.ts"])
    True
    """
    named = list(filter(None, (name.strip("/*").removesuffix(".") for name in _NAMES.findall(text))))
    return any(
        f"{path}/".startswith(f"{name}/") or path.endswith(f"/{name}") or name.startswith(f"{path}/")
        for path in paths
        for name in named
    )


def signs_of(paths: Iterable[str]) -> list[str]:
    """What a text that names one of these must hold: a file's name, a folder's path.

    >>> signs_of(["packages/gateway/lease.ts", "packages/app"])
    ['lease.ts', 'packages/app']
    """
    names = ((path.rpartition("/")[2], path) for path in paths)
    return list(dict.fromkeys(name if "." in name else path for name, path in names))
