"""Every media value of the open run: its name, its step, and what it holds."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from helm_desktop import format
from helm_desktop.model.media.content import (
    AudioContent,
    Content,
    HistogramContent,
    ImageContent,
    TableContent,
    TextContent,
    UnreadableMedia,
)
from helm_desktop.model.media.media_model import MediaItem, MediaModel
from helm_desktop.theme import set_look
from helm_desktop.views.media.histogram import HistogramView
from helm_desktop.views.media.labels import TextView, caption_text
from helm_desktop.views.media.picture import PictureView
from helm_desktop.views.media.table import TableView
from helm_desktop.views.media.waveform import WaveformView
from helm_desktop.widgets import ElidedLabel, EmptyState, SegmentedControl

EMPTY = "What the script keeps with run.text, image, audio, table, histogram or figure is shown here by step."
BROWSE = "In the browser, with plotly.js of the package plotly where that is installed, else from cdn.plot.ly"
PLAY = "In the program that plays WAV files on this machine"


class MediaView(QWidget):
    """Names above, the steps of one below them, then the value. Follows the newest while it stands there."""

    item_requested = Signal(object)  # MediaItem: to be read
    open_requested = Signal(object)  # MediaItem: to be shown or played by another program
    save_requested = Signal(object)  # MediaItem: to be copied to a place of the reader's choosing

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model: MediaModel | None = None
        self._item: MediaItem | None = None
        self.content: Content | None = None
        self.names = QComboBox()
        self.names.setAccessibleName("Media")
        self.names.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.names.setMinimumContentsLength(8)
        self.zoom = SegmentedControl([("fit", "Fit"), ("whole", "1:1")], name="Size")
        self.zoom.set_value("fit")
        self.zoom.hide()
        self.save = QPushButton("Save…")
        self.open = QPushButton()
        self.open.hide()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Step")
        self.slider.setMinimumWidth(80)
        self.step = QLabel()
        set_look(self.step, "quiet-figure")
        self.about = ElidedLabel("")
        set_look(self.about, "small")
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self._sentence, "quiet")
        self.text, self.picture, self.table = TextView(), PictureView(), TableView()
        self.histogram, self.waveform = HistogramView(), WaveformView()
        self.stack = QStackedWidget()
        for page in (self._sentence, self.text, self.picture, self.table, self.histogram, self.waveform):
            self.stack.addWidget(page)
        self._empty = EmptyState("No media yet", EMPTY)
        self._filled = QWidget()
        self._layout_parts()
        self.names.currentTextChanged.connect(self._chosen)
        self.slider.valueChanged.connect(self._moved)
        self.zoom.chosen.connect(self._zoomed)
        self.picture.fitted_changed.connect(self._fitted)
        self.save.clicked.connect(self._save)
        self.open.clicked.connect(self._open)
        self._refresh()

    def _layout_parts(self) -> None:
        top, steps = QHBoxLayout(), QHBoxLayout()
        for row in (top, steps):
            row.setSpacing(8)
        top.addWidget(self.names, 1)
        top.addWidget(self.zoom)
        top.addWidget(self.open)
        top.addWidget(self.save)
        steps.addWidget(self.slider, 1)
        steps.addWidget(self.step)
        inner = QVBoxLayout(self._filled)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(6)
        inner.addLayout(top)
        inner.addLayout(steps)
        inner.addWidget(self.stack, 1)
        inner.addWidget(self.about)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._empty)
        column.addWidget(self._filled, 1)
        column.addStretch(0)

    def set_model(self, model: MediaModel | None) -> None:
        """Another run."""
        if self._model is not None:
            self._model.changed.disconnect(self._refresh)
        self._model, self._item, self.content = model, None, None
        with QSignalBlocker(self.names):
            self.names.clear()
        if model is not None:
            model.changed.connect(self._refresh)
        self._refresh()

    @property
    def item(self) -> MediaItem | None:
        """The value that is shown, or on its way."""
        return self._item

    def lines(self) -> list[str]:
        """Return each name with how many values it has."""
        model = self._model
        return [f"{name} {len(model.items(name))}" for name in model.names] if model is not None else []

    def show_content(self, key: str, content: Content) -> None:
        """What the file of a value holds; one that is not wanted any more is passed over."""
        item = self._item
        if item is None or key != item.key:
            return
        self.content = content
        match content:
            case ImageContent():
                self.picture.set_image(content.image)
                self.stack.setCurrentWidget(self.picture)
            case TextContent():
                self.text.set_content(content)
                self.stack.setCurrentWidget(self.text)
            case TableContent():
                self.table.set_content(content)
                self.stack.setCurrentWidget(self.table)
            case HistogramContent():
                self.histogram.set_content(content)
                self.stack.setCurrentWidget(self.histogram)
            case AudioContent():
                self.waveform.set_content(content)
                self.stack.setCurrentWidget(self.waveform)
            case UnreadableMedia():
                self._show_message(content.sentence)
        self.zoom.setVisible(isinstance(content, ImageContent))
        self._offer_open(item if not isinstance(content, UnreadableMedia) else None)
        self.about.setText(caption_text(item, content))

    def choose(self, name: str) -> None:
        """Show the newest value of this name."""
        self.names.setCurrentText(name)

    def show_step(self, step: int) -> None:
        """The newest value at a step or before it."""
        if self._model is not None and self._items():
            self.slider.setValue(self._model.last_at(self.names.currentText(), step))

    def _refresh(self) -> None:
        names = self._model.names if self._model is not None else []
        self._empty.setVisible(not names)
        self._filled.setVisible(bool(names))
        with QSignalBlocker(self.names):
            for name in names[self.names.count() :]:
                self.names.addItem(name)
        if names:
            self._show_steps()

    def _chosen(self, name: str) -> None:
        self.names.setToolTip(name)
        self._item = None
        self._offer_open(None)
        self._show_steps()

    def _show_steps(self) -> None:
        """As many steps as there are values; at the newest it follows, elsewhere it stays at its value."""
        items = self._items()
        here = len(items) - 1
        if self._model is not None and self._item is not None and self.slider.value() < self.slider.maximum():
            here = self._model.index_of(self._item)
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, len(items) - 1)
            self.slider.setValue(here)
        self.slider.setEnabled(len(items) > 1)
        self._moved(here)

    def _moved(self, place: int) -> None:
        items = self._items()
        if not 0 <= place < len(items):
            return
        item = items[place]
        of = f" · {place + 1:,} of {len(items):,}" if len(items) > 1 else ""
        self.step.setText(f"step {format.step(item.step)}{of}")
        if self._item is None or item.key != self._item.key:
            self._item, self.content = item, None
            self._request_value()

    def _request_value(self) -> None:
        """Have the value read, but only while it can be seen."""
        if self._item is not None and self.content is None and self.isVisible():
            self.item_requested.emit(self._item)

    def showEvent(self, event: QShowEvent) -> None:
        """Qt's."""
        super().showEvent(event)
        self._request_value()

    def _items(self) -> list[MediaItem]:
        return self._model.items(self.names.currentText()) if self._model is not None else []

    def _show_message(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        self.stack.setCurrentWidget(self._sentence)

    def _zoomed(self, choice: object) -> None:
        self.picture.set_fitted(choice == "fit")

    def _fitted(self, on: bool) -> None:
        self.zoom.set_value("fit" if on else "whole")

    def _offer_open(self, item: MediaItem | None) -> None:
        """What another program does better."""
        plays = item is not None and item.type == "audio"
        self.open.setText("Play" if plays else "Open")
        self.open.setAccessibleName("Play in another program" if plays else "Open in the browser")
        self.open.setToolTip(PLAY if plays else BROWSE)
        self.open.setVisible(plays or (item is not None and item.is_plotly))

    def _open(self) -> None:
        if self._item is not None:
            self.open_requested.emit(self._item)

    def _save(self) -> None:
        if self._item is not None:
            self.save_requested.emit(self._item)
