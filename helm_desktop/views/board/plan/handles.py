"""The handles of a draft's keyframes: their positions and labels."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF

from helm_desktop.model.schedule.draft_labels import value_text
from helm_desktop.model.schedule.draft_model import DraftModel
from helm_desktop.views.board.plan.places import PixelPositions

REACH_PX = 9.0


class KeyframeHandles:
    """The handles of the draft, at the ranges that the chart shows."""

    def __init__(self, places: PixelPositions, model: DraftModel) -> None:
        self._places = places
        self._model = model

    def place(self, index: int) -> QPointF:
        """Return the position of a keyframe's handle in pixels."""
        draft = self._model.draft
        assert draft is not None
        frame = draft.keyframes[index]
        return self._places.place(float(frame.at), float(frame.value))

    def at(self, place: QPointF) -> int | None:
        """Return the handle nearest to a point, at most REACH_PX away; None when there is none."""
        draft = self._model.draft
        if draft is None:
            return None
        distances = [
            math.hypot(at.x() - place.x(), at.y() - place.y())
            for at in map(self.place, range(len(draft.keyframes)))
        ]
        nearest = min(range(len(distances)), key=distances.__getitem__, default=None)
        return nearest if nearest is not None and distances[nearest] <= REACH_PX else None

    def label(self, index: int) -> str:
        """Return the label of a keyframe: its step or other x value, and its value."""
        draft = self._model.draft
        if draft is None:
            return ""
        frame = draft.keyframes[index]
        return f"{draft.position_text(frame.at)} · {value_text(float(frame.value))}"
