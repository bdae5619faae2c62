"""Signs in, and determines the ids for the requests."""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from harness.operations import Family, body
from harness.subject import Failure, Subject

SIGN_IN = (
    'mutation {{ signIn(input: {{email: "parent{number}@example.com", password: "benchmark-password"}})'
    " {{ credentials {{ accessToken }} }} }}"
)


def sign_in(server: Subject, numbers: Iterable[int]) -> list[Family]:
    """The families of these numbers, each with the token of its parent."""
    families = []
    for number in numbers:
        data = ask(server, SIGN_IN.format(number=number))
        try:
            token = data["signIn"]["credentials"]["accessToken"]
        except TypeError:
            raise Failure(f"parent{number}@example.com cannot sign in: {json.dumps(data)}") from None
        family = ask(server, "{ family { id } }", token)["family"]["id"]
        families.append(Family(token, family, chores_of(server, token, family)))
    return families


def chores_of(subject: Subject, token: str, family: str) -> list[str]:
    """The chores on a family's dashboard, each once."""
    status, _, answer = subject.ask(body("dashboard", {"id": family}), token)
    if status != 200:
        raise Failure(f"{subject.name} answers the dashboard with {status}: {answer[:500]!r}")
    children = json.loads(answer)["data"]["family"]["children"]
    return list(dict.fromkeys(chore["id"] for child in children for chore in child["assignedChores"]["nodes"]))


def ask(server: Subject, document: str, token: str = "") -> dict:
    status, _, answer = server.ask(json.dumps({"query": document}), token)
    result = json.loads(answer)
    if status != 200 or result.get("errors"):
        raise Failure(f"{server.name} answers {document!r} with {status}: {answer[:500]!r}")
    return result["data"]


def write_sessions(path: Path, data: Path, families: list[Family]):
    """The sessions as the floor reads them: `token<TAB>family's key`. Families are in the order in which they were made."""
    database = sqlite3.connect(f"file:{data}/hearth.db?mode=ro", uri=True)
    keys = [key for (key,) in database.execute("SELECT id FROM family ORDER BY id LIMIT ?", (len(families),))]
    database.close()
    path.write_text("".join(f"{family.token}\t{key}\n" for family, key in zip(families, keys, strict=True)))
