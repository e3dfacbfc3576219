"""Thresher turns public code into training problems that provably run."""

__version__ = "0.1.0"
