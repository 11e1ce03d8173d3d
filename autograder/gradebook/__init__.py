"""Results -> nbgrader: its converter, its database and its pages, with the course's grader in place of a kernel."""
