"""The points of a run, and any window of them."""
