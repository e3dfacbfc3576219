"""Public data sets in files on disk."""
