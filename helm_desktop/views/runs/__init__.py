"""The panel of all runs."""
