"""Talks graphql-transport-ws with the clients of the packages `gql` and `websockets`.

    graphql_client.py PORT

The server is that of GraphQLTransportTests. Prints "ok", or fails with what was not as it should be.
"""

import asyncio
import json
import sys

from gql import Client, gql
from gql.transport.exceptions import TransportQueryError
from gql.transport.websockets import WebsocketsTransport
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

URL = f"ws://127.0.0.1:{sys.argv[1]}/graphql"


def client(token=None):
    payload = {"Authorization": f"Bearer {token}"} if token else {}
    return Client(transport=WebsocketsTransport(url=URL, init_payload=payload, ping_interval=1, pong_timeout=60))


async def queries():
    async with client("slow-ada") as session:
        assert await session.execute(gql("{ me waiting }")) == {"me": "ada", "waiting": "waited"}
        query = gql("query Q($n: String!) { hello(name: $n) }")
        query.variable_values = {"n": "gql"}
        assert await session.execute(query) == {"hello": "Hello, gql!"}
        assert await session.execute(gql('mutation { say(text: "hi") }')) == {"say": "hi"}
        answers = await asyncio.gather(*(session.execute(gql(f'{{ hello(name: "{n}") }}')) for n in range(50)))
        assert [answer["hello"] for answer in answers] == [f"Hello, {n}!" for n in range(50)]


async def errors():
    async with client() as session:
        for document, code in [("{ unknown }", "GRAPHQL_VALIDATION_FAILED"), ("subscription { mine { text } }", "UNAUTHENTICATED")]:
            try:
                if document.startswith("sub"):
                    async for _ in session.subscribe(gql(document)):
                        raise AssertionError("an event for nobody")
                else:
                    await session.execute(gql(document))
            except TransportQueryError as error:
                assert error.errors[0]["extensions"]["code"] == code, error.errors
            else:
                raise AssertionError(document)


async def subscriptions():
    async with client("ada") as session:
        # Replayed events come first.
        unread = session.subscribe(gql("subscription { unread { text } }"), get_execution_result=True)
        before = await anext(unread)
        assert before.data == {"unread": {"text": "hi"}}, before
        assert before.extensions == {"replayed": True}, before
        mine = session.subscribe(gql("subscription { mine { text viewer } }"))
        first_unread = asyncio.create_task(anext(unread))
        first_mine = asyncio.create_task(anext(mine))
        # Until both listen, which a client cannot know, it says it again.
        while not (first_unread.done() and first_mine.done()):
            await session.execute(gql('mutation { say(text: "news") }'))
        result = await first_unread
        assert result.data == {"unread": {"text": "news"}}
        assert int(result.extensions["position"]) > 0
        assert await first_mine == {"mine": {"text": "news", "viewer": "ada"}}
        await unread.aclose()
        await session.execute(gql('mutation { say(text: "more") }'))
        while (await anext(mine))["mine"]["text"] != "more":
            pass
        await mine.aclose()


async def renewal():
    session = client("brief-ada")
    async with session:
        await session.transport.send_ping({"Authorization": "Bearer ada"})
        await session.transport.pong_received.wait()
        assert session.transport.payloads["pong"] == {"renewed": True}


async def close_codes():
    async def closed(*messages, subprotocol="graphql-transport-ws"):
        async with connect(URL, subprotocols=[subprotocol]) as socket:
            for message in messages:
                await socket.send(json.dumps(message))
            try:
                while True:
                    await asyncio.wait_for(socket.recv(), 10)
            except ConnectionClosed as error:
                return error.rcvd.code

    init = {"type": "connection_init"}
    live = {"id": "1", "type": "subscribe", "payload": {"query": "subscription { counted }"}}
    forbidden = {"type": "connection_init", "payload": {"Authorization": "Bearer expired"}}
    assert await closed(init, {"type": "unheard of"}) == 4400
    assert await closed(live) == 4401
    assert await closed(forbidden) == 4403
    assert await closed(init, live, live) == 4409
    assert await closed(init, init) == 4429


async def main():
    for scene in [queries, errors, subscriptions, renewal, close_codes]:
        await asyncio.wait_for(scene(), 60)
    print("ok")


asyncio.run(main())
