"""A gateway over two subgraphs: Hearth, and one of photos, which Ariadne makes in this process.

    python3 gateway.py URL TOKEN CHORE CHILD HIDDEN

CHORE and CHILD are ids of objects that the caller may see, HIDDEN is that of a chore that they may not. The schemas are composed by
those rules of Federation 2 that they need, and queries over both are executed as a gateway does it. Prints "ok".
"""
import json, sys, urllib.request
from dataclasses import dataclass, field

import ariadne
from ariadne.contrib.federation import FederatedObjectType, make_federated_schema
from graphql import (
    GraphQLSchema, OperationType, build_ast_schema, get_named_type, is_composite_type, parse, print_ast, validate, validate_schema,
)
from graphql.language import (
    DirectiveDefinitionNode, DocumentNode, FieldNode, InlineFragmentNode, ObjectTypeDefinitionNode, REMOVE,
    SchemaDefinitionNode, SchemaExtensionNode, Visitor, visit,
)

URL, TOKEN, CHORE, CHILD, HIDDEN = sys.argv[1:]

PHOTOS = """
extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])

type Query {
  photos: PhotoConnection!
}
type PhotoConnection {
  nodes: [Photo!]!
  pageInfo: PageInfo!
}
type Photo @key(fields: "id") {
  id: ID!
  caption: String!
  chore: Chore
  child: Child
}
type Chore @key(fields: "id") {
  id: ID!
  photos: [Photo!]!
}
type Child @key(fields: "id", resolvable: false) {
  id: ID!
}
type PageInfo @shareable {
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
  endCursor: String
}
"""
ROWS = [
    {"id": "1", "caption": "Before", "chore": {"id": CHORE}, "child": {"id": CHILD}},
    {"id": "2", "caption": "After", "chore": {"id": CHORE}, "child": None},
    {"id": "3", "caption": "Elsewhere", "chore": {"id": HIDDEN}, "child": None},
    {"id": "4", "caption": "Gone", "chore": {"id": "unknown"}, "child": None},
]


class CompositionError(Exception):
    pass


# The subgraphs

def ask_hearth(query, variables=None):
    body = json.dumps({"query": query, "variables": variables or {}}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Authorization": f"Bearer {TOKEN}"}
    with urllib.request.urlopen(urllib.request.Request(URL, body, headers)) as response:
        return json.load(response)


def photos_subgraph():
    page = {"hasNextPage": False, "hasPreviousPage": False, "startCursor": None, "endCursor": None}
    query, chore = ariadne.QueryType(), FederatedObjectType("Chore")
    query.set_field("photos", lambda *_: {"nodes": ROWS, "pageInfo": page})
    chore.set_field("photos", lambda chore, _: [row for row in ROWS if row["chore"]["id"] == chore["id"]])
    schema = make_federated_schema(PHOTOS, query, chore)
    return lambda query, variables=None: ariadne.graphql_sync(schema, {"query": query, "variables": variables})[1]


# Composition

class WithoutDirectives(Visitor):
    def enter_directive(self, node, *_):
        return REMOVE


def directives(node):
    return {directive.name.value: directive for directive in node.directives}


def definitions(sdl):
    """The types of a subgraph by name. Ariadne reads the text with the directives as Federation defines them."""
    make_federated_schema(sdl)
    return {
        node.name.value: node for node in parse(sdl).definitions
        if not isinstance(node, (SchemaDefinitionNode, SchemaExtensionNode, DirectiveDefinitionNode))
    }


def compose(subgraphs: dict[str, str]) -> tuple[GraphQLSchema, dict[str, set]]:
    """The schema for clients, and the fields (type, field) of each subgraph."""
    types = {graph: definitions(sdl) for graph, sdl in subgraphs.items()}
    fields = {graph: {
        (name, field.name.value)
        for name, node in own.items() if isinstance(node, ObjectTypeDefinitionNode) for field in node.fields
    } for graph, own in types.items()}
    merged = []
    for name in dict.fromkeys(name for own in types.values() for name in own):
        nodes = [own[name] for own in types.values() if name in own]
        if len(nodes) > 1 and not all(isinstance(node, ObjectTypeDefinitionNode) for node in nodes):
            raise CompositionError(f"{name} is defined several times")
        merged.append(visit(merge(name, nodes) if len(nodes) > 1 else nodes[0], WithoutDirectives()))
    schema = build_ast_schema(DocumentNode(definitions=tuple(merged)))
    assert validate_schema(schema) == [], validate_schema(schema)
    return schema, fields


def merge(name, nodes):
    """An object type of several subgraphs. A field of several must be shareable in each, or be its key."""
    found = {}
    for node in nodes:
        own = directives(node)
        key = own["key"].arguments[0].value.value if "key" in own else None
        for one in node.fields:
            former = found.get(one.name.value)
            is_shared = "shareable" in own or "shareable" in directives(one) or one.name.value == key
            if former is not None:
                if not (is_shared and former[1]):
                    raise CompositionError(f"Non-shareable field {name}.{one.name.value} is resolved from several subgraphs")
                if print_ast(former[0].type) != print_ast(one.type):
                    raise CompositionError(f"{name}.{one.name.value} has several types")
            found.setdefault(one.name.value, (one, is_shared))
    interfaces = {one.name.value: one for node in nodes for one in node.interfaces}
    return ObjectTypeDefinitionNode(
        name=nodes[0].name, description=nodes[0].description, interfaces=tuple(interfaces.values()), directives=(),
        fields=tuple(one for one, _ in found.values()),
    )


# Execution

@dataclass
class Rest:
    """Fields that other subgraphs have, of the objects of a type at a path."""

    path: tuple
    type: str
    fields: list


@dataclass
class Gateway:
    schema: GraphQLSchema
    fields: dict
    ask: dict
    #: Each request that was sent to a subgraph.
    sent: list = field(default_factory=list)

    def execute(self, text):
        document = parse(text)
        assert validate(self.schema, document) == []
        [operation] = document.definitions
        assert operation.operation == OperationType.QUERY
        data = {}
        for graph in self.ask:
            own, rest = self.split(graph, "Query", operation.selection_set.selections, ())
            own = [one for one in own if one != "__typename"]
            if own:
                data |= self.send(graph, "{ " + " ".join(own) + " }")
                self.load(data, [one for one in rest if one.path])
        return self.completed(operation.selection_set.selections, data)

    def split(self, graph, type_name, selections, path):
        """What one subgraph is asked for, as text, and the rest."""
        own, others, rest = ["__typename"], [], []
        for one in selections:
            if isinstance(one, InlineFragmentNode):
                named = one.type_condition.name.value
                inner, further = self.split(graph, named, one.selection_set.selections, path)
                own.append(f"... on {named} {{ {' '.join(inner)} }}")
                rest += further
            elif one.name.value == "__typename" or (type_name, one.name.value) in self.fields[graph]:
                inner_type = self.type_of(type_name, one)
                text = print_ast(FieldNode(alias=one.alias, name=one.name, arguments=one.arguments, directives=one.directives))
                if one.selection_set:
                    inner, further = self.split(graph, inner_type, one.selection_set.selections, (*path, key(one)))
                    text += f" {{ {' '.join(inner)} }}"
                    rest += further
                own.append(text)
            else:
                others.append(one)
        if others and type_name != "Query":
            own.append("id")
            rest.append(Rest(path, type_name, others))
        return own, rest

    def type_of(self, type_name, one):
        parent = self.schema.type_map[type_name]
        found = parent.fields.get(one.name.value)
        return get_named_type(found.type).name if found and is_composite_type(get_named_type(found.type)) else None

    def load(self, data, rest):
        """Fetches the rest, one request for each subgraph and place, and writes it into the data."""
        for one in rest:
            objects = [value for value in at(data, one.path) if value["__typename"] == one.type]
            for graph in self.ask:
                wanted = [each for each in one.fields if (one.type, each.name.value) in self.fields[graph]]
                if not wanted or not objects:
                    continue
                own, further = self.split(graph, one.type, wanted, ())
                query = f"query ($of: [_Any!]!) {{ _entities(representations: $of) {{ ... on {one.type} {{ {' '.join(own)} }} }} }}"
                of = [{"__typename": one.type, "id": value["id"]} for value in objects]
                found = self.send(graph, query, {"of": of})["_entities"]
                assert len(found) == len(objects)
                for value, entity in zip(objects, found):
                    value |= entity or {key(each): None for each in wanted}
                self.load([value for value, entity in zip(objects, found) if entity], further)

    def send(self, graph, query, variables=None):
        self.sent.append((graph, query))
        answer = self.ask[graph](query, variables)
        assert "errors" not in answer, answer
        return answer["data"]

    def completed(self, selections, data):
        """The members that the client asked for."""
        if not isinstance(data, dict):
            return [self.completed(selections, one) for one in data] if isinstance(data, list) else data
        found = {}
        for one in selections:
            if isinstance(one, InlineFragmentNode):
                if data["__typename"] == one.type_condition.name.value:
                    found |= self.completed(one.selection_set.selections, data)
            else:
                value = data[key(one)]
                found[key(one)] = self.completed(one.selection_set.selections, value) if one.selection_set else value
        return found


def key(one):
    return (one.alias or one.name).value


def at(data, path):
    """The objects at a path of response keys."""
    if data is None:
        return []
    if isinstance(data, list):
        return [found for one in data for found in at(one, path)]
    return at(data[path[0]], path[1:]) if path else [data]


# The checks

def rejected(reason, **changed):
    try:
        compose(subgraphs | changed)
    except CompositionError as error:
        assert reason in str(error), error
    else:
        raise AssertionError(f"composed in spite of: {reason}")


photos = photos_subgraph()
ask = {"hearth": ask_hearth, "photos": photos}
subgraphs = {graph: one("{ _service { sdl } }")["data"]["_service"]["sdl"] for graph, one in ask.items()}
schema, fields = compose(subgraphs)
# What a composition must not accept is noticed here, too.
rejected("Non-shareable field Chore.name", photos=PHOTOS.replace("photos: [Photo!]!\n", "photos: [Photo!]!\n  name: String!\n"))
rejected("Non-shareable field PageInfo.hasNextPage", photos=PHOTOS.replace(" @shareable {", " {"))
rejected("PageInfo.startCursor has several types", photos=PHOTOS.replace("startCursor: String", "startCursor: Int"))

# From the other subgraph to Hearth: two types of entities, one of each is not there for this caller.
gateway = Gateway(schema, fields, ask)
found = gateway.execute("""
{
  photos {
    nodes {
      caption
      chore { name photos { caption } }
      kid: child { ... on Child { first: name } }
    }
    pageInfo { hasNextPage }
  }
}
""")
both = {"name": "Sweep", "photos": [{"caption": "Before"}, {"caption": "After"}]}
elsewhere = {"name": None, "photos": [{"caption": "Elsewhere"}]}
gone = {"name": None, "photos": [{"caption": "Gone"}]}
assert found == {"photos": {"nodes": [
    {"caption": "Before", "chore": both, "kid": {"first": "Mia"}},
    {"caption": "After", "chore": both, "kid": None},
    {"caption": "Elsewhere", "chore": elsewhere, "kid": None},
    {"caption": "Gone", "chore": gone, "kid": None},
], "pageInfo": {"hasNextPage": False}}}, found
# One request for each place, however many objects there are.
assert [graph for graph, _ in gateway.sent] == ["photos", "hearth", "hearth"], gateway.sent

# From Hearth to the other subgraph and back.
gateway = Gateway(schema, fields, ask)
found = gateway.execute("{ family { chores { nodes { name photos { caption child { name points } } } } } photos { nodes { id } } }")
assert found == {
    "family": {"chores": {"nodes": [{"name": "Sweep", "photos": [
        {"caption": "Before", "child": {"name": "Mia", "points": 0}}, {"caption": "After", "child": None},
    ]}]}},
    "photos": {"nodes": [{"id": row["id"]} for row in ROWS]},
}, found
assert [graph for graph, _ in gateway.sent] == ["hearth", "photos", "hearth", "photos"], gateway.sent
print("ok")
