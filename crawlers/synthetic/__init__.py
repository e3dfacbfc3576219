"""Problems that are made, not found: chains of small steps on text (paper, appendix C)."""
