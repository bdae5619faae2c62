"""The same documents with the package `gql`, which generates nothing: it asks the server for its schema, checks documents
against it before they are sent, and builds queries in Python.

    with_gql.py http://127.0.0.1:8080/graphql
"""

import asyncio
import pathlib
import sys

from gql import Client, gql
from gql.dsl import DSLQuery, DSLSchema, dsl_gql
from gql.transport.aiohttp import AIOHTTPTransport
from graphql import GraphQLError

URL = sys.argv[1]
DOCUMENTS = pathlib.Path(__file__).resolve().parent.parent / "documents"


async def main() -> None:
    async with Client(transport=AIOHTTPTransport(url=URL), fetch_schema_from_transport=True) as session:
        sign_in = gql((DOCUMENTS / "Session.graphql").read_text())
        sign_in.operation_name = "SignIn"
        sign_in.variable_values = {"input": {"email": "ada@example.com", "password": "hearth-demo"}}
        token = (await session.execute(sign_in))["signIn"]["credentials"]["accessToken"]
        try:
            await session.execute(gql("{ famly { name } }"))
        except GraphQLError as error:
            assert "Did you mean 'family'" in str(error), error
        else:
            raise AssertionError("a fault in a document was not found")

    transport = AIOHTTPTransport(url=URL, headers={"Authorization": f"Bearer {token}"})
    async with Client(transport=transport, fetch_schema_from_transport=True) as session:
        schema = DSLSchema(session.client.schema)
        query = dsl_gql(DSLQuery(schema.Query.family.select(schema.Family.children.select(schema.Child.name))))
        family = (await session.execute(query))["family"]
        assert {"Mia", "Ben", "Zoë"} <= {child["name"] for child in family["children"]}, family


asyncio.run(main())
print("ok")
