"""Continuous-integration systems: each module reads one and makes a replay plan."""
