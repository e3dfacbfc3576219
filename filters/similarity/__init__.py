"""What tells that two pieces of code, or two texts, are the same."""
