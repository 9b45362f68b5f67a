"""The ways to draw a chart, one module each."""
