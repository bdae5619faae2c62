"""Writes the API reference, Documentation/reference/*.md, from schema.graphql, Examples and mutations.json.

    build_reference.py [FOLDER]    # FOLDER: where to write the pages, by default Documentation/reference
"""

import json
import pathlib
import re
import sys

import graphql

ROOT = pathlib.Path(__file__).parents[2]
SOURCE = ROOT / "schema.graphql"
TEXT = SOURCE.read_text()
SCHEMA = graphql.build_schema(TEXT)
FACTS = json.loads((ROOT / "Documentation/reference/mutations.json").read_text())
SHARED, ENTRY = "Scalars and shared pieces", "Entry points"
ROOTS = {"Query", "Mutation", "Subscription"}
CALLERS = {
    "everybody": "Everybody, signed in or not.",
    "parents": "Parents. A child gets `FORBIDDEN`.",
    "members": "Parents; children for what is their own.",
}
KIND = type
MACHINERY = re.compile(r"(Connection|Edge|Payload)$")


def slug(text):
    """The anchor of a heading, by GitHub's rules."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def topics():
    """The sections of the schema file, and the topic of each type."""
    marks = [(match.start(), match[1].strip()) for match in re.finditer(r"^# ─── (.+?) ─+$", TEXT, re.M)]
    names = [name for _, name in marks if name not in ("Mutations", "Subscriptions")] + ["Live events"]
    of = {}
    for name, type in SCHEMA.type_map.items():
        if name.startswith("__"):
            continue
        if type.ast_node is None:
            of[name] = SHARED
            continue
        topic = max((mark for mark in marks if mark[0] <= type.ast_node.loc.start), default=(0, SHARED))[1]
        of[name] = "Live events" if topic == "Subscriptions" else topic
    of["Mutation"] = of["Query"]
    return names, of


TOPICS, TOPIC = topics()


def topic_of_mutation(name, field):
    """The topic of the input or of the payload, or else of the type that the mutation's name contains."""
    types = [graphql.get_named_type(argument.type).name for argument in field.args.values()]
    payload = graphql.get_named_type(field.type)
    types += [payload.name]
    types += [graphql.get_named_type(inner.type).name for inner in payload.fields.values()]
    for type in types:
        if TOPIC[type] not in (SHARED, ENTRY, "Mutations", "Live events"):
            return TOPIC[type]
    inside = [type for type in TOPIC if type.lower() in name.lower() and TOPIC[type] not in (SHARED, ENTRY)]
    return TOPIC[max(inside, key=len)] if inside else TOPIC["Account"]


def cell(text):
    return re.sub(r"\s+", " ", text or "").strip().replace("|", "\\|")


def link(type, page):
    """A type with its wrappers, linked to where it is described."""
    name = graphql.get_named_type(type).name
    target = f"{slug(TOPIC[name])}.md" if TOPIC[name] != page else ""
    before, after = str(type).split(name, 1)
    label = f"{before}{name}{after}".replace("[", "\\[").replace("]", "\\]")
    return f"[{label}]({target}#{slug(name)})"


def inherited(type, name):
    """The description of a field, or that of the interface which declares it."""
    field = type.fields[name]
    if field.description or not getattr(type, "interfaces", None):
        return field.description
    return next((up.fields[name].description for up in type.interfaces if name in up.fields), None)


def default(argument):
    value = graphql.ast_from_value(argument.default_value, argument.type) if has_default(argument) else None
    return f" = `{graphql.print_ast(value)}`" if value is not None else ""


def has_default(argument):
    return argument.default_value is not graphql.Undefined


def note(field):
    return f" **Deprecated:** {cell(field.deprecation_reason)}" if field.deprecation_reason else ""


def table(rows, *head):
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return lines + [f"| {' | '.join(row)} |" for row in rows] + [""]


def fields(type, page):
    rows = []
    for name, field in type.fields.items():
        rows.append([f"`{name}`", link(field.type, page), cell(inherited(type, name)) + note(field)])
        for label, argument in getattr(field, "args", {}).items():
            rows.append(
                [
                    f"`{name}({label}:)`",
                    link(argument.type, page) + default(argument),
                    "Argument. " + cell(argument.description) + note(argument),
                ]
            )
    return table(rows, "field", "type", "description")


def examples():
    """The documents of Examples by the root fields that they select."""
    by_field = {}
    for file in sorted((ROOT / "Examples").glob("*.graphql")):
        text = file.read_text()
        for definition in graphql.parse(text).definitions:
            if isinstance(definition, graphql.OperationDefinitionNode):
                for selection in definition.selection_set.selections:
                    key = (definition.operation.value, selection.name.value)
                    by_field.setdefault(key, []).append((file.name, text.strip()))
    return by_field


EXAMPLES = examples()


def example(operation, name):
    found = EXAMPLES.get((operation, name), [])
    if not found:
        return []
    # The example that is named like the field, or else the shortest one.
    wanted = re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower() + ".graphql"
    file, text = min(found, key=lambda each: (each[0] != wanted, len(each[1])))
    lines = [f"Example ([{file}](../../Examples/{file})):", "", "```graphql", text, "```", ""]
    return lines


def arguments(field, page):
    if not field.args:
        return []
    rows = [
        [f"`{name}`", link(argument.type, page) + default(argument), cell(argument.description) + note(argument)]
        for name, argument in field.args.items()
    ]
    return table(rows, "argument", "type", "description")


def operation(kind, name, field, page):
    lines = [f"### {name}", ""]
    lines += [(field.description or "").strip(), ""]
    if field.deprecation_reason:
        lines += [f"**Deprecated:** {field.deprecation_reason}", ""]
    lines += arguments(field, page)
    lines += [f"Returns {link(field.type, page)}.", ""]
    if kind == "mutation":
        facts = FACTS[name]
        lines += [f"Callers: {CALLERS[facts['callers']]}", ""]
        codes = ", ".join(f"[{code}]({shared(page)}#usererrorcode)" for code in facts["userErrors"])
        lines += [f"User errors: {codes or 'none'}.", ""]
    return lines + example(kind, name)


def shared(page):
    return "" if page == SHARED else f"{slug(SHARED)}.md"


def type_section(name, page):
    type = SCHEMA.type_map[name]
    kind = {
        graphql.GraphQLObjectType: "Object",
        graphql.GraphQLInterfaceType: "Interface",
        graphql.GraphQLUnionType: "Union",
        graphql.GraphQLEnumType: "Enum",
        graphql.GraphQLScalarType: "Scalar",
        graphql.GraphQLInputObjectType: "Input",
    }[KIND(type)]
    one_of = " `@oneOf`: exactly one field is given." if is_one_of(type) else ""
    lines = [f"### {name}", "", f"{kind}.{one_of} {(type.description or '').strip()}", ""]
    if getattr(type, "interfaces", None):
        lines += ["Implements " + ", ".join(link(up, page) for up in type.interfaces) + ".", ""]
    if graphql.is_abstract_type(type):
        lines += ["One of " + ", ".join(link(one, page) for one in SCHEMA.get_possible_types(type)) + ".", ""]
    if graphql.is_enum_type(type):
        rows = [[f"`{key}`", cell(value.description) + note(value)] for key, value in type.values.items()]
        lines += table(rows, "value", "meaning")
    elif hasattr(type, "fields"):
        lines += fields(type, page)
    return lines


def is_one_of(type):
    return type.ast_node is not None and any(one.name.value == "oneOf" for one in type.ast_node.directives)


def roots(kind, page):
    """The root fields of an operation kind that belong to a page."""
    types = {"query": SCHEMA.query_type, "mutation": SCHEMA.mutation_type, "subscription": SCHEMA.subscription_type}
    root = types[kind]
    for name, field in root.fields.items():
        topic = {"query": ENTRY, "subscription": "Live events"}.get(kind) or topic_of_mutation(name, field)
        if topic == page:
            yield name, field


def page_text(page):
    lines = [f"# {page}", "", "Part of the [API reference](README.md), generated from `schema.graphql`.", ""]
    for kind, title in (("query", "Queries"), ("mutation", "Mutations"), ("subscription", "Subscriptions")):
        found = list(roots(kind, page))
        if found:
            lines += [f"## {title}", ""]
            for name, field in found:
                lines += operation(kind, name, field, page)
    names = [name for name, topic in TOPIC.items() if topic == page and name not in ROOTS]
    names.sort(key=lambda name: getattr(SCHEMA.type_map[name].ast_node, "loc", None) and order(name) or -1)
    for title, wanted in (("Types", False), ("Pages and payloads", True)):
        chosen = [name for name in names if bool(MACHINERY.search(name)) == wanted]
        if chosen:
            lines += [f"## {title}", ""]
            for name in chosen:
                lines += type_section(name, page)
    if page == SHARED:
        lines += directives(page)
    return "\n".join(lines).rstrip() + "\n"


def directives(page):
    lines = ["## Directives", ""]
    for directive in SCHEMA.directives:
        lines += [f"### @{directive.name}", "", (directive.description or "").strip(), ""]
        lines += arguments(directive, page)
    return lines


def order(name):
    return SCHEMA.type_map[name].ast_node.loc.start


def index():
    lines = [
        "# API reference",
        "",
        "All types, fields, arguments and mutations of Hearth's GraphQL API, by topic. These pages are generated from",
        "[schema.graphql](../../schema.graphql) by `Scripts/documentation`; do not edit them. A test checks that they are",
        "current and complete, and another one runs every example.",
        "",
        "Errors that every operation can have (`UNAUTHENTICATED`, `RATE_LIMITED`, limits, …) are listed in",
        "[Building an app](../front-end.md#codes-of-errors); the meaning of user error codes is in",
        f"[UserErrorCode]({slug(SHARED)}.md#usererrorcode).",
        "",
        "| topic | queries, mutations, subscriptions |",
        "|---|---|",
    ]
    for topic in TOPICS:
        links = [
            f"[{name}]({slug(topic)}.md#{slug(name)})"
            for kind in ("query", "mutation", "subscription")
            for name, _ in roots(kind, topic)
        ]
        lines.append(f"| [{topic}]({slug(topic)}.md) | {', '.join(links) or '–'} |")
    names = sorted(name for name in TOPIC if name not in ROOTS)
    lines += ["", "## All types", ""]
    lines.append(", ".join(f"[{name}]({slug(TOPIC[name])}.md#{slug(name)})" for name in names) + ".")
    return "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "Documentation/reference"
    missing = sorted(set(SCHEMA.mutation_type.fields) ^ set(FACTS))
    if missing:
        sys.exit(f"Documentation/reference/mutations.json lacks these mutations, or has them in excess: {missing}")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        old.unlink()
    (folder / "README.md").write_text(index())
    for topic in TOPICS:
        (folder / f"{slug(topic)}.md").write_text(page_text(topic))


if __name__ == "__main__":
    main()
