"""Details of the shown run: the tree of the dock and the window's title."""

from __future__ import annotations

from PySide6.QtCore import QObject

from helm_desktop.controllers.chart_editor import ChartEditorController
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.views.details import DetailsView
from helm_desktop.window.main_window import MainWindow


class DetailsController(QObject):
    """Renews them whenever something of them has changed."""

    def __init__(
        self,
        current: CurrentRun,
        view: DetailsView,
        window: MainWindow,
        editor: ChartEditorController,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._current, self._view, self._window, self._editor = current, view, window, editor
        current.changed.connect(self.refresh)
        for signal in ("about_changed", "catalogue_changed", "controls.controls_changed"):
            current.follow(signal, self.refresh)

    def refresh(self) -> None:
        """Show the details as they are now."""
        from helm_desktop.model.run.details import details_of

        session = self._current.session
        if session is None:
            return
        self._editor.set_inspects(session.catalogue.offers_captures)
        if session.record is not None:
            catalogue = session.catalogue
            self._view.set_details(
                details_of(session.record, session.processes.all, catalogue.facts, catalogue.tensors)
            )
            self._window.setWindowTitle(f"{session.name} — Helm")
