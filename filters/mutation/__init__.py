"""Mutation of reference solutions and of recorded inputs, to see what cases can tell apart."""
