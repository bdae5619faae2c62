import { expect } from "./expect.js";
import { type Credentials, HearthClient, HearthError, ViewerDocument } from "./hearth.js";

// The page is loaded again during a renewal: the server has used the refresh token, but the page has no next one.
export async function renewals(endpoint: string, credentials: Credentials): Promise<void> {
  await reloaded(endpoint, credentials);
  await unstored();
  await spent();
}

// The server of this check issues access tokens for a second.
async function reloaded(endpoint: string, credentials: Credentials): Promise<void> {
  let stored: Credentials | null = null;
  const onCredentials = (next: Credentials | null) => { stored = next; };
  const keys: (string | null)[] = [];
  let isClosing = true;
  const server: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(init?.body).includes("RefreshSession")) return response;
    keys.push(new Headers(init?.headers).get("Idempotency-Key"));
    if (!isClosing) return response;
    await response.text();
    throw new TypeError("The page was closed.");
  };
  const first = new HearthClient(endpoint, { onCredentials, fetch: server, retries: 0 });
  first.use(credentials);
  await new Promise((resume) => { setTimeout(resume, 2000); });
  const error: unknown = await first.query(ViewerDocument).catch((reason: unknown) => reason);
  expect(error instanceof HearthError && error.reason === "unreachable", String(error));
  expect(keys.length === 1 && keys[0]?.length === 32, keys);

  isClosing = false;
  stored = JSON.parse(JSON.stringify(stored)) as Credentials;
  const before = stored.renewalKey;
  const next = new HearthClient(endpoint, { credentials: stored, onCredentials, fetch: server });
  const { viewer } = await next.query(ViewerDocument);
  expect(viewer !== null && keys[1] === keys[0] && before === keys[0], keys);
  // The next pair has the next key.
  const after = next.credentials?.renewalKey;
  const kept = (stored as Credentials | null)?.renewalKey;
  expect(after?.length === 32 && after !== before && kept === after, [before, after, kept]);
}

const session = { accessToken: "first", refreshToken: "first" };

function rejection(code: string): Response {
  const body = JSON.stringify({ errors: [{ message: code, extensions: { code } }] });
  return new Response(body, { headers: { "Content-Type": "application/json" } });
}

// A pair that was stored without a key has one as long as the page is open.
async function unstored(): Promise<void> {
  const keys = new Set<string | null>();
  const server: typeof fetch = async (_, init) => {
    if (!String(init?.body).includes("RefreshSession")) return rejection("TOKEN_EXPIRED");
    keys.add(new Headers(init?.headers).get("Idempotency-Key"));
    throw new TypeError("fetch failed");
  };
  const client = new HearthClient("http://server.test/graphql", { credentials: session, fetch: server, retries: 0 });
  for (let turn = 0; turn < 2; turn += 1) {
    const error: unknown = await client.query(ViewerDocument).catch((reason: unknown) => reason);
    expect(error instanceof HearthError && error.reason === "unreachable", String(error));
  }
  expect(keys.size === 1 && !keys.has(null), [...keys]);
}

// Since the renewal was performed, its session has ended, or its tokens were used: the next attempt would fail as well.
async function spent(): Promise<void> {
  for (const code of ["RESPONSE_NOT_KEPT", "IDEMPOTENCY_KEY_REUSED"]) {
    const server: typeof fetch = async (_, init) =>
      rejection(String(init?.body).includes("RefreshSession") ? code : "TOKEN_EXPIRED");
    const client = new HearthClient("http://server.test/graphql", { credentials: session, fetch: server });
    const error: unknown = await client.query(ViewerDocument).catch((reason: unknown) => reason);
    expect(error instanceof HearthError && error.reason === "signedOut", String(error));
    expect(client.credentials === null, client.credentials);
  }
}
