"""Which curves of a chart are drawn now, and which one is highlighted."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from helm_desktop.views.board.content.curves import ChartCurves


class CurveVisibility(QObject):
    """Belong to the view and not to the spec: it is not kept with the board."""

    changed = Signal()  # other curves are drawn
    highlight_changed = Signal()

    def __init__(self, curves: ChartCurves, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._curves = curves
        self._hidden: set[str] = set()
        self._solo = ""
        self.highlighted = ""  # the key of the curve that stands out

    @property
    def key(self) -> object:
        """A value that changes with the curves that are drawn."""
        return self._solo, frozenset(self._hidden)

    def is_hidden(self, key: str) -> bool:
        """Return True when a curve is not drawn now."""
        return key != self._solo if self._solo else key in self._hidden

    @property
    def some_hidden(self) -> bool:
        """Whether some curve is not drawn now."""
        return bool(self._solo or self._hidden)

    def set_solo(self, key: str) -> None:
        """Draw one curve alone; the same again draws all."""
        alone = self._solo == key or (not self._solo and len(self._curves.all()) == 1)
        self._solo, self._hidden = ("" if alone else key), set()
        self.changed.emit()

    def toggle(self, key: str) -> None:
        """Hide or show one curve; where none would be left all are drawn."""
        keys = {curve.key for curve in self._curves.all()}
        if self._solo:
            self._hidden, self._solo = keys - {self._solo}, ""
        self._hidden ^= {key}
        if keys <= self._hidden:
            self._hidden.clear()
        self.changed.emit()

    def show_all(self) -> None:
        """Draw every curve again."""
        self._solo, self._hidden = "", set()
        self.changed.emit()

    def highlight(self, key: str) -> None:
        """Let one curve stand out; an empty key: none."""
        if key != self.highlighted:
            self.highlighted = key
            self.highlight_changed.emit()
