"""What a problem says: its statements, its docstring, and whether these say anything."""
