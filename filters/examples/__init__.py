"""The examples that a prompt shows: found, read as data, run, and compared."""
