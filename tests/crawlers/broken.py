"""Pages as they come from a broken connection, a careless editor or somebody hostile."""

from hypothesis import strategies as st

_NASTY = (
    b"<div>" * 3000,
    b"</div>" * 50,
    b"\x00",
    b"\xff\xfe",
    b"<pre>",
    b"</pre>",
    b"<!--",
    b"]]>",
)


@st.composite
def pages(draw, page: bytes):
    """Draw the page with up to four pieces cut out, doubled, or replaced by something else."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(page)))
        end = draw(st.integers(start, min(len(page), start + 400)))
        piece = draw(st.sampled_from((b"", page[start:end] * 2, *_NASTY)) | st.binary(max_size=20))
        page = page[:start] + piece + page[end:]
    return page
