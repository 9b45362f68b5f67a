"""The first three file descriptors of a process."""

from __future__ import annotations

import os
from contextlib import suppress


def keep_standard_streams() -> None:
    """Open the null device where standard input, output or error is closed.

    Otherwise a socket or a file of the run would get that number, and a script that closes or replaces its
    standard streams later, as a service does, would take it away.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            with suppress(OSError):
                opened = os.open(os.devnull, os.O_RDWR)  # the lowest free number
                if opened != number:
                    os.close(opened)
