# %% program_1
def attend_in_chunks(attention, x, chunk_sizes):
    total = x.size(1)
    ends = torch.tensor(list(chunk_sizes)).cumsum(0).tolist()
    if not ends or ends[-1] != total:
        raise ValueError(f"{chunk_sizes} does not give {total}")
    cache = (None, None)
    result = []
    for begin, end in zip([0] + ends[:-1], ends):
        out, *cache = attention(x[:, begin:end, :], *cache)
        result += [out]
    return torch.cat(result, 1)
