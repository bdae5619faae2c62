"""Prints, for each type system document, the result of graphql-core.

Reads a JSON array of {"sdl": text, "introspection": object or absent} from the file named by the first argument, and
writes a JSON array to standard output: {"faults": [message]} where the document is rejected, by itself or when its types
are validated; {"schema": the full introspection result, "client": whether a client schema built from the introspection
given prints as the schema does} where it is accepted; {"failure": text} where graphql-core fails in a way of its own.
"""

import json
import sys

from graphql import (
    build_ast_schema,
    build_client_schema,
    get_introspection_query,
    graphql_sync,
    lexicographic_sort_schema,
    parse,
    print_schema,
    validate_schema,
)
from graphql.validation.validate import validate_sdl

QUERY = get_introspection_query(
    specified_by_url=True,
    directive_is_repeatable=True,
    schema_description=True,
    input_value_deprecation=True,
    input_object_one_of=True,
).replace("Type { name }", "Type { name kind }")


def sorted_text(schema):
    return print_schema(lexicographic_sort_schema(schema))


def told(fault):
    """A message as graphql-js writes it: names in double quotes, directive locations as the specification spells them."""
    message = fault.message.replace("'", '"')
    head, separator, location = message.partition(" may not be used on ")
    return head + separator + (location.upper().replace(" ", "_") if separator else "")


def answer(case):
    try:
        document = parse(case["sdl"])
        faults = validate_sdl(document)
        if not faults:
            schema = build_ast_schema(document, assume_valid_sdl=True)
            faults = validate_schema(schema)
        if faults:
            return {"faults": [told(fault) for fault in faults]}
        result = graphql_sync(schema, QUERY)
        answer = {"schema": result.data}
        if "introspection" in case:
            answer["client"] = sorted_text(build_client_schema(case["introspection"])) == sorted_text(schema)
        return answer
    except Exception as error:
        return {"failure": repr(error)}


with open(sys.argv[1], encoding="utf-8") as file:
    cases = json.load(file)
json.dump([answer(case) for case in cases], sys.stdout)
