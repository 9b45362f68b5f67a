"""Edits of one gesture, such as a drag, which are undone together."""

from __future__ import annotations

from itertools import count

_numbers = count(1)


class EditGesture:
    """The number of the current gesture; edits with the same number are merged into one step of undo."""

    def __init__(self) -> None:
        self.number = 0

    def begin(self) -> None:
        """Begin a gesture: the edits that follow are undone together."""
        self.number = next(_numbers)
