"""A mixture on a closed card: 70% · was 40% · ran 68%, a line a component."""

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from helm_desktop.model.controls.mixture import percent_text, shares_of
from helm_desktop.theme import set_look
from helm_desktop.views.controls.mixture_rows import ComponentName

_MOST = 6


class MixtureLines(QWidget):
    """Now, the value before, and what was drawn; the first few components, and how many more there are."""

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = tuple(names)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        self.lines = [QLabel() for _ in self._names[:_MOST]]
        for at, label in enumerate(self.lines):
            set_look(label, "quiet-figure")
            grid.addWidget(ComponentName(self._names[at], at), at, 0)
            grid.addWidget(label, at, 1)
        if len(self._names) > _MOST:
            more = QLabel(f"and {len(self._names) - _MOST} more")
            set_look(more, "small")
            grid.addWidget(more, _MOST, 0, 1, 2)

    def show_shares(
        self, now: Mapping[str, object], was: Mapping[str, object], ran: Mapping[str, float | None]
    ) -> None:
        """Weights now and before, and the shares drawn; what is not known is left out."""
        current = shares_of(self._names, now)
        before = shares_of(self._names, was) if was else None
        for at, label in enumerate(self.lines):
            parts = [percent_text(round(current[at] * 1000))]
            if before is not None:
                parts.append(f"was {percent_text(round(before[at] * 1000))}")
            drawn = ran.get(self._names[at])
            if drawn is not None:
                parts.append(f"ran {drawn:.0%}")
            label.setText(" · ".join(parts))
