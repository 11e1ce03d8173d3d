"""A student's object and a Case come in, an Observation (plain data) goes out. Nothing here knows what is
wanted, and nothing that the object does gets out as an exception."""
