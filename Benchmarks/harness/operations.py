"""The operations that are measured, as the bodies that are sent."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

DOCUMENTS = Path(__file__).parent.parent / "operations"

# In this order: the mutation comes last, since it makes the families' tables grow.
NAMES = ["typename", "chore", "dashboard", "add-chore"]
# The same requests as `dashboard`, of a server that keeps responses.
AGAIN = "dashboard-again"


@dataclass
class Family:
    """A signed-in parent's token, and the ids that it can access."""

    token: str
    id: str
    chores: list[str]


def body(name: str, variables: dict | None = None) -> str:
    """The floor compares documents instead of parsing them, so both sides are sent exactly these bytes."""
    request = {"query": (DOCUMENTS / f"{name}.graphql").read_text().strip()}
    if variables:
        request["variables"] = variables
    return json.dumps(request, separators=(",", ":"))


def requests(name: str, families: list[Family]) -> list[tuple[str, str]]:
    """Different requests of an operation, each a token (empty for none) and a body."""
    match name:
        case "typename":
            return [("", body(name))]
        case "chore":
            return [(family.token, body(name, {"id": chore})) for family in families for chore in family.chores]
        case "dashboard" | "dashboard-again":
            return [(family.token, body("dashboard", {"id": family.id})) for family in families]
        case "add-chore":
            dice = random.Random(1)
            return [(family.token, body(name, {"input": chore(dice)})) for family in families for _ in range(8)]
    raise ValueError(name)


def chore(dice: random.Random) -> dict:
    due_at = f"2027-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}T{dice.randint(0, 23):02}:{dice.randint(0, 59):02}:00Z"
    name = f"{dice.choice(['Wash', 'Dry', 'Sort', 'Fetch'])} the {dice.choice(['dishes', 'laundry', 'toys', 'apples'])}"
    return {"name": name, "priority": dice.randint(1, 10), "dueAt": due_at, "assigneeIds": []}
