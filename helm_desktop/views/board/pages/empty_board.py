"""The message that the board shows while it has no chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from helm_desktop.widgets import EmptyState

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

NO_RUN = ("No run is open", "Choose one in the runs panel at the left.")
NOT_FOUND = (
    "No chart was found",
    "No title or name on this board matches. Clear the field to see all charts.",
)
ENDED = ("This run logged no points", "It ended before its first log call.")
NOT_YET = (
    "No points yet",
    "A chart appears here for each name that the script logs, with its first log call.",
)


class EmptyBoard(QWidget):
    """A card that explains why there is no chart."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card = EmptyState("", "")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.addWidget(self._card)
        column.addStretch(1)

    @property
    def title(self) -> str:
        """The title of the card."""
        return self._card.accessibleName()

    def explain(self, session: Session | None, *, searching: bool) -> None:
        """Explain why there is no chart, and how to get one; None for a session means that no run is open."""
        if session is None:
            self._card.set_words(*NO_RUN)
        elif searching:
            self._card.set_words(*NOT_FOUND)
        else:
            self._card.set_words(*(ENDED if session.status.state.ended else NOT_YET))
