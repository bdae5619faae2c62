"""graphql-core, behind the least of an ASGI application. Documents are parsed and validated once."""

from pathlib import Path

import orjson
from graphql import build_schema, execute, parse, validate

import resolvers

schema = build_schema((Path(__file__).parent / "types.graphql").read_text())
for type_name, fields in resolvers.FIELDS.items():
    for name, resolve in fields.items():
        schema.type_map[type_name].fields[name].resolve = resolve
schema.type_map["Node"].resolve_type = resolvers.type_of_node
schema.type_map["Member"].resolve_type = resolvers.type_of_member
documents = {}


def document_of(text: str):
    if text not in documents:
        document = parse(text)
        if errors := validate(schema, document):
            raise ValueError(errors)
        documents[text] = document
    return documents[text]


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    body, has_more = b"", True
    while has_more:
        message = await receive()
        body += message.get("body", b"")
        has_more = message.get("more_body", False)
    request = orjson.loads(body)
    headers = dict(scope["headers"])
    result = execute(
        schema,
        document_of(request["query"]),
        context_value=resolvers.context(headers.get(b"authorization")),
        variable_values=request.get("variables"),
    )
    if hasattr(result, "__await__"):
        result = await result
    answer = {"data": result.data}
    if result.errors:
        answer["errors"] = [error.formatted for error in result.errors]
    content = orjson.dumps(answer)
    length = str(len(content)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", length)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})
