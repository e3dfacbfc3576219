"""Problem sites and problem packages become statements, and statements become problems."""
