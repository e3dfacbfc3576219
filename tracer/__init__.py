"""Repositories and sdists are replayed, their calls recorded and turned into problems."""
