"""Judges that tell the case on which a wrong program fails."""
