"""The run folder: the files that a run writes, and their readers."""
