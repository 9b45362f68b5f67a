"""The recorder: a thread that writes the buffered points to the process file and serves the sockets."""
