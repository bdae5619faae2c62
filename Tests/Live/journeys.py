"""The journeys that are live, as apps see them: over WebSocket with the packages `gql` and `websockets`, and over server-sent
events, which are read here by hand.

    journeys.py PORT JOURNEY CLIENT

JOURNEY is A6, A16, D6, D12 or E3, CLIENT is gql, websockets or sse. Prints "ok", or fails with what was not as it should be.
"""

import asyncio
import json
import sys
from datetime import datetime, timedelta, timezone

import aiohttp
from gql import Client, gql
from gql.transport.exceptions import TransportError
from gql.transport.websockets import WebsocketsTransport
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

PORT, JOURNEY, CLIENT = sys.argv[1:]
HTTP, WS = f"http://127.0.0.1:{PORT}/graphql", f"ws://127.0.0.1:{PORT}/graphql"
PATIENCE = 60
PASSWORD = "correct horse battery"

CREDENTIALS = "credentials { accessToken viewer { ... on Account { person { id } } } } userErrors { code }"
REGISTER = f"mutation ($input: RegisterInput!) {{ register(input: $input) {{ {CREDENTIALS} }} }}"
SIGN_IN_CHILD = f"mutation ($input: ChildSignInInput!) {{ signInChild(input: $input) {{ {CREDENTIALS} }} }}"
ADD_CHILD = "mutation ($input: AddChildInput!) { addChild(input: $input) { child { id } } }"
REMOVE_CHILD = "mutation ($id: ID!) { removeChild(id: $id) { removedId } }"
ADD_CHORE = "mutation ($input: AddChoreInput!) { addChore(input: $input) { chore { id } } }"
ADD_ITEM = "mutation ($name: String!) { addItem(input: {name: $name}) { item { id } } }"
SET_REMINDER = "mutation ($input: SetReminderInput!) { setReminder(input: $input) { reminder { id } } }"
SIGN_IN = f"mutation ($input: SignInInput!) {{ signIn(input: $input) {{ {CREDENTIALS} }} }}"
SIGN_OUT = "mutation { signOut { signedOut } }"
REQUEST = "mutation ($id: ID!) { requestContact(personId: $id, offer: []) { contactRequest { id } userErrors { code } } }"
ACCEPT = "mutation ($id: ID!) { acceptContact(requestId: $id, share: []) { contact { id } userErrors { code } } }"
REMOVE_CONTACT = "mutation ($id: ID!) { removeContact(id: $id) { removedId } }"

CHANGES = """subscription { familyChanged { __typename ... on ChildChanged { child { id name } }
  ... on ChildRemoved { childId } ... on ItemChanged { item { name } } } }"""
DUE = "subscription { reminderDue { id status chore { name } } }"
RECEIVED = "subscription { notificationReceived { __typename id message } }"


async def ask(document, variables=None, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with aiohttp.ClientSession() as session:
        async with session.post(HTTP, json={"query": document, "variables": variables or {}}, headers=headers) as response:
            answer = await response.json()
    assert "errors" not in answer, answer
    return answer["data"]


def address(name):
    """One's own in each journey: they share a server."""
    return f"{name.lower().replace(' ', '.')}@{JOURNEY}.{CLIENT}.example.com".lower()


async def register(name):
    """The access token, and the person's id."""
    person = {
        "email": address(name),
        "password": PASSWORD,
        "name": name,
        "dateOfBirth": "1988-12-10",
    }
    credentials = (await ask(REGISTER, {"input": person}))["register"]["credentials"]
    return credentials["accessToken"], credentials["viewer"]["person"]["id"]


async def add_child(token, name):
    """Its id, and the access token of its app."""
    username = f"{name}.{JOURNEY}.{CLIENT}".lower()
    child = {"name": name, "birth": {"age": 8}, "username": username}
    id = (await ask(ADD_CHILD, {"input": child}, token))["addChild"]["child"]["id"]
    signing = {"username": username, "password": PASSWORD}
    signed = await ask(SIGN_IN_CHILD, {"input": signing})
    return id, signed["signInChild"]["credentials"]["accessToken"]


# Three clients, with the same face: `next` gives the data of the next event and whether it may have been seen, `ended`
# waits for the end, which has to be that of the session, and `position` is where the client is.


class GQL:
    """What `gql` cannot send is its resume position."""

    def __init__(self, token, document):
        transport = WebsocketsTransport(url=WS, init_payload={"Authorization": f"Bearer {token}"}, pong_timeout=PATIENCE)
        self.client, self.document, self.first, self.position = Client(transport=transport), document, None, None

    @classmethod
    async def open(cls, token, document, position=None):
        self = cls(token, document)
        session = await self.client.connect_async()
        self.events = session.subscribe(gql(document), get_execution_result=True)
        self.first = asyncio.create_task(anext(self.events))
        await asyncio.sleep(0.01)
        # The messages of a socket are processed in order: the subscription is active when this is answered.
        await session.execute(gql("{ __typename }"))
        return self

    async def next(self):
        waiting, self.first = self.first or anext(self.events), None
        result = await asyncio.wait_for(waiting, PATIENCE)
        self.position = result.extensions.get("position", self.position)
        return result.data, result.extensions.get("replayed", False)

    async def ended(self):
        try:
            event = await self.next()
        except TransportError as error:
            assert "SESSION_ENDED" in repr(error) + repr(error.__cause__), repr(error)
        else:
            raise AssertionError(event)

    async def close(self):
        if self.first:
            self.first.cancel()
            await asyncio.wait([self.first])
        await self.events.aclose()
        await self.client.close_async()


class Websockets:
    @classmethod
    async def open(cls, token, document, position=None):
        self = cls()
        self.position = position
        self.socket = await connect(WS, subprotocols=["graphql-transport-ws"])
        init = {"type": "connection_init", "payload": {"Authorization": f"Bearer {token}"}}
        await self.socket.send(json.dumps(init))
        assert (await self.receive())["type"] == "connection_ack"
        extensions = {"extensions": {"position": position}} if position else {}
        payload = {"query": document} | extensions
        await self.socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": payload}))
        return self

    async def receive(self):
        return json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))

    async def next(self):
        message = await self.receive()
        assert message["type"] == "next", message
        extensions = message["payload"]["extensions"]
        self.position = extensions.get("position", self.position)
        return message["payload"]["data"], extensions.get("replayed", False)

    async def ended(self):
        try:
            message = await self.receive()
        except ConnectionClosed as error:
            assert error.rcvd.code == 4403 and error.rcvd.reason.startswith("SESSION_ENDED"), error
        else:
            raise AssertionError(message)

    async def close(self):
        await self.socket.close()


class SSE:
    """The WHATWG's rules for event streams, as far as a server may make use of them."""

    @classmethod
    async def open(cls, token, document, position=None):
        self = cls()
        self.position = position
        self.session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None, sock_read=PATIENCE))
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        if position:
            headers["Last-Event-ID"] = position
        self.response = await self.session.post(HTTP, json={"query": document}, headers=headers)
        assert self.response.headers["Content-Type"].startswith("text/event-stream"), self.response.headers
        return self

    async def receive(self):
        """The type and the data of the next event."""
        kind, data = "message", []
        async for line in self.response.content:
            line = line.decode().rstrip("\r\n")
            if not line:
                if data:
                    return kind, "\n".join(data)
                kind = "message"
                continue
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                kind = value
            elif name == "data":
                data.append(value)
            elif name == "id":
                self.position = value
        raise AssertionError("the stream ended without `complete`")

    async def next(self):
        kind, data = await self.receive()
        assert kind == "next", (kind, data)
        payload = json.loads(data)
        assert payload["extensions"].get("position", self.position) == self.position, payload
        return payload["data"], payload["extensions"].get("replayed", False)

    async def ended(self):
        kind, data = await self.receive()
        assert json.loads(data)["errors"][0]["extensions"]["code"] == "SESSION_ENDED", data
        assert await self.receive() == ("complete", "")

    async def close(self):
        self.response.close()
        await self.session.close()


class Listener:
    """An app: `until` gives the first event that is as it should be."""

    def __init__(self, client):
        self.client = client

    @classmethod
    async def open(cls, token, document, position="0"):
        clients = {"gql": GQL, "websockets": Websockets, "sse": SSE}
        return cls(await clients[CLIENT].open(token, document, position))

    async def until(self, condition):
        while True:
            data, replayed = await self.client.next()
            (event,) = data.values()
            if condition(event):
                return event, replayed


def is_a(kind):
    return lambda event: event["__typename"] == kind


async def close(*listeners):
    for listener in listeners:
        await listener.client.close()


async def a6():
    """A child that is removed on one device disappears on every other, and clients that were offline learn of it on resume."""
    token, _ = await register("Ada Lovelace")
    devices = [await Listener.open(token, CHANGES) for _ in range(3)]
    mia, _ = await add_child(token, "Mia")
    for device in devices:
        event, _ = await device.until(is_a("ChildChanged"))
        assert event["child"] == {"id": mia, "name": "Mia"}, event
    away = devices.pop()
    await close(away)
    await ask(REMOVE_CHILD, {"id": mia}, token)
    for device in devices:
        event, _ = await device.until(lambda _: True)
        assert event == {"__typename": "ChildRemoved", "childId": mia}, event
    await close(*devices)
    if CLIENT != "gql":
        back = await Listener.open(token, CHANGES, away.client.position)
        event, _ = await back.until(lambda _: True)
        assert event == {"__typename": "ChildRemoved", "childId": mia}, event
        await close(back)


async def a16():
    """After a sign-out or the removal of a child, their connections receive nothing more; all other devices do."""
    token, _ = await register("Ada Lovelace")
    mia, mias = await add_child(token, "Mia")
    signing = {"email": address("Ada Lovelace"), "password": PASSWORD}
    second = (await ask(SIGN_IN, {"input": signing}))["signIn"]["credentials"]["accessToken"]
    phone, tablet, childs = [await Listener.open(app, CHANGES) for app in [token, second, mias]]
    await ask(ADD_ITEM, {"name": "Tent"}, token)
    for listener in [phone, tablet, childs]:
        await listener.until(is_a("ItemChanged"))
    await ask(SIGN_OUT, token=token)
    await phone.client.ended()
    await ask(REMOVE_CHILD, {"id": mia}, second)
    await childs.client.ended()
    event, _ = await tablet.until(lambda _: True)
    assert event == {"__typename": "ChildRemoved", "childId": mia}, event
    await close(phone, tablet, childs)


async def d6():
    """The recipient of a request is notified, the sender of its acceptance, and a removed contact of the removal."""
    (asking, _), (asked, person) = await register("Kloudbook User"), await register("Browning Duncan")
    theirs, own = await Listener.open(asked, RECEIVED), await Listener.open(asking, RECEIVED)
    request = (await ask(REQUEST, {"id": person}, asking))["requestContact"]["contactRequest"]["id"]
    event, _ = await theirs.until(lambda _: True)
    assert event["__typename"] == "ContactRequestNotification", event
    assert event["message"] == "Kloudbook User asks to become your contact.", event
    contact = (await ask(ACCEPT, {"id": request}, asked))["acceptContact"]["contact"]["id"]
    event, _ = await own.until(lambda _: True)
    assert event["message"] == "Browning Duncan is now in your address book.", event
    await ask(REMOVE_CONTACT, {"id": contact}, asked)
    event, _ = await own.until(lambda _: True)
    assert event["message"] == "Browning Duncan is no longer in your address book.", event
    await close(theirs, own)


async def d12():
    """Notifications that were missed offline come first, in order, each once."""
    asked, person = await register("Browning Duncan")
    first = await Listener.open(asked, RECEIVED)
    people = [(await register(f"Person {number}"))[0] for number in range(4)]
    await ask(REQUEST, {"id": person}, people[0])
    seen, _ = await first.until(lambda _: True)
    position = first.client.position
    await close(first)
    for token in people[1:3]:
        await ask(REQUEST, {"id": person}, token)
    if CLIENT == "gql":
        document = RECEIVED.replace("notificationReceived", f'notificationReceived(after: "{seen["id"]}")')
        again = await Listener.open(asked, document)
    else:
        again = await Listener.open(asked, RECEIVED, position)
    await ask(REQUEST, {"id": person}, people[3])
    for number in range(1, 4):
        event, _ = await again.until(lambda _: True)
        assert event["message"] == f"Person {number} asks to become your contact.", event
    await close(again)


async def e3():
    """A reminder is delivered to the parent and the assignee; until it is answered, it is replayed first."""
    token, _ = await register("Ada Lovelace")
    (mia, mias), (_, bens) = await add_child(token, "Mia"), await add_child(token, "Ben")
    chore = {"name": "Feed the cat", "assigneeIds": [mia]}
    chore = (await ask(ADD_CHORE, {"input": chore}, token))["addChore"]["chore"]["id"]
    other = (await ask(ADD_CHORE, {"input": {"name": "Walk the dog"}}, token))["addChore"]["chore"]["id"]
    devices = [await Listener.open(app, DUE, None) for app in [token, token, mias]]
    moment = (datetime.now(timezone.utc) + timedelta(seconds=1)).isoformat()
    reminder = await ask(SET_REMINDER, {"input": {"choreId": chore, "remindAt": moment}}, token)
    expected = {"id": reminder["setReminder"]["reminder"]["id"], "status": "DUE", "chore": {"name": "Feed the cat"}}
    for device in devices:
        event, replayed = await device.until(lambda _: True)
        assert event == expected, event
    await close(*devices)
    again = await Listener.open(token, DUE, devices[0].client.position if CLIENT != "gql" else None)
    event, replayed = await again.until(lambda _: True)
    assert event == expected and replayed, (event, replayed)
    await close(again)


asyncio.run(asyncio.wait_for({"A6": a6, "A16": a16, "D6": d6, "D12": d12, "E3": e3}[JOURNEY](), 3 * PATIENCE))
print("ok")
