"""nbgrader's settings for this course: nbgrader and formgrader look for this file where they are started."""

c = get_config()  # noqa: F821  (nbgrader defines it)
c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.ignore.extend(["*.py", "*.toml", ".progress", ".course-*"])
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("Not written yet: put your code here.")'}
c.ClearSolutions.text_stub = "*Write your answer here.*"
c.GenerateAssignment.preprocessors.insert(0, "autograder.prepare.Prepare")
c.GenerateAssignment.preprocessors.append("autograder.finish.Finish")
