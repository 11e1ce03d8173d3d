"""Read a submission's bytes: what the student wrote, or Rejected with the reason. No code is run."""
