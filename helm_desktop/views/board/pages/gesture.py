"""Edits that belong together: a drag is undone as a whole."""

from __future__ import annotations

from itertools import count

_numbers = count(1)


class EditGesture:
    """The number of the gesture that is under way; edits with the same one are merged."""

    def __init__(self) -> None:
        self.number = 0

    def begin(self) -> None:
        """What follows is undone together."""
        self.number = next(_numbers)
