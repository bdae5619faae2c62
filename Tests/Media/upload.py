"""Adds an item with a photo through gql, a client that others have written, and prints the photo's url.

upload.py URL TOKEN FILE
"""

import sys

from gql import Client, FileVar, gql
from gql.transport.aiohttp import AIOHTTPTransport

url, token, path = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}", "GraphQL-Require-Preflight": "1"}
client = Client(transport=AIOHTTPTransport(url=url, headers=headers))
request = gql("mutation ($input: AddItemInput!) { addItem(input: $input) { item { photo { url } } } }")
request.variable_values = {"input": {"name": "Tent", "photo": FileVar(path)}}
print(client.execute(request, upload_files=True)["addItem"]["item"]["photo"]["url"])
