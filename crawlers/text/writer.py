"""Text written piece by piece, with its line ends and indentation kept in order."""

from dataclasses import dataclass, field


@dataclass
class Writer:
    """The text so far; breaks and blanks wait until something follows them."""

    parts: list[str] = field(default_factory=list)
    breaks: int = 0
    blank: bool = False
    lists: list[int | None] = field(default_factory=list)  # the number of the next item
    tables: list[bool] = field(default_factory=list)  # rows of data, or only a layout
    marker: str = ""
    cells: int = 0

    def write(self, string: str) -> None:
        """Add text with runs of blanks and newlines as one blank."""
        self.blank = self.blank or string[:1].isspace()
        if words := string.split():
            self.raw(" ".join(words))
            self.blank = string[-1].isspace()

    def raw(self, string: str) -> None:
        """Add text as it is, on a new line where a break waits."""
        if self.breaks or not self.parts:
            self.parts.append("\n" * (self.breaks if self.parts else 0))
            self.parts.append("  " * (len(self.lists) - bool(self.marker)) + self.marker)
            self.marker = ""
        elif self.blank and not self.parts[-1].endswith(" "):
            self.parts.append(" ")
        self.parts.append(string)
        self.breaks, self.blank = 0, False

    def end(self, breaks: int) -> None:
        """End the line; two breaks make a paragraph. In a row of a table this is a blank."""
        if self.cells:
            self.blank = True
        else:
            self.breaks, self.blank = max(self.breaks, breaks), False
