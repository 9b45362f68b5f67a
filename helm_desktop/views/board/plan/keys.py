"""The keys of a draft on a chart."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QPointF
from PySide6.QtGui import QKeyEvent

from helm_desktop.actions import places
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.model.schedule.keyframes_draft import KeyframesDraft
from helm_desktop.model.series.decimal_text import rounded_to
from helm_desktop.views.board.plan.handles import KeyframeHandles
from helm_desktop.views.board.plan.places import PixelPositions
from helm_desktop.widgets import handle_key

_FAR = 10


class KeyframeView(Protocol):
    """The part of the plan overlay that the keys use."""

    chosen: int
    places: PixelPositions
    handles: KeyframeHandles

    def choose(self, index: int) -> None:
        """Choose the keyframe that the keys change."""
        ...

    def type_values(self, index: int, text: str) -> None:
        """Open the fields of a keyframe; `text` is typed already."""
        ...

    def finish(self) -> None:
        """Go on to the change bar."""
        ...

    def leave(self) -> None:
        """Give the focus back to the chart."""
        ...


class PlanKeys:
    """The action of each key on the chosen keyframe."""

    def __init__(self, overlay: KeyframeView, model: DraftModel) -> None:
        self._overlay = overlay
        self._model = model

    def handle(self, event: QKeyEvent) -> bool:
        """Handle a key; return True when it is a key of keyframes."""
        draft = self._model.draft
        if draft is None:
            return False
        if handle_key(event, places.KEYFRAME, self._handlers(draft)):
            return True
        if event.text().isdecimal():
            self._overlay.type_values(self._overlay.chosen, event.text())
            return True
        return False

    def _handlers(self, draft: KeyframesDraft) -> dict[str, Callable[[], object]]:
        overlay, count = self._overlay, len(draft.keyframes)
        return {
            "earlier": partial(self._move, draft, -1, 0),
            "later": partial(self._move, draft, 1, 0),
            "far_earlier": partial(self._move, draft, -_FAR, 0),
            "far_later": partial(self._move, draft, _FAR, 0),
            "higher": partial(self._move, draft, 0, 1),
            "lower": partial(self._move, draft, 0, -1),
            "far_higher": partial(self._move, draft, 0, _FAR),
            "far_lower": partial(self._move, draft, 0, -_FAR),
            "keyframe_before": partial(overlay.choose, (overlay.chosen - 1) % count),
            "keyframe_after": partial(overlay.choose, (overlay.chosen + 1) % count),
            "first": partial(overlay.choose, 0),
            "last": partial(overlay.choose, count - 1),
            "type_values": partial(overlay.type_values, overlay.chosen, ""),
            "add": partial(self._add, draft),
            "remove": partial(self._model.remove, overlay.chosen),
            "finish": overlay.finish,
            "leave": overlay.leave,
        }

    def _move(self, draft: KeyframesDraft, strides: int, pixels: int) -> None:
        """Move the chosen keyframe along the axis by so many strides of the run, or up by so many pixels."""
        overlay = self._overlay
        frame = draft.keyframes[overlay.chosen]
        if strides:
            self._model.move(overlay.chosen, int(frame.at) + strides * self._model.stride, frame.value)
            return
        place = overlay.handles.place(overlay.chosen) - QPointF(0, pixels)
        value = rounded_to(overlay.places.numbers(place)[1], overlay.places.scale(place).value)
        self._model.move(overlay.chosen, int(frame.at), value)

    def _add(self, draft: KeyframesDraft) -> None:
        """Add a keyframe on the curve, halfway from the chosen keyframe to the next one or to the end."""
        chosen = self._overlay.chosen
        begin = max(int(draft.keyframes[chosen].at), draft.now)
        after = draft.keyframes[chosen + 1 : chosen + 2]
        at = (begin + (int(after[0].at) if after else draft.end)) // 2
        value, places = draft.value_at(at), self._overlay.places
        pixel = places.scale(places.place(at, value)).value
        made = self._model.add(at, rounded_to(value, pixel))
        if made is not None:
            self._overlay.choose(made)
