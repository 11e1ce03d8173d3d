"""The records: what an exercise asks for (Contract, Case), what was observed of an answer (Observation),
what is wanted (Sheet), what a check gives back (Result); and their JSON (codec). It imports no other room."""
