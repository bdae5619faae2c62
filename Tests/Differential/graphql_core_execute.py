"""Executes the requests of a JSON file with graphql-core on the schema of the execution tests.

Arguments: the schema, and a file with a list of {"document", "variables" (JSON text), "operationName"}. Prints a list of
{"invalid": true} or {"data": JSON text, "errors": [...]}, in the same order.
"""

import json
import sys

import graphql
from graphql.pyutils import inspect as inspect_module

LIMIT = 40


def text_of(value, depth=2):
    """A value of variables as JavaScript shows it, for messages."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return '"' + value + '"'
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list):
        if not value:
            return "[]"
        if depth == 0:
            return "[Array]"
        return "[" + ", ".join(text_of(v, depth - 1) for v in value) + "]"
    if isinstance(value, dict):
        if not value:
            return "{}"
        if depth == 0:
            return "[Object]"
        return "{ " + ", ".join(f"{k}: {text_of(v, depth - 1)}" for k, v in value.items()) + " }"
    return str(value)


def number(value):
    return str(int(value)) if float(value).is_integer() else repr(value)


def use_our_text(module):
    original = module.inspect

    def inspect(value):
        if value is None or isinstance(value, (bool, int, float, str, list, dict)):
            return text_of(value)
        return original(value)

    module.inspect = inspect


for name in ("utilities.coerce_input_value", "type.scalars", "type.definition", "execution.values", "execution.execute"):
    use_our_text(sys.modules["graphql." + name])


class Animal:
    def __init__(self, kind, n):
        self.kind, self.n = kind, n


class Summary:
    def __init__(self, n, depth):
        self.n, self.depth = n, depth


class Counter:
    def __init__(self, history):
        self.history = list(history)


def animal(kind, n):
    return Animal(kind, n) if 0 <= n < LIMIT else None


def mixed(n):
    return animal("Cat" if n % 2 == 0 else "Dog", n % LIMIT)


def thing(n):
    return None if n % 9 == 8 else animal(("Cat", "Dog", "Rock")[n % 3], n % LIMIT)


def fail(message):
    raise graphql.GraphQLError(message)


def name_of(o, info, shout=False, prefix=None):
    if o.n % 6 == 5:
        return None
    name = (prefix or "") + f"{o.kind.lower()} {o.n}"
    return name.upper() if shout else name


def tag_of(o, info):
    if o.n % 5 == 0 and o.n > 0:
        fail(f"No tag for {o.n}.")
    return None if o.n % 7 == 3 else f"tag \"{o.n}\"\n"


def friends_of(o, info, first=2, from_=1):
    if o.n % 10 == 9:
        fail(f"{o.kind} {o.n} has no friends.")
    if o.n % 13 == 6:
        return None
    items = [mixed(o.n + (from_ or 0) + i) for i in range(max(0, min(first or 0, 5)))]
    if o.n % 11 == 5:
        items.append(None)
    return items


def shown(value):
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{shown(value[k])}" for k in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(shown, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number(value)
    return str(value)


def echo(o, info, **arguments):
    return shown(arguments)


def slow(o, info):
    if o.n % 4 == 1:
        fail(f"Too slow: {o.n}.")
    return f"slow {o.n}"


def numbers(o, info):
    return None if o.n % 5 == 4 else [o.n, None if o.n % 3 == 2 else o.n * 2]


def grid(o, info):
    return [[o.n, 1], None, [None if o.n % 2 else 4]]


def any_of(o, info):
    return ["a", o.n, None, [True, 0.5]] if o.n % 2 else str(o.n)


def colors(o, info):
    return ["RED", "PUCE" if o.n % 3 == 1 else "BLUE"]


def things(o, info, first=2):
    return [thing(o.n + i) for i in range(max(0, min(first or 0, 5)))]


def pack(o, info):
    if o.n % 6 == 2:
        return None
    inner = [animal("Dog", o.n), animal("Dog", LIMIT if o.n % 4 == 3 else 0)]
    return [inner, None if o.n % 2 else [], [animal("Dog", 1)]]


def lonely(o, info):
    fail("Rocks are lonely.")


def node(root, info, id):
    kind, _, n = id.partition(":")
    kind = {"cat": "Cat", "dog": "Dog", "rock": "Rock"}.get(kind)
    return animal(kind, int(n)) if kind and n.isdigit() and len(n) < 6 else None


def crash(root, info):
    raise RuntimeError("a secret")


def pick(root, info, by):
    return shown(by)


def failing_hard(root, info):
    fail("It fails hard.")


def add(root, info, number=1):
    info.context.append(number)
    return Counter(info.context) if number >= 0 else None


def add_or_fail(root, info, number):
    if number < 0:
        fail("Too low.")
    info.context.append(number)
    return Counter(info.context)


def color_of(o, info):
    return ("RED", "GREEN", "BLUE", "PUCE")[o.n % 4]


RESOLVERS = {
    "Cat": {
        "id": lambda o, i: f"cat:{o.n}",
        "name": name_of,
        "number": lambda o, i: o.n,
        "next": lambda o, i: None if o.n % 8 == 7 else animal("Cat", o.n + 1),
        "friends": friends_of,
        "tag": tag_of,
        "big": lambda o, i: o.n * 100_000_000,
        "weight": lambda o, i: o.n * 0.25 - 3,
        "color": color_of,
        "isTame": lambda o, i: o.n % 2 == 0,
        "code": lambda o, i: f"<{o.n}>",
        "slow": slow,
        "mother": lambda o, i: None if o.n % 9 == 4 else animal("Cat", (o.n * 7 + 1) % LIMIT),
        "numbers": numbers,
        "grid": grid,
        "words": lambda o, i: None if o.n % 8 == 3 else ["w\\", None],
        "colors": colors,
        "any": any_of,
        "things": things,
        "pack": pack,
        "summary": lambda o, i: Summary(o.n, 2),
        "lonely": lonely,
        "echo": echo,
    },
    "Dog": {
        "id": lambda o, i: f"dog:{o.n}",
        "name": name_of,
        "number": lambda o, i: o.n,
        "next": lambda o, i: animal("Dog", o.n + 2),
        "friends": friends_of,
        "tag": tag_of,
        "owner": lambda o, i: None if o.n % 5 == 2 else mixed(o.n * 3),
        "likes": lambda o, i: thing(o.n + 3),
    },
    "Rock": {
        "id": lambda o, i: f"rock:{o.n}",
        "number": lambda o, i: o.n,
        "color": color_of,
        "under": lambda o, i: [mixed(o.n), mixed(o.n + 1)],
    },
    "Summary": {
        "count": lambda o, i: o.n,
        "text": lambda o, i: None if o.n % 3 == 0 else f"summary {o.n}",
        "owner": lambda o, i: animal("Cat", o.n),
        "parts": lambda o, i: [Summary(o.n + k, o.depth - 1) for k in range(o.depth)],
    },
    "Query": {
        "cat": lambda o, i, n=1: animal("Cat", n),
        "dog": lambda o, i, n: animal("Dog", n),
        "node": node,
        "nodes": lambda o, i, ids: [node(o, i, id) for id in ids],
        "named": lambda o, i, first=3: [mixed(k) for k in range(max(0, min(first or 0, 5)))],
        "things": lambda o, i, first=3, from_=0: [thing(k + (from_ or 0)) for k in range(max(0, min(first or 0, 5)))],
        "echo": echo,
        "pick": pick,
        "failing": lambda o, i: fail("It fails."),
        "failingHard": failing_hard,
        "crashing": crash,
        "self": lambda o, i: o,
    },
    "Mutation": {
        "add": add,
        "addOrFail": add_or_fail,
        "total": lambda o, i: sum(i.context),
    },
    "Counter": {
        "value": lambda o, i: sum(o.history),
        "history": lambda o, i: o.history,
        "cat": lambda o, i: animal("Cat", len(o.history)),
    },
}


def with_from(resolve):
    def resolved(o, info, **arguments):
        if "from" in arguments:
            arguments["from_"] = arguments.pop("from")
        return resolve(o, info, **arguments)

    return resolved


def build(path):
    with open(path) as file:
        schema = graphql.build_schema(file.read())
    for type_name, fields in RESOLVERS.items():
        type_fields = schema.type_map[type_name].fields
        assert type_fields.keys() == fields.keys(), type_name
        for name, resolve in fields.items():
            type_fields[name].resolve = with_from(resolve) if "from" in type_fields[name].args else resolve
    for name in ("Node", "Named", "Thing"):
        schema.type_map[name].resolve_type = lambda o, info, type_: o.kind
    return schema


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def answer(schema, request):
    try:
        document = graphql.parse(request["document"])
    except graphql.GraphQLError as error:
        return {"invalid": True, "why": error.message}
    invalid = graphql.validate(schema, document)
    if invalid:
        return {"invalid": True, "why": invalid[0].message}
    result = graphql.execute_sync(
        schema,
        document,
        root_value={},
        context_value=[],
        variable_values=json.loads(request.get("variables") or "{}"),
        operation_name=request.get("operationName"),
    )
    errors = [
        {
            "message": e.message,
            "locations": [[l.line, l.column] for l in e.locations or []],
            "path": e.path,
        }
        for e in result.errors or []
    ]
    # A request error has no path, and there is no data at all then.
    executed = result.data is not None or any(e["path"] for e in errors)
    data = json.dumps(plain(result.data), separators=(",", ":"), ensure_ascii=False) if executed else None
    return {"data": data, "errors": errors}


if __name__ == "__main__":
    schema = build(sys.argv[1])
    with open(sys.argv[2]) as file:
        requests = json.load(file)
    json.dump([answer(schema, request) for request in requests], sys.stdout)
