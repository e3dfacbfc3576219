"""Problems are judged: each filter takes a problem and gives a decision."""
