"""Small helpers without a subject of their own, used by every part of the SDK."""
