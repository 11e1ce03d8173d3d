"""Known mistakes of a loop: a sentence, and the texts that they make."""

from ..ways import Wrong
from .reference import in_total, new_alone, of_first_row, text

TOTAL = (
    "total",
    "The number counts the prompt too. Is it meant as the length of the whole text? Then say so: "
    "`interview.check(NAME, total=True)`.",
    ("prompt_counted",),
)


NEW_ONLY = (
    "new_only",
    "Only the new tokens come back, without the prompt before them. Is it meant so? Then say so: "
    "`interview.check(NAME, new_only=True)`.",
    ("prompt_not_returned",),
)
WRONGS = {
    "prompt_not_returned": Wrong(
        "Only the new tokens come back: the prompt belongs before them.", [new_alone(text())]
    ),
    "one_too_many": Wrong("It makes one token too many.", [text(extra=1)]),
    "one_too_few": Wrong("It makes one token too few.", [text(extra=-1)]),
    "one_for_none": Wrong(
        "Where 0 new tokens are asked for it makes one: look at the number before the first one is made.",
        [text(least=1)],
    ),
    "prompt_counted": Wrong(
        "The number counts the prompt too: it is that of the new tokens.",
        [text(total=True), in_total(text())],
    ),
    "only_the_last_token": Wrong(
        "The model gets only the newest token, without a cache: it has forgotten the rest.",
        [text(context="last"), text(context="new"), text(context="prompt then last")],
    ),
    "always_the_prompt": Wrong(
        "The model is given the prompt each time, and not what was made since.", [text(context="prompt")]
    ),
    "lags": Wrong(
        "The newest token is not read: the next one is chosen from logits one place too early.",
        [text(place=-2), text(context="not last")],
    ),
    "first_place": Wrong(
        "The next token is read from the logits of the first place: the last place speaks of what comes "
        "next.",
        [text(context="first")],
    ),
    "read_twice": Wrong(
        "With the cache only the newest token is handed over: here the model reads the whole text again "
        "behind what it has cached.",
        [text(context="twice")],
    ),
    "cache_not_updated": Wrong(
        "The cache stays that of the prompt: hand over the one that the last call gave back.",
        [text(context="prompt and last")],
    ),
    "prompt_end_twice": Wrong(
        "The prompt's last token is read twice: after the whole prompt the next thing to read is a new "
        "token.",
        [text(context="end of prompt twice")],
    ),
    "one_row_for_all": Wrong(
        "All rows of the batch get the token of the first row: choose one for each.", [of_first_row]
    ),
    "smallest": Wrong(
        "The smallest logit is taken: the largest one is the likeliest token.", [text(smallest=True)]
    ),
    "place_in_the_top_k": Wrong(
        "What is drawn is a place in the list of the likeliest tokens: look up the token that stands there.",
        [text(ranked=True)],
    ),
    "put_in_front": Wrong(
        "New tokens are put before the others: they belong at the end.", [text(front=True)]
    ),
    "nothing_made": Wrong("What comes back is the prompt: nothing is added to it.", [text(extra=-99)]),
}
CACHE = {
    "no_cache": Wrong(
        "The whole text is read again for each token: hand the cache back, and the newest token.", []
    )
}
END = {
    "end_ignored": Wrong("It goes on after the token of the end: stop there.", [text()]),
    "end_left_out": Wrong(
        "The token of the end is left out: it belongs to the text, as its last.",
        [text(until_end=True, keep_end=False)],
    ),
    "one_end_for_all": Wrong(
        "All texts stop as soon as one of them has ended: go on until every row has.",
        [text(until_end=True, all_stop=True)],
    ),
    "goes_on_after_end": Wrong(
        "A row that has ended goes on while others still run: fill it up with one token.",
        [text(until_end=True, goes_on=True)],
    ),
}
