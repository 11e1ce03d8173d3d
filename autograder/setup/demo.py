"""Make the submissions of a small sample class, grade them and write feedback."""

import typer

from autograder.grading.feedback import write_feedback
from autograder.grading.notebook import grade_paths
from autograder.report.loose import show_table, write_loose
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.sandbox.host.warm_process import SandboxUnavailable

from .sample_class import as_bytes, saved_by_colab, solved, untouched

LESSON = "02_split_concat"
# {student: (exercise, [(text in the right answer, this student's text), ...])}
MISTAKES = {
    "ben": ("multi_head_attention", [("d_head**0.5", "Q.shape[1]**0.5")]),
    "cho": (
        "split_heads",
        [("x.view(B, T, num_heads, ", "x.reshape(B, num_heads, T, "), ("bands.transpose(1, 2)", "bands")],
    ),
    "dara": ("merge_heads", [("x.transpose(1, 2).reshape", "x.reshape")]),
    "eli": ("scaled_dot_product_attention", [("masked_fill(mask", "masked_fill(~mask")]),
    "fay": ("scaled_dot_product_attention", [("dim=-1", "dim=-2")]),
}
HARMLESS = "These submissions are the course's own and harmless, so they are graded without it."
PLACES = """
submissions  {0}/submitted   made for this demonstration
feedback     {0}/feedback   a page for each student: open {1}
grades       {0}/grades.csv

Your own class: `.venv/bin/python -m autograder grade FOLDER` for loose files;
`make grade` for submitted/ and nbgrader's gradebook."""


def run(folder):
    """Make the submissions in `folder`, grade them, write feedback and grades; print where the files are."""
    paths = hand_in(folder / "submitted")
    graded = grade_paths(paths, worker=harmless_worker(), jobs=2)
    graded = [(path.parts[-3], submission) for (_, submission), path in zip(graded, paths, strict=True)]
    show_table(graded)
    pages = write_feedback(graded, folder / "feedback")
    write_loose(graded, folder / "grades.csv")
    print(PLACES.format(folder, pages[1]))


def hand_in(folder):
    """Write the class's submissions where nbgrader would look for them; return their paths."""
    right = as_bytes(solved(LESSON))
    work = {"ada": right}
    work |= {name: as_bytes(solved(LESSON, dict([mistake]))) for name, mistake in MISTAKES.items()}
    work |= {
        "gus": as_bytes(untouched(LESSON)),
        "hana": as_bytes(saved_by_colab(solved(LESSON))),
        "ivo": right[: len(right) // 2],
    }
    paths = {name: folder / name / LESSON / f"{LESSON}.ipynb" for name in work}
    for name, path in paths.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(work[name])
    return list(paths.values())


def harmless_worker():
    """Return the sandbox, or a plain process if there is none: these submissions are the course's own."""
    try:
        sandbox().ready()
    except SandboxUnavailable as reason:
        typer.echo(f"{reason}\n{HARMLESS}\n", err=True)
        return PlainWorker()
    return sandbox()
