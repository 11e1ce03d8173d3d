"""Submission -> GradedSubmission: two looks at each exercise, the judge, the scores."""
