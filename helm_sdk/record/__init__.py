"""The run folder: writer, reader, migrations."""
