"""Where a student's code raised: its line, and what met there."""

from dataclasses import dataclass, field


@dataclass
class Crash:
    """line: the source of the failing expression's lines, without the indentation that all of them share.
    number: that of its first line in its cell or file.
    mark: (first, end) columns of the failing expression in a single line; None where it is not known, or is
        the whole line.
    operands: [(as it is written, what it is)], such as ("Q", "(2, 5, 4) = (B, T, d_head)").
    wanted: what the operation wants, in a sentence; empty where that is not sure.
    """

    line: str
    number: int
    mark: tuple[int, int] | None = None
    operands: list[tuple[str, str]] = field(default_factory=list)
    wanted: str = ""
