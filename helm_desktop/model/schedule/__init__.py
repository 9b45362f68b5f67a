"""The draft of a changed schedule."""
