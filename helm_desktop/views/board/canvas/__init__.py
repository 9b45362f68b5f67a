"""The picture inside the axes: axes, ticks, ranges, curves as pixels."""
