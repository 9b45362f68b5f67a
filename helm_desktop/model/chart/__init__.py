"""One chart: its specification, and the series that are computed for it."""
