"""Ariadne. Its guide recommends to cache parsed documents, which also are validated once here."""

from functools import cache
from pathlib import Path

from ariadne import InterfaceType, ObjectType, make_executable_schema
from ariadne.asgi import GraphQL
from graphql import parse, validate

import resolvers

types = []
for type_name, fields in resolvers.FIELDS.items():
    type = ObjectType(type_name)
    for name, resolve in fields.items():
        type.set_field(name, resolve)
    types.append(type)
schema = make_executable_schema(
    (Path(__file__).parent / "types.graphql").read_text(),
    *types,
    InterfaceType("Node", resolvers.type_of_node),
    InterfaceType("Member", resolvers.type_of_member),
)


@cache
def parsed(text: str):
    return parse(text)


@cache
def errors_of(document) -> tuple:
    return tuple(validate(schema, document))


def context(request, *_):
    return resolvers.context(request.headers.get("authorization"))


app = GraphQL(
    schema,
    context_value=context,
    query_parser=lambda context, data: parsed(data["query"]),
    query_validator=lambda schema, document, *_, **__: list(errors_of(document)),
)
