"""The records: what an exercise asks for, one way of trying it, what was observed, what is wanted, what
came of it; and their bytes."""
