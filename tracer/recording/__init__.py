"""Calls recorded while tests run: what is laid into the environment, and what reads it back."""
