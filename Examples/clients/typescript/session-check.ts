import { expect, inShort, soon } from "./expect.js";
import {
  type ClientOptions,
  type Credentials,
  FamilyChangedDocument,
  HearthClient,
  HearthError,
  ViewerDocument,
} from "./hearth.js";
import { change, complete, json, next, rejection, stream, tokenOf } from "./responses.js";

const endpoint = "http://server.test/graphql";
const credentials = { accessToken: "first", refreshToken: "first" };

/** A request of a connection that is lost without an end. */
function silence(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => { signal?.addEventListener("abort", () => reject(signal.reason)); });
}

// The session ends elsewhere, another person signs in, and a connection is lost while the access token is renewed.
export async function sessions(): Promise<void> {
  await ended();
  await endedByEvent();
  await signedOut();
  await replacedWhileConnected();
  await replacedWhileWaiting();
  await replacedWhileRenewing();
  await throwing();
  await cancelled();
  await lost();
  await slow();
}

async function ended(): Promise<void> {
  const cases: [code: string, stored: Credentials | null | undefined, after: string | undefined][] = [
    ["TOKEN_REVOKED", undefined, undefined], ["SESSION_ENDED", credentials, undefined],
    // Possibly a server that was restored, or another one at this address.
    ["TOKEN_MALFORMED", undefined, "first"],
  ];
  for (const [code, stored, after] of cases) {
    const reported: (string | undefined)[] = [];
    const options: ClientOptions = {
      credentials,
      fetch: async () => json(rejection(code)),
      onCredentials: (current) => reported.push(current?.accessToken),
      ...(stored === undefined ? {} : { storedCredentials: () => stored }),
    };
    const client = new HearthClient(endpoint, options);
    const error: unknown = await client.query(ViewerDocument).catch((reason: unknown) => reason);
    expect(error instanceof HearthError && error.reason === "signedOut" && !error.isTemporary, String(error));
    expect(client.credentials?.accessToken === after, [code, client.credentials]);
    expect(reported.join() === (after === "first" ? "" : String(after ?? "")), [code, reported]);
    expect(reported.length === (after === "first" ? 0 : 1), [code, reported]);
  }
}

// The tokens of an open connection can have been renewed for another request.
async function endedByEvent(): Promise<void> {
  let end = () => {};
  const server: typeof fetch = async (_, init) => {
    if (String(init?.body).includes("RefreshSession")) {
      return json({ data: { refreshSession: { credentials: { accessToken: "second", refreshToken: "second" } } } });
    }
    if (new Headers(init?.headers).get("Accept") !== "text/event-stream") {
      return tokenOf(init) === "Bearer first" ? json(rejection("TOKEN_EXPIRED")) : json({ data: { viewer: null } });
    }
    const isOver = new Promise<void>((resolve) => { end = resolve; });
    const body = new ReadableStream<Uint8Array>({
      start: async (controller) => {
        controller.enqueue(new TextEncoder().encode("id: 1\n\n"));
        await isOver;
        controller.enqueue(new TextEncoder().encode(next(rejection("SESSION_ENDED"))));
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  };
  const client = new HearthClient(endpoint, { credentials, fetch: server });
  const onBegin = async () => {
    await client.query(ViewerDocument);
    expect(client.credentials?.accessToken === "second", client.credentials);
    end();
  };
  const seen: boolean[] = [];
  const onConnection = (isConnected: boolean) => { seen.push(isConnected); };
  const events = client.subscribe(FamilyChangedDocument, {}, { onBegin: () => { void onBegin(); }, onConnection });
  const error: unknown = await soon(events.next()).catch((reason: unknown) => reason);
  expect(error instanceof HearthError && error.codes.join() === "SESSION_ENDED", String(error));
  expect(client.credentials === null, client.credentials);
  expect(seen.join() === "true,false", seen);
}

// After a sign-out, and when the session cannot be renewed, a subscription does not connect without credentials.
async function signedOut(): Promise<void> {
  for (const isRejected of [false, true]) {
    const tokens: (string | null)[] = [];
    const server: typeof fetch = async (_, init) => {
      const isRenewal = String(init?.body).includes("RefreshSession");
      if (isRenewal) return json({ data: { refreshSession: { credentials: null } } });
      tokens.push(tokenOf(init));
      return stream("id: 1\n\n" + (isRejected ? next(rejection("TOKEN_EXPIRED")) : ""), init?.signal);
    };
    const client = new HearthClient(endpoint, { credentials, fetch: server });
    const seen: boolean[] = [];
    const onConnection = (isConnected: boolean) => {
      seen.push(isConnected);
      if (isConnected && !isRejected) setTimeout(() => client.use(null), 100);
    };
    const events = client.subscribe(FamilyChangedDocument, {}, { onConnection });
    const error: unknown = await soon(events.next()).catch((reason: unknown) => reason);
    expect(error instanceof HearthError && error.reason === "signedOut", String(error));
    expect(error.message === "The session has ended." && tokens.join() === "Bearer first", [error.message, tokens]);
    expect(seen.join() === "true,false", seen);
  }
}

// The next member does not get the events of the previous one, not even those that have been received.
async function replacedWhileConnected(): Promise<void> {
  const first = "id: 1\n\n" + next({ data: change("first") }, "2") + next({ data: change("for the first") }, "3");
  const tokens: (string | null)[] = [];
  const sent: unknown[] = [];
  const server: typeof fetch = async (_, init) => {
    tokens.push(tokenOf(init));
    sent.push((JSON.parse(String(init?.body)) as { extensions?: { position?: string } }).extensions?.position);
    return tokens.length === 1
      ? stream(first, init?.signal)
      : stream("id: 3\n\n" + next({ data: change("second") }, "4") + complete, init?.signal);
  };
  const client = new HearthClient(endpoint, { credentials, fetch: server });
  const names: string[] = [];
  // A position, too, belongs to a member, and so does what was loaded when the subscription began.
  const reached: string[] = [];
  const options = {
    position: "0",
    onPosition: (position: string) => { reached.push(position); },
    onBegin: () => { reached.push("begin"); },
  };
  await soon((async () => {
    for await (const { familyChanged } of client.subscribe(FamilyChangedDocument, {}, options)) {
      names.push(familyChanged.__typename === "ItemChanged" ? familyChanged.item.name : "");
      if (names.length === 1) client.use({ accessToken: "second", refreshToken: "second" });
    }
  })());
  expect(names.join() === "first,second", names);
  expect(tokens.join() === "Bearer first,Bearer second", tokens);
  expect(sent.join() === "0," && reached.join() === "begin,begin,3,4", [sent, reached]);
}

// A limit of the previous member is not one of the next.
async function replacedWhileWaiting(): Promise<void> {
  const server: typeof fetch = async (_, init) => tokenOf(init) === "Bearer first"
    ? stream("id: 1\n\n" + next(rejection("TOO_MANY_CONNECTIONS"), "1"), init?.signal)
    : stream("id: 1\n\n" + next({ data: change("only") }, "2") + complete, init?.signal);
  const client = new HearthClient(endpoint, { credentials, fetch: server });
  const onConnection = (isConnected: boolean) => {
    if (!isConnected) setTimeout(() => client.use({ accessToken: "second", refreshToken: "second" }), 100);
  };
  const events = client.subscribe(FamilyChangedDocument, {}, { onConnection });
  const event = await soon(events.next());
  expect(event.done === false, event);
  await events.return();
}

// The renewal of the previous member does not keep the next one waiting.
async function replacedWhileRenewing(): Promise<void> {
  const server: typeof fetch = async (_, init) => {
    if (String(init?.body).includes("RefreshSession")) return silence(init?.signal);
    return tokenOf(init) === "Bearer first"
      ? stream("id: 1\n\n" + next(rejection("TOKEN_EXPIRED")), init?.signal)
      : stream("id: 1\n\n" + next({ data: change("only") }, "2") + complete, init?.signal);
  };
  const client = new HearthClient(endpoint, { credentials, fetch: server });
  const events = client.subscribe(FamilyChangedDocument);
  setTimeout(() => client.use({ accessToken: "second", refreshToken: "second" }), 100);
  const event = await soon(events.next());
  expect(event.done === false, event);
  await events.return();
}

// A callback that throws, such as for a storage that is full, breaks neither the request that calls it nor `use`.
async function throwing(): Promise<void> {
  const server: typeof fetch = async (_, init) => {
    if (String(init?.body).includes("RefreshSession")) {
      return json({ data: { refreshSession: { credentials: { accessToken: "second", refreshToken: "second" } } } });
    }
    if (new Headers(init?.headers).get("Accept") === "text/event-stream") return stream("id: 1\n\n", init?.signal);
    return json(tokenOf(init) === "Bearer first" ? rejection("TOKEN_EXPIRED") : { data: { viewer: null } });
  };
  const thrown: unknown[] = [];
  const value = (error: unknown) => thrown.push(error);
  Object.defineProperty(globalThis, "reportError", { value, configurable: true });
  const full = new Error("The storage is full.");
  const fail = () => { throw full; };
  const client = new HearthClient(endpoint, {
    credentials, fetch: server, onCredentials: fail, storedCredentials: fail, onReplaced: fail,
  });
  try {
    await client.query(ViewerDocument);
    expect(client.credentials?.accessToken === "second", client.credentials);
    const onBegin = () => { setTimeout(() => client.use(null)); };
    const events = client.subscribe(FamilyChangedDocument, {}, { onBegin });
    const error: unknown = await soon(events.next()).catch((reason: unknown) => reason);
    expect(error instanceof HearthError && error.reason === "signedOut", String(error));
  } finally {
    Reflect.deleteProperty(globalThis, "reportError");
  }
  expect(thrown.length >= 3 && thrown.every((error) => error === full), thrown.map(String));
}

// A request that waits for a renewal ends when it is cancelled, and so does a subscription. The renewal goes on.
async function cancelled(): Promise<void> {
  let renew = () => {};
  const isRenewed = new Promise<void>((resolve) => { renew = resolve; });
  const server: typeof fetch = async (_, init) => {
    if (String(init?.body).includes("RefreshSession")) {
      await isRenewed;
      return json({ data: { refreshSession: { credentials: { accessToken: "second", refreshToken: "second" } } } });
    }
    return new Headers(init?.headers).get("Accept") === "text/event-stream"
      ? stream(next(rejection("TOKEN_EXPIRED"), "1"), init?.signal)
      : json(rejection("TOKEN_EXPIRED"));
  };
  const client = new HearthClient(endpoint, { credentials, fetch: server, retries: 0 });
  const token = () => client.credentials?.accessToken;
  const controller = new AbortController();
  const { signal } = controller;
  const query = client.query(ViewerDocument, {}, { signal }).catch((reason: unknown) => reason);
  const events = client.subscribe(FamilyChangedDocument, {}, { signal }).next();
  setTimeout(() => controller.abort(), 100);
  expect(await soon(query) === signal.reason);
  expect((await soon(events)).done === true);
  expect(token() === "first", token());
  renew();
  await new Promise((resume) => { setTimeout(resume, 100); });
  expect(token() === "second", token());
}

// Nothing ends a request of a lost connection but its limit.
async function lost(): Promise<void> {
  let requests = 0;
  const server: typeof fetch = async (_, init) => {
    requests += 1;
    return requests === 1 ? silence(init?.signal) : json({ data: { viewer: null } });
  };
  const client = new HearthClient(endpoint, { fetch: server });
  const isShort = (delay: number) => delay >= 30_000 && requests === 0;
  const { waited } = await inShort(isShort, () => client.query(ViewerDocument));
  expect(requests === 2 && waited.length === 1, [requests, waited]);
}

// The limit begins again with the head of a response: its body can be large.
async function slow(): Promise<void> {
  const limits: number[] = [];
  const isShort = (delay: number) => {
    if (delay >= 30_000) limits.push(delay);
    return false;
  };
  const client = new HearthClient(endpoint, { fetch: async () => json({ data: { viewer: null } }) });
  await inShort(isShort, () => client.query(ViewerDocument));
  expect(limits.length === 2, limits);
}
