"""A Crash: the line where a student's code raised, and the operands of the expression that failed."""

from dataclasses import dataclass, field


@dataclass
class Crash:
    """line: the source lines of the failing expression, without their common indentation.
    number: the number of the first of them in its cell or file.
    mark: (start, end) columns of the failing expression within a single line; None if unknown, or if it is
        the whole line.
    operands: [(source, description)], such as ("Q", "(2, 5, 4) = (B, T, d_head)").
    wanted: what the operation requires, as a sentence; empty if that is not certain.
    of_self: the names that the object of the failing method has; without_self: those of its methods whose
        first parameter is not called `self`.
    function: the learner's function or class that holds the line, if it is not the answer itself.
    """

    line: str
    number: int
    mark: tuple[int, int] | None = None
    operands: list[tuple[str, str]] = field(default_factory=list)
    wanted: str = ""
    of_self: frozenset[str] = frozenset()
    without_self: frozenset[str] = frozenset()
    function: str = ""

    @property
    def place(self):
        """'line 3', or 'line 3 of the cell with `split`' where another cell may be meant."""
        return f"line {self.number}" + (f" of the cell with `{self.function}`" if self.function else "")
