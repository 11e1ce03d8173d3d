"""The page on which a person grades the written answers of a class."""
