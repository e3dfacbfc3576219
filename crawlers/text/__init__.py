"""What pages say, as text: markup, samples, limits, and how answers are compared."""
