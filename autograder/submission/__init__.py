"""Bytes of a submission -> what the student wrote, or Rejected with the reason. Runs nothing."""
