"""The parts of the run client: order, sockets, files, discovery."""
