"""The numbers in the answers to design questions, computed again from published sizes."""

from course_utils.practice.mock.plan import table

DESIGN = table("design")
SPEED, BANDWIDTH = (
    989e12,
    3.35e12,
)  # H100 SXM data sheet: bfloat16 without sparsity, operations and bytes per second
# bytes: the published parameter counts, in bfloat16
WEIGHTS_8B, WEIGHTS_70B = 2 * 8_030_261_248, 2 * 70_553_706_496
READ_8B, READ_70B = WEIGHTS_8B - 2 * 128256 * 4096, WEIGHTS_70B - 2 * 128256 * 8192  # without the embedding


def says(name, *parts):
    answer = " ".join(DESIGN[name]["answer"].split())
    assert [part for part in " | ".join(parts).split(" | ") if part not in answer] == [], answer


def test_numbers_in_users_of_a_70b():
    cache = 10 * 2**30  # 32768 tokens of 320 KiB
    fit = (0.9 * 8 * 80e9 - WEIGHTS_70B) // cache
    step = (READ_70B + 34 * cache) / (8 * BANDWIDTH)
    prefill = 2 * (READ_70B / 2) * 32768 + 80 * 4 * (32768**2 / 2) * 64 * 128
    says(
        "users_of_a_70b",
        f"are {WEIGHTS_70B / 1e9:.0f} GB | 320 KiB | 10 GiB",
        f"{100 * cache / 1e9:,.0f} GB, {100 * cache / WEIGHTS_70B:.1f} times the weights",
        f"{prefill / 1e15:.1f} · 10¹⁵ | {prefill / (8 * SPEED / 2):.1f} s on 8 GPUs",
        f"room for {fit:.0f} users, so 3 replicas, 24 GPUs | With 34 users",
        f"at most {1 / step:.0f} tokens per second",
        f"at least {1000 * step:.0f} ms ({READ_70B / (8 * BANDWIDTH / 1000):.1f} ms of it for the weights)",
    )


def test_numbers_in_one_long_context():
    cache = 16 * 2**30
    single, double = ((READ_8B + n * cache) / (BANDWIDTH / 1000) for n in (1, 2))
    eight_bit_cache, eight_bit_weights = (
        (READ_8B + cache) / (BANDWIDTH / 1000),
        (READ_8B / 2 + 2 * cache) / (BANDWIDTH / 1000),
    )
    assert single < 12 < double
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
    prefill = (2 * (READ_8B / 2) * 8192 + 32 * 4 * (8192**2 / 2) * 4096) / SPEED
    step, many = ((READ_8B + n * cache) / BANDWIDTH for n in (1, 32))
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
    longest, average = free // (8192 * token), free // (63 * 16 * token)
    step, smaller = ((READ_8B + n * 1000 * token) / BANDWIDTH for n in (average, 100))
    says(
        "reserved_or_paged",
        f"72 GB less 16 GB | leave {free / 1e9:.0f} GB | room for {longest:.0f} only",
        f"63 blocks, which is 1008 tokens or 132 MB: {average:.0f} requests on average",
        f"at least {1000 * step:.0f} ms; with 100 it takes {1000 * smaller:.0f} ms",
    )
    shared = (free - 31 * 16 * token) // (32 * 16 * token)
    assert "31 full blocks are held once" in DESIGN["reserved_or_paged"]["follow"][1][1]
    assert 1.9 < shared / average < 2.1


def test_numbers_in_a_mixture_on_one_gpu():
    D, experts, used, vocab = 2048, 128, 8, 151936  # the config.json of Qwen3-30B-A3B
    outside, expert = 2 * D * 32 * 128 + 2 * D * 4 * 128 + D * experts, 3 * D * 768  # in a layer

    def parameters(experts_read):
        return 48 * (outside + experts_read * expert) + vocab * D  # one of two vocabulary tables

    total, active = parameters(experts) + vocab * D, parameters(used) + vocab * D
    assert (round(total / 1e9, 1), round(active / 1e9, 1)) == (30.5, 3.4)  # the model card says 3.3
    free, cache = 72e9 - 2 * total, 48 * 2 * 4 * 128 * 2
    called = 1 - (1 - used / experts) ** 32
    one, dense, many = (2000 * parameters(number) / BANDWIDTH for number in (used, experts, called * experts))
    assert many > 0.85 * dense
    says(
        "a_mixture_on_one_gpu",
        f"{2 * total / 1e9:.0f} GB of weights | {free / 1e9:.0f} GB are left",
        f"{cache / 1024:.0f} KiB per token",
        f"about {free / cache / 1000:.0f},000 tokens | about {parameters(used) / 1e9:.0f} billion parameters",
        f"{one:.1f} ms, where a dense 30B model takes {dense:.0f} ms | {100 * called:.0f} % of each layer's",
        f"for {32 * used // experts} tokens only | an expert sees 1/{experts // used} of the tokens",
    )


def test_numbers_in_an_inference_service():
    operations = 2 * (READ_8B / 2) * 1500 + 32 * 4 * (1500**2 / 2) * 4096
    prefill = operations / (SPEED / 2)
    left, cache = 1 - 10 * prefill, (1500 + 300 / 2) * 128 * 2**10  # on average half of the answer is there
    step = READ_8B / BANDWIDTH / (1 - 3000 / left * cache / BANDWIDTH)  # of 3000 / left * step requests
    between = step / left
    says(
        "an_inference_service",
        f"{operations / 1e12:.0f} · 10¹² operations per request, {1000 * prefill:.0f} ms at half the peak",
        f"for {1000 * prefill:.0f} % of the time | {READ_8B / 1e9:.0f} GB of weights",
        f"{cache / 1e6:.0f} MB for each",
        f"about {3000 * between:.0f} requests and {1000 * between:.0f} ms between tokens",
        f"caches are {3000 * between * cache / 1e9:.0f} GB",
    )
