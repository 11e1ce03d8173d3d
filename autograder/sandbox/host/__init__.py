"""The grader's side of the sandbox: start it, send it jobs, sanitise what comes out, say why there is none."""
