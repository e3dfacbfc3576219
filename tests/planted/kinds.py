"""What counts as caught, by kind of fault.

A pattern is of ``filter: reason`` for a drop, or names a repair: ``mended: comparator``,
``mended: program`` (prompt or solution), ``mended: cases added``, ``mended: cases changed``,
``mended: bad case gone``, or what is noted of a problem that stays. A problem's own patterns come
before its kind's.
"""

REFERENCE = "reference: *"
STABLE = "stable: *"

CAUGHT: dict[str, tuple[str, ...]] = {
    "wrong doctest": ("alignment: *", "mended: program"),
    "wrong arrow": ("alignment: *", "mended: program"),
    "wrong prose": ("alignment: *", "mended: program"),
    "breach of range": ("alignment: *", "mended: bad case gone"),
    "breach of annotation": ("alignment: *", "mended: bad case gone"),
    "breach of contract": ("alignment: *", "mended: bad case gone"),
    "broken docstring": ("alignment: *", "docstring: *", "mended: program"),
    "poor docstring": ("docstring: *",),
    "leak in docstring": ("docstring: *",),
    "vacuous test": ("trivial: *", "mended: cases added"),
    "no cases": ("reference: no-cases", "trivial: *"),
    "order of calls": (STABLE, "mended: program"),
    "any order": ("comparator: *", "mended: comparator"),
    "ambiguous answer": ("comparator: *", "alignment: *", "mended: comparator"),
    "float on the edge": ("comparator: *", "mended: bad case gone"),
    "float compared exactly": ("comparator: *", "mended: comparator"),
    "tolerance for ints": ("comparator: *", "mended: comparator"),
    "flaky: hash order": (STABLE, REFERENCE, "mended: program", "mended: comparator"),
    "flaky: clock": (STABLE, REFERENCE, "mended: program"),
    "flaky: random": (STABLE, REFERENCE, "mended: program"),
    "flaky: identity": (STABLE, REFERENCE, "mended: program"),
    "flaky: environment": (STABLE, REFERENCE, "mended: program"),
    "flaky: locale and zone": (STABLE, REFERENCE, "mended: program"),
    "flaky: global state": (STABLE, REFERENCE, "mended: program"),
    "flaky: files": (STABLE, REFERENCE, "mended: program"),
    # Every case has arguments of its own, so that to know of it is enough.
    "argument changed": (STABLE, "noted: changes arguments", "mended: cases changed"),
    "duplicate, exact": ("duplicates: *",),
    "duplicate, renamed": ("duplicates: *",),
    "duplicate, near": ("duplicates: *",),
    "duplicate, same behaviour": ("duplicates: *",),
    "contaminated, exact": ("contamination: *",),
    "contaminated, renamed": ("contamination: *",),
    "contaminated, reworded": ("contamination: *",),
    "contaminated, rewritten": ("contamination: *",),
    "bad licence": ("licence: *",),
    "secret in source": ("secrets: *", "mended: program"),
    "secret in values": ("secrets: *", "mended: bad case gone"),
    "personal data": ("secrets: *", "mended: bad case gone", "mended: program"),
    "weak cases": ("strength: *", "mended: cases added"),
    "tempting inputs": ("noted: no case outside is added",),
    "unlikely source": ("heuristics: *",),
    "wrong reference": (REFERENCE,),
}
