# %% generate_loop_01: loops until the whole text has max_new_tokens tokens, so the prompt counts as new tokens
@torch.no_grad()
def generate(model, prompt, max_new_tokens):
    """prompt: list of ints; model(LongTensor (1, T)) -> (1, T, V). Greedy; returns prompt and new tokens."""
    tokens = list(prompt)
    while len(tokens) < max_new_tokens:
        logits = model(torch.tensor([tokens]))
        tokens.append(int(torch.argmax(logits[0, -1])))
    return tokens
# %% generate_loop_02: after the first step only the newest token is fed to a model without a cache, so the context is lost
@torch.no_grad()
def generate(model, input_ids, max_new_tokens, temperature=0.0):
    model_input = input_ids
    generated = input_ids
    for _ in range(max_new_tokens):
        logits = model(model_input)[:, -1]
        if temperature > 0:
            next_token = torch.multinomial(torch.softmax(logits / temperature, -1), 1)
        else:
            next_token = logits.argmax(-1, keepdim=True)
        generated = torch.cat([generated, next_token], dim=-1)
        model_input = next_token
    return generated
# %% generate_loop_03: a text longer than the context is cropped to its first tokens instead of its last, so new tokens are never seen
def generate_text_simple(model, idx, max_new_tokens, context_size=None):
    for _ in range(max_new_tokens):
        idx_cond = idx if context_size is None else idx[:, :context_size]
        with torch.no_grad():
            logits = model(idx_cond)
        logits = logits[:, -1, :]
        idx_next = torch.argmax(logits, dim=-1, keepdim=True)
        idx = torch.cat((idx, idx_next), dim=1)
    return idx
# %% generate_loop_04: top-k compares with the largest of the k values instead of the smallest, so sampling is always the top token
@torch.no_grad()
def sample(model, x, steps, temperature=1.0, do_sample=False, top_k=None, seed=None):
    """x: (B, T) long tensor; model(x) -> (B, T, V)"""
    if seed is not None:
        torch.manual_seed(seed)
    for _ in range(steps):
        logits = model(x)[:, -1, :] / temperature
        if top_k is not None:
            v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
            logits = logits.masked_fill(logits < v[:, [0]], -float("inf"))
        probs = F.softmax(logits, dim=-1)
        if do_sample:
            ix = torch.multinomial(probs, num_samples=1)
        else:
            _, ix = torch.topk(probs, k=1, dim=-1)
        x = torch.cat((x, ix), dim=1)
    return x
# %% generate_loop_05: the random generator is seeded anew in every step, so every token is drawn with the same random number
def generate(model, prompt, n_new, temperature=0.0, seed=0):
    """model(list of ids) -> (len, vocab) array. temperature 0 = greedy. Returns prompt + new ids."""
    ids = list(prompt)
    for _ in range(n_new):
        logits = np.asarray(model(ids))[-1]
        if temperature == 0:
            nxt = int(logits.argmax())
        else:
            rng = np.random.default_rng(seed)
            z = logits / temperature
            p = np.exp(z - z.max())
            p /= p.sum()
            nxt = int(rng.choice(len(p), p=p))
        ids.append(nxt)
    return ids
