# %% program_1 < right/chunk_copy
