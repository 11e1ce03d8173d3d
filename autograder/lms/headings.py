"""The headings of a CSV file -> what its columns hold, as Canvas, Moodle and nbgrader name them."""

import re

from .names import exact

CANVAS_NUMBER = "canvas"
MEANINGS = {
    "id": ("id", "student_id", "student id", "studentid", "student number", "user id"),
    "username": (
        "username", "user name", "login", "anmeldename", "benutzername", "nom d'utilisateur",
        "nombre de usuario", "nome utente", "gebruikersnaam", "usuário",
    ),
    "number": (
        "id number", "id-nummer", "idnumber", "matrikelnummer", "numéro d'identification", "número de id",
        "codice identificativo", "id-nummer", "número de identificação",
    ),
    "first": (
        "first name", "first_name", "firstname", "given name", "vorname", "prénom", "nombre", "nome",
        "voornaam",
    ),
    "last": (
        "last name", "last_name", "lastname", "surname", "family name", "nachname", "nom", "nom de famille",
        "apellido(s)", "apellidos", "cognome", "sobrenome", "achternaam",
    ),
    "name": (
        "name", "student", "student name", "full name", "vollständiger name", "nom complet",
        "nombre completo", "nome completo", "volledige naam",
    ),
    "mail": (
        "email", "e-mail", "mail", "email address", "e-mail address", "mail address", "e-mail-adresse",
        "adresse de courriel", "dirección de correo", "dirección email", "correo electrónico",
        "indirizzo email", "e-mailadres", "endereço de email",
    ),
    "lms": ("lms_user_id", "lms id", "canvas id", "canvas user id"),
    "login": ("sis login id",),
    "sis": ("sis user id",),
    "section": ("section",),
    "participant": ("identifier",),
    "grade": ("grade", "bewertung", "note", "calificación", "valutazione", "nota", "cijfer"),
    "most": (
        "maximum grade", "bestwertung", "höchstbewertung", "note maximale", "calificación máxima",
        "valutazione massima", "nota máxima",
    ),
}  # fmt: skip
PARTICIPANT = re.compile(r"[^\W\d]\D*[\s/]\D*?(\d+)")  # Participant 12, Teilnehmer/in 12


def columns_of(rows):
    """{meaning: number of the column} of a table's rows, its heading first."""
    heading = [exact(text).strip() for text in rows[0]]
    found = {}
    for meaning, texts in MEANINGS.items():
        known = {exact(text) for text in texts}
        at = next((n for n, text in enumerate(heading) if text in known), None)
        if at is not None:
            found[meaning] = at
    if "section" in found and "id" in found and ("name" in found or {"first", "last"} <= found.keys()):
        found["lms"] = found.pop("id")  # Canvas' "ID" is its own number of the student
        found[CANVAS_NUMBER] = found["lms"]
    return by_content(rows[1:], found, len(heading))


def by_content(rows, found, width):
    """Columns that are known by what stands in them, whatever the language of the heading."""
    taken = set(found.values())
    for number in range(width):
        texts = [row[number].strip() for row in rows if number < len(row) and row[number].strip()]
        if number in taken and number != found.get("id") or not texts:
            continue
        if "participant" not in found and all(map(PARTICIPANT.fullmatch, texts)) and alike(texts):
            found["participant"] = number
            found.pop("id", None) if found.get("id") == number else None
        elif "mail" not in found and all("@" in text for text in texts):
            found["mail"] = number
    return found


def alike(texts):
    """Do all have the same word before their number, each another number?"""
    before = {re.sub(r"\d+$", "", text) for text in texts}
    return len(before) == 1 and len(set(texts)) == len(texts)


def participant_in(text):
    """Moodle's number in a cell such as Participant 123456."""
    found = PARTICIPANT.fullmatch(text.strip())
    return found[1] if found else ""
