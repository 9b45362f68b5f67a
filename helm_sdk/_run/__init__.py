"""The run as a script uses it: start it, log numbers and media, copy the console, end it."""
