import { expect } from "./expect.js";
import { AddItemDocument, type Credentials, HearthClient, HearthError, ViewerDocument } from "./hearth.js";

export async function replaced(): Promise<void> {
  await replacedDuringRenewal();
  for (const code of ["TOKEN_REVOKED", "TOKEN_EXPIRED"]) await replacedDuringMutation(code);
}

// Queries that wait for a renewal while another person signs in are not sent with the tokens of the previous one.
// Neither is a query of the other person whose token expires during that renewal.
async function replacedDuringRenewal(): Promise<void> {
  const tokens: (string | null)[] = [];
  let replace = () => {};
  const isReplaced = new Promise<void>((resolve) => { replace = resolve; });
  const headers = { "Content-Type": "application/json" };
  const json = (body: unknown) => new Response(JSON.stringify(body), { headers });
  const server: typeof fetch = async (_, init) => {
    const body = String(init?.body);
    if (body.includes("RefreshSession")) {
      const { variables } = JSON.parse(body) as { variables: { refreshToken: string } };
      const name = variables.refreshToken;
      // The first renewal ends after the second one. A client that waits for it must fail, not hang.
      if (name === "first") await Promise.race([isReplaced, pause(5000)]);
      const credentials = { accessToken: `renewed ${name}`, refreshToken: `next ${name}` };
      return json({ data: { refreshSession: { credentials } } });
    }
    const token = new Headers(init?.headers).get("Authorization");
    tokens.push(token);
    if (token === "Bearer first" || token === "Bearer second") {
      return json({ errors: [{ message: "TOKEN_EXPIRED", extensions: { code: "TOKEN_EXPIRED" } }] });
    }
    if (token === "Bearer renewed second") replace();
    return json({ data: { viewer: null } });
  };
  const credentials = { accessToken: "first", refreshToken: "first" };
  const client = new HearthClient("http://server.test/graphql", { credentials, fetch: server });
  const waiting = [client.query(ViewerDocument), client.query(ViewerDocument)];
  // Both wait for the renewal then.
  await pause(100);
  client.use({ accessToken: "second", refreshToken: "second" });
  await client.query(ViewerDocument);
  await Promise.all(waiting);
  const first = ["Bearer first", "Bearer first", "Bearer second"];
  expect(tokens.join() === [...first, ...first.map(() => "Bearer renewed second")].join(), tokens);
  expect(client.credentials?.accessToken === "renewed second", client.credentials);
}

// A mutation of the previous person is not executed as the next one: after the response to a first attempt was lost and
// its session has ended, or while its token is renewed.
async function replacedDuringMutation(code: string): Promise<void> {
  const sent: string[] = [];
  let replace = () => {};
  const isReplaced = new Promise<void>((resolve) => { replace = resolve; });
  const server: typeof fetch = async (_, init) => {
    const body = String(init?.body);
    const json = (content: unknown) =>
      new Response(JSON.stringify(content), { headers: { "Content-Type": "application/json" } });
    if (body.includes("RefreshSession")) {
      await isReplaced;
      return json({ data: { refreshSession: { credentials: { accessToken: "renewed", refreshToken: "renewed" } } } });
    }
    if (!body.includes("AddItem")) return json({ data: { viewer: null } });
    sent.push(new Headers(init?.headers).get("Authorization") ?? "");
    if (code === "TOKEN_REVOKED") {
      if (sent.length === 1) throw new TypeError("The connection was lost.");
      await isReplaced;
    }
    return json({ errors: [{ message: code, extensions: { code } }] });
  };
  let stored: Credentials | null = { accessToken: "first", refreshToken: "first" };
  const client = new HearthClient("http://server.test/graphql", {
    credentials: stored, fetch: server,
    storedCredentials: () => stored, onCredentials: (current) => { stored = current; },
  });
  const mutation = client.mutate(AddItemDocument, { input: { name: "Tent" } }).catch((reason: unknown) => reason);
  const attempts = code === "TOKEN_REVOKED" ? 2 : 1;
  for (let waited = 0; sent.length < attempts && waited < 5000; waited += 20) await pause(20);
  await pause(100);
  client.use(null);
  client.use({ accessToken: "second", refreshToken: "second" });
  replace();
  const error = await mutation;
  expect(error instanceof HearthError && error.reason === "signedOut" && error.codes.join() === code, String(error));
  expect(sent.length === attempts && sent.every((token) => token === "Bearer first"), sent);
  expect(client.credentials?.accessToken === "second" && stored?.accessToken === "second", client.credentials);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resume) => { setTimeout(resume, milliseconds); });
}
