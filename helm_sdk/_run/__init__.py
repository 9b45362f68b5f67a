"""The run as its script sees it: start, log, media, console, exit."""
