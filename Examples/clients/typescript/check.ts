// What an app does, against a running server with demo data:
//
//     node build/check.js family http://127.0.0.1:8080/graphql PICTURE
//     node build/check.js live   http://127.0.0.1:8080/graphql ACCESS-TOKEN REFRESH-TOKEN
//     node build/check.js --web-socket live …
//
// It prints "ok", or what was not as expected.

import { readFile } from "node:fs/promises";
import {
  AddChildDocument,
  AddChoreDocument,
  AddItemDocument,
  type ClientOptions,
  type Credentials,
  DashboardDocument,
  FamilyChangedDocument,
  Frequency,
  HearthClient,
  HearthError,
  type ID,
  SignInDocument,
  ThingDocument,
  UpdateChoreDocument,
  type VariablesOf,
  ViewerDocument,
} from "./hearth.js";
import { connections } from "./connection-check.js";
import { expect, expectSome } from "./expect.js";
import { live } from "./live-check.js";
import { passing } from "./passing-check.js";
import { renewals } from "./renewal-check.js";
import { replaced } from "./replaced-check.js";
import { responses } from "./response-check.js";
import { sessions } from "./session-check.js";
import { storages } from "./storage-check.js";
import { storing } from "./stored-check.js";
import { tabs } from "./tabs-check.js";

async function errorOf(promise: Promise<unknown>): Promise<HearthError> {
  const error = await promise.then(() => null, (reason: unknown) => reason);
  if (!(error instanceof HearthError)) throw new Error(`Not a HearthError: ${String(error)}`);
  return error;
}

async function signedIn(endpoint: string, options: ClientOptions = {}): Promise<HearthClient> {
  const client = new HearthClient(endpoint, options);
  const { signIn } = await client.mutate(SignInDocument, { input: { email: "ada@example.com", password: "hearth-demo" } });
  client.use(expectSome(signIn.credentials));
  return client;
}

async function family(endpoint: string, picture: string): Promise<void> {
  const stored: (Credentials | null)[] = [];
  const client = await signedIn(endpoint, { onCredentials: (credentials) => stored.push(credentials) });
  const wrong = await client.mutate(SignInDocument, { input: { email: "ada@example.com", password: "not hers" } });
  expect(wrong.signIn.credentials === null && wrong.signIn.userErrors.length > 0, wrong);

  // A union is narrowed by its `__typename`.
  const { viewer } = await client.query(ViewerDocument);
  expect(viewer?.__typename === "Account", viewer);
  expect(viewer.email === "ada@example.com" && viewer.name.startsWith("Ada"), viewer);

  const dashboard = await client.query(DashboardDocument, { chores: 1, withAvatars: true });
  const mia = expectSome(dashboard.family?.children[0]);
  expect(mia.name === "Mia" && mia.avatar !== undefined && mia.assignedChores.nodes.length === 1, mia);
  const without = await client.query(DashboardDocument);
  expect(expectSome(without.family?.children[0]).avatar === undefined, without);

  // An omitted field stays, null removes.
  expect(Frequency.includes("ONCE"));
  const added = await client.mutate(AddChoreDocument, {
    input: { name: "Sweep", notes: "The \"stairs\"\\ 🧹", dueAt: "2096-10-02T07:06:40Z", assigneeIds: [mia.id] },
  });
  const chore = expectSome(added.addChore.chore);
  const choreId: ID<"Chore"> = chore.id;
  // @ts-expect-error The id of a chore is not that of a child.
  const childId: ID<"Child"> = chore.id;
  // @ts-expect-error Nor is the id of a child that of the chore to be updated.
  const updatedId: VariablesOf<typeof UpdateChoreDocument>["input"]["id"] = mia.id;
  expect(updatedId === String(mia.id));
  expect(childId === String(choreId) && chore.frequency === "ONCE" && chore.dueAt !== null, chore);
  const renamed = await client.mutate(UpdateChoreDocument, { input: { id: chore.id, name: "Sweep well", dueAt: null } });
  const after = expectSome(renamed.updateChore.chore);
  expect(after.name === "Sweep well" && after.notes === chore.notes && after.dueAt === null, after);

  // Of a @oneOf input exactly one field is set.
  const child = await client.mutate(AddChildDocument, { input: { name: "Baby", birth: { age: 0 }, gender: "OTHER" } });
  expect(child.addChild.child?.age === 0 && child.addChild.child.gender === "OTHER", child);
  // @ts-expect-error Two are too many.
  const two = await errorOf(client.mutate(AddChildDocument, { input: { name: "B", birth: { age: 0, dateOfBirth: "" } } }));
  expect(two.reason === "failed" && two.codes.includes("BAD_USER_INPUT"), two.codes);
  // @ts-expect-error A subscription is not a query, and the server says so too.
  await errorOf(client.query(FamilyChangedDocument));

  await upload(client, picture, chore.id);
  await repeated(endpoint);
  await unavailable(endpoint);
  await lateRenewal();
  await replaced();
  await sessions();
  await storing();
  await storages();
  await responses();
  await passing();
  await connections();
  await renewal(client, stored, picture);
  await renewals(endpoint, expectSome((await signedIn(endpoint)).credentials));
  await tabs(endpoint, expectSome((await signedIn(endpoint)).credentials));
  await renewalOfWebSockets(endpoint);
  await rejected(endpoint);
}

async function upload(client: HearthClient, picture: string, choreId: ID<"Chore">): Promise<void> {
  const photo = new File([await readFile(picture)], "ten\"t.jpg", { type: "image/jpeg" });
  const { addItem } = await client.mutate(AddItemDocument, { input: { name: "Tent", photo } });
  const item = expectSome(addItem.item);
  expect(item.photo.url.includes("/media/") && item.photo.width > 0, item);
  const { node: thing } = await client.query(ThingDocument, { id: item.id });
  expect(thing?.__typename === "Item" && thing.photo.url === item.photo.url, thing);
  const { node } = await client.query(ThingDocument, { id: choreId });
  expect(node?.__typename === "Chore" && node.name === "Sweep well", node);
}

// A request whose response is lost is repeated, with the same key.
async function repeated(endpoint: string): Promise<void> {
  const keys: (string | null)[] = [];
  let failures = 0;
  const unreliable: typeof fetch = (input, init) => {
    keys.push(new Headers(init?.headers).get("Idempotency-Key"));
    if (failures > 0) {
      failures -= 1;
      return Promise.reject(new TypeError("fetch failed"));
    }
    return fetch(input, init);
  };
  const client = await signedIn(endpoint, { fetch: unreliable });
  // The keys of the requests since the last call. There can be those of a renewal too.
  const sent = () => keys.splice(0);
  const count = (key: string | null | undefined, all: (string | null)[]) => all.filter((each) => each === key).length;
  sent();
  failures = 2;
  await client.mutate(AddChoreDocument, { input: { name: "Once" } });
  const generated = sent();
  expect(generated[0]?.length === 32 && count(generated[0], generated) >= 3, generated);
  failures = 1;
  await client.mutate(AddChoreDocument, { input: { name: "Own key" } }, { idempotencyKey: "my-own-key" });
  const own = sent();
  expect(count("my-own-key", own) >= 2, own);
  failures = 1;
  await client.query(ViewerDocument);
  const none = sent();
  expect(count(null, none) >= 2, none);
  failures = 1;
  const options = { credentials: client.credentials, fetch: unreliable, retriesMutations: false };
  const lost = new HearthClient(endpoint, options).mutate(AddChoreDocument, { input: { name: "Lost" } });
  const error = await errorOf(lost);
  expect(error.reason === "unreachable" && sent().length === 1, error.message);
}

// A server that is not available at the moment, as nginx reports it, is asked again, and does not end the session. So is
// one that is still performing the mutation whose response was lost.
async function unavailable(endpoint: string): Promise<void> {
  const rejection = (status: number, code: string, headers: Record<string, string> = {}, retryAfter?: number) => {
    const body = JSON.stringify({ errors: [{ message: code, extensions: { code, retryAfter } }] });
    return new Response(body, { status, headers: { "Content-Type": "application/graphql-response+json", ...headers } });
  };
  const responses: Response[] = [];
  const once: typeof fetch = async (input, init) => responses.pop() ?? fetch(input, init);
  const client = await signedIn(endpoint, { fetch: once });
  for (const response of [
    rejection(503, "STORAGE_UNAVAILABLE", { "Retry-After": "1" }),
    rejection(422, "IDEMPOTENT_REQUEST_RUNNING", {}, 1),
  ]) {
    responses.push(response);
    const began = Date.now();
    await client.mutate(AddItemDocument, { input: { name: "Twice" } });
    expect(responses.length === 0 && Date.now() - began >= 1000, response.status);
  }
  const withoutRenewal: typeof fetch = async (_, init) => String(init?.body).includes("RefreshSession")
    ? rejection(503, "STORAGE_UNAVAILABLE")
    : rejection(400, "TOKEN_EXPIRED");
  const away = new HearthClient(endpoint, { credentials: client.credentials, fetch: withoutRenewal, retries: 0 });
  const error = await errorOf(away.query(ViewerDocument));
  expect(error.reason === "failed" && error.codes.join() === "STORAGE_UNAVAILABLE", error.codes);
  expect(away.credentials?.refreshToken === client.credentials?.refreshToken);
}

// A subscription whose token cannot be renewed at first goes on when it can, and tells when it is connected.
async function lateRenewal(): Promise<void> {
  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
  const stream = (text: string) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });
  const errors = (code: string) => ({ errors: [{ message: code, extensions: { code } }] });
  const change = { familyChanged: { __typename: "ItemChanged", item: { __typename: "Item", id: "1", name: "late" } } };
  let renewals = 0;
  const server: typeof fetch = async (_, init) => {
    if (String(init?.body).includes("RefreshSession")) {
      renewals += 1;
      if (renewals === 1) throw new TypeError("fetch failed");
      if (renewals === 2) return json(errors("STORAGE_UNAVAILABLE"), 503);
      if (renewals <= 4) return json(errors("READ_ONLY"));
      return json({ data: { refreshSession: { credentials: { accessToken: "renewed", refreshToken: "next" } } } });
    }
    return new Headers(init?.headers).get("Authorization") === "Bearer renewed"
      ? stream(`id: 1\n\nevent: next\ndata: ${JSON.stringify({ data: change })}\n\nevent: complete\ndata:\n\n`)
      : stream(`event: next\ndata: ${JSON.stringify(errors("TOKEN_EXPIRED"))}\n\nevent: complete\ndata:\n\n`);
  };
  const credentials = { accessToken: "expired", refreshToken: "refresh" };
  const client = new HearthClient("http://server.test/graphql", { credentials, fetch: server, retries: 0 });
  const seen: string[] = [];
  const events = client.subscribe(FamilyChangedDocument, {}, {
    onBegin: () => seen.push("begin"),
    onConnection: (isConnected) => seen.push(String(isConnected)),
  });
  for await (const { familyChanged } of events) {
    seen.push(familyChanged.__typename === "ItemChanged" ? familyChanged.item.name : "");
  }
  expect(seen.join() === "false,true,begin,late" && renewals === 5, [seen, renewals]);
}

// The server of this check issues access tokens for a second: all these requests find it expired, and the refresh
// token, which can be used once, is used once.
async function renewal(client: HearthClient, stored: (Credentials | null)[], picture: string): Promise<void> {
  const before = expectSome(client.credentials);
  const count = stored.length;
  await new Promise((resume) => setTimeout(resume, 2000));
  const all = await Promise.all(Array.from({ length: 20 }, () => client.query(ViewerDocument)));
  expect(all.every(({ viewer }) => viewer !== null), all);
  const after = expectSome(client.credentials);
  expect(after.refreshToken !== before.refreshToken && after.accessToken !== before.accessToken);
  expect(stored.length > count && stored.at(-1)?.refreshToken === after.refreshToken, stored.length);
  // The server reads a file of this size only with a valid token.
  await new Promise((resume) => setTimeout(resume, 2000));
  const photo = new File([await readFile(picture), new Uint8Array(70_000)], "large.jpg", { type: "image/jpeg" });
  const { addItem } = await client.mutate(AddItemDocument, { input: { name: "Large", photo } });
  expect(addItem.item !== null, addItem);
}

// The token of an open WebSocket is renewed before it expires, and events go on.
async function renewalOfWebSockets(endpoint: string): Promise<void> {
  const sent: { type: string; payload?: { Authorization?: string } }[] = [];
  let renewed = 0;
  class RecordingWebSocket extends WebSocket {
    constructor(url: string, protocol: string) {
      super(url, protocol);
      this.addEventListener("message", ({ data }) => { if (String(data).includes('"renewed":true')) renewed += 1; });
    }

    override send(message: string): void {
      sent.push(JSON.parse(message));
      super.send(message);
    }
  }
  const client = await signedIn(endpoint, { live: "webSocket", webSocket: RecordingWebSocket });
  const events = client.subscribe(FamilyChangedDocument, {}, { onBegin: () => { void addWhenRenewed(); } });
  const addWhenRenewed = async () => {
    while (renewed < 2) await new Promise((resume) => setTimeout(resume, 10));
    await client.mutate(AddItemDocument, { input: { name: "Renewed" } });
  };
  for await (const { familyChanged } of events) {
    expect(familyChanged.__typename === "ItemChanged" && familyChanged.item.name === "Renewed", familyChanged);
    break;
  }
  const tokens = sent.map(({ payload }) => payload?.Authorization).filter((each) => each !== undefined);
  const inits = sent.filter(({ type }) => type === "connection_init").length;
  // A busy machine can be too late for a token, and then connects again.
  expect(tokens.length - inits >= 2 && new Set(tokens).size > 1, [inits, tokens]);
}

async function rejected(endpoint: string): Promise<void> {
  const credentials = { accessToken: "nonsense", refreshToken: "nonsense" };
  const ended = await errorOf(new HearthClient(endpoint, { credentials }).query(DashboardDocument));
  expect(ended.reason === "signedOut" && ended.codes.join() === "TOKEN_MALFORMED", ended.codes);
  const nowhere = await errorOf(new HearthClient("http://127.0.0.1:1/graphql", { retries: 0 }).query(ViewerDocument));
  expect(nowhere.reason === "unreachable", nowhere.message);
  const noPath = await errorOf(new HearthClient(endpoint + "/nothing").query(ViewerDocument));
  expect(noPath.reason === "notGraphQL" && noPath.status === 404, noPath.message);
  const controller = new AbortController();
  const { signal } = controller;
  controller.abort();
  const reason: unknown = await new HearthClient(endpoint).query(ViewerDocument, {}, { signal }).catch((error) => error);
  expect(reason === signal.reason, String(reason));
  // A subscription that the server rejects is not repeated.
  const live = new HearthClient(endpoint).subscribe(FamilyChangedDocument);
  const refused = await errorOf(live.next());
  expect(refused.reason === "signedOut", refused.codes);
  for (const [own, code] of [[null, "UNAUTHENTICATED"], [credentials, "TOKEN_MALFORMED"]] as const) {
    const client = new HearthClient(endpoint, { credentials: own, live: "webSocket" });
    const error = await errorOf(client.subscribe(FamilyChangedDocument).next());
    expect(error.reason === "signedOut" && error.codes.join() === code, error.codes);
  }
  // A message that is longer than allowed is not sent again.
  const stop = new AbortController();
  const long = FamilyChangedDocument + " ".repeat(70_000) as typeof FamilyChangedDocument;
  const visitor = new HearthClient(endpoint, { live: "webSocket" });
  const tooLong = await errorOf(
    visitor.subscribe(long, {}, { signal: stop.signal, onConnection: () => stop.abort() }).next(),
  );
  expect(tooLong.reason === "failed" && tooLong.message.includes("before signing in"), tooLong.message);
  // Aborting ends a subscription that is waiting.
  const ada = await signedIn(endpoint, { live: "webSocket" });
  const ending = new AbortController();
  const events = ada.subscribe(FamilyChangedDocument, {}, { signal: ending.signal, onBegin: () => ending.abort() });
  expect((await events.next()).done === true);
  // A position that the server rejects: connecting again would not help.
  const invalid = ada.subscribe(FamilyChangedDocument, {}, { position: "nonsense" });
  const final = await errorOf(invalid.next());
  expect(final.reason === "failed", final.codes);
}

const isOverWebSockets = process.argv.includes("--web-socket");
const [, , command, endpoint = "", ...rest] = process.argv.filter((each) => each !== "--web-socket");
const tokens = { accessToken: rest[0] ?? "", refreshToken: rest[1] ?? "" };
const run = command === "live"
  ? live(endpoint, tokens, isOverWebSockets ? { live: "webSocket" } : {}, () => console.log("heard"))
  : family(endpoint, rest[0] ?? "");
run.then(() => console.log("ok"), (error: unknown) => {
  console.log(error);
  // An open connection would keep the program running.
  process.exit(1);
});
