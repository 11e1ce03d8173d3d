"""Code for both sides of the sandbox: jobs, limits, and messages between them (plain data and tensors)."""
