from thresher.crawlers.text.writer import Writer


def written(*steps):
    writer = Writer()
    for step in steps:
        writer.end(step) if isinstance(step, int) else writer.write(step)
    return "".join(writer.parts)


def test_blanks_run_together():
    assert written("a ", "  b\n", "c", "d") == "a b cd"
    assert written("  a  b ") == "a b"


def test_line_ends_wait_for_what_follows():
    assert written(2, "a", 1, "b ", 1, 2, 1, " c", 2) == "a\nb\n\nc"


def test_items_are_marked_and_indented():
    writer = Writer(lists=[None])
    for marker, words in (("- ", "a"), ("", "more"), ("- ", "b")):
        writer.marker = marker
        writer.end(1)
        writer.write(words)
    assert "".join(writer.parts) == "- a\n  more\n- b"


def test_in_a_cell_a_line_end_is_a_blank():
    writer = Writer(cells=1)
    writer.write("a")
    writer.end(2)
    writer.write("b")
    assert "".join(writer.parts) == "a b"
