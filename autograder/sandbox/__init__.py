"""Run student code in an isolated process.

In: a Job (steps and hidden inputs). Out: for each step its error, if any, or observations as plain arrays.
`host` is the grader's side, `inside` runs in the sandbox, and both use `shared`. Nothing here knows the
wanted values or awards points.
"""
