"""The surfaces, and what Ctrl-C leaves behind in any of them, at whatever moment it comes."""

from typing import Final

INTERRUPTED: Final = 130  # what a shell shows for a program that SIGINT ended
SAID: Final = "interrupted; what was committed stays, run it again to go on"
