"""Samples of a model measured: judged by the cases, counted, ranked, and compared as text."""
