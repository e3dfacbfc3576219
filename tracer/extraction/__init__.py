"""One function of a project becomes a program of its own, by text alone."""
