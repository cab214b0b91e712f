"""Files that come with the package: tables, statements, prompts, pages.

`importlib.resources` would load 14 modules (tempfile, shutil, lzma, …) to offer the same for packages in archives.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parent


def files(package: str) -> Path:
    """The folder of *package*, such as 'cortex.substrate'.

    >>> files("cortex.substrate").name
    'substrate'
    """
    return _ROOT.joinpath(*package.split(".")[1:])
