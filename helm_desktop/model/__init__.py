"""The models of the app: its state without widgets, sockets or files."""
