"""The vocabulary of a checkpoint: a folder goes in, an object with encode and decode comes out."""

TOKENIZER = "tokenizer.json"


class Numbers:
    """Where there is no tokenizer, a text is the tokens' numbers with spaces between them."""

    def encode(self, text):
        try:
            return [int(word) for word in text.split()]
        except ValueError:
            raise ValueError(
                f"Without {TOKENIZER}, or the library tokenizers that reads it, a text is numbers, "
                f'such as "464 3797", and not as {text!r}.'
            ) from None

    def decode(self, numbers):
        return " ".join(str(number) for number in numbers)


class Words:
    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    def encode(self, text):
        return self.tokenizer.encode(text).ids

    def decode(self, numbers):
        return self.tokenizer.decode(numbers, skip_special_tokens=False)


def read_vocabulary(folder):
    try:
        from tokenizers import Tokenizer
    except ModuleNotFoundError:
        return Numbers()
    path = folder / TOKENIZER
    return Words(Tokenizer.from_file(str(path))) if path.is_file() else Numbers()
