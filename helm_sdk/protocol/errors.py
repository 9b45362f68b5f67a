"""Errors in received or declared data; the text of each is one sentence."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return the text on one line: characters that are not printable, such as newlines, are escaped."""
    return "".join(part if part.isprintable() else part.encode("unicode_escape").decode() for part in text)


class ProtocolError(ValueError):
    """A frame, a schema or a value that is not valid; the text is one sentence for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(one_line(sentence))


class WireError(ProtocolError):
    """Bytes that are not a message: too large, too deep, or of the wrong shape."""


class SchemaError(ProtocolError):
    """A capability's input schema that is not valid."""


class InvalidValue(ProtocolError):
    """A value that its schema does not allow; the text names the field, the value and the bound."""

    def __init__(self, path: str, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.sentence = str(self)
