"""What Ctrl-C leaves behind, at whatever moment it comes."""

from __future__ import annotations

from typing import Final

EXIT_CODE: Final = 130  # what a shell shows for a program that SIGINT ended
SAID: Final = "interrupted; what was committed stays, run it again to go on"
