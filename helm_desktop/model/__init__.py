"""What the app knows, without widgets, sockets or files."""
