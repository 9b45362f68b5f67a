"""What a chart shows: curves, legend, marks, tooltip."""
