"""One question of each kind, in the published form, for the tests of predict."""

from course_utils.practice.questions import Question, Wrong


def question(name, kind, answer, wrong, lesson="00_first", **more):
    wrongs = [Wrong(answer, reason, *rest) for answer, reason, *rest in wrong]
    return Question(name, lesson, kind, f"What about {name}?", answer, f"Because of {name}.", wrongs, **more)


CHOICE = question(
    "axis_of_sums",
    "choice",
    "b",
    [("a", "That is the queries' axis."), ("c", "Then one number is left.")],
    choices=["over the queries", "over the `keys`", "over both"],
    again="Once more: which axis?",
)
NUMBER = question(
    "open_cells", "number", 0.155, [(0, "A score of 0 is a score like others.")], tolerance=0.005
)
SHAPE = question(
    "shape_of_both",
    "shape",
    [2, 1, 5, 5],
    [
        ([], "That is one number."),
        ([2, 5, 5], "There is no axis for the heads."),
        ([2, 3, 5, 5], "A mask is the same for all heads."),
    ],
    axes=["B", "1 for all heads", "T_q", "T_k"],
)
TEXT = question(
    "empty_row",
    "text",
    "NaN",
    [("zeros", "0/0 is not 0.", ["0", "all zeros"])],
    accept=["not a number"],
    lesson="01_second",
)
STEPS = question(
    "steps",
    "number",
    3,
    [(1, "Nothing is there to mask yet.")],
    lesson="01_second",
    nudge="Think of the first picture.",
)
ALL = [CHOICE, NUMBER, SHAPE, TEXT, STEPS]
DRAWN = question(
    "bytes_of_a_token",
    "number",
    "2 * layers * width * 2",
    [("layers * width * 2", "That is {layers * width * 2} bytes: K or V, and not both.")],
    lesson="01_second",
    tolerance="2 %",
    draw={"layers": [24, 32, 48], "width": [512, 1024]},
)
DRAWN.prompt = "{layers} layers keep {width} numbers for K and for V, 2 bytes each. How many bytes?"
DRAWN.right = "2 · {layers} · {width} · 2 = {answer}."
