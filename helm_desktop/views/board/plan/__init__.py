"""Drafting a change of a schedule on the chart that shows it."""
