"""Every run under the home folder, by project."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel, QListView, QVBoxLayout, QWidget

from helm_desktop.model.run.runs_model import RunsModel
from helm_desktop.model.run.updates import RunRow
from helm_desktop.theme import set_look
from helm_desktop.views.runs.delegate import RunDelegate
from helm_desktop.widgets import SearchField


class RunsPanel(QFrame):
    """A filter field over the list; says what would fill it while it is empty."""

    run_requested = Signal(str)  # the run's folder

    def __init__(self, model: RunsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "panel")
        self._model = model
        self._wanted = ""
        self.filter = SearchField("Filter runs — name, state, lr=", "Filter runs")
        self.list = QListView()
        self.list.setModel(model)
        self.list.setItemDelegate(RunDelegate(model))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setAccessibleName("Runs")
        self._note = QLabel("Looking for runs…")
        self._note.setWordWrap(True)
        set_look(self._note, "quiet")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 12, 10, 12)
        column.setSpacing(8)
        column.addWidget(self.filter)
        column.addWidget(self._note)
        column.addWidget(self.list, 1)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(60)
        self._settle.timeout.connect(self._apply_filter)
        self.filter.textChanged.connect(self._settle.start)
        self.list.selectionModel().selectionChanged.connect(self._chosen)
        model.modelReset.connect(self._after_reset)
        model.counted.connect(self._show_message)

    @property
    def chosen(self) -> str:
        """The folder of the open run."""
        return self._wanted

    @property
    def message_text(self) -> str:
        """What an empty list says; nothing while there are rows."""
        return self._note.text()

    def row_of(self, folder: str) -> RunRow | None:
        """Return a run as it is listed now."""
        return self._model.run_at(self._model.row_of(folder))

    def choose(self, folder: str) -> None:
        """Marks the run of this folder as the open one, now or once it is listed."""
        self._wanted = folder
        self._after_reset()

    def step_run(self, by: int) -> None:
        """Open the next or the previous run of the list."""
        at = self._model.row_of(self._wanted)
        row = at + by
        while 0 <= row < self._model.rowCount():
            if self._model.run_at(row) is not None:
                self.list.setCurrentIndex(self._model.index(row))
                return
            row += by

    def _apply_filter(self) -> None:
        self._model.set_filter(self.filter.text())

    def _chosen(self, selected: QItemSelection, _before: QItemSelection) -> None:
        indexes: list[QModelIndex] = selected.indexes()
        run = self._model.run_at(indexes[0].row()) if indexes else None
        if run is not None and run.folder != self._wanted:
            self._wanted = run.folder
            self.run_requested.emit(run.folder)

    def _after_reset(self) -> None:
        row = self._model.row_of(self._wanted) if self._wanted else -1
        if row >= 0 and self.list.currentIndex().row() != row:
            self.list.setCurrentIndex(self._model.index(row))
        self._show_message()

    def _show_message(self) -> None:
        if not self._model.loaded:
            text = "Looking for runs…"
        elif not self._model.total:
            text = "No runs yet. A run is listed here as soon as a script calls helm_sdk.init(…)."
        elif not self._model.rowCount():
            text = (
                f"No run matches “{self._model.filter_text}”. Clear the field to see all {self._model.total}."
            )
        else:
            text = ""
        self._note.setText(text)
        self._note.setVisible(bool(text))
