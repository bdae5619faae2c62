import { expect, inShort, soon } from "./expect.js";
import { AddItemDocument, type Credentials, HearthClient, HearthError, ViewerDocument } from "./hearth.js";
import { json, rejection, tokenOf } from "./responses.js";

const endpoint = "http://server.test/graphql";
const pair = (name: string, signIn = "one") => ({
  accessToken: name, refreshToken: name, renewalKey: signIn.padEnd(16, "-") + name.padEnd(16, "-"),
});
const failure = (promise: Promise<unknown>) => promise.then(() => undefined, (reason: unknown) => reason);
const isSignedOut = (error: unknown) => error instanceof HearthError && error.reason === "signedOut";

// What is stored is removed, cannot be read or stored, or changes at the last moment.
export async function storages(): Promise<void> {
  for (const isLate of [false, true]) await emptied(isLate);
  await neverStored();
  await unreadable();
  await outdated();
  await rejectedAtOnce();
  await lockedByOther();
}

/** A server at which each token of `expired` is renewed to the next one. */
function renewing(expired: string[], used: string[], willRenew = () => {}): typeof fetch {
  return async (_, init) => {
    const { variables } = JSON.parse(String(init?.body)) as { variables?: { refreshToken?: string } };
    const given = variables?.refreshToken;
    if (given === undefined) {
      const token = tokenOf(init)?.replace("Bearer ", "") ?? "";
      return json(expired.includes(token) ? rejection("TOKEN_EXPIRED") : { data: { viewer: null } });
    }
    used.push(given);
    willRenew();
    const next = `${given}+`;
    return json({ data: { refreshSession: { credentials: { accessToken: next, refreshToken: next } } } });
  };
}

// Another client has signed out by removing the pair, before this one renews it or meanwhile. It is not stored again.
async function emptied(isLate: boolean): Promise<void> {
  let stored: Credentials | null = pair("first");
  const used: string[] = [];
  const reported: (Credentials | null)[] = [];
  const client = new HearthClient(endpoint, {
    credentials: stored, fetch: renewing(["first"], used, () => { stored = null; }),
    storedCredentials: () => stored,
    onCredentials: (current) => {
      stored = current;
      reported.push(current);
    },
  });
  if (!isLate) stored = null;
  expect(isSignedOut(await failure(client.mutate(AddItemDocument, { input: { name: "Tent" } }))));
  expect(client.credentials === null && stored === null && used.length === (isLate ? 1 : 0), [isLate, used]);
  expect(reported.length === 1 && reported[0] === null, [isLate, reported]);
  client.use(pair("second", "two"));
  await client.query(ViewerDocument);
  expect(client.credentials !== null && stored !== null, stored);
}

// The app could not store the pair, or a later one: that nothing is stored says nothing.
async function neverStored(): Promise<void> {
  const used: string[] = [];
  let stored: Credentials | null = null;
  const client = new HearthClient(endpoint, {
    credentials: pair("first"), fetch: renewing(["first", "first+", "first++"], used),
    storedCredentials: () => stored,
    onCredentials: (current) => { stored = used.length === 2 ? current : null; },
  });
  await client.query(ViewerDocument);
  expect(used.join() === "first,first+,first++" && client.credentials?.accessToken === "first+++", used);
}

// A storage that cannot be read says nothing either.
async function unreadable(): Promise<void> {
  const used: string[] = [];
  let isReadable = true;
  const credentials = pair("first");
  Object.defineProperty(globalThis, "reportError", { value: () => {}, configurable: true });
  try {
    const client = new HearthClient(endpoint, {
      credentials, fetch: renewing(["first"], used),
      storedCredentials: () => {
        if (!isReadable) throw new Error("Access is denied.");
        return credentials;
      },
    });
    isReadable = false;
    await client.query(ViewerDocument);
    expect(client.credentials?.accessToken === "first+", client.credentials);
  } finally {
    Reflect.deleteProperty(globalThis, "reportError");
  }
}

// The app could not store what this client has renewed. What is stored still is not the pair of another client.
async function outdated(): Promise<void> {
  const used: string[] = [];
  let stored = pair("first");
  const expired = ["first", "first+", "first++"];
  const client = new HearthClient(endpoint, {
    credentials: stored, fetch: renewing(expired, used), storedCredentials: () => stored,
  });
  const tokenOfClient = () => client.credentials?.accessToken;
  await client.query(ViewerDocument);
  expect(used.join() === "first,first+,first++" && tokenOfClient() === "first+++", used);
  // Another client of the sign-in has renewed the same pair.
  expired.push("first+++");
  stored = pair("other");
  await client.query(ViewerDocument);
  expect(used.length === 3 && tokenOfClient() === "other", [used, client.credentials]);
}

async function withLocks<Value>(request: unknown, run: () => Promise<Value>): Promise<Value> {
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  try {
    return await run();
  } finally {
    Reflect.deleteProperty(navigator, "locks");
  }
}

// The session has ended, and another person signs in at the moment at which this client learns it by its renewal.
async function rejectedAtOnce(): Promise<void> {
  const other = pair("other", "two");
  let stored: Credentials | null = pair("first");
  const server: typeof fetch = async (_, init) => {
    if (!String(init?.body).includes("RefreshSession")) return json(rejection("TOKEN_EXPIRED"));
    setTimeout(() => { stored = other; }, 20);
    return json({ data: { refreshSession: { credentials: null } } });
  };
  const replaced: Credentials[] = [];
  const client = new HearthClient(endpoint, {
    credentials: stored, fetch: server,
    storedCredentials: () => stored, onCredentials: (current) => { stored = current; },
    onReplaced: (current) => { replaced.push(current); },
  });
  const request = (_: string, __: unknown, run: () => Promise<unknown>) => run();
  const error = await withLocks(request, () => soon(failure(client.query(ViewerDocument))));
  expect(isSignedOut(error) && stored === other && replaced[0] === other, [String(error), stored]);
}

// The connection over which another client renews is lost. The end of this client's session does not wait for that.
async function lockedByOther(): Promise<void> {
  const request = (_: string, { signal }: { signal?: AbortSignal }) => new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
  let stored: Credentials | null = pair("first");
  const client = new HearthClient(endpoint, {
    credentials: stored, fetch: async () => json(rejection("TOKEN_REVOKED")),
    storedCredentials: () => stored, onCredentials: (current) => { stored = current; },
  });
  const query = () => failure(client.query(ViewerDocument));
  const isShort = (delay: number) => delay === 10_000;
  const end = async () => {
    // The clock of `soon` is not short.
    await undefined;
    return withLocks(request, () => inShort(isShort, query));
  };
  const { value, waited } = await soon(end());
  expect(isSignedOut(value) && stored === null && waited.length === 1, [String(value), stored, waited]);
}
