"""What is run by hand, beside the tests."""
