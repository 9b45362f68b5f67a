"""The run folder: what a run writes while it lives, and all that reads it."""
