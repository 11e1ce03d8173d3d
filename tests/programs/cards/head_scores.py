# %% every_row: rows 0 and 1 too
# refused: all_rows
# says: All rows are counted
def head_scores(weights):
    below, main = (weights.diagonal(offset, -2, -1) for offset in (-1, 0))
    columns = {"previous": below, "first": weights[:, :, :, 0], "self": main}
    return {job: column.mean(-1).mean(0) for job, column in columns.items()}
