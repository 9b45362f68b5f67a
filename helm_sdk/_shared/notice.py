"""Messages to the user of a script, one line each on standard error; writing them never raises."""

from __future__ import annotations

import sys
from typing import Any


def printable(text: str, stream: Any) -> str:
    """Return a text that the stream's encoding can write: what it has no letter for is escaped."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def print_notice(text: str) -> None:
    """Write "helm: " and the text as one line on standard error; a closed or broken stream is ignored."""
    try:
        # One write with the newline: print makes two, and other output of the script may come in between.
        sys.stderr.write(printable(f"helm: {text}\n", sys.stderr))
        sys.stderr.flush()
    except Exception:
        return


class Notices:
    """Messages that are written once for each cause, however often the loop repeats them."""

    LIMIT = 1000  # causes to remember: they may hold names from the script, of any number

    def __init__(self) -> None:
        self._reported: set[str] = set()

    def once(self, cause: str, text: str) -> None:
        """Write `text`, unless there was a message for this cause before."""
        if cause in self._reported or len(self._reported) >= self.LIMIT:
            return
        self._reported.add(cause)
        print_notice(text)
