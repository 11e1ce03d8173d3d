"""Where student code runs. shared: what both sides speak. host: the grader's side. inside: the only part that the sandbox sees."""
