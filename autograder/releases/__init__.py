"""What students were given: notebooks/ and the kept releases -> Release, which a submission is read against."""
