"""nbgrader's marks on a cell, which say what it is for."""


def marks(cell):
    return cell["metadata"].get("nbgrader", {})


def grade_id(cell):
    return marks(cell).get("grade_id", "")


def test_of(cell):
    """What a test cell tests: an exercise, or a name of its own; "" for other cells."""
    is_test = marks(cell).get("grade") and not marks(cell).get("solution")
    return grade_id(cell).removeprefix("test_") if is_test else ""
