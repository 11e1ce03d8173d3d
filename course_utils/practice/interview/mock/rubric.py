"""What is rated of what is said aloud: for each criterion, what 0, 1 and 2 look like."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Criterion:
    """name: as it is typed. title: as it is read. looks: what 0, 1 and 2 look like."""

    name: str
    title: str
    looks: tuple


CRITERIA = {
    one.name: one
    for one in (
        Criterion(
            "points",
            "Says what matters",
            (
                "one of the points to listen for at most",
                "about half of them, or all after a hint",
                "all but one of them at least, without a hint",
            ),
        ),
        Criterion(
            "answer_first",
            "Answers first, then explains",
            (
                "speaks around the subject; the answer does not come",
                "the answer comes at the end, or after the question was put again",
                "the answer in one or two sentences, then the reason; says where they are not sure",
            ),
        ),
        Criterion(
            "shapes",
            "States assumptions and shapes",
            (
                "begins to write without saying what comes in",
                "says it when asked, or leaves an axis out",
                "before the first line: what comes in, what goes out, and the name of every axis",
            ),
        ),
        Criterion(
            "mask",
            "Explains the mask",
            (
                "there is none, or it hides the wrong side and that is not noticed",
                "it hides the right side; why there and why so is not said",
                "which axis is hidden and from whom, why before the softmax, what True means",
            ),
        ),
        Criterion(
            "edge",
            "Tries an edge case",
            (
                "says that it is done, and runs nothing",
                "runs it once, or names an edge when asked",
                "of their own accord: says what should come out for an edge, runs it, compares",
            ),
        ),
        Criterion(
            "cost",
            "Names the cost",
            (
                "does not speak of it, or says only that it is slow",
                "says quadratic, and not in what, or time without memory",
                "time and memory in the letters of the shapes, and which part is the largest when",
            ),
        ),
        Criterion(
            "reading",
            "Reads before changing",
            (
                "changes lines until it looks right",
                "finds the line, and cannot say on which input it shows",
                "says what each line should do, the line that does not, and an input that shows it",
            ),
        ),
        Criterion(
            "assumptions",
            "Asks for what is missing",
            (
                "starts to calculate at once",
                "makes assumptions, and does not say them",
                "asks for lengths, load, precision and hardware, or says what is assumed for each",
            ),
        ),
        Criterion(
            "numbers",
            "Calculates with units",
            (
                "names parts, and no number",
                "numbers, with a unit missing or off by a factor of ten",
                "every number with its unit and how it came about, right to about 20 %",
            ),
        ),
        Criterion(
            "limits",
            "Says what limits, and what would change it",
            (
                "names no limit, or every one there is",
                "names the limit, and a remedy without its price",
                "the limit, the number that shows it, two remedies with what each costs",
            ),
        ),
    )
}
OF_KIND = {
    "spoken": ("points", "answer_first"),
    "hunt": ("reading",),
    "cards": ("answer_first",),
    "design": ("assumptions", "numbers", "limits", "points"),
}


def criteria(part):
    """The criteria by which a part is rated, in their order."""
    if part.kind == "program":
        from .programs import PROGRAMS

        return [CRITERIA[name] for name in PROGRAMS[part.names[0]].criteria]
    return [CRITERIA[name] for name in OF_KIND[part.kind]]
