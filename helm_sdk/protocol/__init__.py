"""The wire between a training process and whoever watches it: messages, kinds of input, limits."""
