"""A chart of a live run on which a change is drafted, and the change bar, without a window around them."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from helm_desktop.model.chart.spec import STEP, ChartSpec
from helm_desktop.model.run.session import Session
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.views.board.pages.feed import ChartFeed
from helm_desktop.views.board.plan.editor import PlanEditor
from helm_desktop.views.board.plan.overlay import PlanOverlay
from helm_desktop.views.change_bar import ChangeBar
from helpers.drafting import STREAM

LEFT = Qt.MouseButton.LeftButton


class Scene:
    """A chart of a session with its editor, and the bar."""

    def __init__(self, session: Session, stream: str = STREAM, axis: str = STEP) -> None:
        self.session = session
        self.model = DraftModel()
        self.model.set_session(session)
        self.feed = ChartFeed("chart", ChartSpec(series=(stream,), x=axis), session)
        self.chart = self.feed.chart
        self.chart.resize(640, 260)
        self.bar = ChangeBar(self.model)
        self.chart.show()
        self.bar.resize(1200, 56)
        self.chart.renderer.refresh()
        self.editor = PlanEditor(self.chart, self.model)

    @property
    def overlay(self) -> PlanOverlay:
        """The draft over the picture."""
        assert self.editor.overlay is not None
        return self.editor.overlay

    @property
    def frames(self) -> list[tuple[int, float]]:
        """The keyframes drafted now."""
        assert self.model.draft is not None
        return [(int(one.at), float(one.value)) for one in self.model.draft.keyframes]

    def begin(self) -> None:
        """Presses Change lr."""
        assert self.editor.button is not None
        QTest.mouseClick(self.editor.button, LEFT)

    def take(self, index: int) -> None:
        """The mouse takes a handle."""
        QTest.mousePress(self.overlay, LEFT, pos=self.overlay.handles.place(index).toPoint())

    def pull(self, to: QPointF, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """The mouse moves with its button down, out of the picture too."""
        event = QMouseEvent(QMouseEvent.Type.MouseMove, to, self.overlay.mapToGlobal(to), LEFT, LEFT, keys)
        QApplication.sendEvent(self.overlay, event)

    def drag(self, index: int, to: QPointF, modifier: Qt.KeyboardModifier | None = None) -> None:
        """Takes a handle to a place and lets it go there."""
        keys = modifier or Qt.KeyboardModifier.NoModifier
        QTest.mousePress(self.overlay, LEFT, keys, self.overlay.handles.place(index).toPoint())
        self.pull(to, keys)
        QTest.mouseRelease(self.overlay, LEFT, keys, to.toPoint())
