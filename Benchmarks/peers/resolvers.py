"""What the schema-first peers resolve, with one data loader for each list."""

from aiodataloader import DataLoader

import store
from loaders import Loaders


def context(authorization):
    """The context of one request."""
    return Loaders(DataLoader, store.session_of(authorization))


def node(_, info, id):
    found = store.node(id, info.context.family)
    if not found:
        return None
    kind, key, row = found
    if kind == store.FAMILY:
        return {"__typename": "Family", "key": key, "id": id, "name": row[0]}
    return {"__typename": "Chore", "key": key, "id": id, "name": row[0], "priority": row[1]}


async def children(family, info):
    return [
        {"key": key, "id": store.text_of(key), "name": name, "points": points, "agreement": (contract, maximum)}
        for key, name, points, contract, maximum in await info.context.children.load(family["key"])
    ]


async def assigned_chores(child, info, first):
    return {
        "nodes": [
            {"key": key, "id": store.text_of(key), "name": name, "priority": priority, "dueAt": store.instant(due)}
            for key, name, priority, due in await info.context.chores(first).load(child["key"])
        ]
    }


def contract(child, info):
    key, maximum = child["agreement"]
    return {"key": key, "id": store.text_of(key), "maxPoints": maximum} if key else None


async def assignees(chore, info):
    return [{"id": store.text_of(key), "name": name} for key, name in await info.context.assignees.load(chore["key"])]


async def levels(contract, info):
    return [{"award": award, "points": points} for award, points in await info.context.levels.load(contract["key"])]


def type_of_node(value, *_):
    return value["__typename"]


def type_of_member(value, *_):
    # The same fields are selected of both types.
    return "Person"


FIELDS = {
    "Query": {"node": node},
    "Family": {"children": children},
    "Child": {"assignedChores": assigned_chores, "contract": contract},
    "Chore": {"assignees": assignees},
    "Contract": {"levels": levels},
}
