"""What both sides of the sandbox speak: messages and limits."""
