"""One chart: its spec, and the series that it computes from others."""
