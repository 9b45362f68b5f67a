"""The keys of a draft on a chart."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.model.series.decimal_text import rounded_to
from helm_desktop.views.board.plan.handles import KeyframeHandles
from helm_desktop.views.board.plan.places import PixelPositions

_SMALL, _LARGE = 1, 10
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ASIDE = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_UP = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
_NEXT = {Qt.Key.Key_Comma: -1, Qt.Key.Key_Period: 1}


class KeyframeView(Protocol):
    """What shows the keyframes, as far as keys need it."""

    chosen: int
    places: PixelPositions
    handles: KeyframeHandles

    def choose(self, index: int) -> None:
        """Choose another keyframe."""
        ...

    def type_values(self, index: int, text: str) -> None:
        """Open the fields of a keyframe; `text` is typed already."""
        ...

    def finish(self) -> None:
        """Go on to the change bar."""
        ...

    def leave(self) -> None:
        """Give the keys back to the chart."""
        ...


class PlanKeys:
    """What each key does to the chosen keyframe."""

    def __init__(self, overlay: KeyframeView, model: DraftModel) -> None:
        self._overlay = overlay
        self._model = model

    def take(self, event: QKeyEvent) -> bool:
        """Whether the key was one of these."""
        draft, key = self._model.draft, Qt.Key(event.key())
        if draft is None:
            return False
        overlay = self._overlay
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and key in _ENTER:
            overlay.finish()
            return True
        far = _LARGE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _SMALL
        if key in _ASIDE or key in _UP:
            self._move(draft, _ASIDE.get(key, 0) * far, _UP.get(key, 0) * far)
        elif key in _NEXT:
            overlay.choose((overlay.chosen + _NEXT[key]) % len(draft.keyframes))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            overlay.choose(0 if key == Qt.Key.Key_Home else len(draft.keyframes) - 1)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._model.remove(overlay.chosen)
        elif key in (Qt.Key.Key_Insert, Qt.Key.Key_Plus):
            self._add(draft)
        elif key in _ENTER:
            overlay.type_values(overlay.chosen, "")
        elif event.text().isdecimal():
            overlay.type_values(overlay.chosen, event.text())
        elif key == Qt.Key.Key_Escape:
            overlay.leave()
        else:
            return False
        return True

    def _move(self, draft: KeyframesDraft, strides: int, pixels: int) -> None:
        """Along the axis by steps of the run, up and down by pixels."""
        overlay = self._overlay
        frame = draft.keyframes[overlay.chosen]
        if strides:
            self._model.move(overlay.chosen, int(frame.at) + strides * self._model.stride, frame.value)
            return
        place = overlay.handles.place(overlay.chosen) - QPointF(0, pixels)
        value = rounded_to(overlay.places.numbers(place)[1], overlay.places.scale(place).value)
        self._model.move(overlay.chosen, int(frame.at), value)

    def _add(self, draft: KeyframesDraft) -> None:
        """One more between the chosen one and the next, or the end, where the draft goes anyway."""
        chosen = self._overlay.chosen
        begin = max(int(draft.keyframes[chosen].at), draft.now)
        after = draft.keyframes[chosen + 1 : chosen + 2]
        at = (begin + (int(after[0].at) if after else draft.end)) // 2
        value, places = draft.value_at(at), self._overlay.places
        pixel = places.scale(places.place(at, value)).value
        made = self._model.add(at, rounded_to(value, pixel))
        if made is not None:
            self._overlay.choose(made)
