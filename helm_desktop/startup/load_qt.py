"""Loads Qt without the price that PySide6 puts on every later import."""

import builtins


def load_qt() -> None:
    """Import PySide6 and leave `import` as it was. Raises ImportError where Qt lacks a system library.

    PySide6 takes `builtins.__import__` over and from then on reads the source of each imported module, to
    find a use of its `__feature__` switches. Helm uses none, and some 600 modules come after Qt: reading them
    was a fifth of the time to the first chart.
    """
    plain = builtins.__import__
    try:
        import PySide6.QtGui  # noqa: F401
    finally:
        builtins.__import__ = plain
