"""Pictures of the window for scripts, and beside each what it shows as JSON."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QLabel

from helm_desktop.startup.arguments import AppOptions
from helm_desktop.views.controls.card import ControlCard
from helm_desktop.widgets import ElidedLabel
from helm_desktop.window.regions import Regions

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session

POLL_MS = 100
STILL_SECONDS = 0.5
MOST_CHARTS = 48


class RunHolder(Protocol):
    """Whatever has the open run."""

    session: Session | None


class Screenshot(QObject):
    """Waits until what was asked for is there and drawn, writes the picture, and ends the app."""

    def __init__(self, regions: Regions, source: QObject, options: AppOptions) -> None:
        super().__init__(source)
        self._regions = regions
        self._source: RunHolder = source  # type: ignore[assignment]
        self._options = options
        self._began = time.monotonic()
        self._opened_at: float | None = None
        self._still_since: float | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._check_ready)

    def begin(self) -> None:
        """Start waiting."""
        self._timer.start()

    def fail(self, sentence: str) -> None:
        """End the app without a picture."""
        print(f"helm-desktop: {sentence}", file=sys.stderr)
        self._end(2)

    def _check_ready(self) -> None:
        now = time.monotonic()
        if now - self._began > self._options.timeout:
            print(
                f"helm-desktop: no picture after {self._options.timeout:g} s: {self._missing()}",
                file=sys.stderr,
            )
            self._end(1)
            return
        if self._missing():
            self._still_since = None
            return
        self._still_since = self._still_since or now
        if now - self._still_since >= STILL_SECONDS:
            self._end(self._write())

    def _missing(self) -> str:
        """Return what the picture still waits for; nothing when it can be taken."""
        session = self._source.session
        now = time.monotonic()
        if session is None:
            waited = now - self._began > max(2.0, self._options.after or 0.0)
            return "" if waited and not self._options.wait_finished else "no run has been opened"
        self._opened_at = self._opened_at or now
        if not session.complete:
            return "the run's history is still being read"
        if self._options.after is not None and now - self._opened_at < self._options.after:
            return "it is too early"
        if self._options.wait_finished and not session.status.state.ended:
            return "the run has not ended"
        row = self._regions.runs.row_of(session.key)
        if row is not None and row.state != session.status.state:
            return "the list of runs is behind"
        if not self._regions.board.cells.draw(MOST_CHARTS) or (
            session.charted and not self._regions.board.cells.drawn
        ):
            return "charts are still being drawn"
        if session.histograms.waiting:
            return "histograms are still being read"
        return ""

    def _write(self) -> int:
        target = self._options.screenshot
        assert target is not None
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        picture = self._regions.window.grab()
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if not picture.save(str(target)):
                raise OSError(f"Qt cannot write a picture of that kind to {target}")
            facts = json.dumps(self.report(), indent=1, ensure_ascii=False, allow_nan=False)
            target.with_suffix(".json").write_text(facts, encoding="utf-8")
        except OSError as error:
            print(f"helm-desktop: the picture was not written: {error}", file=sys.stderr)
            return 1
        return 0

    def report(self) -> dict[str, Any]:
        """Return what the window shows."""
        regions, session = self._regions, self._source.session
        words = asdict(regions.strip.texts)
        reports = regions.board.chart_reports() if session is not None else []
        return {
            "run": session.record.run_id if session is not None and session.record is not None else "",
            "state": words["state"],
            "strip": words,
            "charts": [asdict(report) for report in reports],
            "cards": [card_facts(name, card) for name, card in regions.controls.cards.items()],
            "activity": regions.activity.lines(),
            "details": regions.details.lines(),
            "media": regions.media.lines(),
            "elided": elided_texts(regions) + regions.board.charts.elided(),
        }

    def _end(self, status: int) -> None:
        self._timer.stop()
        QApplication.exit(status)


def card_facts(name: str, card: ControlCard) -> dict[str, str]:
    """Return a control's card: its value and every word that stands on it."""
    labels = [label for label in card.findChildren(QLabel) if label.isVisible() and label.text()]
    return {
        "name": name,
        "value": card.header.value.text(),
        "text": " · ".join(label.text() for label in labels),
    }


def elided_texts(regions: Regions) -> list[str]:
    """Whole texts of the labels in sight that had to be shortened, charts aside."""
    inside = [
        label
        for label in regions.window.findChildren(ElidedLabel)
        if label.isVisible() and label.property("elided")
    ]
    return [label.text() for label in inside if not regions.board.isAncestorOf(label)]
