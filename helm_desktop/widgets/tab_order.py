"""Tab from widget to widget as they are read: by rows from the top, in a row from the left."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QButtonGroup, QScrollArea, QWidget

Places = dict[QWidget, QRect]
_NO_STOPS = (Qt.FocusPolicy.NoFocus, Qt.FocusPolicy.ClickFocus)


def focus_next(regions: Sequence[QWidget], *, forward: bool = True) -> bool:
    """Move the focus to the next widget of these regions; return False when there is none."""
    now = QApplication.focusWidget()
    here = next((n for n, one in enumerate(regions) if has_focus(one)), -1)
    by = 1 if forward else -1
    if here >= 0:
        inside = stops(regions[here])
        at = _number(inside, now) + by
        if 0 <= at < len(inside):
            return _enter(inside[at])
    else:
        here = -1 if forward else 0
    for away in range(1, len(regions) + 1):
        others = stops(regions[(here + by * away) % len(regions)])
        if others:
            return _enter(others[0 if forward else -1])
    return False


def stops(region: QWidget) -> list[QWidget]:
    """Return what Tab stops at in a region, in its order; what lies inside of another stop follows it."""
    found = [region, *cast(list[QWidget], region.findChildren(QWidget))]
    stopped = {one for one in found if _is_stop(one, region)}
    # What scrolls is read as one piece: what of it is out of sight would lie among its neighbours.
    pieces = [one for one in found if one in stopped or (isinstance(one, QScrollArea) and one.isVisible())]
    places = {one: QRect(one.mapTo(region, QPoint(0, 0)), one.size()) for one in pieces}
    inside: dict[QWidget | None, list[QWidget]] = {}
    for one in places:
        above = one.parentWidget() if one is not region else None
        while above is not None and above not in places:
            above = above.parentWidget() if above is not region else None
        inside.setdefault(above, []).append(one)
    return [one for one in _as_read(None, inside, places) if one in stopped]


def _as_read(
    owner: QWidget | None, inside: dict[QWidget | None, list[QWidget]], places: Places
) -> list[QWidget]:
    left = sorted(inside.get(owner, ()), key=lambda one: places[one].top())
    ordered: list[QWidget] = []
    while left:
        foot = places[left[0]].bottom()
        near = left[: bisect_right(left, foot, key=lambda one: places[one].top())]
        row = [one for one in near if one is left[0] or places[one].center().y() <= foot]
        left = [one for one in near if one not in row] + left[len(near) :]
        for one in sorted(row, key=lambda one: places[one].left()):
            ordered += [one, *_as_read(one, inside, places)]
    return ordered


def _is_stop(one: QWidget, region: QWidget) -> bool:
    if one.focusPolicy() in _NO_STOPS or one.focusProxy() is not None:
        return False
    if not one.isVisible() or not one.isEnabled() or one.window() is not region.window():
        return False
    return not isinstance(one, QAbstractButton) or _is_entry(one)


def _is_entry(button: QAbstractButton) -> bool:
    """Of buttons of which one is down that one is entered; arrow keys lead to the others."""
    group: QButtonGroup | None = button.group()
    chosen = group.checkedButton() if group is not None and group.exclusive() else None
    return chosen is None or chosen is button


def has_focus(region: QWidget) -> bool:
    """Return True when it or something in it has the keys."""
    now = QApplication.focusWidget()
    return now is not None and (now is region or region.isAncestorOf(now))


def _number(inside: list[QWidget], now: QWidget | None) -> int:
    """Return the stop that has the focus, or the one around what has it."""
    while now is not None and now not in inside:
        now = now.parentWidget()
    return inside.index(now) if now is not None else -1


def _enter(one: QWidget) -> bool:
    one.setFocus(Qt.FocusReason.TabFocusReason)
    above = one.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(one)
        above = above.parentWidget()
    return True
