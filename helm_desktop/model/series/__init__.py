"""The points of a run in memory, and any range of them reduced to the pixels of a chart."""
