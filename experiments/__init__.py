"""What a lesson states and has no time to show: each script writes its figures beside itself, as JSON."""
