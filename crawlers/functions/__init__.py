"""Statements that ask for a function: signatures, calls and solutions become programs."""
