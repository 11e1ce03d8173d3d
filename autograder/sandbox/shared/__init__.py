"""What both sides of the sandbox know: limits, and the messages between them (plain data and tensors)."""
