"""One parser a site: the bytes of a page in, a statement out."""
