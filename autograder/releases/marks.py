"""Read nbgrader's metadata of a cell, which say what the cell is for."""


def marks(cell):
    return cell["metadata"].get("nbgrader", {})


def grade_id(cell):
    return marks(cell).get("grade_id", "")


def test_of(cell):
    """Return the name of what a test cell tests, usually an exercise; "" for other cells."""
    is_test = marks(cell).get("grade") and not marks(cell).get("solution")
    return grade_id(cell).removeprefix("test_") if is_test else ""
