"""Use a student's object on a case and write down what happened, as plain data."""
