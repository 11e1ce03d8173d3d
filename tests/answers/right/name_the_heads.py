"""Right answers to `name_the_heads`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% numpy_integers: pairs as np.where and zip give them
def name_the_heads():
    found = np.where(np.array([[0.1, 0.1], [0.9, 0.8]]) > 0.5)
    return {"previous": (0, np.int64(2)), "first": (0, 0), "vowel": (0, 1), "helper": (0, 1), "induction": list(zip(*found))}
# %% tensors: heads as torch's argmax and nonzero give them
def name_the_heads():
    best = torch.tensor([0.1, 0.2, 0.9]).argmax()
    found = (torch.tensor([[0.1, 0.1], [0.9, 0.8]]) > 0.5).nonzero()
    return {"previous": (0, best), "first": (0, 0), "vowel": [0, 1], "helper": (0, 1), "induction": found}
