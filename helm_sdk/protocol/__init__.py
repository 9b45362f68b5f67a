"""The protocol between a training process and its clients: messages, kinds of input, limits."""
