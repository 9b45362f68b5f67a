"""From the command line to an open window: arguments, display, Qt, the empty window, pictures."""
