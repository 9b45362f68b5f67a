"""The controls that a run declares, and their values."""
