"""What an exercise file is written with: Exercise, draws for cases, the attention with switches, shared
mistakes."""
