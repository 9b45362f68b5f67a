"""What is said of a value beside it, and a place for texts that loads nothing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget

from helm_desktop.format import duration, number, plural
from helm_desktop.format import size as size_words
from helm_desktop.model.media.content import (
    AudioContent,
    Content,
    HistogramContent,
    ImageContent,
    TableContent,
    TextContent,
)
from helm_desktop.model.media.media_model import MediaItem


def caption_text(item: MediaItem, content: Content) -> str:
    """Return the caption, measures and what was odd, in one line."""
    parts = [str(item.body.get("caption") or "")]
    match content:
        case ImageContent(image=image):
            parts.append(f"{image.width()}×{image.height()}")
        case AudioContent():
            parts += [duration(content.seconds), f"{content.sample_rate:,} Hz", _channels(len(content.low))]
        case TableContent():
            kept, total = len(content.rows), item.body.get("rows")
            rows = f"{kept:,} of {total:,} rows" if isinstance(total, int) and total > kept else ""
            parts += [rows or plural(kept, "row"), plural(len(content.columns), "column")]
        case HistogramContent():
            total = float(sum(content.counts))
            values = plural(int(total), "value") if total.is_integer() else f"{number(total)} in all"
            parts.append(f"{values} in {plural(len(content.counts), 'bin')}")
            odd = ((content.nan, "NaN"), (content.above, "+inf"), (content.below, "−inf"))
            parts += [f"{count:,} {name}" for count, name in odd if count]
        case TextContent(cut=True):
            parts.append(f"the first {len(content.text):,} characters")
    odd_values = item.body.get("non_finite")
    if isinstance(odd_values, int) and odd_values and not isinstance(content, HistogramContent):
        parts.append(f"{odd_values:,} not finite")
    if isinstance(item.body.get("bytes"), int):
        parts.append(size_words(item.body["bytes"]))
    return " · ".join(part for part in parts if part)


def _channels(count: int) -> str:
    return {1: "mono", 2: "stereo"}.get(count, f"{count} channels")


class TextView(QTextBrowser):
    """Plain text or Markdown; pictures and pages that it names are not loaded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self._nothing = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
        self._nothing.fill(Qt.GlobalColor.transparent)
        self.setAccessibleName("Text")

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Qt's: a text reaches neither files nor the network; given no image here, Qt would read it."""
        return self._nothing if kind == QTextDocument.ResourceType.ImageResource.value else None

    def set_content(self, content: TextContent) -> None:
        """Another text."""
        if content.markdown:
            features = (
                QTextDocument.MarkdownFeature.MarkdownDialectGitHub
                | QTextDocument.MarkdownFeature.MarkdownNoHTML
            )
            self.document().setMarkdown(content.text, features)
        else:
            self.setPlainText(content.text)
