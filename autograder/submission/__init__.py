"""Bytes of a submission -> what the student wrote, or Rejected with the reason. Knows no points, runs nothing."""
