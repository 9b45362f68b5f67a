"""Draws the widgets and cards to PNG, for eyes: python tests/helpers/gallery.py FOLDER [NAME …]."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from helm_desktop.theme import Choice, ThemeManager, set_look, theme_of
from helm_desktop.views.controls import ControlsPanel
from helm_desktop.views.controls.fields import NumberEditor
from helm_desktop.views.controls.form import RecordForm
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_desktop.widgets import (
    ElidedLabel,
    EmptyState,
    FlowLayout,
    FoldingSection,
    MarkGlyph,
    NumberField,
    Pill,
    ProgressLine,
    SegmentedControl,
    Share,
    SplitBar,
    StateDot,
    Step,
    StepTrack,
    ToggleSwitch,
)
from helpers.gallery_controls import controls_model


def grab(widget: QWidget, path: Path, scale: int) -> None:
    """Renders a widget at a scale of its own, whatever the screen's is."""
    widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    widget.show()
    QApplication.processEvents()
    QApplication.processEvents()
    picture = QPixmap(widget.size() * scale)
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    widget.render(picture, QPoint())
    picture.save(str(path))


def widgets_sheet() -> QWidget:
    """Each widget once or more."""
    sheet = QWidget()
    set_look(sheet, "panel")
    column = QVBoxLayout(sheet)
    column.setSpacing(12)
    for row in (_pills(), _dots(), _buttons(), _fields()):
        column.addWidget(row)
    bars = QWidget()
    stack = QVBoxLayout(bars)
    theme = theme_of(sheet)
    parts = [
        Share(name, weight, theme.curve(i), locked=i == 2)
        for i, (name, weight) in enumerate([("web", 60), ("code", 20), ("math", 12), ("books", 8)])
    ]
    for draggable in (False, True):
        bar = SplitBar("Mixture", draggable=draggable)
        bar.set_segments(parts)
        stack.addWidget(bar)
    many = SplitBar("Many", draggable=True)
    many.set_segments([Share(f"s{i}", 64 - i, theme.curve(i)) for i in range(14)])
    stack.addWidget(many)
    progress = ProgressLine("Step")
    progress.set_share(0.35)
    stack.addWidget(progress)
    track = StepTrack()
    track.set_steps(
        [
            Step("requested", "done"),
            Step("waiting for trainer.step", "now"),
            Step("applied", "ahead"),
        ]
    )
    stack.addWidget(track)
    failed = StepTrack()
    failed.set_steps([Step("requested", "done"), Step("rejected: lr is -1, it must be above 0", "bad")])
    stack.addWidget(failed)
    column.addWidget(FoldingSection("train and optim", bars, note="4 charts"))
    empty = EmptyState("No controls yet", "A run declares controls with tr.watch or run.on.")
    empty.add_button("Copy", primary=True)
    empty.add_button("Open a run folder…")
    column.addWidget(empty)
    sheet.resize(460, sheet.sizeHint().height())
    return sheet


def _line(*parts: QWidget) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        row.addWidget(part)
    row.addStretch(1)
    return box


def _pills() -> QWidget:
    box = QWidget()
    flow = FlowLayout(box)
    for text, tone in (
        ("x: step", ""),
        ("drafting a change", "warn"),
        ("heatmap rows", ""),
        ("live", "live"),
        ("bad", "bad"),
    ):
        flow.addWidget(Pill(text, tone, clickable=True))
    for kind in ("change", "checkpoint", "rule", "note", "joined"):
        flow.addWidget(MarkGlyph(kind))
    flow.addWidget(MarkGlyph("change", hollow=True))
    return box


def _dots() -> QWidget:
    return _line(
        StateDot("live", "live"),
        StateDot("finished", "off"),
        StateDot("killed at step 37", "bad"),
        StateDot("quiet", "warn"),
    )


def _buttons() -> QWidget:
    send, off, plain = QPushButton("Send"), QPushButton("Send"), QPushButton("Send the previous value")
    set_look(send, "primary")
    set_look(off, "primary")
    off.setEnabled(False)
    switch, other = ToggleSwitch("enabled"), ToggleSwitch("off")
    switch.setChecked(True)
    return _line(plain, send, off, switch, other)


def _fields() -> QWidget:
    choice = SegmentedControl([(1, "random"), (2, "easy first"), (3, "hard first")], name="order")
    choice.set_value(2)
    good, bad = NumberField("Rate", unit="tokens"), NumberField("max_norm")
    good.setText("1.5e-3")
    bad.setText("-0.5")
    bad.set_invalid("wrong")
    figure = QLabel("3.00e-3")
    set_look(figure, "figure")
    label = ElidedLabel("a title that is much too long to be shown in this room", "title")
    label.setFixedWidth(90)
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    for part in (_line(choice, figure, label), good, bad):
        column.addWidget(part)
    return box


def dock_sheet() -> QWidget:
    """The dock as the window shows it: narrow, some cards open."""
    panel = ControlsPanel(controls_model())
    panel.resize(334, 1400)
    drag = panel.cards["set_mixture"].editor
    assert isinstance(drag, MixtureEditor)
    drag.draft_bar.dragged.emit(0, 0.6)
    panel.cards["lr"].set_open(True)
    return panel


def forms_sheet() -> QWidget:
    """Forms with every kind of field, and one that is wrong."""
    panel = ControlsPanel(controls_model())
    panel.resize(460, 1900)
    panel.cards["set_mixture"].set_open(False)
    for name in ("grad_clip", "set_curriculum"):
        panel.cards[name].set_open(True)
    form = panel.cards["grad_clip"].editor
    assert isinstance(form, RecordForm)
    field = form.rows["max_norm"].editor
    assert isinstance(field, NumberEditor)
    field.field.setText("-0.5")
    field.field.typed.emit("-0.5")
    return panel


SHEETS: dict[str, Callable[[], QWidget]] = {
    "widgets": widgets_sheet,
    "dock": dock_sheet,
    "forms": forms_sheet,
}


def main() -> int:
    """Draws each sheet in both themes at scale 1 and 2."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    names = sys.argv[2:] or list(SHEETS)
    app = QApplication([])
    manager = ThemeManager(app, "dark")
    choices: tuple[Choice, ...] = ("dark", "light")
    for choice in choices:
        manager.choose(choice)
        for name in names:
            sheet = SHEETS[name]()
            for scale in (1, 2):
                grab(sheet, folder / f"{name}-{choice}-{scale}.png", scale)
            sheet.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
