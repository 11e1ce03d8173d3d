"""The numbers in the answers to design questions, computed again from published sizes."""

from course_utils.practice.mock.plan import table

DESIGN = table("design")
# bytes: the published parameter counts, in bfloat16
WEIGHTS_8B, WEIGHTS_70B = 2 * 8_030_261_248, 2 * 70_553_706_496
READ_8B, READ_70B = WEIGHTS_8B - 2 * 128256 * 4096, WEIGHTS_70B - 2 * 128256 * 8192  # without the embedding


def says(name, *parts):
    answer = " ".join(DESIGN[name]["answer"].split())
    assert [part for part in " | ".join(parts).split(" | ") if part not in answer] == [], answer


def test_numbers_in_users_of_a_70b():
    cache = 10 * 2**30  # 32768 tokens of 320 KiB
    fit = (0.9 * 8 * 80e9 - WEIGHTS_70B) // cache
    step = (READ_70B + 34 * cache) / (8 * 2.039e12)
    prefill = 2 * (READ_70B / 2) * 32768 + 80 * 4 * (32768**2 / 2) * 64 * 128
    says(
        "users_of_a_70b",
        f"are {WEIGHTS_70B / 1e9:.0f} GB | 320 KiB | 10 GiB",
        f"{100 * cache / 1e9:,.0f} GB, {100 * cache / WEIGHTS_70B:.1f} times the weights",
        f"{prefill / 1e15:.1f} · 10¹⁵ | {prefill / (8 * 312e12 / 2):.1f} s on 8 GPUs",
        f"room for {fit:.0f} users, so 3 replicas, 24 GPUs | With 34 users | at most 32 tokens per second",
        f"at least {1000 * step:.0f} ms ({READ_70B / (8 * 2.039e9):.1f} ms of it for the weights)",
    )


def test_numbers_in_one_long_context():
    cache = 16 * 2**30
    single, double = ((READ_8B + n * cache) / 2.039e9 for n in (1, 2))
    eight_bit_cache, eight_bit_weights = (READ_8B + cache) / 2.039e9, (READ_8B / 2 + 2 * cache) / 2.039e9
    assert single < 20 < double
    fit = int((0.9 * 80e9 - WEIGHTS_8B) // cache)
    says(
        "one_long_context",
        f"16 GiB or 17.2 GB | One user: at least {single:.1f} ms; two: {double:.1f} ms | has room for {fit}:",
        f"for two takes {eight_bit_cache:.1f} ms, which holds | alone it takes {eight_bit_weights:.1f} ms",
    )


def test_numbers_in_a_quarter_of_the_cache():
    whole, latent = 2 * 32 * 32 * 128 * 2 / 2**10, 32 * (512 + 64) * 2 / 2**10
    says(
        "a_quarter_of_the_cache",
        f"{whole:.0f} KiB per token | 8 kv heads: {whole / 4:.0f} KiB, a factor of 4",
        f"{whole / 2:.0f} KiB, a factor of 2",
        f"a factor of 8 at 32k | {latent:.0f} KiB, a factor of {whole / latent:.0f}",
    )


def test_numbers_in_where_time_goes():
    cache = 2**30  # 8192 tokens of 128 KiB
    prefill = (2 * (READ_8B / 2) * 8192 + 32 * 4 * (8192**2 / 2) * 4096) / 312e12
    step, many = ((READ_8B + n * cache) / 2.039e12 for n in (1, 32))
    share = 500 * step / (500 * step + prefill)
    says(
        "where_time_goes",
        f"{prefill:.2f} s at peak | a step takes {1000 * many:.0f} ms, 3 times as long",
        f"{1000 * step:.1f} ms, so 500 steps take {500 * step:.1f} s: {100 * share:.0f} % of the time",
        f"{32 / many:,.0f} tokens per second instead of {1 / step:.0f}",
        f"{100 * 32 * cache / (READ_8B + 32 * cache):.0f} % of what is read",
    )


def test_numbers_in_reserved_or_paged():
    token, free = 128 * 2**10, 0.9 * 80e9 - WEIGHTS_8B
    reserved, paged = free // (8192 * token), free // (63 * 16 * token)
    says(
        "reserved_or_paged",
        f"72 GB less 16 GB | leave {free / 1e9:.0f} GB | {reserved:.0f} texts",
        f"63 blocks, which is 1008 tokens or 132 MB: {paged:.0f} texts, 8 times as many",
    )
    step = (READ_8B + paged * 1000 * token) / 2.039e12
    assert f"at least {1000 * step:.0f} ms" in DESIGN["reserved_or_paged"]["follow"][0][1]
