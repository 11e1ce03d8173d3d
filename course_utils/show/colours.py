"""What colours mean, in figures and cards alike.

| meaning | looks |
|---|---|
| masked | grey with a hatch; never the colour of a zero |
| weights, 0 to 1 | `WEIGHTS`: white 0, dark blue 1, one scale for all |
| scores, and other numbers with a sign | `SIGNED`: purple below 0, white 0, green above |
| look here: a leak, a wrong entry, the row in focus | `EMPHASIS`, which means nothing else |
| the place where a query meets its own key | a thin dark line around it |
| bands and heads | `HEADS`, always with a name next to the colour |
"""

OPEN, MASKED, HATCH = "#FFFFFF", "#CFCFCF", "#9A9A9A"
WEIGHTS, SIGNED = "Blues", "PRGn"
EMPHASIS = "#D55E00"
INK = "#111111"  # text on a coloured cell, the same in every theme; other text follows the theme
OLD, NEW, COMPUTED = "#CFE8F7", "#FBE3B0", "#7A5C00"  # cached keys, new keys, and what a step computes

# Okabe and Ito's colours, which most colour-blind readers tell apart; their vermilion is EMPHASIS.
HEADS = ["#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#0072B2", "#8C510A", "#999999"]
LINES = ["#0072B2", "#009E73", "#A6611A", "#AA4499", "#777777", "#CC6677"]  # visible on white and on black

MASKED_CSS = f"background:repeating-linear-gradient(135deg,{MASKED} 0px 3px,{HATCH} 3px 4px);color:{INK}"


def readable(colour, *, of="color"):
    """The CSS of a text colour, mixed with the theme's own so that it is readable on light and dark.

    A browser without color-mix uses the first of the two declarations.
    """
    return f"{of}:{colour};{of}:color-mix(in srgb,{colour} 62%,currentColor)"
