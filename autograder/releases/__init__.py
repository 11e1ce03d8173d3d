"""What students were given: the released lessons that a submission is held against."""
