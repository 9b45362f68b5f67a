"""What can be wrong with what somebody sent, as one sentence each."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return the text with what would break its line, such as a field named by a newline, written out."""
    return "".join(part if part.isprintable() else part.encode("unicode_escape").decode() for part in text)


class ProtocolError(ValueError):
    """A frame, a schema or a value that does not fit; the text is one sentence for people."""

    def __init__(self, sentence: str) -> None:
        super().__init__(one_line(sentence))


class WireError(ProtocolError):
    """Bytes that are not a message: too large, too deep, or of the wrong shape."""


class SchemaError(ProtocolError):
    """A schema that a capability declares wrongly."""


class InvalidValue(ProtocolError):
    """A value that its schema refuses. Names the field, the value and the bound."""

    def __init__(self, path: str, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.sentence = str(self)
