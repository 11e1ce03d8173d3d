"""Exercise: what an author declares in one file (reference, cases, mistakes, hints), and the sheet made of
it."""

import inspect
import re
from typing import NamedTuple

import numpy as np
import torch

from autograder.refused import AuthorError
from course_utils.compare.tolerance import is_close, sketch_of, tolerance_of
from course_utils.model.case import RAISED, Contract
from course_utils.model.sheet import CORE, PROBES, Mistake, Sheet, Wanted
from course_utils.observe.probe import observe

from . import shared_mistakes
from .seeds import VISIBLE
from .slips import check_known, check_mistake, check_table, checked_case, slip_in

CORE_SHARE = CORE  # change it here for the whole course, or give core= to one exercise; then `make notebooks`


class KnownMistake(NamedTuple):
    """A name, the sentence the student reads, and wrong implementations that show it."""

    name: str
    sentence: str
    implementations: tuple


class Exercise:
    """An exercise as its author declares it. Name, signature and methods are taken from the reference.

    returns: {result name: its axes}, in order. points: of a full mark. hints: from a question to nearly the
    answer, one text with an empty line between two of them; indented lines are code. uses: earlier exercises
    that an answer may call; where one of them is wrong, the card says so.
    core: the share of the points that the core cases pay together, CORE_SHARE when None. weights:
    {edge case, or "probes": number}, how much each counts in the rest; 1 where none is named.

    How an answer is called, and what it gives:
    kind: "answer" for a value that answers a question; function, module and object are seen from the
        reference.
    container: what holds the results: "one" (nothing does), "tuple", "sequence" (a tuple, or one tensor
        whose first axis counts them), "dict", or "none" (none is returned).
    library: "torch", "numpy" (arguments and results are arrays) or "int" (results are whole numbers).
    floors: {result name: number}; entries at or below it count as -inf (any low enough fill is right).
    views: True when every call hands out views of one memory.
    copies: True when no result may lie in the memory of an argument.

    What is graded beside the values:
    probes: False for values alone: no second call, and none of the next three.
    gradients: False where gradients at arguments and weights do not count. gradient_results: the results
        whose gradients do (None: all).
    devices: False where an answer may make a tensor on the CPU beside arguments on another device. An
        exercise without tensor arguments needs an edge case with device="meta" for that.
    narrow: the dtypes that are tried beside float64; () for none.
    """

    def __init__(self, returns, *, points=2, hints="", uses=(), core=None, weights=(), **contract):
        self.returns, self.settings = returns, contract
        self.core, self.weights = CORE_SHARE if core is None else core, dict(weights)
        self.points, self.hints, self.uses = float(points), hints_of(hints), list(uses)
        self.name, self.draws, self.mistakes = "", [], []

    def reference(self, implementation):
        """Decorator: the independent oracle, a function or a class that is named and called as the
        student's."""
        self.implementation, self.name = implementation, implementation.__name__
        self.file = inspect.getfile(implementation)
        self.contract = Contract(
            self.name,
            self.settings.pop("kind", kind_of(implementation)),
            signatures_of(implementation),
            self.returns,
            **self.settings,
        )
        return implementation

    def complete(self, name="an exercise"):
        """This exercise, once it has a reference."""
        if not self.name:
            text = f"{name} has no reference: decorate the right function or class with @ex.reference"
            raise AuthorError(text)
        edges = [name for name, _, edge in self.draws if edge] + [PROBES]
        for edge in self.weights.keys() - edges:
            text = f"names {edge}, which is no edge case: it has {', '.join(edges)}"
            raise AuthorError(f"weights of {self.name} {text}")
        for edge, weight in self.weights.items():
            if type(weight) not in (int, float) or not 0 < weight < 1000:
                text = f"is {weight!r}: give a number above 0"
                raise AuthorError(f"the weight of {edge} in {self.name} {text}")
        if type(self.core) not in (int, float) or not 0 <= self.core <= 1:
            raise AuthorError(f"core of {self.name} is {self.core!r}: give a share from 0 to 1")
        return self

    def case(self, draw=None, /, **draws):
        """Core cases, each drawn from a NumPy Generator g: a decorator, or name=lambda g: ... for short
        ones."""
        return self.add_cases(draw, draws, edge=False)

    def edge(self, draw=None, /, **draws):
        """Edge cases, declared as core cases are; each pays its share only when all core cases are right."""
        return self.add_cases(draw, draws, edge=True)

    def add_cases(self, draw, draws, edge):
        functions = {draw.__name__: draw} if draw else draws
        self.draws += [(name, function, edge) for name, function in functions.items()]
        return draw

    def mistake(self, wrong):
        """Decorator: a wrong function or class, named as the mistake; students read its docstring."""
        self.add_mistake(name_of(wrong), sentence_of(wrong), [wrong])
        return wrong

    def wrong(self, *table):
        """Mistakes as a table: "name: the sentence that the student reads", then its wrong implementations.

        A bare name stands for a mistake declared above or in shared_mistakes, and adds to it. Only the first
        implementation is needed; another one has to catch other programs.
        """
        for heading, wrong in shared_mistakes.by_heading(table):
            check_table(self, heading, wrong)
            name, colon, sentence = heading.partition(": ")
            self.add_mistake(name, sentence if colon else self.known_sentence(name), wrong)

    def shared(self, make, *names, without=()):
        """Mistakes of the pipeline, by their names in shared_mistakes; make(**switches) gives an
        implementation."""
        for name in names:
            check_known(self, name, shared_mistakes.ALL)
        for name in names:
            for sentence, ways in shared_mistakes.ALL[name] if name not in without else ():
                self.add_mistake(name, sentence, [make(**switches) for switches in ways])

    def add_mistake(self, name, sentence, implementations):
        self.mistakes.append(KnownMistake(name, sentence, tuple(implementations)))

    def known_sentence(self, name):
        """The sentence of a mistake declared above, or in shared_mistakes."""
        sentences = {name: entries[0][0] for name, entries in shared_mistakes.ALL.items()}
        sentences |= {mistake.name: mistake.sentence for mistake in reversed(self.mistakes)}
        check_known(self, name, sentences)
        return sentences[name]

    def cases(self, seed):
        """All cases, drawn for this seed."""
        cases = []
        for place, (name, draw, edge) in enumerate(self.complete().draws):
            try:
                case = draw(np.random.default_rng([seed, place]))
            except Exception as error:
                raise slip_in(self.file, error, f"the case {name} of {self.name}") from error
            cases.append(checked_case(self, name, case).but(name=name, edge=edge))
        return cases

    def sheet(self, seed=VISIBLE, with_mistakes=True):
        """The cases of this seed with what is wanted of them, and what each known mistake gives on them.

        An author's slip is an AuthorError: one sentence that names the exercise and the case or mistake.
        """
        cases = self.cases(seed)
        wanted = [self.wanted(case) for case in cases]
        entries = self.mistakes if with_mistakes else ()
        mistakes = [mistake for entry in entries for mistake in self.sketched(entry, cases, wanted)]
        about = self.hints, self.uses, self.core, self.weights
        return Sheet(self.contract, self.points, cases, wanted, mistakes, *about)

    def sketched(self, entry, cases, wanted):
        """One Mistake for each implementation whose results differ from those of the ones before it."""
        distinct = []
        for implementation in entry.implementations:
            differences = [self.difference(implementation, *pair) for pair in zip(cases, wanted, strict=True)]
            check_mistake(self, entry, implementation, cases, differences)
            if differences not in distinct:
                distinct.append(differences)
        return [Mistake(entry.name, entry.sentence, differences) for differences in distinct]

    def wanted(self, case):
        """What the reference gives in this case."""
        errors, about = [], f"the reference of {self.name} in its case {case.name}"
        observation = observe(self.implementation, case, self.contract, on_error=errors.append)
        if errors:
            raise slip_in(self.file, errors[0], about)
        if observation.problem or isinstance(observation.gradients, str):
            fault = observation.problem[1] if observation.problem else observation.gradients
            raise AuthorError(f"{about}: {fault}")
        values = {fact: rounded(value) for fact, value in observation.values.items()}
        gradients = {
            fact: None if g is None else sketch_of(g) for fact, g in (observation.gradients or {}).items()
        }
        devices = {fact: device for fact, device in observation.where.items() if device != "cpu"}
        return Wanted(values, gradients or None, devices)

    def difference(self, implementation, case, right):
        """What the implementation gives where it is not the wanted result."""
        observation = observe(implementation, case, self.contract, probes=False)
        if observation.problem or observation.raised:
            return {RAISED: observation.problem or observation.raised}
        tolerance, values = tolerance_of(case, self.contract), right.values
        return {
            f: sketch_of(v)
            for f, v in observation.values.items()
            if not is_close(v, values.get(f), tolerance)
        }


def rounded(value):
    """Numbers as they are published, so that visible and hidden grading compare with the same precision."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return (value.double() * 1e8).round() / 1e8
    return value


def hints_of(text):
    """The paragraphs of a text; lines that are indented are code, and stay as they are."""
    if not text:
        return []
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(text))
    return [inspect.cleandoc("\n" + re.sub(r"\n(?! )", " ", paragraph)) for paragraph in paragraphs]


def kind_of(reference):
    """function, module or object; an answer to a question is declared: kind="answer"."""
    if not isinstance(reference, type):
        return "function"
    return "module" if issubclass(reference, torch.nn.Module) else "object"


def signatures_of(reference):
    """{"": signature of the function or constructor, method name: its signature}, as in
    course_utils.model.case.Contract."""
    signatures = {"": reference.__name__ + str(inspect.signature(reference))}
    if isinstance(reference, type):
        methods = {
            name: m for name, m in vars(reference).items() if inspect.isfunction(m) and name[:2] != "__"
        }
        signatures |= {name: name + without_self(inspect.signature(m)) for name, m in methods.items()}
    return signatures


def without_self(signature):
    return str(signature.replace(parameters=list(signature.parameters.values())[1:]))


def sentence_of(wrong):
    if not wrong.__doc__:
        text = f"the mistake {wrong.__name__} has no docstring: it is the sentence that students read"
        raise AuthorError(text)
    return " ".join(wrong.__doc__.split())


def name_of(wrong):
    """A function's name as it is; of a class KeptBeforeSplit: kept_before_split."""
    name = wrong.__name__
    return re.sub(r"(?<=.)(?=[A-Z])", "_", name).lower() if isinstance(wrong, type) else name
