"""nbgrader's settings for this course, read by nbgrader and formgrader from the folder where they start.

Lists are assigned, not extended: formgrader reads this file many times, and additions would accumulate.
"""

c = get_config()  # noqa: F821  (nbgrader defines it)
c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "*.py", "*.toml", "*.png", ".progress",
    ".course-*", "course-progress*.json", "mock_interview_*.html",
]  # fmt: skip
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("Not written yet: put your code here.")'}
c.ClearSolutions.text_stub = "*Write your answer here.*"
c.GenerateAssignment.preprocessors = [
    "autograder.publish.generate.Prepare",
    "nbgrader.preprocessors.LockCells",
    "nbgrader.preprocessors.ClearSolutions",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "autograder.gradebook.lessons.EnterCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
    "autograder.publish.generate.Finish",
]

# Autograde, also by formgrader's button: this exporter grades, writes the gradebook, and returns the page.
c.Autograde.exporter_class = "autograder.gradebook.exporter.TrustedExporter"
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = []

# `nbgrader export` writes here, as grades.csv is the course's own.
c.ExportPlugin.to = "nbgrader_grades.csv"

# Feedback and formgrader's pages: what students wrote is sanitized before it is shown.
c.HTMLExporter.sanitize_html = True
c.HTMLExporter.filters = {
    "markdown2html": "autograder.gradebook.clean.markdown",
    "clean_html": "autograder.gradebook.clean.output",
    "highlight_code": "autograder.gradebook.clean.render_code",
    "strip_files_prefix": "autograder.gradebook.clean.unchanged",
}
