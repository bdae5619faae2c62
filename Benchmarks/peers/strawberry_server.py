"""Strawberry, with its caches of parsed and validated documents and its data loaders."""

from __future__ import annotations

import strawberry
from strawberry.asgi import GraphQL
from strawberry.dataloader import DataLoader
from strawberry.extensions import ParserCache, ValidationCache
from strawberry.types import Info

import store
from loaders import Loaders

DateTime = strawberry.scalar(str, name="DateTime")


@strawberry.interface
class Node:
    id: strawberry.ID


@strawberry.interface
class Member(Node):
    name: str


@strawberry.type
class Person(Member):
    pass


@strawberry.type
class RewardLevel:
    award: str
    points: int


@strawberry.type
class Contract(Node):
    key: strawberry.Private[int]
    max_points: int

    @strawberry.field
    async def levels(self, info: Info) -> list[RewardLevel]:
        return [RewardLevel(award=award, points=points) for award, points in await info.context.levels.load(self.key)]


@strawberry.type
class Chore(Node):
    key: strawberry.Private[int]
    name: str
    priority: int
    due_at: DateTime | None = None

    @strawberry.field
    async def assignees(self, info: Info) -> list[Member]:
        members = await info.context.assignees.load(self.key)
        return [Person(id=store.text_of(key), name=name) for key, name in members]


@strawberry.type
class ChoreConnection:
    nodes: list[Chore]


@strawberry.type
class Child(Member):
    key: strawberry.Private[int]
    points: int
    agreement: strawberry.Private[tuple]

    @strawberry.field
    async def assigned_chores(self, info: Info, first: int) -> ChoreConnection:
        chores = await info.context.chores(first).load(self.key)
        return ChoreConnection(
            nodes=[
                Chore(key=key, id=store.text_of(key), name=name, priority=priority, due_at=store.instant(due))
                for key, name, priority, due in chores
            ]
        )

    @strawberry.field
    def contract(self) -> Contract | None:
        key, maximum = self.agreement
        return Contract(key=key, id=store.text_of(key), max_points=maximum) if key else None


@strawberry.type
class Family(Node):
    key: strawberry.Private[int]
    name: str

    @strawberry.field
    async def children(self, info: Info) -> list[Child]:
        return [
            Child(key=key, id=store.text_of(key), name=name, points=points, agreement=(contract, maximum))
            for key, name, points, contract, maximum in await info.context.children.load(self.key)
        ]


@strawberry.type
class Query:
    @strawberry.field
    def node(self, info: Info, id: strawberry.ID) -> Node | None:
        found = store.node(id, info.context.family)
        if not found:
            return None
        kind, key, row = found
        if kind == store.FAMILY:
            return Family(key=key, id=id, name=row[0])
        return Chore(key=key, id=id, name=row[0], priority=row[1])


schema = strawberry.Schema(
    Query, types=[Family, Child, Person, Chore, Contract], extensions=[ParserCache, ValidationCache]
)


class Server(GraphQL):
    async def get_context(self, request, response):
        return Loaders(DataLoader, store.session_of(request.headers.get("authorization")))


app = Server(schema)
