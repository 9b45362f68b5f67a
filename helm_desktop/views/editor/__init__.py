"""The chart editor."""
