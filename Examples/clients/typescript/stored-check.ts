import { expect, soon } from "./expect.js";
import {
  AddItemDocument,
  type ClientOptions,
  type Credentials,
  FamilyChangedDocument,
  HearthClient,
  HearthError,
  SignInDocument,
  ViewerDocument,
} from "./hearth.js";
import { change, complete, json, next, rejection, stream, tokenOf } from "./responses.js";

const endpoint = "http://server.test/graphql";

/** The pairs of a sign-in have the same first half of the renewal key. */
const pair = (name: string, signIn = "one") => ({
  accessToken: name, refreshToken: name, renewalKey: signIn.padEnd(16, "-") + name.padEnd(16, "-"),
});
const credentials = pair("first");
const failure = (promise: Promise<unknown>) => promise.then(() => undefined, (reason: unknown) => reason);

// Another client has stored a pair, as another tab does.
export async function storing(): Promise<void> {
  await renewedByOther();
  await repeatedAsStored();
  for (const code of ["TOKEN_REVOKED", "TOKEN_EXPIRED"]) {
    for (const isLate of [false, true]) await signedInByOther(code, isLate);
  }
  for (const isSame of [false, true]) await following(isSame);
  await written();
  await leftStored();
  await withoutKeys();
  await signedInAtOnce();
  await lockless();
}

// The other client has renewed the tokens: before this one does, or at the same time. The end of the old tokens must
// not end the new ones.
async function renewedByOther(): Promise<void> {
  const other = pair("other");
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
    let writes = 0;
    const onCredentials = () => { writes += 1; };
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
    // The other client can have stored the next pair in between.
    expect(client.credentials?.accessToken === "other" && writes === 0, [isLate, client.credentials, writes]);
  }
}

// The other client has renewed the tokens, and this one learns it by the end of its own. Requests are sent once more
// with the stored ones, which can have expired or ended too; subscriptions go on with them.
async function repeatedAsStored(): Promise<void> {
  const sent: (string | null)[] = [];
  const keys = new Set<string | null>();
  const positions: unknown[] = [];
  const server: typeof fetch = async (_, init) => {
    const body = JSON.parse(String(init?.body)) as {
      variables?: { refreshToken?: string }; extensions?: { position?: string };
    };
    const given = body.variables?.refreshToken;
    if (given !== undefined) return json({ data: { refreshSession: { credentials: pair(`next ${given}`) } } });
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
    let stored: Credentials | null = pair(name);
    const client = new HearthClient(endpoint, {
      credentials: pair(first), fetch: server,
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

  let stored: Credentials | null = pair("other");
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

// Another person has signed in: before a request, or while the token is renewed. What was begun on this page is never
// sent with that person's tokens, and what is stored is left alone.
async function signedInByOther(code: string, isLate: boolean): Promise<void> {
  const other = pair("other", "two");
  const sent: (string | null)[] = [];
  let stored: Credentials | null = isLate ? credentials : other;
  const server: typeof fetch = async (_, init) => {
    if (String(init?.body).includes("RefreshSession")) {
      stored = other;
      return json({ data: { refreshSession: { credentials: { accessToken: "next", refreshToken: "next" } } } });
    }
    sent.push(tokenOf(init));
    if (isLate && code === "TOKEN_REVOKED") stored = other;
    return json(tokenOf(init) === "Bearer first" ? rejection(code) : rejection("UNAUTHENTICATED"));
  };
  let isWritten = false;
  const replaced: Credentials[] = [];
  const client = new HearthClient(endpoint, {
    credentials, fetch: server,
    storedCredentials: () => stored, onCredentials: () => { isWritten = true; },
    onReplaced: (current) => { replaced.push(current); },
  });
  const add = () => client.mutate(AddItemDocument, { input: { name: "Tent" } });
  // In the background, a query finds the other person's tokens first.
  const failures = [await failure(isLate ? add() : client.query(ViewerDocument)), await failure(add())];
  expect(failures.every((error) => error instanceof HearthError && error.reason === "signedOut"), failures.map(String));
  expect(sent.length === 2 && sent[0] === "Bearer first" && sent[1] === null, [code, isLate, sent]);
  expect(replaced.length === 1 && replaced[0] === other && client.credentials === null, [code, isLate, replaced]);
  // The app signs out after `signedOut`. There is no session here, and the other person's tokens stay stored.
  client.use(null);
  expect(!isWritten && stored === other, [code, isLate, stored]);
}

// A subscription ends when another person has signed in. If the app takes over the stored pair, it begins again, and
// queries are sent again, but mutations are not.
async function following(isSame: boolean): Promise<void> {
  const other = pair("other", "two");
  const positions: unknown[] = [];
  const mutations: (string | null)[] = [];
  const server: typeof fetch = async (_, init) => {
    const body = String(init?.body);
    const token = tokenOf(init);
    if (new Headers(init?.headers).get("Accept") === "text/event-stream") {
      const { extensions } = JSON.parse(body) as { extensions?: { position?: string } };
      positions.push(extensions?.position);
      return token === "Bearer first"
        ? stream("id: 1\n\n" + next({ data: change("first") }, "2"), init?.signal)
        : stream("id: 7\n\n" + next({ data: change("other") }, "8") + complete, init?.signal);
    }
    if (body.includes("AddItem")) mutations.push(token);
    return json(token === "Bearer first" ? rejection("TOKEN_EXPIRED") : { data: { viewer: null } });
  };
  let writes = 0;
  const options: ClientOptions = {
    credentials, fetch: server,
    storedCredentials: () => other, onCredentials: () => { writes += 1; },
  };
  if (isSame) options.onReplaced = (stored) => client.use(stored);
  const client = new HearthClient(endpoint, options);
  const names: string[] = [];
  const results: Promise<unknown>[] = [];
  let begun = 0;
  const error = await soon(failure((async () => {
    const events = client.subscribe(FamilyChangedDocument, {}, { onBegin: () => { begun += 1; } });
    for await (const { familyChanged } of events) {
      names.push(familyChanged.__typename === "ItemChanged" ? familyChanged.item.name : "");
      if (names.length > 1) continue;
      results.push(failure(client.mutate(AddItemDocument, { input: { name: "Tent" } })));
      results.push(failure(client.query(ViewerDocument)));
    }
  })()));
  const failures = (await Promise.all(results)).map((result) => result instanceof HearthError && result.reason);
  if (isSame) {
    expect(error === undefined && names.join() === "first,other" && begun === 2, [String(error), names, begun]);
    expect(positions.length === 2 && positions[1] === undefined, positions);
    expect(failures.join() === "signedOut,false" && client.credentials?.accessToken === "other", failures);
  } else {
    expect(error instanceof HearthError && error.reason === "signedOut", String(error));
    expect(names.join() === "first" && failures.join() === "signedOut,signedOut", [names, failures]);
  }
  // The client that has stored the pair can have renewed it since.
  expect(mutations.join() === "Bearer first" && writes === 0, [mutations, writes]);
}

// A pair that is stored already is not written back by `use`. Another one is.
async function written(): Promise<void> {
  const reported: (string | undefined)[] = [];
  let stored: Credentials | null = pair("second");
  const client = new HearthClient(endpoint, {
    credentials,
    storedCredentials: () => stored,
    onCredentials: (current) => {
      stored = current;
      reported.push(current?.accessToken);
    },
  });
  client.use(stored);
  client.use({ accessToken: "third", refreshToken: "third" });
  client.use(null);
  expect(reported.join() === "third," && reported.length === 2, reported);
}

// A sign-out of one person's session leaves what another person's sign-in has stored.
async function leftStored(): Promise<void> {
  let writes = 0;
  const storedCredentials = () => pair("other", "two");
  const client = new HearthClient(endpoint, { credentials, storedCredentials, onCredentials: () => { writes += 1; } });
  client.use(null);
  expect(client.credentials === null && writes === 0, writes);
}

// Two clients have found a pair without a key, as of an earlier version. The second one follows the renewal of the first.
async function withoutKeys(): Promise<void> {
  const server: typeof fetch = async (_, init) => {
    if (String(init?.body).includes("RefreshSession")) {
      return json({ data: { refreshSession: { credentials: { accessToken: "second", refreshToken: "second" } } } });
    }
    return json(tokenOf(init) === "Bearer first" ? rejection("TOKEN_EXPIRED") : { data: { viewer: null } });
  };
  let stored: Credentials | null = { accessToken: "first", refreshToken: "first" };
  let replacements = 0;
  const options: ClientOptions = {
    credentials: stored, fetch: server,
    storedCredentials: () => stored, onCredentials: (current) => { stored = current; },
    onReplaced: () => { replacements += 1; },
  };
  const clients = [new HearthClient(endpoint, options), new HearthClient(endpoint, options)];
  for (const client of clients) await soon(client.query(ViewerDocument));
  expect(clients.every((client) => client.credentials?.accessToken === "second") && replacements === 0, replacements);
  // The app stores the tokens without the key.
  stored = { accessToken: "second", refreshToken: "second" };
  clients[1]?.use(null);
  expect(stored === null && replacements === 0, stored);
}

// Another person signs in while the session of this client ends. This client learns it, and writes nothing.
async function signedInAtOnce(): Promise<void> {
  const other = pair("other", "two");
  let stored: Credentials | null = credentials;
  const server: typeof fetch = async () => {
    setTimeout(() => { stored = other; }, 20);
    return json(rejection("TOKEN_REVOKED"));
  };
  const locks = { request: (_: string, __: unknown, run: () => Promise<unknown>) => run() };
  Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
  const replaced: Credentials[] = [];
  let writes = 0;
  try {
    const client = new HearthClient(endpoint, {
      credentials, fetch: server,
      storedCredentials: () => stored, onCredentials: () => { writes += 1; },
      onReplaced: (current) => { replaced.push(current); },
    });
    await soon(failure(client.query(ViewerDocument)));
  } finally {
    Reflect.deleteProperty(navigator, "locks");
  }
  expect(replaced.length === 1 && replaced[0] === other && writes === 0, [replaced, writes]);
}

// In a frame that must not use its storage, there is an API for locks, but it rejects.
async function lockless(): Promise<void> {
  let renewals = 0;
  const server: typeof fetch = async (_, init) => {
    if (String(init?.body).includes("RefreshSession")) {
      renewals += 1;
      return json({ data: { refreshSession: { credentials: { accessToken: "second", refreshToken: "second" } } } });
    }
    return json(tokenOf(init) === "Bearer first" ? rejection("TOKEN_EXPIRED") : { data: { viewer: null } });
  };
  const locks = { request: () => Promise.reject(new DOMException("Access is denied.", "SecurityError")) };
  Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
  try {
    const client = new HearthClient(endpoint, { credentials, fetch: server, storedCredentials: () => null });
    await soon(client.query(ViewerDocument));
  } finally {
    Reflect.deleteProperty(navigator, "locks");
  }
  expect(renewals === 1, renewals);
}
