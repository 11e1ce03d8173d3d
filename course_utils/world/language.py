"""A small language of animals: its words, random sentences, and what is right after *and*.

In *the small dog slept near the cat loudly and barked .* the word after *and* depends on who (the dog,
although the cat is nearer) and on how (loudly; a dog that does something quietly *whined*).
"""

import random

SOUNDS = {  # {animal: its quiet sound, its loud sound}
    "cat": ("purred", "hissed"),
    "dog": ("whined", "barked"),
    "bird": ("chirped", "screeched"),
    "cow": ("hummed", "mooed"),
    "horse": ("snorted", "neighed"),
    "lion": ("rumbled", "roared"),
}
ADJECTIVES = ["small", "old", "black", "hungry"]
ACTIONS = ["sat", "ran", "slept", "ate", "jumped", "waited"]
ADVERBS = {"quietly": 0, "happily": 0, "loudly": 1, "angrily": 1}  # {adverb: which of the two sounds}
ANIMAL_OF = {sound: animal for animal, sounds in SOUNDS.items() for sound in sounds}
MOOD_OF = {sound: mood for sounds in SOUNDS.values() for mood, sound in enumerate(sounds)}
WITHOUT_ADVERBS = [
    "the",
    *SOUNDS,
    *ADJECTIVES,
    *ACTIONS,
    "near",
    "and",
    ".",
    *(s for s, _ in SOUNDS.values()),
]
ALL_WORDS = [*WITHOUT_ADVERBS, *ADVERBS, *(loud for _, loud in SOUNDS.values())]
LONGEST = 19  # the most words that a sentence can have


class NotASentence(ValueError):
    """A typed sentence that a model cannot read: notebooks show the message and no traceback."""

    def _render_traceback_(self):
        return [str(self)]


def split_words(text):
    """Split a typed sentence into lower-case words; a full stop is a word of its own."""
    return text.lower().replace(".", " . ").split()


def sentences(count, seed, adverbs=True):
    """Draw `count` random sentences, each a list of words; equal seeds draw equal ones on every computer.

    adverbs: without them, each animal makes its quiet sound.
    """
    chance = random.Random(seed)
    return [draw_sentence(chance, adverbs) for _ in range(count)]


def draw_sentence(chance, adverbs):
    """Draw one sentence: an animal, an action, up to two places, in most sentences an adverb (before the
    action, after it, or last), and the sound; without an adverb, both sounds are equally likely."""
    subject, action = draw_animal(chance), chance.choice(ACTIONS)
    words, mood = [*subject, action], chance.randrange(2) * adverbs
    for _ in range(chance.choice([0, 1, 1, 2])):
        words += ["near", *draw_animal(chance)]
    if adverbs and chance.random() < 0.85:
        adverb, place = chance.choice([*ADVERBS]), len(subject)
        words.insert(chance.choice([place, place + 1, len(words), len(words)]), adverb)
        mood = ADVERBS[adverb]
    return [*words, "and", SOUNDS[subject[-1]][mood], "."]


def draw_animal(chance):
    """Draw an animal with up to two adjectives, in one case of ten without *the*."""
    the = [] if chance.random() < 0.1 else ["the"]
    return [*the, *chance.sample(ADJECTIVES, chance.choice([0, 0, 1, 2])), chance.choice([*SOUNDS])]


def places(words):
    """Find what each query should look at: {"who": the subject's place, "how": the adverb's}, a list with an
    entry for each word. It is None but at *and*, the only word whose successor these two determine."""
    subject = next((i for i, word in enumerate(words) if word in SOUNDS), None)
    adverb = next((i for i, word in enumerate(words) if word in ADVERBS), None)
    return {
        name: [place if word == "and" else None for word in words]
        for name, place in (("who", subject), ("how", adverb))
    }
