"""Where student code runs.

In: a Job (steps, hidden inputs). Out: for each step what it ended with, or observations as plain arrays.
`host` is the grader's side, `inside` what runs in the sandbox, `shared` what both sides know. Nothing here
knows points or answers.
"""
