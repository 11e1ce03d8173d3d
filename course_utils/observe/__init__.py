"""A student's object and a Case come in, an Observation (plain data) goes out. Nothing here knows the wanted
results, and no exception that the object raises gets out."""
