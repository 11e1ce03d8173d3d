"""A program that has none of a part's forms: what to say about it, and the line that adapts it."""

from course_utils.observe.trial import in_words

from .form import head_of
from .program import LEFT_ALONE, WEIGHTS, fit
from .texts import text

CHECK = "interview.check({})"


def sentence(forms, program):
    """What the program has in place of a form's names."""
    form, own = nearest(forms, program), ", ".join(program.parameters)
    if not form.is_class or program.layer(form) is None:
        if program.error and fit(program.parameters, form.parameters, form.used):
            return text("no_layer", program.name, own, ": ".join(in_words(program.error)))
        return text("no_form", program.name, own)
    forward, listed = program.forward(form), form.signatures["forward"]
    if len(forward) < len(listed.keys() & form.used):
        return text("few_arguments", f"{program.name}.forward", ", ".join(forward), ", ".join(listed))
    layers = ", ".join(program.linear_layers(form))
    words = text("with_layers", layers) if layers else text("without_layers")
    return text("no_form_class", program.name, own, ", ".join(forward), words)


def nearest(forms, program):
    """The first form of the program's kind that shares most names with it, those of forward first."""
    fits = any(form.is_class and fit(program.parameters, form.parameters, form.used) for form in forms)
    makes_layer = program.is_class or program.is_adapted or fits
    alike = [form for form in forms if form.is_class == makes_layer] or forms

    def shared(form):
        same = form.is_class and form.signatures["forward"].keys() == program.forward(form).keys()
        return same, len(program.parameters.keys() & form.parameters.keys())

    return max(alike, key=shared)


def line(forms, program):
    """The line that adapts a program, with dots where the names do not say what is meant."""
    form = nearest(forms, program)
    head = head_of({name: value for name, value in form.parameters.items() if name in form.used})
    call = f"{program.name}({arguments(program, form)})"
    if not form.is_class:
        return CHECK.format(f"lambda {head}: {call}{'(...)' * program.is_class}")
    whole = program.is_class and fit(program.parameters, form.parameters, form.used)
    makes = program.name if whole else f"lambda {head}: {call}"
    own = program.linear_layers(form)
    layers = ", ".join(f'"{weight}": "{layer_for(weight, forms, own)}"' for weight in WEIGHTS)
    return CHECK.format(f"{makes},\n    layers={{{layers}}}" if form.layers else makes)


def arguments(program, form):
    """The arguments of a call in the line, by name: a form's value where the names are equal, else dots."""
    words = []
    for name, parameter in program.parameters.items():
        if name in form.parameters and name in form.used:
            words.append(f"{name}={name}")
        elif parameter.default is parameter.empty or name not in (*LEFT_ALONE, *form.parameters):
            words.append(f"{name}=...")
    return ", ".join(words)


def layer_for(weight, forms, own):
    """The program's layer whose name a stub gives to this weight; dots if there is none."""
    return next((form.layers[weight] for form in forms if form.layers.get(weight) in own), "...")
