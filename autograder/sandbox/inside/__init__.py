"""What runs inside the sandbox: one process for each job, locked in before any student code is read."""
