"""What can be wrong with what somebody sent, as one sentence each."""

from __future__ import annotations


class ProtocolError(ValueError):
    """A frame, a schema or a value that does not fit; the text is one sentence for people."""


class WireError(ProtocolError):
    """Bytes that are not a message: too large, too deep, or of the wrong shape."""


class SchemaError(ProtocolError):
    """A schema that a capability declares wrongly."""


class InvalidValue(ProtocolError):
    """A value that its schema refuses. Names the field, the value and the bound."""

    def __init__(self, path: str, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.sentence = sentence
