"""What is said of settings that do something else: {slip: (name, sentence)}; {} stands for the setting."""

TEMPERATURE = {
    "multiplies": (
        "temperature_multiplies",
        "The logits are multiplied by the temperature: divide by it, so that a low one makes the likeliest "
        "token surer.",
    ),
    "ignored": ("temperature_ignored", "`{}` changes nothing: the logits are to be divided by it."),
    "of weights": (
        "temperature_of_weights",
        "`{}` divides what softmax has given: divide the logits before it.",
    ),
    "otherwise": (
        "temperature_otherwise",
        "With `{}` tokens are not drawn by softmax(logits / temperature).",
    ),
}
FILTERS = {
    "otherwise": (
        "{}_otherwise",
        "With `{}` tokens come, or stay away, that should not: try it on a few logits.",
    ),
    "inverted": (
        "{}_inverted",
        "`{}` leaves out the likeliest tokens, and keeps the others: keep them.",
    ),
    "only one": (
        "{}_keeps_one",
        "With `{}` only the likeliest token is left: compare with the last one of the list.",
    ),
    "rest": (
        "{}_inverted",
        "`{}` leaves out the likeliest tokens, and keeps the others: keep them.",
    ),
    "zeros": (
        "{}_filled_with_zero",
        "What `{}` leaves out gets the logit 0, and exp(0) is 1, so it can still be drawn: make it -inf.",
    ),
    "places": (
        "place_in_the_{}",
        "With `{}` a place in the sorted list is returned: look up the token that stands there.",
    ),
    "unsorted": (
        "{}_unsorted",
        "What `{}` leaves out is found in the sorted list and applied to the unsorted one: bring it back "
        "into the order of the tokens first.",
    ),
    "even": ("{}_even", "With `{}` all tokens that are kept are equally likely: their logits count too."),
    "one more": ("{}_one_more", "`{}` keeps one token too many."),
    "one fewer": (
        "{}_one_fewer",
        "`{}` keeps one token too few: the token with which the number is reached is kept too.",
    ),
    "least": ("{}_least", "`{}` keeps the least likely tokens: keep the likeliest."),
    "least, with the end": ("{}_least", "`{}` keeps the least likely tokens: keep the likeliest."),
    "first ones": ("{}_unsorted", "`{}` keeps tokens by their number: sort them by their logits first."),
    "first ones, one fewer": (
        "{}_unsorted",
        "`{}` keeps tokens by their number: sort them by their logits first.",
    ),
    "own weight": (
        "{}_own_weight",
        "`{}` is compared with each token's own weight: add weights up first, from the likeliest on.",
    ),
}
MIN_P = {
    "own weight": (
        "min_p_own_weight",
        "`{}` is compared with a token's weight: compare with it times the largest weight.",
    ),
}
PLAIN = {
    "not added up": (
        "not_added_up",
        "A random number is compared with each weight alone: compare it with the sum of the weights so far.",
    ),
    "even": ("even_draw", "All tokens are drawn equally often: the logits are not used."),
    "twice": ("softmax_twice", "Softmax is taken twice before a token is drawn: once is enough."),
    "one place on": ("one_token_on", "What is returned is the token after the one that was drawn."),
    "one place back": ("one_token_back", "What is returned is the token before the one that was drawn."),
    "places": (
        "place_in_the_list",
        "A place in the sorted list is returned: look up the token that stands there.",
    ),
    "turned": ("smallest", "The smallest logit is the likeliest here: the largest one should be."),
}
SEEDED = (
    "seeded_each_step",
    "Each step draws with the same random numbers: seed once, before the loop.",
)
UNSEEDED = ("seed_ignored", "The same seed gives another text the second time: draw with what is seeded.")
TURNED_FLAG = ("flag_inverted", "`{}` works the other way round: it draws where it should not.")
