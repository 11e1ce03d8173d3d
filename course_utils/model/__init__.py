"""The records: what an exercise asks for (Contract, Case), what was observed of an answer (Observation),
what is wanted (Sheet), what a check gives back (Result); their JSON (codec); and the fixed weights of a
tensor's entries, which observing and comparing share. It imports no other room."""
