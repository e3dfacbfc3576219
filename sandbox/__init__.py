"""Walls between this host and untrusted code; only data leaves."""
