import { expect, inShort } from "./expect.js";
import {
  type ClientOptions,
  type Credentials,
  FamilyChangedDocument,
  HearthClient,
  HearthError,
  SignInDocument,
  ViewerDocument,
} from "./hearth.js";

const endpoint = "http://server.test/graphql";
const credentials = { accessToken: "first", refreshToken: "first" };
const change = (name: string) => ({
  familyChanged: { __typename: "ItemChanged", item: { __typename: "Item", id: "1", name } },
});
const rejection = (code: string) => ({ errors: [{ message: code, extensions: { code, retryAfter: 60 } }] });
const next = (payload: unknown, position?: string) =>
  `${position === undefined ? "" : `id: ${position}\n`}event: next\ndata: ${JSON.stringify(payload)}\n\n`;
const complete = "event: complete\ndata:\n\n";
const tokenOf = (init?: RequestInit) => new Headers(init?.headers).get("Authorization");

function json(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } });
}

/** An event stream that stays open until the request is aborted. */
function stream(text: string, signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text));
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

/** A request of a connection that is lost without an end. */
function silence(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => { signal?.addEventListener("abort", () => reject(signal.reason)); });
}

async function soon<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It takes too long.")), 10_000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// The session ends elsewhere, another person signs in, and a connection is lost while the access token is renewed.
export async function sessions(): Promise<void> {
  await ended();
  await endedByEvent();
  await signedOut();
  await replacedWhileConnected();
  await replacedWhileWaiting();
  await replacedByStored();
  await repeatedAsStored();
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

// Another tab has signed in again, before the renewal or during it. The end of the old session must not end the new
// one.
async function replacedByStored(): Promise<void> {
  const other = { accessToken: "other", refreshToken: "other" };
  for (const isLate of [false, true]) {
    let stored: Credentials | null = credentials;
    let end = () => {};
    const isOver = new Promise<void>((resolve) => { end = resolve; });
    const tokens: (string | null)[] = [];
    const server: typeof fetch = async (_, init) => {
      if (String(init?.body).includes("RefreshSession")) {
        stored = other;
        return json({ data: { refreshSession: { credentials: null } } });
      }
      const token = tokenOf(init);
      if (new Headers(init?.headers).get("Accept") !== "text/event-stream") {
        return token === "Bearer first" ? json(rejection("TOKEN_EXPIRED")) : json({ data: { viewer: null } });
      }
      tokens.push(token);
      if (token !== "Bearer first") {
        return stream("id: 1\n\n" + next({ data: change("second") }, "2") + complete, init?.signal);
      }
      const body = new ReadableStream<Uint8Array>({
        start: async (controller) => {
          controller.enqueue(new TextEncoder().encode("id: 1\n\n"));
          await isOver;
          controller.enqueue(new TextEncoder().encode(next(rejection("SESSION_ENDED"))));
          controller.close();
        },
      });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    };
    const storedCredentials = () => stored;
    const onCredentials = (current: Credentials | null) => { stored = current; };
    const client = new HearthClient(endpoint, { credentials, fetch: server, storedCredentials, onCredentials });
    const onBegin = async () => {
      if (!isLate) stored = other;
      await client.query(ViewerDocument);
      end();
    };
    const names: string[] = [];
    await soon((async () => {
      const options = { onBegin: () => { void onBegin(); } };
      for await (const { familyChanged } of client.subscribe(FamilyChangedDocument, {}, options)) {
        names.push(familyChanged.__typename === "ItemChanged" ? familyChanged.item.name : "");
      }
    })());
    expect(names.join() === "second" && tokens.join() === "Bearer first,Bearer other", [isLate, names, tokens]);
    expect(client.credentials?.accessToken === "other" && stored?.accessToken === "other", [isLate, stored]);
  }
}

// Another tab has signed in again, and this one learns it by the end of its own session. Requests are sent once more with
// the other tab's credentials, which can have expired or ended too; subscriptions go on with them.
async function repeatedAsStored(): Promise<void> {
  const session = (name: string) => ({ accessToken: name, refreshToken: name });
  const sent: (string | null)[] = [];
  const keys = new Set<string | null>();
  const positions: unknown[] = [];
  const server: typeof fetch = async (_, init) => {
    const body = JSON.parse(String(init?.body)) as {
      variables?: { refreshToken?: string }; extensions?: { position?: string };
    };
    const given = body.variables?.refreshToken;
    if (given !== undefined) return json({ data: { refreshSession: { credentials: session(`next ${given}`) } } });
    const token = tokenOf(init);
    sent.push(token);
    const headers = new Headers(init?.headers);
    const code = token === "Bearer expired" ? "TOKEN_EXPIRED" : "TOKEN_REVOKED";
    if (headers.get("Accept") === "text/event-stream") {
      positions.push(body.extensions?.position);
      return token === "Bearer other"
        ? stream(next({ data: change("second") }, "3") + complete, init?.signal)
        : stream("id: 1\n\n" + next({ data: change("first") }, "2") + next(rejection(code)), init?.signal);
    }
    keys.add(headers.get("Idempotency-Key"));
    if (token === "Bearer other" || token === "Bearer next expired") return json({ data: { viewer: null } });
    return json({ ...(token === "Bearer half" ? { data: null } : {}), ...rejection(code) });
  };
  const cases: [first: string, stored: string, sent: string, after: string | undefined][] = [
    ["first", "other", "first,first,other,other", "other"],
    ["first", "expired", "first,first,expired,expired,next expired,next expired", "next expired"],
    ["first", "ended", "first,first,ended,ended", undefined],
    // The first field of a mutation may have been executed before the session ended.
    ["half", "other", "half,half", "other"],
  ];
  for (const [first, name, expected, after] of cases) {
    let stored: Credentials | null = session(name);
    const client = new HearthClient(endpoint, {
      credentials: session(first), fetch: server,
      storedCredentials: () => stored, onCredentials: (current) => { stored = current; },
    });
    sent.length = 0;
    keys.clear();
    const one = client.mutate(SignInDocument, { input: { email: "", password: "" } }).catch((reason: unknown) => reason);
    const another = client.query(ViewerDocument).catch((reason: unknown) => reason);
    const failures = (await Promise.all([one, another])).filter((result) => result instanceof HearthError);
    expect(failures.length === (after === undefined || first === "half" ? 2 : 0), [name, failures.map(String)]);
    expect(sent.map((token) => token?.replace("Bearer ", "")).sort().join() === expected.split(",").sort().join(), sent);
    expect(keys.size === 2, [...keys]);
    expect(client.credentials?.accessToken === after && stored?.accessToken === after, [name, stored]);
  }

  let stored: Credentials | null = session("other");
  const storedCredentials = () => stored;
  const onCredentials = (current: Credentials | null) => { stored = current; };
  const client = new HearthClient(endpoint, { credentials, fetch: server, storedCredentials, onCredentials });
  const names: string[] = [];
  let begun = 0;
  await soon((async () => {
    const options = { onBegin: () => { begun += 1; } };
    for await (const { familyChanged } of client.subscribe(FamilyChangedDocument, {}, options)) {
      names.push(familyChanged.__typename === "ItemChanged" ? familyChanged.item.name : "");
    }
  })());
  expect(names.join() === "first,second" && positions.join() === ",2" && begun === 1, [names, positions, begun]);
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
