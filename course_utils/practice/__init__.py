"""Ungraded practice: a question's name and an answer come in; a card is shown and the result is recorded."""
