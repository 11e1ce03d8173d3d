"""Released notebooks, current and kept ones, in; Release out, by which a submission is read and graded."""
