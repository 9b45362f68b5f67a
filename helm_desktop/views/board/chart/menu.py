"""The menu of a chart, and its keys: how it is read, and how it is taken along."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFileDialog, QMenu

from helm_desktop.actions import places
from helm_desktop.model.chart.spec import X_LABELS
from helm_desktop.views.board.chart import export
from helm_desktop.views.board.chart.chart_notes import ChartNotes
from helm_desktop.views.board.chart.parts import ChartParts
from helm_desktop.views.board.chart.spec_edits import SpecEdits
from helm_desktop.widgets import handle_key

SMOOTHINGS = (0.0, 0.6, 0.9, 0.97, 0.99)
_IN_MENU = places.CHART + places.CHART_RANGE


class ChartMenu(QObject):
    """The menu of one chart, and the keys of what is in it."""

    full_requested = Signal()
    edit_requested = Signal()
    save_requested = Signal(str, object)  # the file; a QImage, bytes, or a list of RowSnapshot
    export_failed = Signal(str)  # one sentence
    copied = Signal()

    def __init__(self, parts: ChartParts, edits: SpecEdits, notes: ChartNotes) -> None:
        super().__init__(parts.frame)
        self._parts, self._edits, self._notes = parts, edits, notes
        self.extend: Callable[[QMenu], object] | None = None  # adds what the board can do with the chart
        parts.plot.menu_requested.connect(self.open)

    def open(self, at: QPoint) -> QMenu:
        """Show the menu at a place of the screen."""
        menu = self.made()
        menu.popup(at)
        return menu

    def made(self) -> QMenu:
        """Return the menu, of the chart as it is now."""
        content = self._parts.content
        spec = content.spec
        menu = QMenu(self._parts.frame)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add(menu, "Edit chart", "edit", "edit", None)
        self._add(menu, "Full window", "", "full", None)
        self._add(menu, "Follow the run", "follow", "follow", None)
        menu.addSeparator()
        self._add(menu, "Logarithmic y", "log_y", "log_y", not spec.log_y, checked=spec.log_y)
        self._add(menu, "Logarithmic x", "", "log_x", not spec.log_x, checked=spec.log_x)
        self._add(
            menu, "Ignore outliers", "ignore_outliers", "ignore_outliers", None, checked=spec.ignore_outliers
        )
        self._add(menu, "Fit y to the values", "fit_y", "y_range", None)
        smoothing = menu.addMenu("Smoothing")
        for weight in SMOOTHINGS:
            words = f"{weight:g}" if weight else "Off"
            self._add(smoothing, words, "", "smoothing", weight, checked=spec.smoothing == weight)
        x = menu.addMenu("x axis")
        for axis, words in X_LABELS.items():
            self._add(x, words.capitalize(), "", "x", axis, checked=spec.x == axis)
        for axis in content.axes():
            self._add(x, axis, "", "x", axis, checked=spec.x == axis)
        menu.addSeparator()
        step = self._notes.step()
        if step is not None:
            noted = content.mark_positions.has_note(step)
            words = "Edit the note on" if noted else "Add a note to"
            self._add(menu, f"{words} step {step:,}…", "note", "note", step)
            if noted:
                self._add(menu, f"Delete the note on step {step:,}", "", "no note", step)
        self._add(menu, "Copy picture", "copy", "copy", None)
        self._add(menu, "Save as PNG, SVG or CSV…", "save", "save", None)
        if content.visibility.some_hidden:
            self._add(menu, "Show all curves", "", "show all", None)
        menu.triggered.connect(self._chosen)
        if self.extend is not None:
            self.extend(menu)
        return menu

    def _add(
        self, menu: QMenu, words: str, key: str, what: str, value: Any, *, checked: bool | None = None
    ) -> None:
        action = menu.addAction(words)
        action.setData((what, value))
        if key:
            action.setShortcut(places.first_key(_IN_MENU, key))
            action.setShortcutVisibleInContextMenu(True)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        if checked is not None:
            action.setCheckable(True)
            action.setChecked(checked)

    def _chosen(self, action: QAction) -> None:
        if action.data() is not None:
            self.do(*action.data())

    def do(self, what: str, value: Any = None) -> None:
        """One of the menu's actions."""
        content = self._parts.content
        if what == "edit":
            self.edit_requested.emit()
        elif what == "full":
            self.full_requested.emit()
        elif what == "follow":
            self._parts.ranges.follow()
        elif what == "note":
            self._notes.requested.emit(value)
        elif what == "no note":
            self._notes.removed.emit(value)
        elif what == "copy":
            self.copy()
        elif what == "save":
            self.ask_where()
        elif what == "show all":
            content.visibility.show_all()
        elif what == "ignore_outliers":
            self._edits.change(ignore_outliers=not content.spec.ignore_outliers)
        else:
            self._edits.change(**{what: value})

    def copy(self) -> None:
        """The picture, at the screen's own sharpness, is what is pasted next."""
        frame = self._parts.frame
        picture = export.picture_of(self._parts, round(frame.width() * frame.devicePixelRatioF()))
        QGuiApplication.clipboard().setImage(picture)
        self.copied.emit()

    def ask_where(self) -> QFileDialog:
        """Ask for a file; its ending says what is written."""
        dialog = QFileDialog(self._parts.frame.window(), "Save chart")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["Picture (*.png)", "Drawing (*.svg)", "Exact values (*.csv)"])
        dialog.setDefaultSuffix("png")
        safe = "".join(
            letter if letter.isalnum() or letter in "-_." else "_" for letter in self._parts.content.title
        )
        dialog.selectFile(safe or "chart")
        dialog.filterSelected.connect(self._other_ending)
        dialog.fileSelected.connect(self._save)
        self._dialog = dialog
        dialog.open()
        return dialog

    def _other_ending(self, words: str) -> None:
        self._dialog.setDefaultSuffix(words.rsplit(".", 1)[-1].rstrip(")"))

    def _save(self, path: str) -> None:
        try:
            content = export.content_of(self._parts, Path(path))
        except ValueError as error:
            self.export_failed.emit(f"The chart was not saved: {error}")
        else:
            self.save_requested.emit(path, content)

    def key(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it was one of the menu's."""
        spec, frame = self._parts.content.spec, self._parts.frame
        smoothing = next((weight for weight in SMOOTHINGS if weight > spec.smoothing), 0.0)
        handlers: dict[str, Callable[[], object] | None] = {
            "log_y": partial(self._edits.change, log_y=not spec.log_y),
            "ignore_outliers": partial(self.do, "ignore_outliers"),
            "fit_y": self._edits.fit_y,
            "smoothing": partial(self._edits.change, smoothing=smoothing),
            "note": self._notes.ask if self._notes.step() is not None else None,
            "edit": self.edit_requested.emit,
            "copy": partial(self.do, "copy"),
            "save": partial(self.do, "save"),
            "menu": partial(self.open, frame.mapToGlobal(frame.rect().center())),
        }
        return handle_key(event, places.CHART, handlers)
