"""A question's name and an answer come in, a card and a remembered fact go out; nothing of it is graded."""
