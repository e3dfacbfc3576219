"""Web sites: which pages to ask for and what each is."""
