# %% square_of_the_keys: the number of queries is not used
# refused: shown
# says: `mask` has shape (2, 1, 15, 15); expected (B=2, 1, T_q=3, T_k=15)
import torch

def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T = seq_len_q if seq_len_k is None else seq_len_k
    if key_padding_lengths is not None:
        device = key_padding_lengths.device
    hidden = torch.full((T, T), is_causal, dtype=torch.bool, device=device).triu(1)
    if key_padding_lengths is None:
        return hidden
    beyond = torch.arange(T, device=device) >= key_padding_lengths.unsqueeze(1)
    return hidden | beyond[:, None, None]
# %% both_at_once: `&` where either is enough
# refused: joined_with_and
# says: The masks are combined with AND
import torch

def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T = seq_len_q if seq_len_k is None else seq_len_k
    if key_padding_lengths is not None:
        device = key_padding_lengths.device
    hidden = torch.ones(seq_len_q, T, dtype=torch.bool, device=device).triu(1)
    if key_padding_lengths is None:
        return hidden & is_causal
    beyond = (torch.arange(T, device=device) >= key_padding_lengths.unsqueeze(1))[:, None, None]
    return hidden & beyond if is_causal else beyond.expand(-1, 1, seq_len_q, T)
