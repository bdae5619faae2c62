"""Prints, for each document, the result of graphql-core.

Reads a JSON array of documents from the file named by the first argument, and writes a JSON array to standard output:
{"printed": text} for what it accepts; {"line": n, "column": n} for what it rejects, the column in UTF-16 units; and
{"failure": text} where it fails in a way of its own.
"""

import json
import re
import sys

from graphql import GraphQLSyntaxError, parse, print_ast
from graphql.language import block_string, printer

LINE_END = re.compile(r"\r\n|[\n\r]")


def length(value):
    """The length of a text in UTF-16 units, as in graphql-js, whose line widths graphql-core's printer copies."""
    return len(value.encode("utf-16-le", "surrogatepass")) // 2 if isinstance(value, str) else len(value)


# A global of a module hides the built-in function from it.
printer.len = block_string.len = length


def location(body, position):
    line, line_start = 1, 0
    for match in LINE_END.finditer(body):
        if match.start() >= position:
            break
        line, line_start = line + 1, match.end()
    return line, 1 + length(body[line_start:position])


def answer(document):
    try:
        return {"printed": print_ast(parse(document, no_location=True))}
    except GraphQLSyntaxError as error:
        line, column = location(document, error.positions[0])
        return {"line": line, "column": column, "message": error.message}
    except Exception as error:
        return {"failure": repr(error)}


with open(sys.argv[1], encoding="utf-8") as file:
    documents = json.load(file)
json.dump([answer(document) for document in documents], sys.stdout)
