"""The recorder thread: from the buffer to the process file and the sockets."""
