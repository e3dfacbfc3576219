"""Problem packages in folders and git repositories."""
