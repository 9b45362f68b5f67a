"""The run client and the file reader, each in a thread of its own."""
