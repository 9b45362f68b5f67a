"""One line on standard error, at most once for each cause; never an exception."""

from __future__ import annotations

import sys


def print_notice(text: str) -> None:
    """Tell the user one line; a closed or broken standard error is not worth an exception."""
    try:
        # One write with its end of line: print makes two, and the script's own output may come between.
        sys.stderr.write(f"helm: {text}\n")
        sys.stderr.flush()
    except Exception:
        return


class Notices:
    """Says each thing once: a loop of a million steps gives one line, not a million."""

    LIMIT = 1000  # causes remembered: names come from the script and must not grow memory

    def __init__(self) -> None:
        self._said: set[str] = set()

    def once(self, cause: str, text: str) -> None:
        """Say `text` unless this cause was told before."""
        if cause in self._said or len(self._said) >= self.LIMIT:
            return
        self._said.add(cause)
        print_notice(text)
