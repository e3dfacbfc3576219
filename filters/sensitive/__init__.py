"""Secrets and persons' data, and where a problem may hold them."""
